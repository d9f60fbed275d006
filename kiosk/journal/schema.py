"""The tables of a box's journal. Events and epochs are append-only; what the hub said has rows of its own, and so has
what the box remembers for itself (officials, wrong PINs, language)."""

from __future__ import annotations

from typing import Final

SCHEMA_VERSION: Final = 1

PRAGMAS: Final = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA busy_timeout = 5000",
    "PRAGMA foreign_keys = ON",
)

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS journal (
    one INTEGER PRIMARY KEY CHECK (one = 1), version INTEGER NOT NULL, box TEXT
) STRICT;
CREATE TABLE IF NOT EXISTS epochs (
    n INTEGER PRIMARY KEY, epoch TEXT NOT NULL UNIQUE, parent TEXT, parent_seq INTEGER, parent_id TEXT,
    why TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS events (
    n INTEGER PRIMARY KEY, epoch TEXT NOT NULL REFERENCES epochs (epoch), seq INTEGER NOT NULL, id TEXT NOT NULL UNIQUE,
    tournament TEXT, round INTEGER, at_table INTEGER, payload BLOB NOT NULL, payload_hash TEXT NOT NULL,
    renews TEXT, stamp TEXT,
    UNIQUE (epoch, seq)
) STRICT;
CREATE INDEX IF NOT EXISTS events_by_table ON events (tournament, round, at_table);
CREATE INDEX IF NOT EXISTS events_by_payload ON events (payload_hash);
CREATE INDEX IF NOT EXISTS events_by_stamp ON events (stamp) WHERE stamp IS NOT NULL;
CREATE TABLE IF NOT EXISTS acked (epoch TEXT PRIMARY KEY, upto INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS refusals (
    id TEXT PRIMARY KEY, seq INTEGER NOT NULL, code TEXT NOT NULL, message TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS faults (
    n INTEGER PRIMARY KEY, payload_hash TEXT NOT NULL, id TEXT, code TEXT NOT NULL, message TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS desired (
    kind TEXT PRIMARY KEY, hub_epoch INTEGER NOT NULL, ledger_seq INTEGER NOT NULL, payload BLOB NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS kept (name TEXT PRIMARY KEY, payload BLOB NOT NULL) STRICT;
CREATE TRIGGER IF NOT EXISTS events_stay BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER IF NOT EXISTS events_kept BEFORE DELETE ON events
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER IF NOT EXISTS epochs_stay BEFORE UPDATE ON epochs
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER IF NOT EXISTS epochs_kept BEFORE DELETE ON epochs
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
"""
