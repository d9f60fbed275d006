"""The units that an installed hub and kiosk are started by, and the words that are shown when one of them does not."""
