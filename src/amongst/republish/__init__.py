"""Releases of the same people again and again: one tree of boxes, cut so that all releases together hold."""
