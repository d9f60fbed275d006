"""The card reader's own firmware, in MicroPython. README.md says how to build and flash one; a box never imports it."""
