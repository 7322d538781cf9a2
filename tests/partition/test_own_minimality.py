"""One's own minimality (Incognito, section 2.1): of all that hold the one that the user's own measure likes best."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from lattice_oracle import random_case, safe_nodes

import amongst as am
from amongst.errors import BadOption
from amongst.partition.full_domain.search import find_node
from amongst.partition.methods import METHODS

PATIENTS = am.datasets.load("incognito-patients")
TWO = [am.KAnonymity(2)]


def cost_of(own: dict[str, list[int]], levels: dict[str, int]) -> float:
    return sum(own[name][level] if name in own else level for name, level in levels.items())


@pytest.mark.parametrize("seed", range(4))
def test_the_best_by_prices_or_a_function_of_all_that_hold(seed: int) -> None:
    rng = np.random.default_rng(seed)
    compared = 0
    for _ in range(25):
        case = random_case(rng)
        safe = sorted(safe_nodes(case))
        if not safe:
            continue
        compared += 1
        names = [column.name for column in case.coded.columns]
        priced = {
            name: rng.integers(0, 9, height + 1).tolist() for name, height in zip(names, case.heights, strict=True)
        }
        own = {name: prices for name, prices in priced.items() if rng.random() < 0.7}

        cost = partial(cost_of, own)
        best = min(safe, key=lambda node: (cost(dict(zip(names, node, strict=True))), sum(node), node))
        asked = {"models": [am.KAnonymity(case.k)], "suppression": case.suppression, "limits": case.limits}
        for choose in (own, cost):
            _, node, _ = find_node(METHODS["incognito"], case.sets(), choose=choose, **asked)
            assert tuple(node) == best
    assert compared > 10


def test_sex_stays_intact_though_zip_codes_become_coarser() -> None:
    """The paper's example, in a job file's words, told in the manifest."""
    own = {"Sex": [0, 10], "Zipcode": [0, 1, 2]}
    release = am.anonymize(PATIENTS.table, PATIENTS.schema, TWO, method="incognito", choose=own)
    assert release.partition.level_of_column.tolist() == [1, 0, 2]  # birth date, sex, zip code
    assert release.told_options["choose"] == own
    assert release.verdict.ok


def test_a_function_is_told_without_its_insides() -> None:
    release = am.anonymize(PATIENTS.table, PATIENTS.schema, TWO, method="samarati", choose=lambda levels: levels["Sex"])
    assert release.told_options["choose"] == "a function of one's own"


@pytest.mark.parametrize(
    "own", [{"Age": [0, 1]}, {"Sex": [0]}, {"Sex": ["a", "b"]}, lambda levels: "much", lambda levels: float("nan"), 7]
)
def test_what_is_no_measure_is_refused(own: object) -> None:
    with pytest.raises(BadOption):
        am.anonymize(PATIENTS.table, PATIENTS.schema, TWO, method="incognito", choose=own)


def test_branch_and_bound_needs_a_measure_that_adds_up() -> None:
    with pytest.raises(BadOption, match="adds up"):
        am.anonymize(PATIENTS.table, PATIENTS.schema, TWO, method="full-domain-optimum", choose={"Sex": [0, 9]})
