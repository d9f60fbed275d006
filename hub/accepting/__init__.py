"""From a payload to a line of the ledger: one keeper judges, one thread writes (docs/journal.md, Accepting)."""
