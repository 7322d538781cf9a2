"""Whatever the cells of people who are left out hold, the public folder is the same, byte for byte.

Pairs of tables differ in the cells of such rows alone. What may follow from them is stated in docs/release.md: the
kind of a quasi-identifier that the job leaves open, and which groups a search finds. So all kinds are said here, and
where a search leaves a row out, its numbers are written in many ways and weigh the same.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import amongst as am
from amongst.anonymize import release_of
from amongst.engines.duckdb.levels import LevelsStore
from amongst.engines.duckdb.open_store import open_store
from amongst.engines.work import Work
from amongst.request import Request
from amongst.schema.doubts import PublishedDoubt
from naive_figures import hidden_figures

OUT_OF_REACH = {"age": "930", "town": "Rom", "size": "9.75", "pay": "990000"}
"""What makes the row one that no search keeps, where the null rule does not already leave it out."""
NAMES = ("age", "pay", "town", "size", "code", "disease", "lab", "note", "cost", "flag", "seen")
ODD = {
    "age": ("930", "1000000000", "12345", "931.5", "1e9", "8000"),
    "pay": ("990000", "990000.0", "99e4", "9.9e5"),
    "town": ("Rom", "Zürich", 'a,"b"', "a\nb", " Ulm ", "😀", "12", "x" * 3000, "€"),
    "size": ("9.75", "9.7500001", "975e-2"),
    "code": ("77", "78", "A-9", "01", "4.5"),
    "disease": ("HIV", "flu ", "weird", "é", "3", "NULL", ""),
    "lab": ("1.5", "<5", "1,5", "n.b.", "", "100000000000000000000", "7 ", "2.0", "-1", "007"),
    "note": ("é", "€", "a;b", "true", "x\ty", '"q"', "", "z" * 70_000),
    "cost": ("1.000", "1,000", "1.234,56", "1'000", "12.50", "EUR 5", "", "+5", "1 000", "5e3"),
    "flag": ("true", "J", "2", "", "yes", "0.0"),
    "seen": ("2001-01-01 10:00:00", "1.1.2001", "", "2001-13-01", "2001-01-01T00:00:00+02:00"),
}
KEPT = {"disease": am.Column(role="sensitive"), "lab": am.Column(role="sensitive")} | {
    name: am.Column(role="keep") for name in ("note", "cost", "flag", "seen")
}
STEPS = {
    "age": am.Column(role="quasi", kind="numeric", hierarchy=am.Hierarchy.fanout(8), publish="ancestor"),
    "pay": am.Column(role="quasi", kind="numeric", hierarchy=am.Hierarchy.intervals([40_000, 80_000])),
    "town": am.Column(role="quasi", hierarchy=am.Hierarchy.flat()),
    "size": am.Column(role="quasi", kind="numeric", hierarchy=am.Hierarchy.intervals([2, 4])),
    "code": am.Column(role="identifier"),
}
RANGES = {
    "age": am.Column(role="quasi", kind="numeric"),
    "pay": am.Column(role="quasi", kind="numeric", hierarchy=am.Hierarchy.fanout(4), publish="ancestor"),
    "town": am.Column(role="quasi"),
    "size": am.Column(role="quasi", kind="numeric"),
    "code": am.Column(role="quasi", kind="numeric", nulls="suppress"),
}
"""The row has no code: the null rule leaves it out, before any method looks."""


def people(n: int = 64) -> list[list[str]]:
    draw = random.Random(5)

    def row() -> list[str]:
        return [
            str(draw.randrange(20, 60)), str(draw.randrange(20, 90) * 1000), draw.choice(("Ulm", "Bonn", "Kiel")),
            str(draw.randrange(1, 4)), str(draw.randrange(1, 9)), draw.choice(("flu", "cold", "hiv")),
            str(draw.randrange(1, 9)), draw.choice("abc"), str(draw.randrange(1000, 5000)), draw.choice("01"),
            f"{draw.randrange(2001, 2009)}-0{draw.randrange(1, 9)}-1{draw.randrange(1, 9)}",
        ]  # fmt: skip

    return [row() for _ in range(n)]


def one_odd_row(i: int) -> dict[str, str]:
    """A row in which every cell is odd in another way."""
    return {name: cells[i % len(cells)] for name, cells in ODD.items()}


def text_of(rows: list[list[str]]) -> str:
    def cell(text: str) -> str:
        return '"' + text.replace('"', '""') + '"' if any(sign in text for sign in ',"\n') else text

    return "\n".join(",".join(map(cell, row)) for row in [list(NAMES), *rows]) + "\n"


def released(folder: Path, odd: dict[str, str], method: str, out: str, memory: str | None) -> dict[str, bytes]:
    """The public files of a release of the people and of one whom it leaves out."""
    by_null = method in ("mondrian", "best", "hilbert")
    rows = people()
    last = dict(zip(NAMES, rows.pop(), strict=True)) | (OUT_OF_REACH if not by_null else {}) | odd
    last |= {"code": ""} if by_null else {"age": odd["age"] if odd else "930"}
    folder.mkdir()
    rows.insert(30, list(last.values()))
    (folder / "in.csv").write_text(text_of(rows), encoding="utf-8", newline="")
    schema = am.Schema({**(RANGES if by_null else STEPS), **KEPT})
    options = {} if by_null else {"suppression": 4}
    options |= {} if memory is None else {"memory": memory}
    release = am.anonymize(folder / "in.csv", schema, [am.KAnonymity(3)], method, **options)
    format, _, like = out.partition("+")
    release.write(folder / "out", format=format, **({"shape": "input"} if like else {}))
    return {path.name: path.read_bytes() for path in (folder / "out").iterdir()}


@pytest.mark.parametrize(
    ("method", "out", "memory"),
    [
        ("incognito", "csv", None),
        ("incognito", "parquet", "2GB"),
        ("full-subtree", "csv+input", None),
        ("datafly", "csv", "2GB"),
        ("mondrian", "parquet", None),
        ("mondrian", "csv+input", "2GB"),
        ("best", "csv", None),
        ("hilbert", "jsonl", None),
    ],
)
def test_cells_of_those_who_are_left_out_change_no_byte(
    tmp_path: Path, method: str, out: str, memory: str | None
) -> None:
    usual = released(tmp_path / "usual", {}, method, out, memory)
    assert usual
    for i in range(len(method + out) % 2, max(map(len, ODD.values())), 2):
        found = released(tmp_path / str(i), one_odd_row(i), method, out, memory)
        differing = [name for name in {*usual, *found} if usual.get(name) != found.get(name)]
        assert not differing, f"{one_odd_row(i)} shows in {sorted(differing)}"


def with_two_far_away(n: int = 200) -> pa.Table:
    draw = random.Random(3)
    ages = [draw.randrange(20, 60) for _ in range(n)]
    return pa.table(
        {
            "age": [*ages, 930, 177],
            "sex": [*["f", "m"] * (n // 2), "x", "y"],
            "lab": [*[draw.randrange(1, 9) for _ in range(n)], 4711, None],
        }
    )


@pytest.mark.parametrize("engine", ["memory", "duckdb", "levels"])
@pytest.mark.parametrize("method", ["incognito", "datafly", "full-subtree"])
def test_neighbours_that_are_merged_are_named_by_those_who_stay(tmp_path: Path, method: str, engine: str) -> None:
    """Where nodes are made of the table's own values, they would be named after somebody who is left out."""
    roles = {"age": am.Column(role="quasi", hierarchy=am.Hierarchy.fanout(4), publish="ancestor"), "lab": "sensitive"}
    schema = am.Schema({**roles, "sex": am.Column(role="quasi", hierarchy=am.Hierarchy.flat())})
    request = Request(schema=schema, models=[am.KAnonymity(3)], method=method, options={"suppression": 4})
    path = tmp_path / "in.parquet"
    pq.write_table(with_two_far_away(), path)
    if engine == "levels":
        if method == "full-subtree":
            pytest.skip("it searches no levels in SQL")
        (tmp_path / "work").mkdir()
        work = Work(tmp_path / "work")
        store = open_store(path, work.folder, 400_000_000)
        asked = LevelsStore(store.name, store.paths, store.folder, store.memory, work=work)
        release_of(asked, request, lambda *told: None).write(tmp_path / "out", format="csv")
    else:
        given = {} if engine == "memory" else {"memory": "2GB"}
        release = am.anonymize(path, schema, request.models, method, suppression=4, **given)
        release.write(tmp_path / "out", format="csv")
    labels = {row.split(",")[0].strip('"') for row in (tmp_path / "out/release.csv").read_text().splitlines()[1:]}
    assert len(labels) > 2
    assert not any("930" in label or "177" in label for label in labels), labels
    facts = json.loads((tmp_path / "out/manifest.json").read_text())
    assert facts["output"]["rows"] == 200


def test_how_far_values_lie_apart_follows_the_published_ones() -> None:
    """The ordered distance divides by the number of values: one that only somebody suppressed has must not count."""
    steps = am.Column(role="quasi", hierarchy=am.Hierarchy.intervals([20, 40]))
    sexes = am.Column(role="quasi", hierarchy=am.Hierarchy.flat())
    schema = am.Schema({"age": steps, "sex": sexes, "lab": "sensitive"})
    release = am.anonymize(with_two_far_away(), schema, [am.KAnonymity(3)], "incognito", suppression=4)
    rows = release.table.to_pylist()
    assert len(rows) == 200
    assert release.sensitive["lab"].distance == "ordered"
    told = release.sensitive["lab"].after.to_dict()
    assert told == pytest.approx(hidden_figures(rows, release.schema, "lab", "ordered"))


@pytest.mark.parametrize("odd", ["31.5", "931.5"])
def test_halves_of_hardened_numbers_follow_those_who_stay(tmp_path: Path, odd: str) -> None:
    """Trees that hardening makes are of rows that no null rule took out, and of the type of these."""
    draw = random.Random(4)
    rows = [
        [str(draw.randrange(20, 38)), draw.choice("fm"), draw.choice(("Ulm", "Bonn", "Kiel")), "1"] for _ in range(90)
    ]
    schema = am.Schema(
        {
            "age": am.Column(role="quasi", kind="numeric"),
            "sex": am.Column(role="quasi", kind="categorical"),
            "town": am.Column(role="quasi", kind="categorical"),
            "code": am.Column(role="quasi", kind="categorical", nulls="suppress"),
        }
    )

    def hardened(cells: list[str], name: str) -> dict[str, bytes]:
        lines = [",".join(row) for row in [list(schema), *rows[:40], cells, *rows[40:]]]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n")
        promised = am.Harden(membership=None)
        release = am.anonymize(tmp_path / f"{name}.csv", schema, [am.KAnonymity(4)], "mondrian", harden=promised)
        assert release.method == "regions"
        release.write(tmp_path / name, format="csv")
        return {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}

    assert hardened(["30", "f", "Ulm", ""], "usual") == hardened([odd, "x", "Rom", ""], "odd")


def test_stars_do_not_tell_how_long_the_codes_of_others_are() -> None:
    codes = [f"ab{i % 5}{i % 7}9" for i in range(70)]
    steps = am.Column(role="quasi", kind="categorical", hierarchy=am.Hierarchy.prefix([3, 2]))
    schema = am.Schema({"code": steps, "sex": am.Column(role="quasi", hierarchy=am.Hierarchy.flat())})

    def labels(gone: str) -> set[str]:
        table = pa.table({"code": [*codes, gone], "sex": [*["f"] * 70, "x"]})
        release = am.anonymize(table, schema, [am.KAnonymity(6)], "incognito", suppression=4)
        assert release.table.num_rows == 70
        return set(release.table["code"].to_pylist())

    assert labels("zz999") == labels("zzz") == labels("zz99-17") != set(codes)


def test_the_order_of_what_is_told_follows_from_what_is_published(tmp_path: Path) -> None:
    """Texts that differ in nearly every row are told to all, whichever column of the original they are doubted of."""
    pages = []
    for name in ("different", "alike"):
        texts = [f"t{i}" if i % 2 or name == "different" else "same" for i in range(80)]
        table = pa.table(
            {"age": [i % 5 if i % 2 else None for i in range(80)], "a": texts, "b": [f"u{i}" for i in range(80)]}
        )
        roles = {"age": am.Column(role="quasi", nulls="suppress"), "a": am.Column("keep"), "b": am.Column("keep")}
        with pytest.warns(PublishedDoubt):
            am.anonymize(table, roles, k=4, method="mondrian").write(tmp_path / name)
        pages.append((tmp_path / name / "report.html").read_text())
    assert "has a different text in nearly every row" in pages[0]
    assert pages[0] == pages[1]
