"""The ledger on disk: its chain and its checkpoints, copies of it, and what its disk refuses."""
