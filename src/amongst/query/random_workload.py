"""Random workloads, as the papers make them.

``all``: of every quasi-identifier a random range of numbers, or a random value, or the values below a random inner
node of its hierarchy, of which the root is one and asks nothing (Xu et al., KDD 2006, section 5.1). ``selectivity``:
conditions on random columns, each as wide as makes the question select a given share of a table whose columns are
independent. ``equality``: one condition, ``column = value``, for every value of a column (LeFevre, DeWitt,
Ramakrishnan, *Mondrian*, ICDE 2006, section 6.3).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from amongst.errors import BadOption, refuse_unknown_word
from amongst.query.open_release import OpenRelease
from amongst.query.question import EVERYTHING, All, Condition, Figure, Formula, Literal, Question, simplified
from amongst.query.read_names import NameColumn
from amongst.schema.schema import Schema

KINDS = ("all", "selectivity", "equality")


def random_workload(
    original: OpenRelease,
    schema: Schema,
    n: int,
    kind: str = "all",
    *,
    columns: Sequence[str] | None = None,
    selectivity: float = 0.05,
    n_columns: int | None = None,
    figure: str = "COUNT",
    target: str | None = None,
    seed: int = 0,
) -> tuple[list[Question], str]:
    """Random questions about a table.

    Parameters
    ----------
    original : OpenRelease
        The table itself, opened: its values are what ranges are made of.
    n : int
        How many; for ``equality`` there are as many as values.
    kind : {"all", "selectivity", "equality"}
    columns : sequence of str, optional
        The columns to put conditions on; all quasi-identifiers if left out. Those without values are passed over.
    selectivity : float
        The share of rows to select.
    n_columns : int, optional
        How many columns a question of kind ``selectivity`` has conditions on; all if left out.
    figure, target : str
        What to ask for, such as SUM of a column; that column has no condition then.
    seed : int

    Returns
    -------
    questions, words
    """
    names = [name for name in (columns or schema.quasi) if name != target]
    _refuse(original, kind, names, selectivity, n_columns, target)
    asked = (Figure(figure.upper(), target),)
    values = {name: found for name in names if (found := original.column(name).values())}
    names = [name for name in names if name in values]
    if not names:
        raise BadOption(
            "The workload has no columns to ask about.",
            found="columns whose values are missing, or too large to be told apart as numbers",
            fix="name other columns",
        )
    rng = np.random.default_rng(seed)
    what = f"{figure.upper()}({target or '*'})"
    if kind == "equality":
        questions = [Question(asked, Condition(name, "in", (value,))) for name in names for value in values[name]]
        return questions, f"{what} where one of {', '.join(names)} equals a value"
    made: list[list[Formula]]
    if kind == "all":
        nodes = {name: _nodes(original, name) for name in names}
        made = [[_any_part(rng, original, name, values[name], nodes[name]) for name in names] for _ in range(n)]
        words = f"{what} with conditions on {', '.join(names)}"
    else:
        width = min(n_columns or len(names), len(names))
        share = selectivity ** (1 / width)
        made = [
            [_share(rng, original, name, values[name], share) for name in rng.permutation(names)[:width].tolist()]
            for _ in range(n)
        ]
        words = f"{what} that selects about {selectivity:.1%} by {width} columns"
    return [Question(asked, simplified(All(tuple(parts)))) for parts in made], words


def _any_part(
    rng: np.random.Generator, original: OpenRelease, name: str, values: list[Literal], nodes: list[str]
) -> Formula:
    """A random range of a column on a line; else a random value, or the values below a random node or the root."""
    if original.column(name).sort != "name":
        first, last = sorted(rng.integers(0, len(values), 2).tolist())
        return Condition(name, "range", (values[first], values[last]))
    if rng.random() < 0.5:
        node = int(rng.integers(len(nodes) + 1))
        return Condition(name, "in", (nodes[node],)) if node < len(nodes) else EVERYTHING
    return Condition(name, "in", (values[int(rng.integers(len(values)))],))


def _share(
    rng: np.random.Generator, original: OpenRelease, name: str, values: list[Literal], share: float
) -> Condition:
    """Neighbouring values, this share of all there are."""
    width = min(len(values), max(1, round(share * len(values))))
    first = int(rng.integers(0, len(values) - width + 1))
    if original.column(name).sort != "name":
        return Condition(name, "range", (values[first], values[first + width - 1]))
    return Condition(name, "in", tuple(values[first : first + width]))


def _nodes(original: OpenRelease, name: str) -> list[str]:
    """The inner nodes of a column's hierarchy, without the root."""
    column = original.column(name)
    if not isinstance(column, NameColumn):
        return []
    n_leaves = len(column.code_of_leaf)
    sizes = {node: sum(last - first + 1 for first, last in runs) for node, runs in column.runs_of_node.items()}
    return [node for node, size in sizes.items() if 1 < size < n_leaves]


def _refuse(
    original: OpenRelease, kind: str, names: list[str], selectivity: float, n_columns: int | None, target: str | None
) -> None:
    refuse_unknown_word(f"There is no workload {kind!r}.", "kind", kind, KINDS)
    unknown = [name for name in [*names, *([target] if target else [])] if name not in original.columns]
    if unknown or not names:
        found = f"not in the table: {', '.join(unknown)}" if unknown else "no columns"
        raise BadOption("The workload has no columns to ask about.", found=found, fix="name columns of the table")
    if not 0 < selectivity <= 1:
        raise BadOption("The selectivity must be a share.", found=f"{selectivity!r}", fix="use a share such as 0.05")
    if n_columns is not None and not 1 <= n_columns <= len(names):
        raise BadOption("So many columns there are not.", found=f"{n_columns} of {len(names)}", fix="ask for fewer")
