"""The box's journal on disk: events that are only ever added, and what waits to be sent."""
