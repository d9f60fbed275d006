"""A table's card reader: MicroPython for a Raspberry Pi Pico, and the same files for the unix port of MicroPython.

Only ``pico`` and ``unix`` know the machine they run on; the rest takes it as a ``Board``.
"""
