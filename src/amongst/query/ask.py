"""Questions answered from a release."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from amongst.errors import BadQuestion
from amongst.query.answer import Answers
from amongst.query.figures import Asking
from amongst.query.open_release import OpenRelease, open_release
from amongst.query.question import All, Condition, Literal, Question, simplified
from amongst.query.sql import parse_question
from amongst.schema.schema import Schema

MOST_LINES = 10_000
"""Lines of an answer with GROUP BY."""


def query(published: Any, sql: str, *, schema: Schema | Sequence[str] | None = None) -> Answers:
    """Ask a release a question in SQL.

    The answer is about the original table: an estimate, and bounds that the true answer cannot leave.

    Parameters
    ----------
    published : path, table or Release
        A release folder, its data file, a published table of another tool, or a release in memory.
    sql : str
        ``SELECT`` with ``COUNT``, ``SUM``, ``AVG``, ``MIN``, ``MAX``; ``WHERE`` with ``=``, ``<>``, ``<``, ``<=``,
        ``>``, ``>=``, ``BETWEEN``, ``IN``, ``IS NULL``, ``AND``, ``OR``, ``NOT``; ``GROUP BY``. A column equal to the
        name of a node of its hierarchy selects all values below it. What stands after ``FROM`` does not matter.
    schema : Schema or sequence of str, optional
        The schema the release was made with: manifests do not tell hierarchies and orders that name values. For a
        table without a manifest the names of the quasi-identifiers may do.

    Returns
    -------
    Answers

    Raises
    ------
    BadQuestion
        For what a release cannot answer.

    Examples
    --------
    >>> import amongst as am
    >>> patients = am.datasets.load("patients")
    >>> release = am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)], method="mondrian")
    >>> answer = am.query(release, "SELECT COUNT(*) WHERE Age BETWEEN 25 AND 27")
    >>> answer.only.words
    'about 4.500, between 3 and 6'
    """
    opened = open_any(published, schema)
    return ask(opened, parse_question(sql, opened.columns))


def open_any(published: Any, schema: Schema | Sequence[str] | None = None) -> OpenRelease:
    """Open whatever can be asked: a path, a table, a release in memory, or what is open already."""
    if isinstance(published, OpenRelease):
        return published
    if hasattr(published, "partition") and hasattr(published, "arrow"):
        from amongst.query.in_memory import open_in_memory

        return open_in_memory(published)
    return open_release(published, schema)


def ask(release: OpenRelease, question: Question) -> Answers:
    """Answer a question."""
    names = question.columns
    rows = release.rows(names)
    n_rows = int(rows.size.sum()) - (release.n_suppressed or 0)
    if not question.group_by:
        asking = Asking(release, question.where, names, rows)
        lines = [[asking.answer(figure) for figure in question.figures]]
        return Answers((), [()], lines, release.notes, n_rows, release.n_suppressed)
    keys, lines = [], []
    for key in _keys(release, question.group_by):
        chosen = [_is(name, value) for name, value in zip(question.group_by, key, strict=True)]
        asking = Asking(release, simplified(All((question.where, *chosen))), names, rows)
        if _may_be_published(asking):
            keys.append(key)
            lines.append([asking.answer(figure) for figure in question.figures])
    notes = [*release.notes, *_further(release, question)]
    return Answers(question.group_by, keys, lines, notes, n_rows, release.n_suppressed)


def _keys(release: OpenRelease, names: Sequence[str]) -> list[tuple[Literal | None, ...]]:
    values: list[list[Literal | None]] = []
    n_lines = 1
    for name in names:
        listed = release.column(name).values()
        if listed is None or (n_lines := n_lines * (len(listed) + 1)) > MOST_LINES:
            raise BadQuestion(
                f"There would be too many lines for GROUP BY {', '.join(names)}.",
                found=f"column {name!r} can have too many values" if listed is None else f"more than {MOST_LINES:,}",
                fix="select a part with WHERE, or group by fewer columns",
            )
        values.append([*listed, None])
    return list(product(*values))


def _is(name: str, value: Literal | None) -> Condition:
    return Condition(name, "null") if value is None else Condition(name, "in", (value,))


def _may_be_published(asking: Asking) -> bool:
    """Whether some row of the release can be in a line; those that were suppressed could be in any."""
    found = asking.matched()
    return bool(found.can[: asking.n_published].any())


def _further(release: OpenRelease, question: Question) -> list[str]:
    """A note for columns that may have values which nobody named."""
    notes = []
    for name in question.group_by:
        listed = release.column(name).values() or []
        other = All((question.where, Condition(name, "in", tuple(listed), negated=True)))
        asking = Asking(release, simplified(other), question.columns)
        if asking.matched().can.any():
            notes.append(f"Values of {name!r} that are not listed may occur as well.")
    return notes
