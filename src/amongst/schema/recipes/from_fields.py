"""Recipes from the fields of a job file: ``{ intervals = [5, 10], origin = 0 }``."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from amongst.errors import BadHierarchy, did_you_mean
from amongst.schema.problem import Problem, listed, raise_all
from amongst.schema.recipes import RECIPES, Recipe
from amongst.schema.recipes.csv_file import CsvFile
from amongst.schema.recipes.known import known
from amongst.schema.recipes.nested import Nested

OPTIONS = {"intervals": ("origin",), "fanout": ("order",), "csv": ("separator",)}
"""The fields that may stand beside a recipe's own."""

SHAPES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "intervals": (lambda x: _is_list(x, (int, float)), "a list of numbers"),
    "edges": (lambda x: _is_list(x, list) and all(_is_list(y, (int, float)) for y in x), "lists of numbers"),
    "digits": (lambda x: _is(x, int), "a whole number"),
    "prefix": (lambda x: _is_list(x, int), "a list of whole numbers"),
    "dates": (lambda x: _is_list(x, str), "a list of texts"),
    "nested": (lambda x: isinstance(x, Mapping), "a table of groups"),
    "fanout": (lambda x: _is(x, int), "a whole number"),
    "flat": (lambda x: x is True, "true"),
    "csv": (lambda x: isinstance(x, (str, Path)), "a path"),
    "rows": (lambda x: _is_list(x, list), "a list of lists"),
    "known": (lambda x: isinstance(x, str), "a text"),
    "origin": (lambda x: _is(x, (int, float)), "a number"),
    "order": (lambda x: isinstance(x, list), "a list of values"),
    "separator": (lambda x: isinstance(x, str), "a text of one character"),
}


def recipe_from_fields(fields: Mapping[str, Any], folder: str | Path | None = None) -> Recipe:
    """The recipe that the fields name; all that is wrong with them is raised at once."""
    if not isinstance(fields, Mapping):
        raise BadHierarchy("A hierarchy is a table.", found="something else", fix="write { intervals = [5, 10] }")
    raise_all(BadHierarchy, "The fields of a hierarchy cannot be understood.", _problems(fields))
    name = next(name for name in fields if name in RECIPES)
    setting = fields[name]
    if name == "csv":
        return CsvFile.read(os.path.normpath(Path(folder or "") / setting), fields.get("separator", ";"))
    if name == "known":
        recipe: Recipe = known(setting)
        return recipe
    if name == "nested":
        return Nested.of(setting)
    if name == "flat":
        return RECIPES[name]()
    return RECIPES[name](tuple(setting) if isinstance(setting, list) else setting, **_options(name, fields))


def _options(name: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    return {option: fields[option] for option in OPTIONS.get(name, ()) if option in fields}


def _problems(fields: Mapping[str, Any]) -> list[Problem]:
    names = [name for name in fields if name in RECIPES]
    problems = []
    if len(names) != 1:
        text = f"{len(names)} recipes where one is needed" + (f": {listed(names)}" if names else "")
        problems.append(Problem(text, "use one of: " + ", ".join(RECIPES)))
    allowed = [*names, *[option for name in names for option in OPTIONS.get(name, ())]]
    for key in fields:
        if key not in allowed:
            fix = did_you_mean(key, [*RECIPES, *allowed]).strip() or "leave it out"
            problems.append(Problem(f"a field '{key}' that a hierarchy does not have here", fix))
        elif not SHAPES[key][0](fields[key]):
            problems.append(Problem(f"'{key}' is not {SHAPES[key][1]}", f"write {SHAPES[key][1]}"))
    return problems


def _is(value: Any, types: type | tuple[type, ...]) -> bool:
    return isinstance(value, types) and not isinstance(value, bool)


def _is_list(value: Any, types: type | tuple[type, ...]) -> bool:
    return isinstance(value, (list, tuple)) and all(_is(one, types) for one in value)
