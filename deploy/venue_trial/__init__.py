"""A venue from bare systems on this machine: stick, two Debian roots, systemd, a hand, and the version before."""
