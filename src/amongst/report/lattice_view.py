"""What a drawing of the lattice shows: nodes with their levels, what becomes of rows, and what is lost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from amongst.report.wording import percent


@dataclass(frozen=True, eq=False)
class LatticeView:
    """The nodes that are drawn: all of a small lattice, the border of a large one.

    Attributes
    ----------
    columns : tuple of str
    level_words : tuple of tuple of str
        For every column what each of its levels publishes, in words.
    k, n_rows, most_suppressed : int
        What was asked: rows in classes of fewer than k are suppressed, at most so many.
    safe_by_height, unsafe_by_height : ndarray of int
        How many nodes of the whole lattice hold and fail, one a height.
    n_minimal : int
        How many minimal ones there are, drawn or not.
    levels : ndarray of int, shape (n_drawn, n_columns)
    safe, minimal : ndarray of bool, one a drawn node
    chosen : int
        The place of the chosen node, or -1.
    suppressed : ndarray of int
        Rows in classes of fewer than k. Raw: whoever shows it hides what is below k.
    gcp : ndarray of float
        The loss of a node that holds, its suppressed rows included; of others what their levels alone lose.
    """

    columns: tuple[str, ...]
    level_words: tuple[tuple[str, ...], ...]
    k: int
    n_rows: int
    most_suppressed: int
    safe_by_height: np.ndarray
    unsafe_by_height: np.ndarray
    n_minimal: int
    levels: np.ndarray
    safe: np.ndarray
    minimal: np.ndarray
    chosen: int
    suppressed: np.ndarray
    gcp: np.ndarray

    @property
    def n_nodes(self) -> int:
        return self.n_safe + int(self.unsafe_by_height.sum())

    @property
    def n_safe(self) -> int:
        return int(self.safe_by_height.sum())

    @property
    def n_drawn(self) -> int:
        return len(self.levels)

    @property
    def whole(self) -> bool:
        """Whether every node is drawn."""
        return self.n_drawn == self.n_nodes

    @property
    def heights(self) -> np.ndarray:
        return np.asarray(self.levels.sum(axis=1))

    @property
    def share(self) -> np.ndarray:
        """The share of rows that every drawn node suppresses; 0 for what must not be told."""
        told = np.where(self.suppressed < self.k, 0, self.suppressed)
        return told / max(self.n_rows, 1)

    def publishes(self, node: int) -> str:
        """What a drawn node publishes, in words; columns of which the same is told stand together."""
        alike: dict[str, list[str]] = {}
        for c, level in enumerate(self.levels[node].tolist()):
            alike.setdefault(self.level_words[c][level], []).append(self.columns[c])
        kept = alike.pop(self.level_words[0][0], []) if self.columns else []
        told = [f"{', '.join(names)}: {words}" for words, names in alike.items()]
        if kept and told:
            told.append(f"{', '.join(kept)}: as {'it is' if len(kept) == 1 else 'they are'}")
        return "; ".join(told) or "everything as it is"

    def suppresses(self, node: int) -> str:
        """How many rows a node loses, as a share; a few are not counted out."""
        n = int(self.suppressed[node])
        if 0 < n < self.k:
            return f"fewer than {self.k} rows"
        return "no rows" if n == 0 else f"{percent(n / max(self.n_rows, 1))} of the rows"

    def tip(self, node: int) -> str:
        """Everything about a node in one line."""
        levels = " ".join(map(str, self.levels[node].tolist()))
        safe, loss = bool(self.safe[node]), percent(float(self.gcp[node]))
        kind = "Safe" + (", minimal" if self.minimal[node] else "") if safe else "Not safe"
        chosen = ", chosen" if node == self.chosen else ""
        rows = f"suppresses {self.suppresses(node)}" if safe else f"would have to suppress {self.suppresses(node)}"
        alone = "" if safe else " by its levels alone"
        return f"{levels} – {self.publishes(node)}. {kind}{chosen}; {rows}. GCP {loss}{alone}."
