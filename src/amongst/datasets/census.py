"""A census-like table of any size with the columns of the second paper's table 1."""

from __future__ import annotations

import numpy as np

from amongst.datasets.adult import bundled_hierarchy
from amongst.datasets.census_people import draw_people, values_of_column
from amongst.datasets.census_shares import AGES
from amongst.datasets.dataset import About, Dataset, dictionary_column
from amongst.datasets.draw import draw_in_chunks
from amongst.schema import Column, Hierarchy, Schema

ABOUT = About(
    title="Census-like people, any number of them",
    source="made by amongst; columns as in Ghinita, Karras, Kalnis, Mamoulis, VLDB 2007, table 1",
    licence="made-up people; no licence needed",
)


def census(n_rows: int = 500_000, seed: int = 0) -> Dataset:
    """Made-up people with the columns, cardinalities and tree levels of the CENSUS table.

    Age (79 values), gender (2), education level (17), marital status (6), race (9), work class (10) and
    country (83) are quasi-identifiers; occupation (50) and salary class (50) are sensitive. The columns
    hang together as in life: marriage on age and gender, race on country, schooling on age and region,
    work on age and schooling, occupation on schooling, gender and work, salary on all of these.

    Parameters
    ----------
    n_rows : int
    seed : int
        The same seed gives the same table.

    Examples
    --------
    >>> import amongst as am
    >>> am.datasets.census(n_rows=1000).schema.sensitive
    ['occupation', 'salary-class']
    """
    import pyarrow as pa

    columns = draw_in_chunks(n_rows, seed, draw_people)
    schema = census_schema()
    arrays = {
        "age": columns["age"].astype(np.int32) + AGES[0],
        "education-level": columns["education-level"].astype(np.int32),
        "salary-class": columns["salary-class"].astype(np.int32) + 1,
    }
    for name, values in values_of_column().items():
        arrays[name] = dictionary_column(values, columns[name])
    return Dataset("census", pa.table({name: arrays[name] for name in schema}), schema, ABOUT)


def census_schema() -> Schema:
    """Roles and trees as in the paper's table 1, whose levels count the leaves and the root.

    The two numerical columns have intervals as well, for methods that need levels.
    """
    quasi = {
        "age": Column(role="quasi", kind="numeric", hierarchy=Hierarchy.intervals([5, 10, 20])),
        "gender": _category(Hierarchy.flat()),
        "education-level": Column(role="quasi", kind="numeric", hierarchy=Hierarchy.intervals([2, 4, 8])),
        "marital-status": _category(bundled_hierarchy("census-marital-status")),
        "race": _category(Hierarchy.flat()),
        "work-class": _category(bundled_hierarchy("census-work-class")),
        "country": _category(bundled_hierarchy("census-country")),
    }
    sensitive = {
        "occupation": Column(role="sensitive", kind="categorical"),
        "salary-class": Column(role="sensitive", kind="numeric"),
    }
    return Schema({**quasi, **sensitive})


def _category(hierarchy: Hierarchy) -> Column:
    return Column(role="quasi", kind="categorical", hierarchy=hierarchy)
