"""Everything that the page of a lattice tells, as facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from amongst.report.lattice_view import LatticeView
from amongst.report.wording import figure, percent

NAME_OF_MEASURE = {
    "gcp": "GCP",
    "lm": "LM",
    "precision": "1 − Prec",
    "entropy": "Entropy",
    "height": "Height",
    "dm": "C_DM",
    "c_avg": "C_AVG",
}
SHARES = ("gcp", "lm", "precision")


@dataclass(frozen=True)
class Measured:
    """A node with its loss by every measure; ``node`` is its place among those drawn."""

    node: int
    losses: Mapping[str, float]

    def shown(self, measure: str) -> str:
        loss = self.losses[measure]
        return percent(loss) if measure in SHARES else figure(loss)


@dataclass(frozen=True, eq=False)
class LatticeStory:
    """A lattice as its page tells it.

    Attributes
    ----------
    title : str
    asked : tuple of str
        What was asked, a sentence each.
    view : LatticeView
    measured : tuple of Measured
        The minimal nodes, the least loss first; and the chosen one where it is not minimal.
    method, measure : str
        What searched, and by what it was chosen.
    facts : mapping of str to object
        Further facts for the foot of the page.
    """

    title: str
    asked: tuple[str, ...]
    view: LatticeView
    measured: tuple[Measured, ...]
    method: str
    measure: str
    facts: Mapping[str, Any] = field(default_factory=dict)

    def best(self, measure: str) -> float:
        """The least loss among those measured."""
        return min((one.losses[measure] for one in self.measured), default=0.0)

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data; counts of rows below k stay hidden."""
        view = self.view
        heights = zip(view.safe_by_height.tolist(), view.unsafe_by_height.tolist(), strict=True)
        return {
            "title": self.title,
            "asked": list(self.asked),
            "k": view.k,
            "rows": view.n_rows,
            "method": self.method,
            "choose": self.measure,
            "levels": {name: list(words) for name, words in zip(view.columns, view.level_words, strict=True)},
            "generalizations": view.n_nodes,
            "safe": view.n_safe,
            "minimal": view.n_minimal,
            "by_height": [{"height": h, "safe": s, "unsafe": u} for h, (s, u) in enumerate(heights)],
            "chosen": None if view.chosen < 0 else self._node(view.chosen),
            "measured": [{**self._node(one.node), **one.losses} for one in self.measured],
            "drawn": [self._node(node) for node in range(view.n_drawn)],
        }

    def _node(self, node: int) -> dict[str, Any]:
        view, n = self.view, int(self.view.suppressed[node])
        return {
            "levels": dict(zip(view.columns, view.levels[node].tolist(), strict=True)),
            "safe": bool(view.safe[node]),
            "minimal": bool(view.minimal[node]),
            "suppressed": f"fewer than {view.k}" if 0 < n < view.k else n,
            "gcp": float(view.gcp[node]),
        }
