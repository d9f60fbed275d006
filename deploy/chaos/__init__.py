"""A whole room that everything goes wrong in, and the count at the end that nothing was lost (docs/decisions/0009)."""
