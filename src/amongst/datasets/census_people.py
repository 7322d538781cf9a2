"""How the people of the census-like table are drawn: one step a column, each given the ones before it."""

from __future__ import annotations

import csv
from functools import cache
from typing import Any

import numpy as np

from amongst.datasets import census_shares as shares
from amongst.datasets.adult import DATA
from amongst.datasets.draw import draw, draw_given, zipf


def draw_people(rng: np.random.Generator, n_rows: int) -> dict[str, np.ndarray]:
    """The codes of all nine columns; education levels and salary classes count from 0."""
    age = draw(rng, shares.SHARE_OF_AGE, n_rows)
    gender = (rng.random(n_rows) >= shares.WOMEN_OF_AGE[age]).astype(np.int64)
    country = draw(rng, _country_weights(), n_rows)
    region = region_of_country()[country]
    education = _draw_education(rng, age, region)
    work = _draw_work(rng, age, education)
    occupation = _draw_occupation(rng, education, gender, work)
    people = {
        "age": age,
        "gender": gender,
        "education-level": education,
        "marital-status": _draw_marital(rng, age, gender),
        "race": draw_given(rng, np.array(list(shares.RACES_OF_REGION.values())), region),
        "work-class": work,
        "country": country,
        "occupation": occupation,
        "salary-class": _draw_salary(rng, age, gender, education, occupation),
    }
    return {name: codes.astype(np.int8) for name, codes in people.items()}


def values_of_column() -> dict[str, list[str]]:
    """The value of every code of the text columns: the leaves of their trees, in order."""
    return {
        "gender": list(shares.GENDERS),
        "marital-status": _leaves("census-marital-status"),
        "race": list(shares.RACES),
        "work-class": _leaves("census-work-class"),
        "country": _leaves("census-country"),
        "occupation": [job["occupation"] for job in _occupations()],
    }


@cache
def region_of_country() -> np.ndarray:
    """The region of every country, as a position in the shares."""
    regions = list(shares.RACES_OF_REGION)
    return np.array([regions.index(row[1]) for row in _rows("hierarchies/census-country")])


@cache
def _country_weights() -> np.ndarray:
    """Zipf's law within a region, steep in the first, where nearly all are born in one country."""
    weights = np.zeros(len(region_of_country()))
    for region, share in enumerate(shares.SHARE_OF_REGION):
        here = region_of_country() == region
        law = zipf(int(here.sum()), 7.0 if region == 0 else 1.2)
        weights[here] = share * law / law.sum()
    return weights


def _draw_education(rng: np.random.Generator, age: np.ndarray, region: np.ndarray) -> np.ndarray:
    years = shares.AGES[age]
    typical = 11.2 - 0.035 * np.maximum(years - 45, 0) + shares.SCHOOLING_OF_REGION[region]
    level = np.rint(rng.normal(typical, 2.6))
    # Many stop where a school ends, and nobody is ahead of the years they have lived.
    level[(np.abs(level - 9) == 1) & (rng.random(len(level)) < 0.6)] = 9
    return np.clip(level, 0, np.minimum(years - 8, shares.N_EDUCATION_LEVELS - 1)).astype(np.int64)


def _draw_marital(rng: np.random.Generator, age: np.ndarray, gender: np.ndarray) -> np.ndarray:
    band = np.searchsorted(shares.AGE_BANDS, shares.AGES, side="right")[age]
    n_bands, n_genders, n_codes = shares.MARITAL_OF_BAND.shape
    return draw_given(rng, shares.MARITAL_OF_BAND.reshape(n_bands * n_genders, n_codes), band * n_genders + gender)


def _draw_work(rng: np.random.Generator, age: np.ndarray, education: np.ndarray) -> np.ndarray:
    stage = np.searchsorted(shares.STAGES, shares.AGES, side="right")[age]
    schooling = (education >= shares.DIPLOMA).astype(np.int64) + (education >= shares.DEGREE)
    weights = shares.WORK_OF_STAGE[:, None, :] * shares.WORK_OF_SCHOOLING[None, :, :]
    n_stages, n_schoolings, n_codes = weights.shape
    return draw_given(rng, weights.reshape(n_stages * n_schoolings, n_codes), stage * n_schoolings + schooling)


def _draw_occupation(
    rng: np.random.Generator, education: np.ndarray, gender: np.ndarray, work: np.ndarray
) -> np.ndarray:
    weights = _occupation_weights()
    n_levels, n_genders, n_sectors, n_codes = weights.shape
    parent = (education * n_genders + gender) * n_sectors + shares.SECTOR_OF_WORK[work]
    return draw_given(rng, weights.reshape(n_levels * n_genders * n_sectors, n_codes), parent)


def _draw_salary(
    rng: np.random.Generator,
    age: np.ndarray,
    gender: np.ndarray,
    education: np.ndarray,
    occupation: np.ndarray,
) -> np.ndarray:
    """Log-normal around the pay of the occupation; the last class is open upwards."""
    pay = np.log(_numbers("pay"))[occupation]
    pay += 0.03 * (education - 11) - 0.0004 * (shares.AGES[age] - 50) ** 2 + 0.08 * gender
    pay += rng.normal(0.1, 0.35, size=len(pay))
    return np.clip(np.rint(np.exp(pay)), 1, shares.N_SALARY_CLASSES).astype(np.int64) - 1


@cache
def _occupation_weights() -> np.ndarray:
    """By education level, gender and sector: likelier near the usual schooling and in the own sector."""
    levels = np.arange(shares.N_EDUCATION_LEVELS)[:, None]
    fit = 0.002 + np.exp(-(((levels - _numbers("schooling")) / 2.0) ** 2))
    women = _numbers("women")
    tilt = np.array([women, 1 - women])
    sector = np.array([shares.SECTORS.index(job["sector"]) for job in _occupations()])
    of_sector = np.where(np.arange(len(shares.SECTORS))[:, None] == sector, 4.0, 0.4)
    of_sector[:, sector == shares.SECTORS.index("any")] = 1.0
    return _numbers("share") * fit[:, None, None, :] * tilt[None, :, None, :] * of_sector[None, None, :, :]


@cache
def _occupations() -> list[dict[str, Any]]:
    header, *jobs = _rows("census-occupations")
    return [dict(zip(header, job, strict=True)) for job in jobs]


def _numbers(field: str) -> np.ndarray:
    return np.array([float(job[field]) for job in _occupations()])


def _leaves(hierarchy: str) -> list[str]:
    return [row[0] for row in _rows(f"hierarchies/{hierarchy}")]


def _rows(name: str) -> list[list[str]]:
    with open(DATA / f"{name}.csv", encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter=";"))
