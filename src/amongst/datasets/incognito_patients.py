"""Patients as the Incognito paper tells of them: six rows, three hierarchies, and two worked examples."""

from __future__ import annotations

import datetime

from amongst.datasets.dataset import About, Dataset
from amongst.schema import Column, Hierarchy, Schema

ABOUT = About(
    title="Patients, the worked example of the Incognito paper",
    source="LeFevre, DeWitt, Ramakrishnan: Incognito: Efficient Full-Domain K-Anonymity, SIGMOD 2005, figures 1 and 2",
    licence="made-up people; no licence needed",
)

JANUARY, FEBRUARY, APRIL = datetime.date(1976, 1, 21), datetime.date(1976, 2, 28), datetime.date(1986, 4, 13)


def incognito_patients() -> Dataset:
    """The Patients table of the Incognito paper: six made-up people, with the hierarchies of figure 2.

    Birthdate has the levels B0 and B1, Sex S0 and S1, Zipcode Z0, Z1 and Z2. The lattice has 12 nodes. The
    paper's spelling of the diseases is kept.

    Examples
    --------
    >>> import amongst as am
    >>> patients = am.datasets.incognito_patients()
    >>> am.generalizations(patients.table, patients.schema, [am.KAnonymity(2)]).minimal()
    [(0, 1, 2), (1, 0, 2), (1, 1, 0)]
    """
    import pyarrow as pa

    table = pa.table(
        {
            "Birthdate": [JANUARY, APRIL, FEBRUARY, JANUARY, APRIL, FEBRUARY],
            "Sex": ["Male", "Female", "Male", "Male", "Female", "Female"],
            "Zipcode": ["53715", "53715", "53703", "53703", "53706", "53706"],
            "Disease": ["Flu", "Hepatitis", "Brochitis", "Broken Arm", "Sprained Ankle", "Hang Nail"],
        }
    )
    zipcodes = {"537**": {"5371*": ["53715", "53710"], "5370*": ["53706", "53703"]}}
    schema = Schema(
        {
            "Birthdate": Column(role="quasi", kind="date", hierarchy=Hierarchy.flat()),
            "Sex": Column(role="quasi", kind="categorical", hierarchy=Hierarchy.nested({"Person": ["Male", "Female"]})),
            "Zipcode": Column(role="quasi", kind="categorical", hierarchy=Hierarchy.nested(zipcodes)),
            "Disease": Column(role="sensitive", kind="categorical"),
        }
    )
    return Dataset("incognito-patients", table, schema, ABOUT)
