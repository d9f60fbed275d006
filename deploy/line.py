"""One end of the line between boxes, broker and hub: the files it needs, and the TLS they make."""

from __future__ import annotations

import socket
import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from deploy.errors import RoomError

AUTHORITY_FILE: Final = "ca.crt"
CERTIFICATE_FILE: Final = "own.crt"
KEY_FILE: Final = "own.key"


class HubContext(ssl.SSLContext):
    """TLS that wants to see the hub's own certificate, at whatever address the hub is found."""

    hub: str | None = None
    """The host name of the box's bundle; ``None``: the name or address that is connected to."""

    def wrap_socket(
        self,
        sock: socket.socket,
        server_side: bool = False,
        do_handshake_on_connect: bool = True,
        suppress_ragged_eofs: bool = True,
        server_hostname: str | bytes | None = None,
        session: ssl.SSLSession | None = None,
    ) -> ssl.SSLSocket:
        """As any context does, except that the certificate has to be the hub's."""
        hub = self.hub or server_hostname
        return super().wrap_socket(
            sock, server_side, do_handshake_on_connect, suppress_ragged_eofs, server_hostname=hub, session=session
        )


@dataclass(frozen=True, slots=True)
class LineFiles:
    """The folder with the venue's authority, and this end's own certificate and key."""

    folder: Path

    @property
    def authority(self) -> Path:
        """The certificate of the venue's authority."""
        return self.folder / AUTHORITY_FILE

    @property
    def certificate(self) -> Path:
        """This end's own certificate."""
        return self.folder / CERTIFICATE_FILE

    @property
    def key(self) -> Path:
        """The key of that certificate. A secret."""
        return self.folder / KEY_FILE

    def context(self, hub: str | None = None) -> ssl.SSLContext:
        """TLS 1.2 or newer that trusts this venue alone, shows this end's certificate and checks the host's name.

        ``hub``: the name to find in the certificate of the other end, whatever address it has.
        Raises ``RoomError`` when a file is missing or damaged: nothing ever falls back to a plain line.
        """
        for path in (self.authority, self.certificate, self.key):
            if not path.is_file():
                raise RoomError(
                    "no-certificate",
                    f"{path} is not there, and this venue's line needs it. Copy it from the venue's bundle again.",
                )
        context = HubContext(ssl.PROTOCOL_TLS_CLIENT)
        context.hub = hub
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        try:
            context.load_verify_locations(self.authority)
            context.load_cert_chain(self.certificate, self.key)
        except ssl.SSLError:
            raise RoomError(
                "bad-certificate",
                f"The certificate and key in {self.folder} are damaged, or do not belong together. "
                "Copy them from the venue's bundle again, or renew them.",
            ) from None
        except OSError as reason:
            raise RoomError(
                "cannot-read", f"{reason.filename or self.folder} cannot be read: {reason.strerror}."
            ) from None
        return context
