"""How easily people could be found in a table: before, after, and by which columns. One metric, one file."""
