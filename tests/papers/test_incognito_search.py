"""The search for the paper's trees counts as the library counts, and its tables say what groupings break."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from benchmarks.papers import incognito_search as search
from benchmarks.papers.incognito_trees import GROUPS, PAPER, SCHOOL


@pytest.fixture(scope="module")
def adults() -> search.Adults:
    return search.Adults()


@pytest.fixture(scope="module")
def found(adults) -> search.Maps:
    """The trees that were found, as maps."""
    maps: search.Maps = list(adults.maps)
    for c, name in enumerate(("education", "native-country", "workclass", "occupation"), 4):
        groups = {value: group for group, values in GROUPS[name].items() for value in values.split()}
        names = list(GROUPS[name])
        first = np.array([names.index(groups[value]) for value in adults.values[c]])
        school = np.array([groups[value] in SCHOOL for value in adults.values[c]]).astype(np.int64)
        maps.append([first, school] if name == "education" else [first])
    return maps


def test_the_counts_are_those_of_the_paper_with_the_trees_found(adults, found) -> None:
    for n in (5, 6, 7):
        hold = search.everything(adults, found[:n]).reshape(-1, 1)
        assert tuple(int(own[0]) for own in search.counts(search.SHAPE[:n], hold)) == PAPER[n]


def test_ages_and_marital_status_begin_where_the_counts_of_four_columns_fit(adults) -> None:
    begun = list(itertools.islice(search.beginnings(adults), 2))
    assert len({tuple(maps[3][0].tolist()) for maps in begun}) == 2
    for maps in begun:
        hold = search.everything(adults, maps).reshape(-1, 1)
        assert tuple(int(own[0]) for own in search.counts(search.SHAPE[:4], hold)) == PAPER[4]
    assert next(search.education(adults, adults.maps, np.random.default_rng(0), 0)) is not None


def test_a_step_holds_what_the_table_holds(adults, found) -> None:
    step = search.Step(adults, found[:6], search.everything(adults, found[:6]))
    blocks = [int(sum(1 << v for v in np.nonzero(found[6][0] == g)[0].tolist())) for g in range(2)]
    hold = step.holds(np.array([step.breaks(blocks)]))
    assert hold.ravel().tolist() == search.everything(adults, found[:7]).ravel().tolist()
    assert step.fit(np.array([step.breaks(blocks)])).tolist() == [0]


def test_outcomes_are_those_of_all_groupings(adults, found) -> None:
    step = search.Step(adults, found[:6], search.everything(adults, found[:6]))
    table = search.fail_table(step.pairs, step.n_values)
    every = {tuple(step.breaks(blocks)) for blocks in search.partitions(step.n_values)}
    words = search.outcomes(table, step.n_values)
    assert {tuple(one) for one in step.bits(words).tolist()} == every
    blocks = search.grouping(table, step.n_values, words[len(words) // 2])
    assert blocks is not None
    assert step.breaks(blocks) == step.bits(words)[len(words) // 2].tolist()


def test_countries_by_continent_fit_and_stay_in_their_continents(adults, found) -> None:
    five = search.Step(adults, found[:5], search.everything(adults, found[:5]))
    chosen = list(search.by_place(adults, five, "continents", 3, np.random.default_rng(0)))
    assert chosen
    names, blocks_of = adults.values[5], search.BLOCKS.split("|")
    continents = [{name for b in own for name in blocks_of[b].split()} for own in search.CONTINENTS]
    for blocks in chosen:
        told = [{name for v, name in enumerate(names) if block >> v & 1} for block in blocks]
        assert sorted(name for one in told for name in one) == sorted(names)
        assert all(any(one <= continent for continent in continents) for one in told)
        assert five.fit(np.array([five.breaks(blocks)])).tolist() == [0]
