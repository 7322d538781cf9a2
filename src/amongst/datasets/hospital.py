"""A hospital: patients, their visits, and what was found and prescribed at each."""

from __future__ import annotations

import datetime as dt

import numpy as np

from amongst.datasets.database_set import DatabaseSet
from amongst.datasets.dataset import About, dictionary_column
from amongst.datasets.draw import draw_given, whole, zipf
from amongst.relations.relation import DatabaseSchema, Relation
from amongst.schema import Column, Hierarchy, Schema

ABOUT = About(
    title="Patients with their visits, diagnoses and prescriptions",
    source="drawn by amongst; shares are made up and no guide to medicine",
    licence="made-up people; free to use",
)

WARDS = {
    "Internal": ["Cardiology", "Pulmonology", "Nephrology"],
    "Surgical": ["Orthopaedics", "General surgery"],
    "Other": ["Emergency", "Neurology", "Psychiatry"],
}
DIAGNOSES = {
    "Circulation": ["Hypertension", "Heart failure", "Arrhythmia"],
    "Lungs": ["Asthma", "Pneumonia", "COPD"],
    "Bones": ["Fracture", "Arthrosis"],
    "Nerves": ["Migraine", "Epilepsy", "Depression"],
    "Kidneys": ["Renal failure", "Infection"],
}
DRUGS = {
    "Heart drugs": ["Beta blocker", "ACE inhibitor", "Diuretic"],
    "Lung drugs": ["Inhaler", "Cortisone"],
    "Pain drugs": ["Ibuprofen", "Opioid"],
    "Nerve drugs": ["Triptan", "Antidepressant", "Anticonvulsant"],
    "Antibiotics": ["Penicillin", "Quinolone"],
}
START = dt.date(2020, 1, 1)
N_DAYS = 1096


def hospital(n_persons: int = 1000, seed: int = 0) -> DatabaseSet:
    """Patients with 0 to 12 visits, each with 1 to 3 diagnoses and 0 to 3 prescriptions.

    Quasi-identifiers lie in all four tables, in two of them side by side below the visits. How long a visit was, how
    severe a diagnosis, and the dose are sensitive.

    Examples
    --------
    >>> import amongst as am
    >>> made = am.datasets.load_database("hospital", n_persons=100)
    >>> made.tables["patients"].column_names
    ['patient', 'sex', 'born', 'zip', 'insurance']
    """
    import pyarrow as pa

    n_persons = whole("n_persons", n_persons, 1)
    rng = np.random.default_rng(whole("seed", seed, 0))
    born = 1930 + rng.integers(0, 90, n_persons)
    n_visits = np.minimum(rng.geometric(0.35, n_persons) - 1, 12)
    patient = np.repeat(np.arange(n_persons), n_visits)
    wards, found, drugs = _leaves(WARDS), _leaves(DIAGNOSES), _leaves(DRUGS)
    ward = rng.choice(len(wards), len(patient), p=_share(len(wards), 0.7))
    day = rng.integers(0, N_DAYS, len(patient))
    visit, diagnosis = _below(rng, ward, 1 + rng.integers(0, 3, len(patient)), len(found))
    visit_too, drug = _below(rng, ward, rng.integers(0, 4, len(patient)), len(drugs))
    zips = 53700 + rng.choice(40, n_persons, p=_share(40, 0.6))
    days = np.datetime64(START) + day.astype("timedelta64[D]")
    tables = {
        "patients": pa.table(
            {
                "patient": np.arange(1, n_persons + 1),
                "sex": dictionary_column(["female", "male"], rng.integers(0, 2, n_persons).astype(np.int8)),
                "born": born,
                "zip": zips,
                "insurance": dictionary_column(
                    ["public", "private", "none"], rng.choice(3, n_persons, p=[0.7, 0.2, 0.1]).astype(np.int8)
                ),
            }
        ),
        "visits": pa.table(
            {
                "visit": np.arange(1, len(patient) + 1),
                "patient": patient + 1,
                "day": pa.array(days.astype("datetime64[D]")),
                "ward": dictionary_column(wards, ward.astype(np.int8)),
                "nights": rng.geometric(0.4, len(patient)) - 1,
            }
        ),
        "diagnoses": pa.table(
            {
                "visit": visit + 1,
                "diagnosis": dictionary_column(found, diagnosis.astype(np.int8)),
                "severity": dictionary_column(
                    ["mild", "moderate", "severe"], rng.choice(3, len(visit), p=[0.5, 0.35, 0.15]).astype(np.int8)
                ),
            }
        ),
        "prescriptions": pa.table(
            {
                "prescription": np.arange(1, len(visit_too) + 1),
                "visit": visit_too + 1,
                "drug": dictionary_column(drugs, drug.astype(np.int8)),
                "dose": (1 + rng.integers(0, 8, len(visit_too))) * 25,
            }
        ),
    }
    return DatabaseSet("hospital", tables, _schema(), ABOUT)


def _leaves(groups: dict[str, list[str]]) -> list[str]:
    return [leaf for leaves in groups.values() for leaf in leaves]


def _share(n: int, exponent: float) -> np.ndarray:
    weights = zipf(n, exponent)
    return weights / weights.sum()


def _below(
    rng: np.random.Generator, ward: np.ndarray, times: np.ndarray, n_values: int
) -> tuple[np.ndarray, np.ndarray]:
    """The visit and value of rows below the visits; a ward has values that are its own."""
    visit = np.repeat(np.arange(len(ward)), times)
    near = np.abs(np.arange(8)[:, None] / 8 - np.arange(n_values)[None] / n_values)
    return visit, draw_given(rng, np.exp(-12 * near) + 0.02, ward[visit])


def _schema() -> DatabaseSchema:
    def tree(groups: dict[str, list[str]]) -> Column:
        return Column(role="quasi", kind="categorical", hierarchy=Hierarchy.nested(groups))

    sensitive, flat = Column(role="sensitive"), Hierarchy.flat()
    digits = Hierarchy.digits(5)
    return DatabaseSchema(
        {
            "patients": Relation(
                Schema(
                    {
                        "sex": Column(role="quasi", kind="categorical", hierarchy=flat),
                        "born": Column(role="quasi", kind="numeric"),
                        "zip": Column(role="quasi", kind="categorical", hierarchy=digits),
                        "insurance": Column(role="keep"),
                    }
                ),
                key="patient",
            ),
            "visits": Relation(
                Schema({"day": Column(role="quasi", kind="date"), "ward": tree(WARDS), "nights": sensitive}),
                key="visit",
                parent="patients",
                foreign_key="patient",
            ),
            "diagnoses": Relation(
                Schema({"diagnosis": tree(DIAGNOSES), "severity": sensitive}), parent="visits", foreign_key="visit"
            ),
            "prescriptions": Relation(
                Schema({"drug": tree(DRUGS), "dose": sensitive}),
                key="prescription",
                parent="visits",
                foreign_key="visit",
            ),
        }
    )
