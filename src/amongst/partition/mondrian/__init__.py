"""Cuts, one after the other: Mondrian and what cuts as it does."""
