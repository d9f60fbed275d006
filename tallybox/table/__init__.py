"""One table's round as a pure fold over its journal: the kiosk shows it, the hub judges by it."""
