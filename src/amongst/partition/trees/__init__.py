"""Cuts through hierarchies, some branches finer than others."""
