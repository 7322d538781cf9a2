"""Every number of public evidence and of the risk of a release alone; what attacks tell is for the inside."""

from __future__ import annotations

import json
import re
from collections import Counter
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from test_public_is_recomputable import CASES, digest, made, numbers_in

import amongst as am
from amongst.attack import replay
from amongst.report.charts.class_sizes import class_size_chart
from amongst.report.charts.schema_tree import TableBox, schema_chart
from amongst.report.wording import count, figure, percent
from naive_figures import close, loss_of, risk_of, sizes_of

QUESTIONS = ("singling out", "linkability", "inference")
REQUEST = ("format", "about.", "request.", "assumptions", "not_protected", "versions.", "proofs.models")
"""What is told of the request, of the programs, and in sentences that are the same for every table."""
INSIDE = "inside: not to be published"


def text_of(page: str) -> str:
    page = re.sub(r"(?s)<head>.*?</head>|<svg.*?</svg>|<style>.*?</style>|SHA-256", "", page)
    return unescape(re.sub(r"<[^>]*>", " ", page))


def numbers(text: str) -> set[str]:
    return {found.rstrip(".,") for found in re.findall(r"\b[0-9a-f]{64}\b|\d[\d.,]*%?", text)}


def tried_in(facts: Any) -> list[int]:
    """How often each attack was carried out."""
    return [one["times"] for question in QUESTIONS for one in facts[question]["attacks"]]


def shown(facts: Any) -> set[str]:
    """How checked numbers look in a page."""
    found: set[str] = set()
    for _, value in numbers_in(facts):
        found |= numbers(value) if isinstance(value, str) else {count(value), figure(value), percent(value)}
    return found


def expected_evidence(release: am.Release, rows: list[dict[str, Any]], data: Path) -> dict[str, Any]:
    roles, k = release.schema, release.threshold
    loss = {name: loss_of(name, rows, roles) for name in roles.quasi}
    classes = len(sizes_of(rows, roles))
    return {
        "release": {"rows": len(rows), "sha256": {data.name: digest(data)}},
        "threshold": {"k": k, "1/k": 1 / k},
        "proofs": {"rows": len(rows), "classes": classes, "findings": 0},
        "figures": {
            "utility": {
                "gcp": sum(loss.values()) / len(loss),
                "ncp": loss,
                "n_published": len(rows),
                "n_classes": classes,
            }
        },
    }


@pytest.mark.parametrize("name", [name for name in CASES if name not in ("target", "subtree")])
def test_every_number_of_public_evidence(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gathered with the original at hand, as its owner would."""
    monkeypatch.setattr(replay, "MOST_RUNS", 20)  # of the method: how often says nothing about numbers
    release, rows = made(name, tmp_path / "out")
    pack = am.evidence(tmp_path / "out", original=CASES[name]()[0], author="Ada", purpose="a test")
    pack.write(tmp_path / "pack")
    facts = json.loads((tmp_path / "pack" / "evidence-public.json").read_text(encoding="utf-8"))
    known = dict(numbers_in(expected_evidence(release, rows, tmp_path / "out" / "release.parquet")))
    of_request = numbers(" ".join(map(str, facts["request"]["models"]))) | {count(release.threshold)}
    for path, value in numbers_in(facts):
        if path.startswith(REQUEST):
            continue
        if path in known:
            same = close(known[path], value) if isinstance(value, (int, float)) else known[path] == value
            assert same, f"{path}: told {value}, but the published table gives {known[path]}"
        elif path.startswith("summary["):
            assert numbers(value) <= of_request | {count(sum(tried_in(facts)))}, f"{path} = {value} cannot be explained"
        elif re.search(r"attacks\[\d+\]\.times$", path):
            assert 1 <= value <= max(len(release.schema.sensitive), 1), path
        else:
            assert re.search(r"\.facts\[\d+\]$", path), f"{path} = {value} cannot be explained"
            assert numbers(value) <= of_request | {"1"}, f"{path} = {value} cannot be explained"
    for path in ("assumptions", "not_protected"):
        assert numbers(" ".join(facts[path])) <= of_request | {"0", "1", "2", "3"}, facts[path]
    tried = sum(tried_in(facts))
    page = text_of((tmp_path / "pack" / "evidence-public.html").read_text(encoding="utf-8"))
    fixed = {"0%", "1", count(tried), count(len(facts["release"]["columns"]))}
    assert numbers(page) <= shown(facts) | fixed | numbers(json.dumps(facts["versions"])), name
    assert INSIDE not in page
    assert INSIDE in (tmp_path / "pack.inside" / "evidence-internal.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["mondrian", "sets", "bounds", "suppression", "null a value", "null anything"])
def test_every_number_of_the_risk_of_a_release_alone(tmp_path: Path, name: str) -> None:
    release, rows = made(name, tmp_path / "out")
    told = am.risk(tmp_path / "out")
    facts, k = told.to_dict(), release.threshold
    assert facts["document"] == "public"
    after = facts["after"]
    minimal = after["minimal_uniques"]
    known = risk_of(rows, release.schema, k, minimal["columns_up_to"])
    assert {(facts["k"], facts["threshold"]), (k, 1 / k)} == {(k, 1 / k)}
    for key in ("rows", "classes", "unique_rows", "marketer", "prosecutor"):
        assert after[key] == (pytest.approx(known[key]) if not isinstance(known[key], str) else known[key]), key
    for one in [*after["columns"], *after["pairs"]]:
        wanted = (known["columns"] | known["pairs"])[tuple(one["columns"])]
        assert {key: one[key] for key in wanted} == pytest.approx(wanted), one["columns"]
        if "contribution" in one and one["contribution"] is not None:
            assert one["contribution"] == pytest.approx(known["contribution"][one["columns"][0]])
    assert minimal["rows"] == known["minimal"]
    assert minimal["rows_by_columns"] == known["minimal_of_size"]
    for one in minimal["sets"]:
        assert one["rows"] == known["minimal_sets"][tuple(one["columns"])]
    explained = {"rows", "people", "counted", "classes", "unique_rows", "prosecutor", "journalist", "marketer"}
    explained |= {"population", "uniques_in_population", "fewest_in_population", "columns", "pairs", "minimal_uniques"}
    assert set(after) == explained
    assert after["fewest_in_population"] is None
    assert after["people"] is after["journalist"] is after["population"] is after["uniques_in_population"] is None
    page = text_of(told.to_html())
    of_page = {"1", "0", "2", count(len(release.schema.quasi)), count(k)}
    assert numbers(page) <= shown(facts) | of_page, numbers(page) - shown(facts)
    assert INSIDE not in page


def test_what_rests_on_more_than_the_published_table_is_for_the_inside(tmp_path: Path) -> None:
    table = CASES["mondrian"]()[0]
    release, _ = made("mondrian", tmp_path / "out")
    told: list[Any] = [
        am.risk(tmp_path / "out", original=table),
        am.risk(table, release.schema),
        am.risk(tmp_path / "out", fraction=0.1),
        am.risk(release),
        am.attack(tmp_path / "out"),
        am.attack(tmp_path / "out", original=table),
    ]
    made("people", tmp_path / "people")
    told.append(am.risk(tmp_path / "people"))
    for one in told:
        assert one.to_dict()["document"] == "inside"
        assert INSIDE in one.to_html()


def test_many_tables_lose_what_the_published_ones_show(tmp_path: Path) -> None:
    """The loss of every column of every table, from the published labels alone."""
    database = am.datasets.load_database("transcripts")
    release = am.anonymize_database(database.tables, database.schema, [am.KAnonymity(2)])
    release.write(tmp_path / "out", format="parquet")
    utility = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))["utility"]
    lost, cells = 0.0, 0
    for name, told in utility["tables"].items():
        rows = pq.read_table(tmp_path / "out" / f"{name}.parquet").to_pylist()
        roles = release.schema[name].schema
        loss = {column: loss_of(column, rows, roles) for column in roles.quasi}
        assert told["columns"] == pytest.approx(loss), name
        assert told["lm"] == (pytest.approx(sum(loss.values()) / len(loss)) if loss else None)
        lost, cells = lost + sum(loss.values()) * len(rows), cells + len(loss) * len(rows)
    assert cells
    assert utility["lm"] == pytest.approx(lost / cells)


def sizes_of_groups(
    facts: dict[str, Any], tables: dict[str, list[dict[str, Any]]], roles: am.DatabaseSchema
) -> list[int]:
    """How many persons have the same published tree of rows, by hand: quasi-identifiers alone, order aside."""

    def tree(name: str, row: dict[str, Any]) -> tuple[Any, ...]:
        told = tuple(row[column] for column in roles[name].schema.quasi)
        below = [
            (child, sorted(tree(child, one) for one in tables[child] if one[of["foreign_key"]] == row[of_key]))
            for child, of in facts["tables"].items()
            if of.get("parent") == name and (of_key := facts["tables"][name]["key"])
        ]
        return (told, *((child, *trees) for child, trees in below))

    (root,) = [name for name, of in facts["tables"].items() if "parent" not in of]
    return list(Counter(tree(root, row) for row in tables[root]).values())


@pytest.mark.parametrize("k", [2, 4])
def test_every_number_of_many_tables_and_their_report(tmp_path: Path, k: int) -> None:
    """Digests, rows, persons, groups and losses of the public folder; a number that nothing explains fails."""
    database = am.datasets.load_database("transcripts")
    release = am.anonymize_database(database.tables, database.schema, [am.KAnonymity(k)], seed=20261115)
    folder = tmp_path / "out"
    release.write(folder, format="parquet")
    facts = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    tables = {name: pq.read_table(folder / f"{name}.parquet").to_pylist() for name in facts["tables"]}
    sizes = sizes_of_groups(facts, tables, release.schema)
    counted, persons = Counter(sizes), sum(sizes)
    loss = {
        name: {
            column: loss_of(column, rows, release.schema[name].schema) for column in release.schema[name].schema.quasi
        }
        for name, rows in tables.items()
    }
    cells = {name: len(rows) * len(loss[name]) for name, rows in tables.items()}
    lost = {name: sum(loss[name].values()) * len(rows) for name, rows in tables.items()}
    about = {"persons": persons, "groups": len(sizes)}
    known: dict[str, Any] = {
        "output": {
            "sha256": {f"{name}.parquet": digest(folder / f"{name}.parquet") for name in tables},
            "pages": {"report.html": digest(folder / "report.html")},
        },
        "proved": about
        | {
            "smallest_group": min(sizes),
            "rows": {name: len(rows) for name, rows in tables.items()},
            "group_sizes": {"size": sorted(counted), "groups": [counted[size] for size in sorted(counted)]},
            "models": [{"asked": k, "reached": min(sizes)}],
        },
        "utility": about
        | {
            "smallest": min(sizes),
            "dm": sum(size * size for size in sizes),
            "lm": sum(lost.values()) / sum(cells.values()),
            "tables": {
                name: {"rows": len(rows), "columns": loss[name]}
                | ({"lm": lost[name] / cells[name]} if cells[name] else {})
                for name, rows in tables.items()
            },
        },
    }
    explained = dict(numbers_in(known))
    for path, value in numbers_in(facts):
        if path.startswith(("format", "tables.", "privacy", "method", "versions")):
            continue
        if ".suppressed." in path:
            assert value in (0, 1) or value % k in (0, k - 1), f"{path} = {value} tells how many to the row"
            continue
        assert path in explained, f"{path} = {value} cannot be explained"
        same = close(explained[path], value) if isinstance(value, (int, float)) else explained[path] == value
        assert same, f"{path}: told {value}, but the published tables give {explained[path]}"
    page = (folder / "report.html").read_text(encoding="utf-8")
    fixed = {"0", "1", "3", count(k), count(k - 1), count(len(tables))}
    assert numbers(text_of(page)) <= shown(facts) | fixed, numbers(text_of(page)) - shown(facts) - fixed
    ordered = sorted(counted)
    charts = [class_size_chart(np.array(ordered), np.array([counted[size] for size in ordered]), k)]
    charts += [schema_chart(drawn_tables(facts, tables, loss, release.schema))]
    page = re.sub(r'(?s)<svg class="mark".*?</svg>', "", page)
    for chart in charts:
        assert str(chart) in page, "a chart that the published tables do not give"
        page = page.replace(str(chart), "")
    assert "<svg" not in page


def drawn_tables(facts: dict[str, Any], tables: Any, loss: Any, schema: am.DatabaseSchema) -> list[TableBox]:
    """The tables of the drawing by the published rows alone; of suppressed ones only whether there are some."""
    told = {name: of["suppressed"] for name, of in facts["utility"]["tables"].items()}
    gone = {name: one["least"] != 0 for name, one in told.items()}
    return [
        TableBox(
            name,
            schema[name].parent,
            len(tables[name]),
            "rows suppressed" if gone[name] else "no row suppressed",
            [(column, loss[name].get(column)) for column in schema[name].schema.published],
        )
        for name in schema.in_order()
    ]
