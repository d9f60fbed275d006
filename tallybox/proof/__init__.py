"""Proof: whether a ledger is as the hub wrote it, from the file alone (docs/journal.md, Proof)."""
