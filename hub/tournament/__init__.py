"""The tournament as a pure fold over the ledger: state, judgement, standings, rotation, templates."""
