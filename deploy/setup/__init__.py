"""What prepares a machine: Debian packages, the pinned dependencies and their licences."""
