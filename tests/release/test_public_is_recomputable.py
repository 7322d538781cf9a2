"""Every number of a public document can be computed from the published table alone, or was asked for, or is rounded."""

from __future__ import annotations

import hashlib
import json
import math
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import amongst as am
from amongst.report.charts.boxes import lay_out
from amongst.report.charts.class_sizes import class_size_chart
from amongst.report.charts.loss import loss_chart
from amongst.report.charts.partition import partition_chart
from amongst.report.views import Axis, PartitionView
from amongst.report.wording import count, figure, percent, told
from naive_figures import close, ends_of, hidden_figures, key_columns, loss_of, reached, sizes_of, told_sizes

ASKED = ("format", "schema", "privacy", "method", "versions", "input.unit", "output.columns", "output.attained")
"""What of a manifest is the request: roles, models, options, versions."""


def people(n: int = 300, seed: int = 5) -> pa.Table:
    rng = np.random.default_rng(seed)
    return pa.table(
        {
            "name": [f"person {i}" for i in range(n)],
            "age": rng.integers(20, 60, n),
            "pay": rng.integers(20, 90, n) * 1000,
            "town": rng.choice(["Ulm", "Bonn", "Kiel", "Jena"], n),
            "disease": rng.choice(["flu", "cold", "hiv"], n, p=[0.5, 0.3, 0.2]),
        }
    )


ROLES = {
    "name": am.Column(role="identifier"),
    "age": am.Column(role="quasi", hierarchy=am.Hierarchy.intervals([5, 20])),
    "pay": am.Column(role="quasi", hierarchy=am.Hierarchy.intervals([10_000, 40_000])),
    "town": am.Column(role="quasi", hierarchy=am.Hierarchy.flat()),
    "disease": am.Column(role="sensitive"),
}
OUTLIERS = {"name": ["x", "y"], "age": [113, 97], "pay": [7_654_000, 1_234_000], "town": ["Rom", "Ulm"]}


def with_outliers(table: pa.Table, **changes: list[Any]) -> pa.Table:
    """Two people more, whom a full-domain method suppresses."""
    more = pa.table({**OUTLIERS, "disease": ["hiv", "flu"], **changes}).cast(table.schema)
    return pa.concat_tables([table, more])


def with_nulls(table: pa.Table) -> pa.Table:
    ages = table.column("age").to_pylist()
    return table.set_column(1, "age", pa.array([None if i % 40 == 0 else age for i, age in enumerate(ages)]))


def schema(**changes: Any) -> am.Schema:
    return am.Schema({**ROLES, **changes})


def sets() -> dict[str, am.Column]:
    return {"age": am.Column(role="quasi"), "pay": am.Column(role="quasi"), "town": am.Column(role="quasi")}


def age(rule: str) -> am.Column:
    return am.Column(role="quasi", hierarchy=am.Hierarchy.intervals([5, 20]), nulls=rule)


K = am.KAnonymity(5)
Case = tuple[pa.Table, am.Schema, list[Any], dict[str, Any]]
CASES: dict[str, Callable[[], Case]] = {
    "mondrian": lambda: (people(), schema(), [K], {}),
    "sets": lambda: (people(), schema(**sets()), [K, am.LDiversity(1.5)], {}),
    "bounds": lambda: (people(), schema(), [K], {"form": "bounds"}),
    "closeness": lambda: (people(), schema(), [K, am.TCloseness(0.5, distance="equal")], {"method": "hilbert"}),
    "suppression": lambda: (with_outliers(people()), schema(), [K], {"method": "incognito", "suppression": 5}),
    "subtree": lambda: (with_outliers(people()), schema(), [K], {"method": "full-subtree", "suppression": 5}),
    "more suppressed": lambda: (
        with_nulls(with_outliers(people())),
        schema(age=age("suppress")),
        [K],
        {"method": "datafly", "suppression": 0.1},
    ),
    "null suppressed": lambda: (with_nulls(people()), schema(age=age("suppress")), [K], {}),
    "null a value": lambda: (with_nulls(people()), schema(age=age("own value")), [K], {}),
    "null anything": lambda: (with_nulls(people()), schema(age=age("match anything")), [K], {}),
    "target": lambda: (people(), schema(), [K], {"target": "disease", "method": "mondrian"}),
    "people": lambda: (
        pa.concat_tables([people(150), people(150)]),
        schema(),
        [am.KAnonymity(3), am.LDiversity(1.1)],
        {"unit": "name"},
    ),
}


def made(name: str, folder: Path, format: str = "parquet") -> tuple[am.Release, list[dict[str, Any]]]:
    table, roles, models, options = CASES[name]()
    release = am.anonymize(table, roles, models, seed=20261115, **options)
    release.write(folder, format=format)
    return release, pq.read_table(folder / "release.parquet").to_pylist()


def numbers_in(facts: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every number, and every text with a digit, with the way to it."""
    if isinstance(facts, dict):
        for key, value in facts.items():
            yield from numbers_in(value, f"{path}.{key}" if path else str(key))
    elif isinstance(facts, list):
        for i, value in enumerate(facts):
            yield from numbers_in(value, f"{path}[{i}]")
    elif isinstance(facts, str):
        if re.search(r"\d", facts):
            yield path, facts
    elif facts is not None and not isinstance(facts, bool):
        yield path, facts


def expected(release: am.Release, rows: list[dict[str, Any]], data: Path) -> dict[str, Any]:
    """Every figure of a public manifest, by naive code from the published rows."""
    roles, k, by_people = release.schema, release.threshold, release.unit is not None
    sizes, shown = sizes_of(rows, roles), told_sizes(rows, roles)
    loss = {name: loss_of(name, rows, roles) for name in roles.quasi}
    gcp = sum(loss.values()) / len(loss)
    counted = Counter(shown)
    gone = release.coded.n_input - len(rows)
    rounded = {"least": max(gone // k * k, min(gone, 1))} | ({"most": gone // k * k + k - 1 if gone else 0})
    by_rows = {
        "smallest_class": min(shown),
        "unique_rows": sum(size for size, alike in zip(sizes, shown, strict=True) if alike == 1),
        "class_sizes": {"size": sorted(counted), "classes": [counted[size] for size in sorted(counted)]},
        "models": [{"asked": asked_of(m), "reached": reached(m, rows, roles)} for m in release.models],
    }
    for_people = {"models": [{"asked": asked_of(m)} for m in release.models]}
    facts: dict[str, Any] = {
        "output": {
            "sha256": {data.name: digest(data)},
            "pages": {"report.html": digest(data.with_name("report.html"))},
            "rows": len(rows),
            "suppressed": {"least": 1} if by_people and gone else rounded,
        },
        "proved": {"rows": len(rows), "classes": len(sizes), "loss": loss, "gcp": gcp}
        | (for_people if by_people else by_rows),
        "utility": {
            "n_published": len(rows),
            "n_classes": len(sizes),
            "smallest": min(sizes),
            "largest": max(sizes),
            "uniques_after": sizes.count(1),
            "gcp": gcp,
            "ncp": loss,
            "c_dm": sum(size * size for size in sizes),
            "c_avg": len(rows) / len(sizes) / k,
        },
    }
    if not by_people:
        facts["sensitive"] = [{"after": hidden_figures(rows, roles, "disease", "equal")}]
    return facts


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def asked_of(model: Any) -> float:
    return float(
        model.k if isinstance(model, am.KAnonymity) else model.l if isinstance(model, am.LDiversity) else model.t
    )


@pytest.mark.parametrize("name", CASES)
def test_every_number_of_a_public_manifest_and_report(tmp_path: Path, name: str) -> None:
    release, rows = made(name, tmp_path / "out")
    facts = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    known = dict(numbers_in(expected(release, rows, tmp_path / "out" / "release.parquet")))
    for path, value in numbers_in(facts):
        if path.startswith(ASKED) or path in ("sensitive[0].distance",):
            continue
        assert path in known, f"{path} = {value} cannot be explained"
        same = close(known[path], value) if isinstance(value, (int, float)) else known[path] == value
        assert same, f"{path}: told {value}, but the published table gives {known[path]}"
    assert str(20261115) not in json.dumps(facts)
    check_page((tmp_path / "out" / "report.html").read_text(encoding="utf-8"), release, rows, facts)


def check_page(page: str, release: am.Release, rows: list[dict[str, Any]], facts: dict[str, Any]) -> None:
    """Charts are those that naive figures give; every other number of the text is one of those figures, or asked."""
    roles, k = release.schema, release.threshold
    sizes = Counter(sizes_of(rows, roles))
    loss = {name: loss_of(name, rows, roles) for name in roles.quasi}
    ordered = sorted(sizes)
    charts = [
        loss_chart(list(loss), list(loss.values())),
        class_size_chart(np.array(ordered), np.array([sizes[size] for size in ordered]), k),
    ]
    page = re.sub(r'(?s)<svg class="mark".*?</svg>', "", page)
    view = boxes_of(rows, roles) if "boxes-title" in page else None
    drawn: set[str] = set()
    if view is not None:  # without the groups that have a null on an axis
        charts.append(partition_chart(view, k, lay_out(view)))
        drawn = {count(len(view.size))}
    for chart in charts:
        assert str(chart) in page
        page = page.replace(str(chart), "")
    assert "<svg" not in page, "a chart that the published table does not give"
    page = re.sub(r"(?s)<style>.*?</style>|<pre.*?</pre>|<head>.*?</head>", "", page)
    text = unescape(re.sub(r"<[^>]*>", " ", page))
    allowed = (
        explained(facts, sizes) | drawn | set(re.findall(r"[\d.,]+", str(release.told_options) + str(facts["schema"])))
    )
    for number in re.findall(r"\d[\d.,]*%?|\b[0-9a-f]{64}\b", text):
        plain = number.rstrip(".,")
        assert plain in allowed, (
            f"{plain} in the report cannot be explained: {text[max(text.find(number) - 80, 0) :][:160]}"
        )


def explained(facts: dict[str, Any], sizes: Counter[int]) -> set[str]:
    """How the figures of a manifest (each of them checked) look in a page; and what sentences are made of."""
    shown: set[str] = {"1", "2", "0%", "100%"}  # 1 in l, recursive (2, l), 0% keeps all
    for _, value in numbers_in({**facts, "hierarchies": [c.get("hierarchy") for c in facts["schema"].values()]}):
        if isinstance(value, str):
            shown |= {value, *re.findall(r"[\d.,]+\d|\d", value)}
        else:
            shown |= {
                count(value),
                figure(value),
                percent(value),
                told({"x": value}, "x"),
                f"{value:.6g}",
                f"{value:g}",
            }
            shown |= {str(int(value) - 1), count(value + 1)} if value == int(value) else set()
    most = facts["output"]["suppressed"].get("most", 0)
    return shown | {
        count(most + 1),
        figure(sum(n * size for size, n in sizes.items()) / sum(sizes.values())),
        "256",
        "64",
    }


def boxes_of(rows: list[dict[str, Any]], roles: am.Schema) -> PartitionView | None:
    """The classes over the two number lines with the most different labels, read off the labels."""
    keys = key_columns(rows, roles)
    lines = [name for name in roles.quasi if roles[name].kind == "numeric" and roles[name].nulls != "match anything"]
    ends: dict[str, list[tuple[float, float] | None]] = {}
    for name in lines:
        if name in keys:
            ends[name] = [ends_of(row[name]) for row in rows]
        else:
            ends[name] = [(float(row[f"{name}_lower"]), float(row[f"{name}_upper"])) for row in rows]
    if len(lines) < 2:
        return None
    variety = sorted(lines, key=lambda name: (-len(set(ends[name]) - {None}), -lines.index(name)))[:2]
    x, y = sorted(variety, key=lines.index)
    boxes = Counter((*a, *b) for a, b in zip(ends[x], ends[y], strict=True) if a is not None and b is not None)
    columns = [np.array(column, dtype=float) for column in zip(*sorted(boxes), strict=True)]
    size = np.array([boxes[box] for box in sorted(boxes)])
    axes = {"x": Axis(x, "numeric", step=1.0), "y": Axis(y, "numeric", step=1.0)}
    return PartitionView(**axes, **dict(zip(("x_lo", "x_hi", "y_lo", "y_hi"), columns, strict=True)), size=size)


def public_bytes(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("name", ["suppression", "subtree"])
def test_who_was_suppressed_changes_no_byte_of_the_public_folder(tmp_path: Path, name: str) -> None:
    """Other values of suppressed people, another number of them below k, another seed, another file: all the same."""
    base, roles, models, options = people(), *CASES[name]()[1:]
    originals = {  # folders of one name, since evidence tells it
        "a": with_outliers(base),
        "b": with_outliers(base, age=[200, 150], pay=[9_000_000, 5_000_000], town=["Rom", "Oslo"]),
        "c": with_outliers(with_outliers(base), disease=["new", "newer"], age=[300, 400]),
    }
    for seed, (folder, original) in enumerate(originals.items()):
        pa.csv.write_csv(original, tmp_path / f"{folder}-secret.csv")
        release = am.anonymize(tmp_path / f"{folder}-secret.csv", roles, models, seed=seed, **options)
        (tmp_path / folder).mkdir()
        release.write(tmp_path / folder / "out")
        assert release.utility.n_suppressed == len(original) - len(base)
    one = public_bytes(tmp_path / "a" / "out")
    assert public_bytes(tmp_path / "b" / "out") == one
    assert public_bytes(tmp_path / "c" / "out") == one
    assert public_bytes(tmp_path / "a" / "out.inside") != public_bytes(tmp_path / "b" / "out.inside")
    packs = [am.evidence(tmp_path / folder / "out", original=original) for folder, original in originals.items()]
    assert len({json.dumps(pack.to_dict(public=True), default=str) for pack in packs}) == 1
    assert len({pack.to_html(public=True) for pack in packs}) == 1


@pytest.mark.parametrize("name", ["mondrian", "bounds", "suppression", "null anything"])
def test_public_evidence_risk_and_attacks_are_what_the_public_folder_gives(tmp_path: Path, name: str) -> None:
    """With only the public folder at hand the same is told as by who has everything."""
    (tmp_path / "all").mkdir()
    (tmp_path / "alone").mkdir()
    made(name, tmp_path / "all" / "out")
    shutil.copytree(tmp_path / "all" / "out", tmp_path / "alone" / "out")
    told = {}
    for where in ("all", "alone"):
        folder = tmp_path / where / "out"
        pack = am.evidence(folder)
        told[where] = [
            json.dumps(pack.to_dict(public=True), default=str),
            pack.to_html(public=True),
            json.dumps(am.risk(folder).to_dict(), default=str),
            am.risk(folder).to_html(),  # with its drawings
        ]
    assert told["all"] == told["alone"]


def test_two_tables(tmp_path: Path) -> None:
    """Anatomy: sizes and counts are those of the two published tables, and nothing else is told."""
    table = with_nulls(people())
    table = table.set_column(4, "disease", pa.array([("flu", "cold", "hiv")[i % 3] for i in range(len(table))]))
    roles = schema(age=age("suppress"))
    am.anonymize(table, roles, [am.LDiversity(2)], method="anatomy", seed=20261115).write(tmp_path / "out")
    facts = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    quasi = pq.read_table(tmp_path / "out" / "release.parquet").to_pylist()
    values = pq.read_table(tmp_path / "out" / "sensitive.parquet").to_pylist()
    sizes = Counter(row["group"] for row in quasi)
    groups = {g: [row["count"] for row in values if row["group"] == g] for g in sizes}
    assert facts["utility"] == {
        "n_published": len(quasi),
        "n_classes": len(sizes),
        "smallest": min(sizes.values()),
        "largest": max(sizes.values()),
        "uniques_after": 0,
    }
    assert facts["output"]["suppressed"] == {"least": 8, "most": 9}
    assert facts["proved"]["models"][0]["reached"] == pytest.approx(min(sum(g) / max(g) for g in groups.values()))
    names = {"release.parquet", "sensitive.parquet", "report.html"}
    for path, value in numbers_in(facts):
        name = path.removeprefix("output.sha256.").removeprefix("output.pages.")
        if name in names:
            assert value == digest(tmp_path / "out" / name)
        else:
            assert path.startswith((*ASKED, "utility", "output.rows", "output.suppressed", "proved", "sensitive")), path
    for one in facts.get("sensitive", []):
        assert set(one) == {"column", "distance", "after"}
    assert "20261115" not in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_many_tables(tmp_path: Path) -> None:
    made = am.datasets.load_database("transcripts")
    release = am.anonymize_database(made.tables, made.schema, [am.KAnonymity(2)], seed=20261115)
    release.write(tmp_path / "out", format="parquet")
    facts = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    tables = {name: pq.read_table(tmp_path / "out" / f"{name}.parquet").to_pylist() for name in made.schema}
    utility = facts["utility"]
    for name, rows in tables.items():
        assert utility["tables"][name]["rows"] == facts["proved"]["rows"][name] == len(rows)
        for column, lost in utility["tables"][name]["columns"].items():
            assert 0 <= lost <= 1, column
    sizes = dict(zip(*facts["proved"]["group_sizes"].values(), strict=True))
    assert utility["dm"] == sum(size**2 * n for size, n in sizes.items())
    assert utility["persons"] == sum(size * n for size, n in sizes.items())
    text = (tmp_path / "out" / "manifest.json").read_text() + (tmp_path / "out" / "report.html").read_text()
    assert "20261115" not in text
    assert facts["input"] == {}
    assert set(facts["output"]["suppressed"]) == {"least", "most"}
    assert math.isfinite(utility["lm"])
