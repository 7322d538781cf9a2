"""The real tables that lie beside the repository, where they do; what names a person in them is known by hand."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from gauntlet_table import GauntletTable

THOROUGH = os.environ.get("AMONGST_GAUNTLET") == "all"
"""Whether all is walked (``make gauntlet``), or what takes a minute or two (``make test``)."""
PLACES = [parent / "shared" / "real" for parent in Path(__file__).resolve().parents[2:5]]
FOLDER = next((place for place in PLACES if place.is_dir()), None)


def _at(name: str) -> Callable[[Path], Path]:
    def place(folder: Path) -> Path:
        if FOLDER is None or not (FOLDER / name).exists():
            pytest.skip("the real tables are not here")
        return FOLDER / name

    return place


HOSPITAL_PEOPLE = (
    "Fall-Nr", "MRN", "Nachname", "Vorname", "Strasse", "Telefon", "E-Mail", "Versichertennr.", "Arztbrief"
)  # fmt: skip
SHORT = (
    GauntletTable("compas", _at("compas-scores-two-years.csv"), ("name", "first", "last", "c_case_number")),
    GauntletTable(
        "hospital-de",
        _at("hospital-de.csv"),
        HOSPITAL_PEOPLE,
        {"encoding": "latin-1", "separator": ";"},
        unit="MRN",
    ),
)
LONG = (
    GauntletTable("german", _at("german.data"), reading={"separator": " ", "header": "no"}),
    GauntletTable("flchain", _at("flchain.csv"), reading={"nulls": "NA"}),
    GauntletTable("mm_nhis", _at("mm_nhis.csv")),
    GauntletTable("covid_testing", _at("covid_testing.csv"), ("fake_first_name", "fake_last_name"), unit="subject_id"),
    GauntletTable("HealthInsurance", _at("HealthInsurance.csv")),
    *(
        GauntletTable(f"berka {name}", _at(f"berka/{name}.asc"), reading={"separator": ";"})
        for name in ("account", "card", "client", "disp", "district", "loan", "order")
    ),
)
REAL = SHORT + (LONG if THOROUGH else ())
