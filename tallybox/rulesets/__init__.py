"""The rulesets of the three club texts, as TOML files."""
