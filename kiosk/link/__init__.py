"""The box's line to its hub: what it says, what it hears, and when it says it again."""
