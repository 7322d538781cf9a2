"""One command a file: what it takes, the call it makes, what it tells."""
