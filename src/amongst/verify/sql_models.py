"""The models of sensitive values as SQL, as far as it says them plainly (DuckDB's dialect).

Of every class and value there is an entry with ``c`` rows; ``n`` are the rows of the class and ``p`` is the share of
the value in the table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from amongst.models import AlphaK, BetaLikeness, DeltaDisclosure, LDiversity, TCloseness

SLACK = "1e-9"


def condition(model: Any, distance: str) -> str | None:
    """What must hold in a class, over its entries; None where SQL cannot say it plainly."""
    say = _CONDITIONS.get(type(model))
    return None if say is None else say(model, distance)


def _l_diversity(model: LDiversity, distance: str) -> str:
    if model.kind == "frequency":
        return f"max(c) <= any_value(n) / {model.l!r} + {SLACK}"
    if model.kind == "distinct":
        return f"count(*) >= {model.l!r}"
    if model.kind == "entropy":
        return f"ln(any_value(n)) - sum(c * ln(c)) / any_value(n) >= ln({model.l!r}) - {SLACK}"
    tail = f"coalesce(list_sum(list_reverse_sort(list(c))[{model.l}:]), 0)"
    return f"max(c) < {model.c!r} * {tail} * (1 - 1e-12)"


def _t_closeness(model: TCloseness, distance: str) -> str | None:
    if distance != "equal":
        return None
    return f"(1 + sum(abs(c / n - p) - p)) / 2 <= {model.t!r} + {SLACK}"


def _alpha_k(model: AlphaK, distance: str) -> str:
    return f"max(c) <= {model.alpha!r} * any_value(n) + {SLACK}"


def _beta_likeness(model: BetaLikeness, distance: str) -> str:
    gain = f"least({model.beta!r}, -ln(p))" if model.enhanced else repr(model.beta)
    return f"bool_and(c <= p * (1 + {gain}) * n + {SLACK})"


def _delta_disclosure(model: DeltaDisclosure, distance: str) -> str:
    low, high = f"p * exp(-{model.delta!r}) * n - {SLACK}", f"p * exp({model.delta!r}) * n + {SLACK}"
    within = f"bool_and(c BETWEEN {low} AND {high})"
    return f"{within} AND count(*) = any_value(n_values)" if model.absent == "counted" else within


_CONDITIONS: dict[type, Callable[[Any, str], str | None]] = {
    LDiversity: _l_diversity,
    TCloseness: _t_closeness,
    AlphaK: _alpha_k,
    BetaLikeness: _beta_likeness,
    DeltaDisclosure: _delta_disclosure,
}


def entries(number: int, cells: list[str], table: str, value: str, tests: dict[str, str]) -> list[str]:
    """The parts of the query for one sensitive column: its entries, and the tests on every class."""
    shown = "".join(f"{cell} AS q{i}, " for i, cell in enumerate(cells, start=1))
    keys = ", ".join(f"q{i}" for i in range(1, len(cells) + 1))
    by_class = f"PARTITION BY {keys}" if keys else ""
    grouped = f"\n  GROUP BY {keys}" if keys else "\n  HAVING count(*) > 0"
    asked = ",\n    ".join(f"{test} AS {name}" for name, test in tests.items())
    return [
        f"counts{number} AS (\n  SELECT {shown}{value} AS v, count(*) AS c\n  FROM {table}\n  GROUP BY ALL\n)",
        f"entries{number} AS (\n  SELECT *, sum(c) OVER ({by_class}) AS n,\n"
        f"    sum(c) OVER (PARTITION BY v) / sum(c) OVER () AS p,\n"
        f"    (SELECT count(*) FROM (SELECT DISTINCT v FROM counts{number})) AS n_values\n  FROM counts{number}\n)",
        f"tests{number} AS (\n  SELECT {asked}\n  FROM entries{number}{grouped}\n)",
    ]
