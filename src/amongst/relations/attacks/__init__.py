"""Attacks on many tables, one a file."""
