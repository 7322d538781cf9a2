"""Trees with which the Incognito paper's table of nodes searched comes out as printed.

The paper gives the heights of its trees (figure 9), not the trees. These were found by trying: they need not be the
authors'.
"""

from __future__ import annotations

from dataclasses import replace

from amongst import datasets
from amongst.schema.hierarchy import Hierarchy
from amongst.schema.schema import Schema

FIGURE_9 = (
    "age",
    "sex",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
    "salary-class",
)
PAPER = {3: (14, 14), 4: (47, 35), 5: (206, 103), 6: (680, 246), 7: (2088, 664), 8: (6366, 1778), 9: (12818, 4307)}
"""Section 4.2.1: nodes that bottom-up search and Incognito look at, by columns."""
EXACT = (3, 4, 5, 6)
"""Columns with which the counts are those of the paper."""

SCHOOL = {
    "below a degree": {
        "to 9th": ("Preschool", "1st-4th", "5th-6th", "7th-8th", "9th"),
        "10th to high school": ("10th", "11th", "12th", "HS-grad"),
    },
    "college": {
        "to bachelor": ("Some-college", "Assoc-voc", "Assoc-acdm", "Bachelors"),
        "master and up": ("Masters", "Prof-school", "Doctorate"),
    },
}
EUROPE = [
    "England",
    "France",
    "Germany",
    "Greece",
    "Holand-Netherlands",
    "Hungary",
    "Ireland",
    "Italy",
    "Poland",
    "Portugal",
    "Scotland",
    "Yugoslavia",
]
ASIA = [
    "Cambodia",
    "China",
    "Hong",
    "India",
    "Iran",
    "Japan",
    "Laos",
    "Philippines",
    "South",
    "Taiwan",
    "Thailand",
    "Vietnam",
]
ALONE = ("United-States", "Canada")
GOVERNMENT = ("Federal-gov", "Local-gov", "State-gov")


def trees() -> dict[str, Hierarchy]:
    """Of education, native country and work class; the other columns have those of the bundled schema."""
    schooling = [[v, group, part, "*"] for part, own in SCHOOL.items() for group, values in own.items() for v in values]
    table = datasets.load("adult").table
    countries = sorted(table["native-country"].unique().to_pylist())
    classes = sorted(table["workclass"].unique().to_pylist())
    return {
        "education": Hierarchy.from_rows(schooling),
        "native-country": Hierarchy.from_rows([[value, _region(value), "*"] for value in countries]),
        "workclass": Hierarchy.from_rows([[v, "government" if v in GOVERNMENT else "others", "*"] for v in classes]),
    }


def _region(country: str) -> str:
    if country in ALONE:
        return f"only {country}"
    return "Europe" if country in EUROPE else "Asia" if country in ASIA else "Latin America"


def paper_schema(n_columns: int) -> Schema:
    """The first columns of figure 9 as quasi-identifiers."""
    found, quasi = trees(), FIGURE_9[:n_columns]
    return Schema(
        {
            name: replace(
                column,
                role="quasi" if name in quasi else "identifier",
                hierarchy=found.get(name, column.hierarchy),
            )
            for name, column in datasets.load("adult").schema.items()
        }
    )
