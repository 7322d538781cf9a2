"""Individual risk with weights: the mean of 1 / F where F is negative binomial."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import amongst as am
from amongst.risk.individual import individual_risk

FRANCDAT = {
    "Key1": [1, 1, 1, 3, 4, 4, 6, 1],
    "Key2": [2, 2, 2, 3, 3, 3, 2, 2],
    "Key3": [5, 1, 1, 1, 1, 1, 1, 5],
    "Key4": [1, 1, 1, 5, 4, 1, 5, 1],
}
WEIGHTS = [18, 45.5, 39, 17, 541, 8, 5, 92]


# sdcMicro, data francdat of Capobianchi, Polettini and Lucarelli: indivRisk(freqCalc(francdat, c(2, 4, 5, 6), w = 8)).
@pytest.mark.known_answer(
    "sdcmicro",
    "example `francdat`, individual risk (`indivRisk`)",
    what="chance of every row, with weights",
    answer="0.01714426 0.02204233 0.02204233 0.17707583 0.01165448 0.29706308 0.40235948 0.01714426",
)
def test_individual_risk_of_francdat_as_sdcmicro_has_it():
    rows = np.array([2, 2, 2, 1, 1, 1, 1, 2])
    people = np.array([110, 84.5, 84.5, 17, 541, 8, 5, 110])
    answer = [0.01714426, 0.02204233, 0.02204233, 0.17707583, 0.01165448, 0.29706308, 0.40235948, 0.01714426]
    assert individual_risk(rows, people) == pytest.approx(answer, abs=5e-9)
    found = am.risk(pa.table({**FRANCDAT, "w": WEIGHTS}), list(FRANCDAT), weights="w", k=3).before
    assert found.journalist.highest == pytest.approx(0.40235948, abs=5e-9)
    assert found.marketer == pytest.approx(np.mean(answer), abs=5e-9)
    assert found.chance_of_row == pytest.approx(answer, abs=5e-9)


@given(st.integers(1, 60), st.floats(0.02, 1))
def test_it_is_the_mean_over_the_negative_binomial(rows, p):
    """By adding up 1/F over its distribution, term by term."""
    chance, term, total = 0.0, p**rows, 0.0
    people = rows
    while total < 1 - 1e-14 and people < 20_000:
        chance += term / people
        total += term
        term *= people / (people - rows + 1) * (1 - p)
        people += 1
    assert individual_risk(np.array([rows]), np.array([rows / p]))[0] == pytest.approx(chance, rel=1e-9)


def test_where_everybody_is_in_the_table_it_is_one_over_the_rows():
    assert individual_risk(np.array([1, 2, 50]), np.array([1.0, 2.0, 50.0])).tolist() == [1.0, 0.5, 0.02]
    assert individual_risk(np.array([4]), np.array([2.0])).tolist() == [0.25]  # a weight below 1 says no less


def test_a_fraction_is_equal_weights():
    table, names = pa.table(FRANCDAT), list(FRANCDAT)
    by_fraction = am.risk(table, names, fraction=0.1, k=3).before
    by_weights = am.risk(table, names, weights=[10.0] * 8, k=3).before
    assert by_fraction.journalist == by_weights.journalist
    assert by_fraction.uniques_in_population == pytest.approx(0.4)
