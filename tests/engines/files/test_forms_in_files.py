"""Forms, shapes, formats and limits where rows are not in memory: the same bytes as in memory, on every way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import amongst as am
from amongst.errors import BadInput, BadOption

READS: dict[str, Any] = {
    "birth": "dd.MM.yyyy",
    "cost": "1.234,56",
    "hb": {"form": "1234,56", "missing": ["n.b."]},
    "seen": "dd.MM.yyyy HH:mm",
}
ROLES = {
    "id": am.Column(role="identifier"),
    "birth": am.Column(role="quasi"),
    "cost": am.Column(role="quasi"),
    "hb": am.Column(role="sensitive"),
    "seen": am.Column(role="keep"),
    "note": am.Column(role="keep"),
}
LIMITED = {**ROLES, "birth": am.Column(role="quasi", finest="month"), "cost": am.Column(role="quasi", finest=5000)}
HB = ("12,5", "12,50", "n.b.", "", "9,1", "14")


@pytest.fixture
def german(tmp_path: Path) -> Path:
    """A file as a German spreadsheet writes it: two texts for one number, a word for what is missing."""
    lines = ["id;birth;cost;hb;seen;note"]
    for i in range(150):
        cost = f"{(i * 7919) % 20000 + i / 100:,.2f}".translate(str.maketrans(",.", ".,"))
        day, month = i * 5 % 28 + 1, i * 7 % 12 + 1
        born, seen = f"{day:02d}.{month:02d}.{1940 + i % 50}", f"{day:02d}.01.2020 {i % 24:02d}:{i % 60:02d}"
        note = '"a;ü"' if i % 3 else "b"
        lines.append(f"P{i};{born};{cost};{HB[i // 3 % 6]};{seen};{note}")
    path = tmp_path / "in.csv"
    path.write_bytes(("\r\n".join(lines) + "\r\n").encode("cp1252"))
    return path


def both(path: Path, roles: Any, models: list[Any], format: str, shape: str | None, **told: Any) -> list[Any]:
    """What is written from memory and from parts: the data, and what lies beside it."""
    found = []
    for memory in (None, "4GB"):
        folder = path.with_name(f"out-{memory}")
        release = am.anonymize(path, am.Schema(roles), models, "mondrian", memory=memory, **told)
        release.write(folder, format=format, shape=shape)
        files = sorted(one for one in folder.iterdir() if one.name.startswith("release."))
        found.append(({one.name: one.read_bytes() for one in files}, release))
    return found


@pytest.mark.parametrize(
    ("format", "shape", "reads", "roles"),
    [
        ("csv", "input", READS, LIMITED),
        ("csv", None, "found", ROLES),
        ("parquet", None, READS, ROLES),
        ("parquet", None, "found", LIMITED),
        ("jsonl", None, READS, LIMITED),
        ("sqlite", None, READS, ROLES),
        ("xlsx", None, READS, ROLES),
    ],
)
def test_a_file_by_parts_gives_the_bytes_of_memory(
    german: Path, format: str, shape: str | None, reads: Any, roles: Any
) -> None:
    models = [am.KAnonymity(5), *([am.LDiversity(2, column="hb")] if roles is LIMITED else [])]
    (memory, _), (files, release) = both(german, roles, models, format, shape, reads=reads)
    assert type(release.store).__name__ == ("FileStore" if roles is LIMITED else "PartsStore")
    assert files == memory


def test_cells_get_their_values_block_by_block(german: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("amongst.engines.duckdb.formed.BLOCK", 7)
    (memory, _), (files, _) = both(german, LIMITED, [am.KAnonymity(5)], "csv", "input", reads=READS)
    assert files == memory


def test_a_format_that_needs_memory_minds_the_limit(german: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("amongst.engines.duckdb.as_written.A_CELL", 1 << 40)
    release = am.anonymize(german, am.Schema(ROLES), k=5, memory="4GB", reads=READS)
    with pytest.raises(BadOption, match="larger than the limit"):
        release.write(german.with_name("out"), format="xlsx")
    assert not german.with_name("out").exists()


def test_a_type_follows_from_published_cells_alone(tmp_path: Path) -> None:
    """One person has a fraction, and is left out: nobody can tell from the type of the column."""
    rows = [f"{i % 2};{i % 3}" for i in range(20)] + [";1,5"]
    path = tmp_path / "in.csv"
    path.write_text("\n".join(["age;dose", *rows]) + "\n", encoding="utf-8")
    roles = {"age": am.Column(role="quasi", nulls="suppress"), "dose": am.Column(role="keep")}
    (memory, _), (files, _) = both(path, roles, [am.KAnonymity(5)], "parquet", None, reads={"dose": "1234,56"})
    assert files == memory
    assert pq.read_schema(tmp_path / "out-4GB" / "release.parquet").field("dose").type == pa.int64()


def test_codes_of_statistics_packages_come_back(tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    import polars

    cells = {"age": [float(20 + i % 9) for i in range(60)], "sex": [(1.0, 2.0, 9.0)[i % 3] for i in range(60)]}
    frame = polars.DataFrame(cells)
    labels, missing = {1.0: "male", 2.0: "female"}, [{"lo": 9.0, "hi": 9.0}]
    pyreadstat.write_sav(
        frame, str(tmp_path / "in.sav"), variable_value_labels={"sex": labels}, missing_ranges={"sex": missing}
    )
    roles = {"age": am.Column(role="quasi"), "sex": am.Column(role="keep")}
    (memory, _), (files, release) = both(tmp_path / "in.sav", roles, [am.KAnonymity(5)], "sav", None)
    assert release.store.engine == "duckdb"
    assert files == memory
    _, meta = pyreadstat.read_sav(str(tmp_path / "out-4GB" / "release.sav"), user_missing=True)
    assert meta.variable_value_labels == {"sex": labels}
    assert meta.missing_ranges == {"sex": missing}


def test_cells_that_do_not_fit_are_counted(german: Path) -> None:
    with pytest.raises(BadInput, match="are not as its form says") as caught:
        am.anonymize(german, am.Schema(ROLES), k=5, memory="4GB", reads={**READS, "hb": "1234,56"})
    assert caught.value.found[0].startswith("24 of 126 cells")
