"""The words that arguments take, so that editors complete them. Any other text is refused when it is used.

The names of methods are those of ``am.methods()``; a test holds them against each other.
"""

from __future__ import annotations

from typing import Literal

Role = Literal["identifier", "quasi", "sensitive", "keep", "weight", "household"]
Kind = Literal["numeric", "ordered", "categorical", "date"]
NullRule = Literal["own value", "match anything", "suppress"]
Publish = Literal["range", "ancestor", "set"]
Form = Literal["labels", "bounds", "structs"]
Rest = Literal["drop", "keep"]
MethodName = Literal[
    "anatomy",
    "attribute-suppression",
    "best",
    "bottom-up",
    "bottom-up-search",
    "cell-generalization",
    "cell-suppression",
    "datafly",
    "full-domain-optimum",
    "full-domain-wide",
    "full-subgraph",
    "full-subtree",
    "gain-split",
    "hilbert",
    "hilbert-fast",
    "idistance",
    "idistance-fast",
    "incognito",
    "incognito-cube",
    "incognito-materialized",
    "incognito-superroots",
    "k-optimize",
    "mondrian",
    "mondrian-relaxed",
    "own-order",
    "regions",
    "samarati",
    "single-dimensional",
    "sweep",
    "top-down",
    "unrestricted",
]
OURS, PAPER = "ours", "paper"
"""Rules of a method: ours, or those that its paper prints."""

MEASURES: dict[str, str] = {
    "gcp": "global certainty penalty, with the columns' weights",
    "lm": "loss metric: leaves or width, mean over columns, with the columns' weights",
    "precision": "share of the way up each hierarchy, with the columns' weights (1 - Prec)",
    "entropy": "non-uniform entropy: bits lost per cell",
    "height": "sum of the levels, with the columns' weights (Samarati)",
    "dm": "discernibility: sum of squared class sizes",
    "c_avg": "average class size over k, k left out",
}
"""By what a generalization of whole columns is chosen."""
