"""How many persons have a code that is not told: an estimate that corrects for what a few persons had to hide.

Where less is known than all, a code is published exact in a group of which k persons have it, and hidden where fewer
do. So a group without it is not one of which nobody has it, nor does a row that only says "some code" stand for every
code alike: fewer than k of the group have it, about as many as where it is told.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from amongst.query.question import All, Condition, Formula
from amongst.schema.value_text import text_of


def parted(formula: Formula, codes: list[str]) -> tuple[All, All] | None:
    """The conditions on codes, and those on other columns; none where they are not joined by AND, or not on codes.

    Examples
    --------
    >>> from amongst.query.question import All, Condition
    >>> from amongst.relations.hidden_codes import parted
    >>> ill, old = Condition("code", "in", ("J45",)), Condition("age", "range", (70, None))
    >>> parted(All((ill, old)), ["code"]) == (All((ill,)), All((old,)))
    True
    >>> parted(old, ["code"]) is None
    True
    """
    parts = list(_parts(formula))
    if not all(isinstance(part, Condition) for part in parts):
        return None
    about = [part for part in parts if isinstance(part, Condition) and part.column in codes]
    if not about or any(part.negated or part.kind == "null" for part in about):
        return None
    return All(tuple(about)), All(tuple(part for part in parts if part not in about))


def value_asked(about: All) -> tuple[str, str]:
    """The column and the text of the one value that is asked about; empty where it is not one value.

    Examples
    --------
    >>> from amongst.query.question import All, Condition
    >>> from amongst.relations.hidden_codes import value_asked
    >>> value_asked(All((Condition("code", "in", (45,)),)))
    ('code', '45')
    """
    one = about.parts[0]
    if len(about.parts) > 1 or not isinstance(one, Condition) or one.kind != "in" or len(one.values) > 1:
        return "", ""
    return one.column, text_of(one.values[0])


def _parts(formula: Formula) -> Iterator[Formula]:
    if isinstance(formula, All):
        for part in formula.parts:
            yield from _parts(part)
    else:
        yield formula


def with_hidden(
    sure: np.ndarray, hiding: np.ndarray, spread: np.ndarray, size: np.ndarray, k: int
) -> np.ndarray | None:
    """For every group the persons who have a code: those of whom it is told, or where it is not as many as one expects.

    Parameters
    ----------
    sure, hiding, size : ndarray
        For every group the persons of whom the code is told, those with a row that may be it, and all.
    spread : ndarray
        How many have it where every general row stands for all its codes alike.
    k : int
        Fewer persons of a group than this hide it.

    Notes
    -----
    Choices: in a group where the code is told all who have it are taken to be told. In another one the expectation from
    general rows is kept between two: that of fewer than k persons who are drawn with the chance of the groups where it
    is told (the mean of a binomial distribution below k), and that chance itself, for codes that had to go because of
    what else their persons have. None where the code is told nowhere.

    Examples
    --------
    >>> import numpy as np
    >>> from amongst.relations.hidden_codes import with_hidden
    >>> sure, hiding, size = np.array([6, 0, 0]), np.array([0, 9, 9]), np.array([20, 10, 10])
    >>> with_hidden(sure, hiding, np.array([0.0, 0.2, 7.0]), size, k=5).round(2)
    array([6.  , 2.58, 3.  ])
    """
    told = sure > 0
    if not told.any():
        return None
    chance = min(sure[told].sum() / size[told].sum(), 1 - 1e-9)
    fewest, rate = _mean_below(size, chance, k), chance * size
    expected = np.clip(spread, fewest, np.maximum(fewest, rate))
    return np.where(told, sure, np.minimum(expected, hiding))


def with_told(
    found: np.ndarray | None, sure: np.ndarray, hiding: np.ndarray, size: np.ndarray, told: tuple[int, int]
) -> np.ndarray:
    """For every group the persons expected to have a code, so many in all as is told.

    What is expected beyond those who are told to have it grows or shrinks alike in all groups. Where nothing more was
    expected it is shared out among those who may hide it, and where nobody may be seen to, among all.

    Examples
    --------
    >>> import numpy as np
    >>> from amongst.relations.hidden_codes import with_told
    >>> sure, hiding, size = np.array([6, 0, 0]), np.array([0, 9, 3]), np.array([20, 10, 10])
    >>> with_told(np.array([6.0, 3.0, 3.0]), sure, hiding, size, told=(8, 9))
    array([6. , 1.5, 1.5])
    >>> with_told(None, sure, hiding, size, told=(10, 19))
    array([6.   , 6.375, 2.125])
    """
    hidden = np.zeros(len(sure)) if found is None else np.maximum(found - sure, 0.0)
    least, most = told
    expected = sure.sum() + hidden.sum() if found is not None else (least + most) / 2
    total = min(max(expected, least, sure.sum()), most) - sure.sum()
    shares = next((one for one in (hidden, hiding, size) if one.sum()), np.ones(len(sure)))
    return np.asarray(sure + total * shares / shares.sum())


def _mean_below(size: np.ndarray, chance: float, k: int) -> np.ndarray:
    """The mean of binomial distributions, of draws that are below k."""
    x = np.arange(k)
    left = np.maximum(size[:, None] - x[:-1], 0)
    with np.errstate(divide="ignore"):
        steps = np.log(left) + np.log(chance / (1 - chance)) - np.log(x[1:])
    logs = np.concatenate([np.zeros((len(size), 1)), np.cumsum(steps, axis=1)], axis=1)
    weight = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(weight @ x / weight.sum(axis=1))
