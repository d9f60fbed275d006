"""The wiring drawings of docs/hardware.md, drawn from the pins that box and firmware really use."""
