"""How many people of the population there are for every class: counted, or taken from weights or a fraction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst import kernels
from amongst.encode.population import one_after_the_other
from amongst.encode.rank import one_zero, rank
from amongst.errors import BadInput, BadOption
from amongst.published.compatible import compatible_rows
from amongst.published.tally import Distinct, Tally
from amongst.risk.individual import individual_risk
from amongst.risk.keys import Keys, cells_of, code_column

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.published.layout import Layout
    from amongst.published.tally import Distinct


@dataclass(frozen=True, eq=False)
class Known:
    """What is known of the population.

    Attributes
    ----------
    chance : ndarray of float64, one a class
        The chance of finding somebody of the class.
    fraction : float
        The share of the population that is in the table.
    uniques : float
        Rows alone in the table and in the population.
    people : ndarray of int64, one a class, or None
        Counted people; None where they are estimated.
    fewest : float
        The people of the population whom the smallest class stands for: counted, or the sum of its weights.
    """

    chance: np.ndarray
    fraction: float
    uniques: float
    people: np.ndarray | None = None
    fewest: float = 0.0


def sampled(keys: Keys, fraction: float) -> Known:
    """Every row stands for as many people as any other."""
    number = isinstance(fraction, (int, float)) and not isinstance(fraction, bool)
    if not number or not 0 < fraction <= 1:
        raise BadOption(
            "The sampling fraction is a share of the population.",
            found=f"fraction = {fraction!r}",
            fix="use a number above 0 and at most 1, such as 0.01",
        )
    return weighed(keys, np.full(keys.n_rows, 1 / fraction))


def weighed(keys: Keys, weight: np.ndarray) -> Known:
    """Every row stands for its weight; of a person's rows, that is their mean."""
    if keys.unit is not None:
        person = kernels.distinct([keys.unit])[0]
        weight = np.bincount(person, weights=weight) / np.bincount(person)
    size, people = keys.size_of_class, keys.weight_of_class(weight)
    # Given one row, the chance that there is one person is 1 over the weight.
    alone = np.where(size == 1, np.minimum(1 / people, 1.0), 0.0)
    fraction = min(keys.n_counted / float(weight.sum()), 1.0)
    fewest = float(people.min(initial=np.inf))
    return Known(individual_risk(size, people), fraction, _sum(keys, alone), fewest=fewest)


def _sum(keys: Keys, of_class: np.ndarray) -> float:
    """Over all rows, or people."""
    value, times = keys.of_everybody(of_class)
    return float((value * times).sum())


def people_in(population: Any, table: pa.Table, layout: Layout, keys: Keys, raw: bool) -> Known:
    """Count the people of a population table whom every class fits."""
    from amongst.read import read

    everybody = read(population).table
    gone = [name for name in keys.names if name not in everybody.column_names]
    if gone:
        raise BadInput(
            "The population table cannot be compared with the table.",
            found="it has no column " + ", ".join(f"'{name}'" for name in gone),
            fix="give it every quasi-identifier under the same name",
        )
    people = _equal(everybody, table, keys) if raw else _fitting(everybody, table, layout, keys)
    people = np.maximum(people, keys.size_of_class)  # whoever is in the table is in the population
    uniques = _sum(keys, (keys.size_of_class == 1) & (people == 1))
    return Known(1 / people, min(keys.n_counted / everybody.num_rows, 1.0), uniques, people, float(people.min()))


def _equal(everybody: pa.Table, table: pa.Table, keys: Keys) -> np.ndarray:
    """The people who are equal to a class in all quasi-identifiers; where a missing value matches anything, who fit."""
    both = [code_column(one_after_the_other(table.column(name), everybody.column(name), name)) for name in keys.names]
    tuple_of_row, first, _ = kernels.distinct([codes for codes, _ in both])
    people = np.bincount(tuple_of_row[keys.n_rows :], minlength=len(first)).astype(np.int64)
    wild = [
        gone[first] if matches else np.zeros(len(first), dtype=bool)
        for matches, (_, gone) in zip(keys.matches, both, strict=True)
    ]
    people = compatible_rows([codes[first].astype(np.int64) for codes, _ in both], wild, people)
    return people[tuple_of_row[keys.distinct[1]]]


def _fitting(everybody: pa.Table, table: pa.Table, layout: Layout, keys: Keys) -> np.ndarray:
    """The people whom the labels of a class fit: in the range, below the node, in the set."""
    import pyarrow as pa

    from amongst.published.classes import Classes
    from amongst.verify.evidence import Evidence
    from amongst.verify.population import fit

    _, first_row, rows = keys.distinct
    first = table.take(pa.array(first_row, pa.int64()))
    columns = {leaf: _distinct(cells_of(first, leaf)) for key in layout.keys for leaf in key.leaves}
    return fit(Evidence(layout, Classes(Tally(columns, rows), rows)), everybody).people


def _distinct(column: pa.ChunkedArray) -> Distinct:
    """The labels of the classes as the verifier takes them: a missing one is the last."""
    import pyarrow as pa

    values, index, missing = rank(column)
    values, index = one_zero(values, index)
    codes = index.astype(np.int64)
    if missing is not None:
        codes[missing] = len(values)
    null_like = np.append(np.zeros(len(values), dtype=bool), True)
    if pa.types.is_floating(values.type):
        null_like[:-1] = np.isnan(values.to_numpy(zero_copy_only=False))
    return Distinct(codes, pa.concat_arrays([values, pa.nulls(1, values.type)]), null_like)
