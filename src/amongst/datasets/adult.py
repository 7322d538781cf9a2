"""Adult: the table that every paper on k-anonymity measures itself on, bundled with the package."""

from __future__ import annotations

from pathlib import Path

from amongst.datasets.dataset import About, Dataset
from amongst.errors import BadOption
from amongst.schema import Column, Hierarchy, Schema

DATA = Path(__file__).parent / "data"

PARTS = ("train", "test")
"""The parts in the order of the file's row groups: 30,162 and 15,060 rows."""

ABOUT = About(
    title="Adult (Census Income), rows without unknown values",
    source="Becker and Kohavi 1996, UCI Machine Learning Repository, doi:10.24432/C5XW20",
    licence="CC BY 4.0",
)


def adult(part: str | None = None) -> Dataset:
    """Adult: 45,222 people of the 1994 census of the United States.

    Parameters
    ----------
    part : {"train", "test"}, optional
        Only the 30,162 training rows or the 15,060 test rows. Left out, both: training rows first.

    Examples
    --------
    >>> import amongst as am
    >>> am.datasets.adult(part="train").table.num_rows
    30162
    """
    import pyarrow.parquet as pq

    if part is not None and part not in PARTS:
        raise BadOption(
            f"Adult has no part {part!r}.",
            found=f"part = {part!r}",
            fix="use one of: None, " + ", ".join(PARTS),
        )
    # ParquetFile and not read_table, which would first import the machinery for folders of files.
    file = pq.ParquetFile(DATA / "adult.parquet")
    row_groups = range(len(PARTS)) if part is None else [PARTS.index(part)]
    table = file.read_row_groups(list(row_groups), use_threads=False)
    return Dataset("adult", table, adult_schema(), ABOUT)


def adult_schema() -> Schema:
    """Adult's nine attributes in the order of the Incognito paper's figure 9, with its heights.

    The salary class is sensitive. The other columns of UCI's file are dropped: ``education-num`` is the
    education under another name, ``relationship`` gives away sex and marriage (Husband, Wife), and the
    weight ``fnlwgt``, the two capital columns and the hours are fine-grained enough to single people
    out while no hierarchy is given for them.
    """
    drop = Column(role="identifier")
    return Schema(
        {
            "age": Column(role="quasi", kind="numeric", hierarchy=Hierarchy.intervals([5, 10, 20])),
            "sex": _category(Hierarchy.flat()),
            "race": _category(Hierarchy.flat()),
            "marital-status": _category(bundled_hierarchy("adult-marital-status")),
            "education": _category(bundled_hierarchy("adult-education")),
            # UCI's "South" is read as South Korea, which the list of countries lacks otherwise.
            "native-country": _category(bundled_hierarchy("adult-native-country")),
            "workclass": _category(bundled_hierarchy("adult-workclass")),
            "occupation": _category(bundled_hierarchy("adult-occupation")),
            # With a hierarchy although sensitive: the Incognito paper counts it among the quasi-identifiers.
            "salary-class": Column(role="sensitive", kind="categorical", hierarchy=Hierarchy.flat()),
            "fnlwgt": drop,
            "education-num": drop,
            "relationship": drop,
            "capital-gain": drop,
            "capital-loss": drop,
            "hours-per-week": drop,
        }
    )


def bundled_hierarchy(name: str) -> Hierarchy:
    """One of the hierarchies that come with the package, by the name of its file."""
    return Hierarchy.from_csv(DATA / "hierarchies" / f"{name}.csv")


def _category(hierarchy: Hierarchy) -> Column:
    return Column(role="quasi", kind="categorical", hierarchy=hierarchy)
