"""Releases held against each other: what two of them tell together."""
