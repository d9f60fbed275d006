"""The tournament server: ledger, ingest, clock, tournament, and the director's dashboard."""
