"""What was typed about privacy, as models."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from amongst.errors import BadOption
from amongst.models import (
    AlphaK,
    BetaLikeness,
    DeltaDisclosure,
    DeltaPresence,
    KAnonymity,
    KMap,
    LDiversity,
    Model,
    TCloseness,
    model_from_dict,
    of_population,
)

DEFAULT_K = 10


def models_in(typed: Mapping[str, Any], default_k: int | None = DEFAULT_K) -> list[Model]:
    """The models of the options that were typed.

    k is taken where none was typed, unless a population was: k-map and delta-presence are weaker than k-anonymity,
    and would say nothing beside it.

    Examples
    --------
    >>> from amongst.cli.privacy import models_in
    >>> models_in({"k": 5, "t": ["disease=0.2"]})
    [KAnonymity(k=5), TCloseness(t=0.2, distance=None, column='disease')]
    """
    k = typed.get("k")
    found: list[Model] = [_read_model(text) for text in typed.get("privacy") or ()]
    population = typed.get("population")
    if typed.get("k_map") is not None:
        found.append(KMap(typed["k_map"], _population(population, "--k-map")))
    if typed.get("delta_presence"):
        found.append(DeltaPresence(*_two(typed["delta_presence"]), _population(population, "--delta-presence")))
    k = k if k is not None or of_population(found) else default_k
    if typed.get("alpha"):
        found = [*_of_columns(typed["alpha"], "--alpha", lambda n, c: AlphaK(n, k or 1, c)), *found]
    sense, distance = _sense(typed.get("l_sense")), typed.get("t_distance")
    makers: dict[str, Callable[[float, str | None], Model]] = {
        "l": lambda number, column: LDiversity(number, sense, column),
        "t": lambda number, column: TCloseness(number, distance, column),
        "beta": lambda number, column: BetaLikeness(number, column=column),
        "delta_disclosure": lambda number, column: DeltaDisclosure(number, column=column),
    }
    asked = [
        model
        for name, make in makers.items()
        for model in _of_columns(typed.get(name), "--" + name.replace("_", "-"), make)
    ]
    return [*([] if k is None else [KAnonymity(k)]), *asked, *found]


def on_columns(models: Sequence[Model], names: Sequence[str]) -> list[Model]:
    """Models of no column in particular, one for each of these columns."""
    spread: list[Model] = []
    for model in models:
        every = model.counts == "values" and model.column is None and names
        spread += [model.with_fields(column=name) for name in names] if every else [model]
    return spread


def _of_columns(typed: Sequence[str] | None, option: str, make: Callable[[float, str | None], Model]) -> list[Model]:
    """``3`` for every sensitive column, ``disease=3`` for one."""
    models = []
    for text in typed or ():
        column, _, number = text.rpartition("=")
        models.append(make(_number(number, option, text), column.strip() or None))
    return models


def _number(text: str, option: str, typed: str) -> float:
    try:
        return int(text) if text.strip().isdecimal() else float(text)
    except ValueError:
        raise BadOption(
            f"{option} needs a number.", found=f"{option} {typed!r}", fix=f"write {option} 2, or {option} disease=2"
        ) from None


def _sense(typed: str | None) -> Any:
    """``recursive=2`` is recursive with c = 2."""
    name, sign, c = (typed or "frequency").partition("=")
    return (name, _number(c, "--l-sense recursive=", c)) if sign else name


def _two(typed: str) -> tuple[float, float]:
    ends = typed.split(",")
    if len(ends) != 2:
        raise BadOption(
            "--delta-presence needs two numbers.",
            found=f"--delta-presence {typed!r}",
            fix="write --delta-presence 0,0.5",
        )
    lower, upper = (_number(end, "--delta-presence", typed) for end in ends)
    return lower, upper


def _population(path: Path | None, option: str) -> Path:
    if path is None:
        raise BadOption(f"{option} compares with a population.", found="none given", fix="add --population FILE")
    return path


def _read_model(text: str) -> Model:
    """A model as a job file writes it, on one line."""
    try:
        fields = tomllib.loads(f"model = {{ {text} }}")["model"]
    except tomllib.TOMLDecodeError:
        raise BadOption(
            "A model cannot be understood.",
            found=f"--privacy {text!r}",
            fix="write as in a job file: --privacy 'model=\"proximity\", l=3, width=1000'",
        ) from None
    return model_from_dict(fields)
