"""One screen a file; each is a function of what the box shows and of the entries being made."""
