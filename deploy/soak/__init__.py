"""Long runs of real parts over bad lines: the firmware under MicroPython, a line that damages, the box's own link."""
