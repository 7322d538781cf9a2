"""Groups found by other means than clusters: whoever shares a group, the trees are made alike."""

from __future__ import annotations

import pytest

import amongst as am
from amongst.partition.methods import METHODS

MADE = am.datasets.load_database("hospital", n_persons=80)


@pytest.mark.parametrize("skeleton", [*METHODS.names(lambda method: method.any_width), "split"])
def test_a_release_by_every_skeleton(skeleton: str) -> None:
    release = am.anonymize_database(MADE.tables, MADE.schema, [am.KAnonymity(4)], "miracle-x", skeleton=skeleton)
    assert release.verdict.ok
    assert release.utility.suppressed_persons == 0


def test_groups_that_are_not_diverse_merge_whatever_the_skeleton() -> None:
    models = [am.KAnonymity(3), am.Diversity(2, "distinct")]
    release = am.anonymize_database(MADE.tables, MADE.schema, models, skeleton="split", leftovers="join")
    assert release.verdict.ok


def test_more_clusters_lose_less() -> None:
    options = {"distance": "increase", "leftovers": "join"}
    few, many = (
        am.anonymize_database(MADE.tables, MADE.schema, [am.KAnonymity(4)], cluster_limit=limit, **options).utility.lm
        for limit in (2, 80)
    )
    assert many < few


def test_diversity_of_single_tables_is_understood_here_too() -> None:
    for sense in ("probabilistic", "distinct", "entropy", ("recursive", 3.0)):
        models = [am.KAnonymity(3), am.LDiversity(2, sense, column="severity")]
        release = am.anonymize_database(MADE.tables, MADE.schema, models, "miracle-x", leftovers="join")
        assert release.verdict.ok, release.verdict.words()


def test_other_models_are_for_single_tables() -> None:
    with pytest.raises(am.errors.BadOption, match="Many tables"):
        am.anonymize_database(MADE.tables, MADE.schema, [am.KAnonymity(3), am.BetaLikeness(0.2)])
