"""What was typed about columns, as a schema: roles, hierarchies, the rule for nulls, options of a method."""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from amongst.errors import BadOption
from amongst.read.reads import FOUND
from amongst.schema.column import NULL_RULES, Column
from amongst.schema.hierarchy import Hierarchy
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    from pathlib import Path

    from amongst.job.job import Input


def names_in(typed: Sequence[str] | None) -> list[str]:
    """Names between commas, of one option or several; a name with a comma in it stands in double quotes.

    Examples
    --------
    >>> from amongst.cli.columns import names_in
    >>> names_in(["age,zip", '"city, state"'])
    ['age', 'zip', 'city, state']
    """
    return [name for line in csv.reader(typed or [], skipinitialspace=True) for name in line if name]


def with_roles(schema: Schema, typed: Mapping[str, Sequence[str] | None]) -> Schema:
    """The schema with the roles that were typed; they go before those it has."""
    pairs = [(name, role) for role, lists in typed.items() for name in names_in(lists)]
    role_of = dict(pairs)
    doubled = [f"'{name}' as {role} and as {role_of[name]}" for name, role in pairs if role != role_of[name]]
    if doubled:
        raise BadOption("A column has one role.", found=doubled, fix="name every column once")
    roles = {name: replace(schema.get(name, Column()), role=role) for name, role in role_of.items()}
    return Schema({**schema, **roles})


def with_unit(schema: Schema, unit: str) -> Schema:
    """The schema with the column that tells people apart as an identifier, unless it has another role."""
    column = schema.get(unit, Column())
    return schema if column.role is not None else Schema({**schema, unit: replace(column, role="identifier")})


def as_in_file(told: Input, schema: Path | None) -> Input:
    """The input as it was typed; what was not typed of reading it, and of whom to count, as in the job file that gives
    the columns."""
    if schema is None:
        return told
    from amongst.job.fields import input_from_file

    known = input_from_file(schema)
    names = ("nulls", "separator", "encoding", "header", "reads", "unit")
    empty: tuple[Any, ...] = (None, (), {})
    return replace(told, **{name: getattr(known, name) for name in names if getattr(told, name) in empty})


def with_hierarchies(schema: Schema, typed: Sequence[str] | None) -> Schema:
    """The schema with hierarchies such as ``zip=zip.csv`` or ``age=intervals=[5, 10]``."""
    columns = dict(schema)
    for text in typed or ():
        name, recipe = _pair(text, "--hierarchy", "zip=zip.csv or zip=digits=5")
        columns[name] = replace(columns.get(name, Column()), hierarchy=_hierarchy(recipe))
    return Schema(columns)


def _hierarchy(recipe: str) -> Hierarchy:
    if "=" not in recipe:
        return Hierarchy.from_csv(recipe)
    try:
        return Hierarchy.from_dict(tomllib.loads(f"hierarchy = {{ {recipe} }}")["hierarchy"])
    except tomllib.TOMLDecodeError:
        raise BadOption(
            "A hierarchy cannot be understood.",
            found=f"--hierarchy ...={recipe}",
            fix="name a CSV file, or write as in a job file: digits=5 or intervals=[5, 10]",
        ) from None


def null_rule_in(typed: str | None) -> str | None:
    """The rule for nulls, with or without the hyphen that saves the quotes."""
    rule = None if typed is None else typed.replace("-", " ")
    if rule is not None and rule not in NULL_RULES:
        fix = "use one of: " + ", ".join(name.replace(" ", "-") for name in NULL_RULES)
        raise BadOption("This is no rule for nulls.", found=f"--nulls-rule {typed!r}", fix=fix)
    return rule


def with_null_rule(schema: Schema, rule: str | None) -> Schema:
    """The schema with this rule for every quasi-identifier that has none."""
    if rule is None:
        return schema
    return Schema(
        {
            name: replace(column, nulls=rule) if column.role == "quasi" and column.nulls is None else column
            for name, column in schema.items()
        }
    )


def options_in(typed: Sequence[str] | None) -> dict[str, Any]:
    """Options of a method such as ``cuts=ordered``; numbers and true or false become what they are.

    Examples
    --------
    >>> from amongst.cli.columns import options_in
    >>> options_in(["cuts=ordered", "suppression=0.05"])
    {'cuts': 'ordered', 'suppression': 0.05}
    """
    pairs = (_pair(text, "--option", "cuts=ordered") for text in typed or ())
    return {name: _value(text) for name, text in pairs}


def reads_in(typed: Sequence[str] | None) -> dict[str, Any] | str:
    """Forms of columns such as ``birth=dd.MM.yyyy``, or "found".

    Examples
    --------
    >>> from amongst.cli.columns import reads_in
    >>> reads_in(["birth=dd.MM.yyyy", 'hb={form="1234,56", missing=["n.b."]}'])["hb"]
    {'form': '1234,56', 'missing': ['n.b.']}
    """
    if list(typed or ()) == [FOUND]:
        return FOUND
    pairs = (_pair(text, "--reads", "birth=dd.MM.yyyy, or --reads found") for text in typed or ())
    return {name: _value(text) if text.startswith("{") else text for name, text in pairs}


def _value(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _pair(text: str, option: str, example: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not (name and sign and value):
        raise BadOption(
            f"{option} needs a name and a value.", found=f"{option} {text!r}", fix=f"write {option} {example}"
        )
    return name.strip(), value.strip()
