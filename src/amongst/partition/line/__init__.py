"""Rows put on a line, and the line divided."""
