"""The shared ground floor: rules, sheets, messages, countdown arithmetic, signing. Pure; no I/O, no clock."""
