"""The wiring: the ``tallybox`` command, the demo room, provisioning."""
