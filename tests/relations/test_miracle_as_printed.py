"""MiRaCle as its paper prints it, and its variants, held against the algorithms in lists and loops."""

from __future__ import annotations

import math
from collections import Counter
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pytest
from printed_trees import Printed, clustered, lost_bits

import amongst as am
from amongst.errors import BadOption, Infeasible
from amongst.models import KAnonymity
from amongst.relations.check_keys import check_keys
from amongst.relations.check_tables import check_tables
from amongst.relations.forest import Forest, build_forest
from amongst.relations.measure import measure_database
from amongst.relations.methods import find_database_method
from amongst.relations.methods.bitmap import bits_of_persons, items_of_rows
from amongst.relations.stores import read_database


def students(n: int, seed: int) -> Forest:
    made = am.datasets.load_database("students", n_persons=n, seed=seed, least_books=1, most_books=2)
    stored = read_database(made.tables)
    schema = check_tables(made.schema, stored)
    return build_forest(schema, stored, check_keys(schema, stored), seed)


def groups_of(group_of_person: np.ndarray) -> list[list[int]]:
    return sorted(np.flatnonzero(group_of_person == g).tolist() for g in range(group_of_person.max() + 1))


@pytest.mark.parametrize(("method", "k", "threshold", "limit"), [("miracle", 3, 0.2, 4), ("miracle-x", 2, 0.0, 3)])
def test_algorithms_2_to_5_as_printed(method: str, k: int, threshold: float, limit: int) -> None:
    forest = students(18, 5)
    options: dict[str, Any] = {"threshold": threshold, "cluster_limit": limit, "rules": "paper"}
    made = find_database_method(method).run(forest, [KAnonymity(k)], **options)
    clusters = Printed(forest, method == "miracle-x").clusters(k, threshold, limit)
    assert clusters
    assert groups_of(made.group_of_person) == sorted(sorted(members) for _, members in clusters)
    assert min(len(members) for _, members in clusters) > k  # "more than k"


@pytest.mark.parametrize("upper_only", [False, True])
def test_algorithm_6_as_printed(upper_only: bool) -> None:
    """Clusters that fail merge with the closest that fails, and are done with as soon as they hold."""
    merged = 0
    for seed, l in product(range(4), (2, 3)):  # noqa: E741
        forest = students(20, seed)
        clusters = Printed(forest, upper_only).diverse_clusters(l, 0.1, 3)
        options: dict[str, Any] = {"threshold": 0.1, "cluster_limit": 3, "upper_only": upper_only, "rules": "paper"}
        run = partial(find_database_method("d-miracle").run, forest, [am.Diversity(l, "entropy", count="rows")])
        if not clusters:
            with pytest.raises(Infeasible):
                run(**options)
            continue
        found = groups_of(run(**options).group_of_person)
        assert found == sorted(sorted(members) for _, members in clusters)
        merged += max(map(len, found)) > 3
    assert merged > 3


@pytest.mark.parametrize(("k", "threshold", "limit"), [(2, 0.0, 3), (3, 0.4, 5), (5, 0.7, 2)])
def test_bitmaps_are_clustered_as_printed(k: int, threshold: float, limit: int) -> None:
    """Section 3.3, incomplete data: what a cluster keeps is what all its persons have."""
    for seed in range(10):
        forest = students(25, seed)
        bits, n_bits = bits_of_persons(forest, items_of_rows(forest))
        rows = [frozenset(i for i in range(n_bits) if int(own[i // 64]) >> i % 64 & 1) for own in bits]
        clusters = clustered(rows, lost_bits, frozenset.__and__, k=k, threshold=threshold, limit=limit)
        options: dict[str, Any] = {"threshold": threshold, "cluster_limit": limit, "rules": "paper"}
        made = find_database_method("bitmap").run(forest, [KAnonymity(k)], **options)
        assert groups_of(made.group_of_person) == sorted(sorted(members) for _, members in clusters)


def test_as_printed_more_is_lost() -> None:
    """What the departures are for: groups of k + 1, and stars that count in distances, lose more."""
    forest = students(120, 1)
    for method in ("miracle", "miracle-x"):
        run = find_database_method(method).run
        ours, printed = (measure_database(forest, run(forest, [KAnonymity(5)], rules=r)) for r in ("ours", "paper"))
        assert ours.dm < printed.dm
        assert printed.smallest > 5 <= ours.smallest


@pytest.mark.parametrize("method", ["miracle", "miracle-x", "bitmap", "d-miracle"])
def test_a_release_as_printed_is_proved(method: str) -> None:
    made = am.datasets.load_database("students", n_persons=60, seed=3)
    models = [am.KAnonymity(3)] + ([am.Diversity(2, "entropy", count="rows")] if method == "d-miracle" else [])
    release = am.anonymize_database(made.tables, made.schema, models, method=method, rules="paper")
    assert release.verdict.ok
    assert min(release.verdict.group_sizes) > 3


def test_level_by_level_pairs_the_same_values_first() -> None:
    """End of section 4.3: Physics goes with Physics, then Math with CS below Science, History with Religion."""
    made = am.datasets.load_database("transcripts")
    two = {"students": 2, "courses": 6, "books": 5}
    tables = {name: made.tables[name].slice(0, rows) for name, rows in two.items()}
    release = am.anonymize_database(tables, made.schema, [am.KAnonymity(2)], method="miracle-x", pairing="levels")
    courses = Counter(row["Course"] for row in release.tables["courses"].to_pylist())
    assert courses == {"Physics": 2, "Science": 2, "Social": 2}


@pytest.mark.parametrize("l", [2, 3])
def test_top_down_halves_only_what_stays_diverse(l: int) -> None:  # noqa: E741
    """Section 5.2: every group is diverse, none is merged afterwards, and k alone would have divided further."""
    made = am.datasets.load_database("students", n_persons=80, seed=2)
    models = [am.KAnonymity(2), am.Diversity(l, "distinct")]
    release = am.anonymize_database(made.tables, made.schema, models, method="miracle-x", diversity="split")
    assert release.verdict.ok
    sizes = [size for size, n in release.verdict.group_sizes.items() for _ in range(n)]
    assert sum(sizes) == 80  # nobody is suppressed
    assert len(sizes) < 80 // 3
    assert max(sizes) < 80
    assert math.isfinite(release.utility.lm)


@pytest.mark.parametrize(
    ("method", "options"),
    [
        ("miracle", {"rules": "paper", "pairing": "optimal"}),
        ("miracle", {"rules": "paper", "skeleton": "split"}),
        ("miracle", {"rules": "paper", "diversity": "split"}),
        ("miracle", {"pairing": "levels"}),
        ("miracle", {"diversity": "split", "skeleton": "mondrian"}),
        ("bitmap", {"rules": "letter"}),
    ],
)
def test_what_cannot_go_together_is_refused(method: str, options: dict[str, Any]) -> None:
    made = am.datasets.load_database("transcripts")
    with pytest.raises(BadOption):
        am.anonymize_database(made.tables, made.schema, [am.KAnonymity(2)], method=method, **options)
