"""One set of intervals a column for the whole table."""
