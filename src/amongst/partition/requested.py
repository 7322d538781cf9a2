"""What a request needs to know of the data beyond the quasi-identifiers."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.encode import CodedTable, encode
from amongst.errors import BadOption
from amongst.models import Model, of_population, of_values
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa


def encode_for(
    table: pa.Table,
    schema: Schema,
    models: Sequence[Model],
    unit: str | None = None,
    target: str | None = None,
    count: np.ndarray | None = None,
) -> CodedTable:
    """The codes that these models need: quasi-identifiers, sensitive columns, people, a population; and a target.

    ``count`` says how many rows every row of the table stands for, where equal ones were counted before.
    """
    refuse_statistics_of_few(schema, models)
    coded = encode(table, schema, sensitive_columns(schema, models), unit, population_of(models), count)
    if target is None:
        return coded
    from amongst.encode.target import encode_target

    return replace(coded, target=encode_target(table, schema, target, coded.kept_rows, numbers=True))


def refuse_statistics_of_few(schema: Schema, models: Sequence[Model]) -> None:
    """Raise where the mean of a group would tell groups apart that are alike in a few columns."""
    told = [name for name in schema.quasi if schema[name].statistic]
    if told and any(model.counts == "subsets" for model in models):
        raise BadOption(
            "k on every few columns does not go with statistics of groups: they tell groups apart.",
            found="a statistic of " + ", ".join(f"'{name}'" for name in told),
            fix="publish without the statistic, or ask for k-anonymity",
        )


def sensitive_columns(schema: Schema, models: Sequence[Model]) -> list[str]:
    """The sensitive columns that the models speak of; raises for a column that is not sensitive."""
    asked = of_values(models)
    named = [name for model in asked for name in model.columns_in(schema)]
    counted = [*schema.sensitive, *schema.named("weight")]
    wrong = [name for name in named if name not in counted]
    if wrong:
        role = f"its role is {schema[wrong[0]].role}" if wrong[0] in schema else "it is not in the schema"
        raise BadOption(
            f"The column '{wrong[0]}' is not sensitive.", found=role, fix='give it role="sensitive" in the schema'
        )
    return [name for name in counted if name in named]


def population_of(models: Sequence[Model]) -> pa.Table | None:
    """The population table of the models that compare with one."""
    tables = [model.population for model in of_population(models)]
    if not tables:
        return None
    if not all(_same(tables[0], one) for one in tables[1:]):
        raise BadOption(
            "Models compare with different populations.", found=f"{len(tables)} tables", fix="give them the same one"
        )
    from amongst.read import read

    return read(tables[0]).table


def _same(one: Any, other: Any) -> bool:
    """Whether two populations are one: the same object, or the same file."""
    if one is other:
        return True
    return all(isinstance(of, (str, os.PathLike)) for of in (one, other)) and Path(one) == Path(other)
