"""The table's box: journal, uplink, and the touchscreen that shows the fold of the journal."""
