"""The addresses that this machine has in its networks."""

from __future__ import annotations

import ipaddress

import ifaddr


def own_addresses() -> tuple[str, ...]:
    """This machine's IPv4 addresses as others see it, in the order of its interfaces; none of loopback.

    Reading them takes a moment's system call and waits for nobody. Addresses that a machine gives itself for want of a
    network (169.254…) come last.
    """
    found: list[ipaddress.IPv4Address] = []
    for adapter in ifaddr.get_adapters():
        for each in adapter.ips:
            if isinstance(each.ip, str):
                address = ipaddress.IPv4Address(each.ip)
                if not address.is_loopback and address not in found:
                    found.append(address)
    return tuple(str(address) for address in sorted(found, key=lambda address: address.is_link_local))
