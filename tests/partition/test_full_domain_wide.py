"""Levels for lattices of any size: what is proved is the best, what is not has a true bound."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from lattice_oracle import random_case

import amongst as am
from amongst.errors import BadOption, Infeasible
from amongst.measure.at_levels import BOUNDED, LevelLoss
from amongst.partition.full_domain.choose import comparable
from amongst.partition.full_domain.full_domain_optimum import best_first
from amongst.partition.full_domain.full_domain_wide import full_domain_wide

NEAR = 1e-9


def _best(case, measure: str) -> float | None:
    """The least loss of all nodes that hold, by the search that holds the whole lattice."""
    sets = case.sets()
    losses, asked = LevelLoss(sets, measure), case.ask(sets)
    node, _ = best_first(sets, asked, losses)
    return None if node is None else _loss(sets, asked, losses, node)


def _loss(sets, asked, losses, node) -> float:
    return float(comparable(losses.of(sets.scan(tuple(range(len(node))), tuple(node)), asked.k)))


@pytest.mark.parametrize("measure", BOUNDED)
def test_what_is_proved_is_the_best_of_all_that_hold(measure: str) -> None:
    rng = np.random.default_rng([3, BOUNDED.index(measure)])
    n_proved = n_suppressing = 0
    for _ in range(60):
        case = random_case(rng)
        least = _best(case, measure)
        sets = case.sets()
        asked = case.ask(sets)
        nodes, _, facts = full_domain_wide(sets, asked, choose=measure)
        if least is None:
            assert len(nodes) == 0
            continue
        assert facts["proved"]
        assert _loss(sets, asked, LevelLoss(sets, measure), nodes[0].tolist()) == pytest.approx(least, abs=NEAR)
        n_proved += 1
        n_suppressing += asked.most_suppressed > 0
    assert n_proved > 30
    assert n_suppressing > 5


@pytest.mark.parametrize("looks", [2, 5, 12])
def test_what_is_not_proved_has_a_bound_that_none_goes_below(looks: int) -> None:
    rng = np.random.default_rng([4, looks])
    n_open = 0
    for _ in range(80):
        case = random_case(rng)
        least = _best(case, "gcp")
        sets = case.sets()
        asked = case.ask(sets)
        nodes, n_looked_at, facts = full_domain_wide(sets, asked, looks=looks)
        if least is None:
            continue
        assert asked.holds(sets.scan(tuple(range(len(nodes[0]))), tuple(nodes[0].tolist())))
        assert facts["least"] <= least + NEAR <= facts["loss"] + 2 * NEAR
        assert facts["proved"] == (facts["least"] == facts["loss"])
        n_open += not facts["proved"]
        # A node that fails is raised to its end, and the last one lowered.
        assert n_looked_at <= looks + 2 * sum(asked.lattice.heights) + 6
    assert n_open > 3


def _wide(n_columns: int, n_rows: int = 300) -> tuple[pa.Table, am.Schema]:
    """Columns of four levels, some of which go together."""
    rng = np.random.default_rng(n_columns)
    base = rng.integers(0, 27, (n_rows, 4))
    cells = (base[:, rng.integers(0, 4, n_columns)] + (rng.random((n_rows, n_columns)) < 0.05)) % 27
    digits = [[f"{a // 9}{a // 3 % 3}{a % 3}" for a in column] for column in cells.T.tolist()]
    names = [f"c{i}" for i in range(n_columns)]
    column = am.Column(role="quasi", hierarchy=am.Hierarchy.digits(3))
    return pa.table(dict(zip(names, digits, strict=True))), am.Schema(dict.fromkeys(names, column))


def test_a_lattice_of_more_than_10_to_the_12_nodes_is_searched() -> None:
    table, schema = _wide(24)
    with pytest.raises(BadOption, match="too large"):
        am.anonymize(table, schema, [am.KAnonymity(5)], method="full-domain-optimum")
    release = am.anonymize(table, schema, [am.KAnonymity(5)], method="full-domain-wide", looks=400)
    climbed = am.anonymize(table, schema, [am.KAnonymity(5)], method="datafly")
    facts = release.partition.facts
    assert release.verdict.ok
    assert facts["least"] <= facts["loss"] <= climbed.utility.gcp
    assert facts["loss"] == pytest.approx(release.utility.gcp, abs=1e-6)


def test_such_a_lattice_can_be_proved_too() -> None:
    table, schema = _wide(24)
    # All rows twice but for one: only what tells that one apart must go up.
    twice = pa.concat_tables([table, table, table.slice(0, 1)])
    release = am.anonymize(twice, schema, [am.KAnonymity(2)], method="full-domain-wide")
    assert release.partition.facts["proved"]
    assert release.utility.gcp == 0.0
    nearly = pa.concat_tables([table, table.slice(1)])
    release = am.anonymize(nearly, schema, [am.KAnonymity(2)], method="full-domain-wide", suppression=1)
    assert release.partition.facts["proved"]


def test_what_cannot_be_reached_and_wrong_options_are_refused() -> None:
    table, schema = _wide(3, 20)
    with pytest.raises(Infeasible):
        am.anonymize(table, schema, [am.KAnonymity(5)], method="full-domain-wide", limits={"c0": 0, "c1": 0, "c2": 0})
    with pytest.raises(BadOption, match="adds up"):
        am.anonymize(table, schema, [am.KAnonymity(5)], method="full-domain-wide", choose="dm")
    for looks in (0, -1, 1.5, True):
        with pytest.raises(BadOption, match="looks"):
            am.anonymize(table, schema, [am.KAnonymity(5)], method="full-domain-wide", looks=looks)


def test_the_inside_report_says_whether_it_is_proved(tmp_path) -> None:
    table, schema = _wide(3, 60)
    release = am.anonymize(table, schema, [am.KAnonymity(3)], method="full-domain-wide")
    release.write(tmp_path / "out")
    words = "It is proved that no other levels that hold lose less."
    assert words in (tmp_path / "out.inside" / "report.html").read_text("utf-8")
    assert words not in (tmp_path / "out" / "report.html").read_text("utf-8")
