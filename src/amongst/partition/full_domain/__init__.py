"""One level a column for the whole table: searches over the lattice."""
