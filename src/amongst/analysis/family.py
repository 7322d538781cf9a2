"""Which model a formula asks for: a mean or a chance, and the chance of what."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from amongst.analysis.coarse import Coarse, CoarseTable
from amongst.analysis.formula import Formula
from amongst.errors import BadOption


def family_of(response: Coarse, formula: Formula, family: str | None, event: str | None) -> tuple[str, str | None]:
    """Which model it is, and which category of the response counts as 1."""
    if response.names is not None:
        names = response.names
        if family == "linear" or not formula.is_bare:
            raise BadOption(
                "A response of categories has a chance, not a mean.",
                found=f"{response.name!r} has {len(names)} categories",
                fix='use family="logistic", with the column as it is on the left side',
            )
        if event is None and len(names) != 2:
            raise BadOption(
                "It is not clear whose chance is meant.",
                found=f"{response.name!r} has {len(names)} categories",
                fix="name one: event=..., or --event on the command line",
            )
        if event is not None and event not in names:
            raise BadOption(
                "The response has no such category.",
                found=f"{len(names)} others in {response.name!r}",
                fix="use one that is published",
            )
        return "logistic", event if event is not None else names[1]
    if event is not None:
        raise BadOption(
            "An event is a category.", found=f"{response.name!r} has numbers", fix="leave event out: 1 is the event"
        )
    binary = formula.is_bare and bool(np.isin(response.lo, (0, 1)).all() and np.isin(response.hi, (0, 1)).all())
    if family == "logistic" and not binary:
        raise BadOption(
            "A logistic model needs a response of two values.",
            found=f"{response.name!r} has other numbers than 0 and 1",
            fix='use family="linear"',
        )
    return family or ("logistic" if binary else "linear"), None


def with_event(table: CoarseTable, formula: Formula, event: str | None) -> CoarseTable:
    if event is None:
        return table
    changed = {formula.response: table.columns[formula.response].as_event(event)}
    return replace(table, columns={**table.columns, **changed})
