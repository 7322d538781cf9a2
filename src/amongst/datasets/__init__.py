"""Tables to try things on: bundled Adult and Patients, and generators of the papers' synthetic data."""

from amongst.datasets.adult import adult
from amongst.datasets.adult_like import adult_like
from amongst.datasets.catalogue import describe, load, names
from amongst.datasets.census import census
from amongst.datasets.database_set import DatabaseSet, load_database
from amongst.datasets.dataset import About, Dataset
from amongst.datasets.discrete import skewed, uniform
from amongst.datasets.hospital_year import hospital_year
from amongst.datasets.incognito_patients import incognito_patients
from amongst.datasets.lands_end import lands_end
from amongst.datasets.patients import patients
from amongst.datasets.wide import wide

__all__ = [
    "About",
    "DatabaseSet",
    "Dataset",
    "adult",
    "adult_like",
    "census",
    "describe",
    "hospital_year",
    "incognito_patients",
    "lands_end",
    "load",
    "load_database",
    "names",
    "patients",
    "skewed",
    "uniform",
    "wide",
]
