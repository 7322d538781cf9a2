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
