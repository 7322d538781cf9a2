"""The names of columns: whether a line has them, what stands above it, and how columns of one name are told apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from amongst.errors import BadInput

FEWEST_LINES, MOST_BEFORE = 5, 30
"""In how many lines what stands before the names is looked for, and how many may stand there."""
VALUE = re.compile(r"[-+]?[0-9]+([.,][0-9]+)*([eE][-+]?[0-9]+)?|[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}.*")


def looks_like_data(names: list[str], rows: list[list[str]]) -> bool:
    """Whether at least half of the names are numbers, dates or values that their own column has in other rows.

    Names that are numbers and count up evenly are years or places, not data.

    Examples
    --------
    >>> from amongst.read.names import looks_like_data
    >>> looks_like_data(["34", "male"], [["51", "female"], ["28", "male"]])
    True
    >>> looks_like_data(["age", "sex"], [["51", "female"], ["28", "male"]])
    False
    >>> looks_like_data(["2019", "2020", "2021"], [["5", "7", "2"]])
    False
    """
    values = [bool(VALUE.fullmatch(name.strip())) for name in names]
    whole = [int(name) for name, is_value in zip(names, values, strict=True) if is_value and name.strip().isdecimal()]
    steps = {after - before for before, after in pairwise(whole)}
    if len(whole) > 1 and len(whole) == sum(values) and len(steps) == 1 and steps != {0}:
        values = [False] * len(names)
    repeated = [
        any(len(row) > place and row[place] == name for row in rows) and bool(name) for place, name in enumerate(names)
    ]
    n_alike = sum(value or again for value, again in zip(values, repeated, strict=True))
    return bool(rows) and n_alike > 0 and 2 * n_alike >= len([name for name in names if name.strip()])


def told_apart(names: list[str]) -> list[str]:
    """The names, a number after those that were there before.

    Examples
    --------
    >>> from amongst.read.names import told_apart
    >>> told_apart(["age", "sex", "age", "age_2"])
    ['age', 'sex', 'age_3', 'age_2']
    """
    taken, found, seen = set(names), [], set()
    for name in names:
        number = 2
        own = name
        while own in seen or (own != name and own in taken):
            own = f"{name}_{number}"
            number += 1
        seen.add(own)
        found.append(own)
    return found


def refuse_names_by_case(names: Sequence[str], what: str) -> None:
    """Raise for names that a database takes for one, which would give a column the cells of another.

    Databases fold the letters of ASCII alone.
    """
    folded = [name.encode().lower() for name in names]
    alike = [name for name, one in zip(names, folded, strict=True) if folded.count(one) > 1]
    if alike:
        raise BadInput(
            f"{what} cannot tell apart columns whose names differ in upper and lower case alone.",
            found=", ".join(f"'{name}'" for name in alike),
            fix="rename them",
        )


def left_out(n_before: int) -> str:
    """What to tell where a title or remarks stand above the line of names."""
    some, were = ("1 line stands", "was") if n_before == 1 else (f"{n_before} lines stand", "were")
    return f"{some} before the names of the columns and {were} left out: a title or remarks"


def lines_before_names(rows: list[list[str]]) -> int:
    """How many rows stand before the names of a table whose rows all have as many cells: those that are nearly empty,
    above one that is full and looks like names.

    Examples
    --------
    >>> from amongst.read.names import lines_before_names
    >>> body = [["Bonn", "51", "f"], ["Bonn", "28", "m"], ["Kiel", "28", "f"]]
    >>> lines_before_names([["Patients 2024", "", ""], ["town", "age", "sex"], *body])
    1
    >>> lines_before_names([["town", "age", "sex"], *body])
    0
    """
    filled = [sum(bool(cell.strip()) for cell in row) for row in rows]
    most = max(filled, default=0)
    n_before = next((place for place, n in enumerate(filled) if 2 * n > most), 0)
    names = [cell.strip() for cell in rows[n_before] if cell.strip()] if rows else []
    alone = 4 * len(names) < 3 * most or len(set(names)) < len(names) or any(map(VALUE.fullmatch, names))
    words = " ".join(rows[0]).split() if rows else []
    # One word may be the name of the only column that has one.
    alone |= n_before == 1 and len(words) == 1 and not words[0].startswith("sep=")
    if not 0 < n_before <= MOST_BEFORE or len(rows) - n_before < FEWEST_LINES - 2 or alone:
        return 0
    return 0 if looks_like_data(rows[n_before], rows[n_before + 1 :]) else n_before
