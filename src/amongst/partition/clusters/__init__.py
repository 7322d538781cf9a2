"""Rows that gather by what they lose together."""
