"""Patients: the six rows on which the Mondrian paper explains itself."""

from __future__ import annotations

from amongst.datasets.dataset import About, Dataset
from amongst.schema import Column, Hierarchy, Schema

ABOUT = About(
    title="Patients, the worked example of the Mondrian paper",
    source="LeFevre, DeWitt, Ramakrishnan: Mondrian Multidimensional K-Anonymity, ICDE 2006, figure 1",
    licence="made-up people; no licence needed",
)


def patients() -> Dataset:
    """The Patients table of the Mondrian paper: six made-up people.

    Zipcode is a number here, as in the paper, whose figures publish ranges of it. The paper's spelling
    of the diseases is kept.

    Examples
    --------
    >>> import amongst as am
    >>> am.datasets.patients().table["Age"].to_pylist()
    [25, 25, 26, 27, 27, 28]
    """
    import pyarrow as pa

    table = pa.table(
        {
            "Age": [25, 25, 26, 27, 27, 28],
            "Sex": ["Male", "Female", "Male", "Male", "Female", "Male"],
            "Zipcode": [53711, 53712, 53711, 53710, 53712, 53711],
            "Disease": ["Flu", "Hepatitis", "Brochitis", "Broken Arm", "AIDS", "Hang Nail"],
        }
    )
    schema = Schema(
        {
            "Age": Column(role="quasi", kind="numeric", hierarchy=Hierarchy.intervals([5, 10])),
            "Sex": Column(role="quasi", kind="categorical", hierarchy=Hierarchy.flat()),
            "Zipcode": Column(role="quasi", kind="numeric", hierarchy=Hierarchy.digits(5)),
            "Disease": Column(role="sensitive", kind="categorical"),
        }
    )
    return Dataset("patients", table, schema, ABOUT)
