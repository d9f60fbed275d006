"""``make fuzz``: bytes that nobody thought of, for the decoders of the reader protocol."""
