"""A table that comes with its schema and says where it is from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa


@dataclass(frozen=True)
class About:
    """Where a data set comes from and what one may do with it."""

    title: str
    source: str
    licence: str


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """A table, the schema to anonymize it with, and where it comes from.

    Attributes
    ----------
    name : str
        The name under which ``load`` finds it.
    table : pyarrow.Table
    schema : Schema
        A role for every column.
    about : About
        Title, source and licence.

    Examples
    --------
    >>> import amongst as am
    >>> patients = am.datasets.load("patients")
    >>> patients
    Dataset('patients', 6 rows, 4 columns)
    >>> patients.schema.quasi
    ['Age', 'Sex', 'Zipcode']
    """

    name: str
    table: pa.Table
    schema: Schema
    about: About

    def __repr__(self) -> str:
        # The generated form would print the cells of the table.
        return f"Dataset({self.name!r}, {self.table.num_rows} rows, {self.table.num_columns} columns)"


def dictionary_column(values: Sequence[Any], codes: np.ndarray) -> pa.DictionaryArray:
    """A column of few values over many rows: the values once, a small code a row."""
    import pyarrow as pa

    return pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(values))
