"""Whatever the cells of persons and rows that are left out hold, the public folder of many tables is the same.

As ``tests/release/test_left_out_leaves_no_trace.py`` for one table: pairs of databases differ in such cells alone. All
kinds are said. Where a search leaves a person out, not a null rule, her values are always the last of their columns and
lie in the same intervals, so that they weigh the same: which groups a search finds may depend on them.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import amongst as am
from amongst.relations.closeness import Closeness
from amongst.relations.verify.cover import Cover

PERSONS = ("id", "age", "height", "pay", "town", "zip", "area", "code", "income", "note")
VISITS = ("visit", "patient", "days", "ward", "severity", "cost", "seen")
ODD: dict[str, tuple[str, ...]] = {
    "id": ("A-9", "9001", "9001.5", "99999"),
    "age": ("930", "1000000000", "931.5", "1e9", "8000.0"),
    "height": ("930", "25000", "931.5", "1e6"),
    "pay": ("990000", "990000.5", "99e4", "1000000"),
    "town": ("Zürich", 'z,"b"', "z\nb", "😀", "z" * 3000),
    "zip": ("999", "998", "997"),
    "area": ("zz", "zzzz", "z", "zzz-zzz-zzz"),
    "income": ("1.000", "1,5", "", "77", "n.b.", "1e400"),
    "note": ("é", "€", "", "true", "z" * 70_000, "12"),
    "visit": ("V1", "7001", "7001.5", "99999"),
    "days": ("900", "901.5", "1e8", "4000"),
    "ward": ("Zoo", "z-9", "zz,z"),
    "severity": ("99", "1.5", "100000", "3", "47.25"),
    "cost": ("1.000", "EUR 5", "", "+5", "1 000"),
    "seen": ("2001-01-01 10:00:00", "1.1.2001", "", "2001-13-01"),
}
USUAL = {name: cells[0] for name, cells in ODD.items()} | {"id": "9000", "visit": "7000", "seen": "2001-02-03"}
FIRST = {"id": "0", "visit": "007"}
"""Keys before all others: a search that leaves their rows out could have drawn others among equal rows."""
LEVELS = am.Hierarchy.fanout(4)


def schema_of(*, by_null: bool, coded: bool) -> am.DatabaseSchema:
    def numbers(hierarchy: am.Hierarchy, publish: str | None = None) -> am.Column:
        """With a hierarchy; where a null rule leaves people out as ranges, too, whose width everybody has a say in."""
        return am.Column(role="quasi", kind="numeric", hierarchy=hierarchy, publish=publish)

    persons = {
        "age": numbers(LEVELS, "ancestor"),
        "height": am.Column(role="quasi", kind="numeric") if by_null else numbers(am.Hierarchy.intervals([10, 50])),
        "pay": numbers(am.Hierarchy.edges([[0, 40_000, 80_000, 10**9], [0, 80_000, 10**9]]), "ancestor"),
        "town": am.Column(role="quasi", kind="categorical"),
        "zip": am.Column(role="quasi", kind="categorical", hierarchy=am.Hierarchy.digits(3)),
        "area": am.Column(role="quasi", kind="categorical", hierarchy=am.Hierarchy.prefix([2, 1])),
        "code": am.Column(role="quasi", kind="numeric", nulls="suppress") if by_null else am.Column(role="identifier"),
        "income": am.Column(role="sensitive"),
        "note": am.Column(role="keep"),
    }
    visits = {
        "days": am.Column(role="quasi", kind="numeric") if coded and by_null else numbers(LEVELS, "ancestor"),
        "ward": am.Column(role="quasi", kind="categorical", hierarchy=None if coded else am.Hierarchy.fanout(2)),
        "severity": am.Column(role="sensitive", kind="numeric"),
        "cost": am.Column(role="keep"),
        "seen": am.Column(role="keep"),
    }
    known = {"known": "codes"} if coded else {}
    return am.DatabaseSchema(
        {
            "persons": am.Relation(persons, key="id"),
            "visits": am.Relation(visits, key="visit", parent="persons", foreign_key="patient", **known),
        }
    )


def rows_of(odd: dict[str, str], *, by_null: bool, n: int = 30) -> dict[str, list[tuple[str, ...]]]:
    """Persons of five kinds with two visits each, and in the middle one who is like nobody and is left out."""
    draw = random.Random(7)
    persons, visits = [], []
    for i in range(n + 1):
        out, like = i == n // 2, i % 5
        own = {
            "id": str(100 + i), "age": str(20 + 4 * like + draw.randrange(4)), "height": str(150 + 9 * like + i % 3),
            "pay": str((20 + 12 * like + draw.randrange(4)) * 1000), "town": ("Ulm", "Bonn", "Kiel")[like % 3],
            "zip": str(101 + like), "area": ("ab12", "ab34", "cd56")[like % 3],
            "code": str(draw.randrange(1, 4)), "income": str(draw.randrange(1, 9)), "note": draw.choice("abc"),
        }  # fmt: skip
        if out:
            own |= {name: one for name, one in (USUAL | odd).items() if name in own}
            own |= {"code": ""} if by_null else {}
        persons.append(tuple(own[name] for name in PERSONS))
        for j in range(2):
            row = {
                "visit": str(1000 + 2 * i + j), "days": str(1 + 4 * like + draw.randrange(3)), "ward": "ABCDE"[like],
                "severity": str(draw.randrange(1, 6)), "cost": str(draw.randrange(1000, 5000)),
                "seen": f"200{draw.randrange(1, 9)}-0{draw.randrange(1, 9)}-1{draw.randrange(1, 9)}",
            }  # fmt: skip
            if out and j:
                row |= {name: one for name, one in (USUAL | odd).items() if name in row}
            visits.append(tuple(({"patient": own["id"]} | row)[name] for name in VISITS))
    return {"persons": persons, "visits": visits}


def stored(folder: Path, rows: dict[str, list[tuple[str, ...]]], kind: str) -> Path:
    folder.mkdir()
    for name, columns in (("persons", PERSONS), ("visits", VISITS)):
        table = pa.table(dict(zip(columns, map(list, zip(*rows[name], strict=True)), strict=True)))
        if kind == "csv":
            table = table.set_column(0, columns[0], table.column(0))
            text = csv_text(table)
            (folder / f"{name}.csv").write_text(text, encoding="utf-8", newline="")
        else:
            pq.write_table(typed(table), folder / f"{name}.parquet")
    return folder


def csv_text(table: pa.Table) -> str:
    def cell(text: str) -> str:
        return '"' + text.replace('"', '""') + '"' if any(sign in text for sign in ',"\n') else text

    rows = [table.column_names, *map(list, zip(*table.to_pydict().values(), strict=True))]
    return "\n".join(",".join(map(cell, row)) for row in rows) + "\n"


def typed(table: pa.Table) -> pa.Table:
    """Numbers as a database has them: fractions where somebody may have some; missing where a cell is empty."""
    for i, name in enumerate(table.column_names):
        kind = pa.float64() if name in ("age", "height", "pay", "days", "severity", "code") else pa.string()
        cells = pc.if_else(pc.equal(table.column(i), ""), None, table.column(i))
        table = table.set_column(i, name, cells.cast(kind))
    return table


def released(folder: Path, odd: dict[str, str], case: dict[str, Any]) -> dict[str, bytes]:
    by_null, method, options = case["by_null"], case["method"], dict(case["options"])
    read, written = case["formats"]
    source = stored(folder, rows_of(odd, by_null=by_null), read)
    schema = schema_of(by_null=by_null, coded=method == "codes")
    release = am.anonymize_database(source, schema, case["models"], method, **options)
    gone = str((USUAL | odd)["id"])
    place = [row[0] for row in rows_of(odd, by_null=by_null)["persons"]].index(gone)
    assert place not in release.plan.input_row["persons"]
    release.write(folder / "out", format=written)
    return {path.name: path.read_bytes() for path in (folder / "out").iterdir()}


def apart(threshold: float) -> dict[str, Any]:
    """Options with which the one who is like nobody finds no group."""
    return {"threshold": threshold, "leftovers": "suppress"}


K = am.KAnonymity(3)
CLOSE, FEW = Closeness(0.3, "visits", "severity"), am.KmAnonymity(3, 2)
DIVERSE = am.Diversity(2, table="visits", column="severity")
CASES: dict[str, dict[str, Any]] = {
    f"{method}-{'null' if by_null else 'search'}-{formats[0]}-{formats[1]}": {
        "method": method, "models": models, "options": options, "by_null": by_null, "formats": formats,
    }
    for method, models, options, by_null, formats in [
        ("miracle", [K, CLOSE], apart(0.8), False, ("csv", "csv")),
        ("miracle", [K, CLOSE], {}, True, ("csv", "parquet")),
        ("miracle-x", [K], apart(0.8), False, ("parquet", "parquet")),
        ("d-miracle", [K, DIVERSE], apart(0.4), False, ("csv", "parquet")),
        ("bitmap", [K], {}, True, ("csv", "csv")),
        ("bitmap", [K], apart(0.7), False, ("csv", "parquet")),
        ("codes", [K, FEW, CLOSE], {}, True, ("csv", "csv")),
        ("anatomization", [DIVERSE], apart(0.5), False, ("csv", "csv")),
        ("anatomization", [DIVERSE], {}, True, ("parquet", "csv")),
    ]
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_cells_of_persons_who_are_left_out_change_no_byte(tmp_path: Path, name: str) -> None:
    case = CASES[name]
    usual = released(tmp_path / "usual", {}, case)
    assert {"manifest.json", "report.html"} < set(usual)
    for i in range(list(CASES).index(name) % 3, max(map(len, ODD.values())), 3):
        odd = {column: cells[i % len(cells)] for column, cells in ODD.items()}
        odd |= FIRST if case["by_null"] and i > 2 else {}
        if case["formats"][0] == "parquet":
            odd["severity"] = "2.5"
        found = released(tmp_path / str(i), odd, case)
        differing = [file for file in {*usual, *found} if usual.get(file) != found.get(file)]
        assert not differing, f"{odd} shows in {sorted(differing)}"


def far_away(kind: str) -> tuple[dict[str, pa.Table], am.DatabaseSchema]:
    """Four persons of each of fifteen towns, and one of another, with the last value, whom the search leaves out."""
    numbers: list[Any] = [20 + 3 * (i % 15) + i // 15 % 3 for i in range(60)] + [930]
    values = numbers if kind == "numeric" else [f"T-{number}" for number in numbers[:60]] + ["Z-93"]
    towns = [f"town {i % 15}" for i in range(60)] + ["Rom"]
    persons = pa.table({"id": range(61), "value": values, "town": towns})
    rule = am.Column(role="quasi", kind=kind, hierarchy=am.Hierarchy.fanout(4), publish="ancestor")
    columns = {"value": rule, "town": am.Column(role="quasi", kind="categorical")}
    return {"persons": persons}, am.DatabaseSchema({"persons": am.Relation(columns, key="id")})


@pytest.mark.parametrize("kind", ["numeric", "categorical"])
@pytest.mark.parametrize("method", ["miracle", "miracle-x"])
def test_neighbours_that_are_merged_are_named_by_those_who_stay(method: str, kind: str) -> None:
    """The last node would end with the value of the one who is left out."""
    tables, schema = far_away(kind)
    release = am.anonymize_database(tables, schema, [am.KAnonymity(4)], method, **apart(0.5))
    assert release.plan.input_row["persons"].max() == 59
    labels = set(release.tables["persons"]["value"].to_pylist())
    assert "[52-64]" in labels if kind == "numeric" else "[T-52-T-64]" in labels
    assert not any("93" in label for label in labels), labels


def test_names_of_merged_neighbours_hold_what_lies_between() -> None:
    """The verifier knows the published rows alone: a node is true of what its name has on both sides."""
    numbers, texts = (Cover(far_away(kind)[1]["persons"].schema["value"]) for kind in ("numeric", "categorical"))
    numbers.learn([20, 23, 31, 57])
    assert numbers.holds("[20-31]", 23)
    assert not numbers.holds("[20-31]", 57)
    assert not numbers.holds("[57-20]", 31)
    texts.learn(["T-11", "T-12", "T-30"])
    assert texts.holds("[T-11-T-12]", "T-12")
    assert not texts.holds("[T-11-T-12]", "T-30")
    assert not texts.holds("[T-11-Z-93]", "T-30")  # nobody who stays has the end
    steps = Cover(am.Column(role="quasi", kind="numeric", hierarchy=am.Hierarchy.intervals([10]), publish="ancestor"))
    steps.learn([20, 23])
    assert steps.holds("[20-29]", 23)
    assert not steps.holds("[20-23]", 23)


def test_nodes_of_an_order_follow_from_the_order_alone() -> None:
    order = list("abcdefgh")
    rule = am.Column(role="quasi", kind="ordered", order=order, hierarchy=am.Hierarchy.fanout(2), publish="ancestor")
    persons = pa.table({"id": range(24), "grade": [order[i % 4 * 2 + i % 2 * (i % 4 > 1)] for i in range(24)]})
    schema = am.DatabaseSchema({"persons": am.Relation({"grade": rule}, key="id")})
    release = am.anonymize_database({"persons": persons}, schema, [am.KAnonymity(4)])
    assert release.verdict.ok
