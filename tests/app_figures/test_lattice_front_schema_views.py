"""Lattice, front and tables as plain data."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import product

import pytest

import amongst as am
from amongst.app import figures


def places_of(drawing: str) -> list[int]:
    """The marks of a drawing that tell their place when they are clicked."""
    return [int(place) for place in re.findall(r'data-place="(\d+)"', drawing)]


def test_lattice_against_brute_force() -> None:
    data = am.datasets.load("incognito-patients")
    view = figures.lattice_view(data.table, data.schema, [am.KAnonymity(2)])
    json.dumps(view, allow_nan=False)
    found = {tuple(node) for node in am.generalizations(data.table, data.schema, [am.KAnonymity(2)])}
    heights = [len(words) for words in view["level_words"]]
    assert {tuple(node["levels"]) for node in view["nodes"]} == set(product(*map(range, heights)))
    for node in view["nodes"]:
        assert node["safe"] == (tuple(node["levels"]) in found)
        assert node["height"] == sum(node["levels"])
        levels = node["levels"]
        below = [tuple(v - (c == i) for i, v in enumerate(levels)) for c in range(len(levels)) if levels[c]]
        assert node["minimal"] == (node["safe"] and not any(one in found for one in below))
    [drawing] = view["drawings"]
    steps = [(a["levels"], b["levels"]) for a in view["nodes"] for b in view["nodes"] if a["height"] + 1 == b["height"]]
    assert drawing.count("<line") == sum(all(x <= y for x, y in zip(a, b, strict=True)) for a, b in steps)
    assert sorted(places_of(drawing)) == list(range(len(view["nodes"])))


def test_share_suppressed_is_told_from_k_rows_on() -> None:
    adult = am.datasets.load("adult", part="train")
    table = adult.table.slice(0, 3000)
    quasi = ("sex", "race", "marital-status")
    schema = am.Schema(
        {n: c if n in quasi or c.role != "quasi" else am.Column(role="identifier") for n, c in adult.schema.items()}
    )
    k = 20
    view = figures.lattice_view(table, schema, [am.KAnonymity(k)], 0.05)
    bottom = next(node for node in view["nodes"] if node["height"] == 0)
    crowd = Counter(zip(*(table[name].to_pylist() for name in view["names"]), strict=True))
    gone = sum(n for n in crowd.values() if n < k)
    assert gone >= k
    assert bottom["share"] == pytest.approx(gone / 3000)
    told = {node["suppresses"] for node in view["nodes"]}
    assert all(
        words == "no rows" or words == f"fewer than {k} rows" or words.endswith("% of the rows") for words in told
    )


def test_a_large_lattice_is_coarsened() -> None:
    adult = am.datasets.load("adult", part="train")
    view = figures.lattice_view(adult.table.slice(0, 5000), adult.schema, [am.KAnonymity(10)], 0.05)
    assert view["n_nodes"] > 1000
    assert not view["whole"]
    by_height, border = view["drawings"]
    assert places_of(by_height) == []
    assert sorted(places_of(border)) == list(range(len(view["nodes"])))
    assert len(json.dumps(view)) < 500_000
    assert sum(view["by_height"]["safe"]) == view["n_safe"]
    assert sum(view["by_height"]["safe"]) + sum(view["by_height"]["unsafe"]) == view["n_nodes"]
    assert view["nodes"][view["chosen"]]["safe"]


def test_front_has_every_candidate_and_says_why_some_failed() -> None:
    data = am.datasets.load("patients")
    found = am.compare(
        data.table, data.schema, [am.KAnonymity(2)], ["mondrian", "incognito"], ks=[2, 3, 6, 7], processes=1
    )
    view = figures.front_view(found)
    json.dumps(view, allow_nan=False)
    assert len(view["points"]) == 8
    failed = [point for point in view["points"] if point["k"] == 7]
    assert all(point["state"] == "refused" and point["why"] and point["loss"] is None for point in failed)
    good = [point for point in view["points"] if point["comparable"]]
    for point in good:
        beaten = any(
            other["k"] >= point["k"]
            and other["loss"] <= point["loss"]
            and (other["k"] > point["k"] or other["loss"] < point["loss"])
            for other in good
        )
        assert point["on_front"] == (not beaten)
    assert sorted(places_of(view["drawing"])) == [point["index"] for point in good]


def test_the_front_of_a_single_k_has_a_bar_for_every_candidate() -> None:
    data = am.datasets.load("patients")
    view = figures.front_view(
        am.compare(data.table, data.schema, [am.KAnonymity(2)], ["mondrian", "incognito"], processes=1)
    )
    assert sorted(places_of(view["drawing"])) == [0, 1]
    assert 'class="dot' not in view["drawing"]
    assert view["drawing"].count('class="chosen"') == 1


def test_where_nothing_can_be_made_there_is_no_front_to_draw() -> None:
    data = am.datasets.load("patients")
    view = figures.front_view(am.compare(data.table, data.schema, [am.KAnonymity(7)], ["mondrian"], processes=1))
    assert view["drawing"] is None


def test_schema_drawing_of_a_release_and_of_a_schema() -> None:
    made = am.datasets.load_database("hospital", n_persons=60)
    release = am.anonymize_database(made.tables, made.schema, [am.KAnonymity(3)])
    drawn, plain = figures.schema_drawing(release), figures.schema_drawing(made.schema, {"patients": 60})
    json.dumps([drawn, plain], allow_nan=False)
    assert [one["name"] for one in drawn["tables"]] == made.schema.in_order()
    for one in drawn["tables"]:
        losses = {column["name"]: column["loss"] for column in one["columns"] if column["loss"] is not None}
        assert losses == pytest.approx(release.utility.tables[one["name"]].columns)
    assert plain["tables"][0]["rows"] == 60
    assert not plain["has_loss"]
    assert {c["role"] for one in plain["tables"] for c in one["columns"]} >= {"quasi", "sensitive"}
