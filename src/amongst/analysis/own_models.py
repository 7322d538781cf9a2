"""Models of the user's own, fitted to a release and to what it was made of: how much of the analysis is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.analysis.coarse import coarse_table
from amongst.analysis.family import family_of, with_event
from amongst.analysis.formula import read_formula
from amongst.analysis.impute import Completion
from amongst.analysis.regression import Regression, regression
from amongst.brief import Brief
from amongst.errors import AmongstError, BadOption
from amongst.query.open_release import open_original

if TYPE_CHECKING:
    from amongst.schema.schema import Schema


@dataclass(frozen=True)
class NotFitted(Brief):
    """A model that cannot be fitted to a release, and why."""

    formula: str
    why: str

    def brief(self) -> str:
        return f"{self.formula}: {self.why}"

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def fit_all(release: Any, original: Any, schema: Schema, formulas: Sequence[str]) -> tuple[Regression | NotFitted, ...]:
    """Every model fitted to a release and to the original; one that cannot be takes nothing else with it."""
    return tuple(_fitted(release, original, schema, formula) for formula in formulas)


def _fitted(release: Any, original: Any, schema: Schema, formula: str) -> Regression | NotFitted:
    try:
        return regression(release, formula, schema=schema, original=original)
    except AmongstError as problem:
        return NotFitted(formula, " ".join([problem.what, *problem.found]))
    except Exception as problem:  # the text of others' errors may show cells
        return NotFitted(formula, f"It cannot be fitted: {type(problem).__name__}.")


def kept(found: Sequence[Regression | NotFitted]) -> float | None:
    """The mean overlap of the intervals before and after, every model counted once; None where one has none.

    Examples
    --------
    >>> from amongst.analysis.own_models import NotFitted, kept
    >>> kept([NotFitted("cost ~ age", "There are too few rows.")]) is None
    True
    """
    overlaps = [one.overlap if isinstance(one, Regression) else None for one in found]
    known = [one for one in overlaps if one is not None]
    return float(np.mean(known)) if known and len(known) == len(overlaps) else None


def refuse_unfit(request: Any, store: Any) -> None:
    """Raise before anything is grouped where a model cannot be fitted to the original."""
    if not store.in_memory or request.chosen.publishes != "one table":
        elsewhere = "rows that are not in memory" if not store.in_memory else f"method = {request.method!r}"
        raise BadOption(
            "Models before and after are fitted to one table in memory.",
            found=elsewhere,
            fix="leave the formulas out; `amongst regression` fits models to what was written",
        )
    refuse_formulas(request.formulas, store.read.table, request.schema)


def refuse_formulas(formulas: Sequence[str], original: Any, schema: Schema) -> None:
    """Raise where a formula speaks of what is not published, or cannot be fitted to the original."""
    there = set(original.column_names)
    for text in formulas:
        formula = read_formula(text, [name for name in schema.published if name in there])
        try:
            table = coarse_table(open_original(original, schema), formula.columns)
            family, event = family_of(table.columns[formula.response], formula, None, None)
            Completion(with_event(table, formula, event), formula, family, np.random.default_rng(0)).fitted()
        except AmongstError:
            raise
        except Exception as problem:  # the text of others' errors may show cells
            raise BadOption(
                "The model cannot be fitted to the table.",
                found=f"{text!r}: {type(problem).__name__}",
                fix="use other columns, or other functions of them",
            ) from None
