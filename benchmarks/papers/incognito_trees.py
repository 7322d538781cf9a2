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
EXACT = (3, 4, 5, 6, 7, 8)
"""Columns with which the counts are those of the paper."""

SCHOOL = ("to 8th", "9th", "to high school")
GROUPS = {
    "education": {
        "to 8th": "Preschool 1st-4th 5th-6th 7th-8th",
        "9th": "9th",
        "to high school": "10th 11th 12th HS-grad",
        "some college": "Some-college Assoc-voc Assoc-acdm",
        "bachelor": "Bachelors",
        "master and up": "Masters Prof-school Doctorate",
    },
    "native-country": {
        "group 1": "United-States China Cuba Dominican-Republic England Haiti Hong Ireland Jamaica Scotland South "
        "Taiwan Trinadad&Tobago",
        "group 2": "Canada Puerto-Rico Outlying-US(Guam-USVI-etc) Japan Greece Italy Portugal",
        "group 3": "Columbia Ecuador El-Salvador France Germany Guatemala Holand-Netherlands Honduras Hungary India "
        "Iran Mexico Nicaragua Peru Poland Yugoslavia",
        "group 4": "Cambodia Laos Philippines Thailand Vietnam",
    },
    "workclass": {
        "government": "Federal-gov Local-gov State-gov",
        "everything else": "Private Self-emp-inc Self-emp-not-inc Without-pay",
    },
    "occupation": {
        "group 1": "Adm-clerical Exec-managerial Machine-op-inspct Priv-house-serv Prof-specialty Protective-serv "
        "Sales Tech-support",
        "group 2": "Craft-repair Farming-fishing Handlers-cleaners Other-service Transport-moving",
        "Armed-Forces": "Armed-Forces",
    },
}
"""The first level above the values. Only education has a second: to high school, and college."""


def trees() -> dict[str, Hierarchy]:
    """Of the columns above; the others have those of the bundled schema."""
    rows: dict[str, list[list[str]]] = {name: [] for name in GROUPS}
    for name, groups in GROUPS.items():
        for group, values in groups.items():
            above = ["school" if group in SCHOOL else "college"] if name == "education" else []
            rows[name] += [[value, group, *above, "*"] for value in values.split()]
    return {name: Hierarchy.from_rows(own) for name, own in rows.items()}


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
