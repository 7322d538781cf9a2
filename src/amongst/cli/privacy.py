"""What was typed about privacy, as models."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from amongst.errors import BadOption
from amongst.models import MODELS, Model, model_from_dict, of_population

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
    said: list[Model] = [_read_model(text) for text in typed.get("privacy") or ()]
    kinds = [kind for kind in MODELS.values() if kind.typed]
    beside_everybody = [model for kind in kinds if kind.counts == "population" for model in _asked(kind, typed)]
    if typed.get("k") is None and not of_population([*said, *beside_everybody]):
        typed = {**typed, "k": default_k}
    asked = [model for kind in kinds if kind.counts != "population" for model in _asked(kind, typed)]
    return [*asked, *said, *beside_everybody]


def on_columns(models: Sequence[Model], names: Sequence[str]) -> list[Model]:
    """Models of no column in particular, one for each of these columns."""
    spread: list[Model] = []
    for model in models:
        every = model.counts == "values" and model.column is None and names
        spread += [model.with_fields(column=name) for name in names] if every else [model]
    return spread


def _asked(kind: type[Model], typed: Mapping[str, Any]) -> list[Model]:
    """What was typed of one kind of model: ``3`` for every sensitive column, ``disease=3`` for one."""
    (option, *names), *others = kind.typed
    texts = typed.get(_key(option))
    if not texts:
        return []
    beside: dict[str, Any] = {}
    for other, *fields in others:
        beside |= _beside(option, other, fields, typed.get(_key(other)))
    models = []
    for text in map(str, texts if isinstance(texts, (list, tuple)) else [texts]):
        column, _, number = text.rpartition("=") if kind.counts == "values" else ("", "", text)
        given = {"column": column.strip()} if column.strip() else {}
        models.append(kind.from_fields(**_numbers(option, names, number, text), **beside, **given))
    return models


def _key(option: str) -> str:
    return option.lstrip("-").replace("-", "_")


def _beside(option: str, other: str, names: Sequence[str], value: Any) -> dict[str, Any]:
    """The fields of an option that goes beside another: a word, a word and a number, a file."""
    if names == ["population"] and value is None:
        raise BadOption(f"{option} compares with a population.", found="none given", fix=f"add {other} FILE")
    if names == ["k"]:
        return {"k": value or 1}
    if not isinstance(value, str):
        return {} if value is None else {names[0]: value}
    word, sign, number = value.partition("=") if len(names) > 1 else (value, "", "")
    return {names[0]: word} | ({names[1]: _number(number, f"{other} {word}=", number)} if sign else {})


def _numbers(option: str, names: Sequence[str], numbers: str, typed: str) -> dict[str, float]:
    parts = numbers.split(",") if len(names) > 1 else [numbers]
    if len(parts) != len(names):
        raise BadOption(f"{option} needs two numbers.", found=f"{option} {typed!r}", fix=f"write {option} 0,0.5")
    return {name: _number(part, option, typed) for name, part in zip(names, parts, strict=True)}


def _number(text: str, option: str, typed: str) -> float:
    try:
        return int(text) if text.strip().isdecimal() else float(text)
    except ValueError:
        raise BadOption(
            f"{option} needs a number.", found=f"{option} {typed!r}", fix=f"write {option} 2, or {option} disease=2"
        ) from None


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
