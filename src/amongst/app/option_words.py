"""The options of methods that are one of a few words, and what options are called on the page."""

from __future__ import annotations

CHOICES = {
    "cuts": ("hierarchy-first", "hierarchy", "ordered"),
    "choose": ("gcp", "lm", "precision", "entropy", "height", "dm", "c_avg"),
    "marking": ("all", "direct"),
    "assign": ("seed", "increase"),
    "search": ("near", "all"),
    "order": ("random", "near"),
    "cost": ("dm", "gcp"),
    "into": ("nodes", "sets"),
    "pairing": ("greedy",),
    "leftovers": ("suppress",),
}
WORDS = {
    "cuts": "cut along",
    "choose": "choose by",
    "suppression": "share that may be suppressed",
    "effort": "effort",
    "steps": "most steps of the search",
    "most_steps": "most steps of the search",
    "window": "neighbours looked at",
    "centres": "centres",
}
