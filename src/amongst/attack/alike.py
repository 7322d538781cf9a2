"""One attack on many columns, told once: what is known and how it works, then what came of it column by column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

SAID_ONCE = ("attack", "title", "knows", "works", "lower", "paper")


@dataclass
class Result:
    """What came of it, in columns where the same did."""

    succeeded: bool
    outcome: str
    achieved: list[str]
    rows: list[int] | None
    columns: list[str] = field(default_factory=list)


@dataclass
class Alike:
    """An attack, and its results."""

    said: dict[str, Any]
    results: list[Result] = field(default_factory=list)

    @property
    def succeeded(self) -> bool:
        return any(one.succeeded for one in self.results)

    @property
    def outcome(self) -> str:
        """Of all columns; where they differ, of how many it succeeds."""
        outcomes = {one.outcome for one in self.results}
        if len(outcomes) == 1:
            return outcomes.pop()
        n = sum(max(len(one.columns), 1) for one in self.results)
        hit = sum(max(len(one.columns), 1) for one in self.results if one.succeeded)
        return f"succeeds in {hit:,} of {n:,} columns"


def alike(attacks: Sequence[dict[str, Any]]) -> list[Alike]:
    """Attacks as plain data (with their ``outcome``), those that differ only in their column put together.

    Examples
    --------
    >>> from amongst.attack.alike import alike
    >>> one = {"attack": "a", "title": "A", "knows": "", "works": "", "lower": "", "paper": ""}
    >>> told = [{**one, "column": c, "succeeded": False, "outcome": "no", "achieved": ["0"]} for c in "xy"]
    >>> [(group.outcome, group.results[0].columns) for group in alike(told)]
    [('no', ['x', 'y'])]
    """
    groups: dict[tuple[str, ...], Alike] = {}
    for one in attacks:
        said = {name: one.get(name, "") for name in SAID_ONCE}
        group = groups.setdefault(tuple(map(str, said.values())), Alike(said))
        _add(group, one)
    return list(groups.values())


def _add(group: Alike, one: dict[str, Any]) -> None:
    result = Result(one["succeeded"], one["outcome"], list(one["achieved"]), one.get("rows"))
    for other in group.results:
        if (other.outcome, other.achieved, other.rows) == (result.outcome, result.achieved, result.rows):
            result = other
            break
    else:
        group.results.append(result)
    if one.get("column"):
        result.columns.append(one["column"])
