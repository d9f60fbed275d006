"""The hub's line to its boxes: what comes over the broker, what goes out, and how much of it."""
