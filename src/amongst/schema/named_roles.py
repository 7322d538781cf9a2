"""A schema from lists of names: ``quasi=["age"], sensitive=["disease"]``, and what becomes of the rest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from amongst.errors import BadOption, BadSchema
from amongst.schema.column import Column
from amongst.schema.problem import count
from amongst.schema.schema import Schema, as_schema

ROLE_OF_REST = {"drop": "identifier", "keep": "keep"}


def with_named_roles(schema: Any, named: Mapping[str, str | Sequence[str] | None]) -> Schema:
    """The schema with the roles of these lists; a column of it keeps its kind and hierarchy.

    Examples
    --------
    >>> from amongst.schema.named_roles import with_named_roles
    >>> with_named_roles(None, {"quasi": ["age", "zip"], "sensitive": "disease"})
    Schema(age: quasi, zip: quasi, disease: sensitive)
    """
    columns = {} if schema is None else dict(as_schema(schema))
    role_of: dict[str, str] = {}
    for role, listed in named.items():
        if listed is not None and not isinstance(listed, Iterable):
            found = f"{role} of type {type(listed).__name__}"
            raise BadOption("Columns are named by a text or a list of texts.", found=found, fix='write ["age", "zip"]')
        for name in [listed] if isinstance(listed, str) else listed or ():
            earlier = role_of.setdefault(name, role)
            if earlier != role:
                raise BadOption(
                    "A column has one role.", found=f"'{name}' as {earlier} and as {role}", fix="name every column once"
                )
            columns[name] = replace(columns.get(name, Column()), role=role)
    return Schema(columns)


def with_rest(schema: Schema, names: Sequence[str], rest: str | None) -> Schema:
    """The schema with a role for every column: those without one are dropped or kept, or an error lists them."""
    if rest is not None and rest not in ROLE_OF_REST:
        raise BadOption("There is no such rest.", found=f"rest = {rest!r}", fix='use rest="drop" or rest="keep"')
    left = [name for name in names if name not in schema or schema[name].role is None]
    if not left:
        return schema
    if rest is None:
        raise BadSchema(
            f"{count(len(left), 'column')} without a role.",
            found=", ".join(f"'{name}'" for name in left),
            fix='name them in quasi=, sensitive=, keep= or identifier=; or say rest="drop" or rest="keep" for all',
        )
    more = {name: replace(schema.get(name, Column()), role=ROLE_OF_REST[rest]) for name in left}
    return Schema({**schema, **more})


def names_of_frame(data: Any) -> list[str] | None:
    """The columns of a frame; None for a path or an address, whose columns only an engine knows."""
    if hasattr(data, "collect_schema") and hasattr(data, "collect"):  # a lazy frame, which reading refuses
        return None
    names = getattr(data, "column_names", None)
    names = getattr(data, "columns", None) if names is None else names
    return None if names is None or callable(names) else [str(name) for name in names]
