"""Two tables: nothing is generalized, and the link is broken."""
