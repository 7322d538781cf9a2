"""A release in the shape of its input, and the verifier that reads it back."""

from __future__ import annotations

import csv
import json
import pickle
import random
import re
from pathlib import Path
from typing import Any

import pytest

import amongst as am
from amongst.errors import BadInput, BadOption
from amongst.job.job import Job

ROWS = [
    (
        f"{1 + i % 28:02d}.{1 + i % 12:02d}.{1950 + i % 40}",
        f"{8 + i % 7},{i % 10}0",
        f"{1 + i % 5}.{100 + i},50",
        "ä;b" if i % 2 else "ö",
    )
    for i in range(60)
]
ROLES = {"Geburt": "quasi", "Hb": "quasi", "Kosten": "sensitive", "Ort": "keep"}


def german(path: Path, encoding: str = "windows-1252", end: str = "\r\n", quote: str = "") -> Path:
    def cell(text: str) -> str:
        return f'"{text}"' if quote or ";" in text else text

    lines = [";".join(map(cell, row)) for row in [("Geburt", "Hb", "Kosten", "Ort"), *ROWS]]
    lines[7] = lines[7].replace(ROWS[6][2], "n.b.").replace('"n.b."', '"n.b."')
    path.write_bytes((end.join(lines) + end).encode(encoding))
    return path


def made(path: Path, **more: Any) -> Any:
    return am.anonymize(path, ROLES, [am.KAnonymity(5), am.LDiversity(2)], reads="found", **more)


@pytest.mark.parametrize(
    ("encoding", "end", "quote"),
    [("windows-1252", "\r\n", ""), ("utf-8", "\n", ""), ("utf-16", "\n", '"'), ("utf-8-sig", "\r\n", '"')],
)
def test_the_file_is_written_as_the_input_is(tmp_path: Path, encoding: str, end: str, quote: str) -> None:
    release = made(german(tmp_path / "in.csv", encoding, end, quote))
    verdict = release.write(tmp_path / "out", format="csv", shape="input")
    assert verdict.ok
    data = (tmp_path / "out" / "release.csv").read_bytes()
    given = (tmp_path / "in.csv").read_bytes()
    assert data[:2] == given[:2]  # a mark where there was one
    text, before = data.decode(encoding), given.decode(encoding)
    assert text.split(end)[0] == before.split(end)[0]
    assert text.count(end) == before.count(end) == 61
    kept = [line.split(";", 2)[2] for line in text.split(end)[1:-1]]
    assert sorted(kept) == sorted(line.split(";", 2)[2] for line in before.split(end)[1:-1])  # the same texts
    assert "[01.0" in text
    assert "-14," in text
    assert am.verify(tmp_path / "out", release.schema, release.models).ok


def test_without_a_shape_kept_columns_have_their_texts_all_the_same(tmp_path: Path) -> None:
    release = made(german(tmp_path / "in.csv"))
    release.write(tmp_path / "out", format="csv")
    text = (tmp_path / "out" / "release.csv").read_text(encoding="utf-8")
    assert '"n.b."' in text
    assert '"1.100,50"' in text
    told = json.loads((tmp_path / "out" / "release.csv-metadata.json").read_text())
    assert told["tableSchema"]["columns"][2]["null"] == ["", "n.b."]
    release.write(tmp_path / "parquet")
    assert release.table["Kosten"].null_count == 1  # and numbers where there are types


def test_numbers_are_judged_as_numbers(tmp_path: Path) -> None:
    path = german(tmp_path / "in.csv")
    schema = am.Schema(ROLES)
    release = am.anonymize(
        path, schema, [am.KAnonymity(5), am.TCloseness(0.4, column="Kosten")], reads="found", method="mondrian"
    )
    assert release.write(tmp_path / "out", format="csv", shape="input").ok
    assert am.verify(tmp_path / "out", release.schema, release.models).models[1].reached == pytest.approx(
        release.verdict.models[1].reached
    )


def test_two_writings_of_one_value_are_found(tmp_path: Path) -> None:
    release = made(german(tmp_path / "in.csv"))
    release.write(tmp_path / "out", format="csv", shape="input")
    file = tmp_path / "out" / "release.csv"
    text = file.read_text(encoding="windows-1252")
    label = next(line for line in text.splitlines()[1:]).split(";")[0]
    file.write_text(text.replace(label, label.replace("[0", "["), 1), encoding="windows-1252", newline="")
    verdict = am.verify(file, release.schema, release.models)
    assert [finding.code for finding in verdict.findings] == ["two-writings"]


@pytest.mark.parametrize("content", ["", "{}", '{"dialect": {"delimiter": ";;"}}', "[" * 100_000])
def test_damaged_metadata_are_told(tmp_path: Path, content: str) -> None:
    release = made(german(tmp_path / "in.csv"))
    release.write(tmp_path / "out", format="csv", shape="input")
    (tmp_path / "out" / "release.csv-metadata.json").write_text(content)
    with pytest.raises(BadInput, match="metadata"):
        am.verify(tmp_path / "out", release.schema, release.models)


@pytest.mark.parametrize("shape", [None, "input"])
@pytest.mark.parametrize("mark", ["", ",5"])
@pytest.mark.parametrize(
    "odd",
    ["n.b.;11.11.1950;a", " 3;11.11.1950;a", "1.234,5;11.11.1950;a", "3;1.1.1950;a", "3;n.b.;a", "3;11.11.1950;ä"],
    ids=["missing", "blank", "thousands", "short", "no date", "encoding"],
)
def test_how_a_suppressed_row_is_written_leaves_no_trace(
    tmp_path: Path, odd: str, mark: str, shape: str | None
) -> None:
    """A word that means missing, a mark between thousands, a letter that only another encoding has: the public folder
    is the same, byte for byte, as that of a table whose suppressed row is written as all others are."""
    rows = [f"3{i % 3};{i % 7}{mark};1{i % 9}.1{i % 3}.195{i % 9};{'abc'[i % 3]}" for i in range(30)]
    public = {}
    for name, last in (("plain", f"3{mark};11.11.1950;a"), ("odd", odd)):
        (tmp_path / f"{name}.csv").write_bytes("\n".join(["age;hb;day;town", *rows, f"99;{last}", ""]).encode("cp1252"))
        release = am.anonymize(
            tmp_path / f"{name}.csv",
            {"age": "quasi", "hb": "keep", "day": "keep", "town": "keep"},
            [am.KAnonymity(5)],
            "incognito",
            suppression=1,
            reads="found",
        )
        release.write(tmp_path / name, format="csv", shape=shape)
        public[name] = {path.name: path.read_bytes() for path in (tmp_path / name).glob("release*")}
    assert public["odd"] == public["plain"]


def test_a_pickle_has_no_texts_of_the_input(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text("age;hb;kg\n" + "30;14,5;1.50\n" * 10 + "99;77,7;99.90\n")
    release = am.anonymize(
        path,
        {"age": "quasi", "hb": "keep", "kg": "keep"},
        [am.KAnonymity(5)],
        "incognito",
        suppression=1,
        reads="found",
    )
    packed = pickle.dumps(release)
    assert b"77,7" not in packed
    assert b"99.90" not in packed
    assert pickle.loads(packed).table.num_rows == 10


def test_a_shape_is_of_text_files(tmp_path: Path) -> None:
    path = german(tmp_path / "in.csv", "utf-8")
    release = am.anonymize(path, ROLES, [am.KAnonymity(5)], method="mondrian")
    for wrong in ({"format": "parquet", "shape": "input"}, {"format": "csv", "shape": "round"}):
        with pytest.raises(BadOption, match="shape"):
            release.write(tmp_path / "out", **wrong)


def test_the_drafted_job_runs_as_it_is(tmp_path: Path) -> None:
    from amongst.job.draft import draft
    from amongst.job.job import Input, as_found
    from amongst.read import read
    from amongst.schema.suggest import suggest

    path = german(tmp_path / "in.csv")
    told = Input(path, reads="found")
    source = read(path, reads="found")
    text = draft(as_found(told, source, {}), suggest(source.table), tmp_path, source.found)
    (tmp_path / "job.toml").write_text(text, encoding="utf-8")
    assert "# Kosten: 59 of 60 are numbers with a decimal comma and points between thousands; 1 say n.b." in text
    job = Job.from_file(tmp_path / "job.toml")
    assert (job.output.format, job.output.shape, job.input.encoding) == ("csv", "input", "windows-1252")
    assert job.run().verdict.ok


def test_amounts_with_a_currency_and_signs_behind_are_published_as_they_were_and_proved(tmp_path: Path) -> None:
    """A table of an accounting system: the proof measures distances of the numbers that the cells say."""
    draw = random.Random(3)
    rows = [
        (f"{draw.randrange(20, 90)} J", f"{draw.randrange(1, 99)}.{draw.randrange(100, 999)},50 €") for _ in range(120)
    ]
    rows = [(age, f"({pay})" if i % 4 == 0 else pay) for i, (age, pay) in enumerate(rows)]
    text = "\r\n".join(["Alter;Saldo", *(";".join(row) for row in rows), ""])
    (tmp_path / "in.csv").write_bytes(text.encode("windows-1252"))
    asked = [am.KAnonymity(5), am.TCloseness(0.45, column="Saldo", distance="ordered")]
    roles = {"Alter": am.Column(role="quasi", kind="numeric"), "Saldo": "sensitive"}
    release = am.anonymize(tmp_path / "in.csv", roles, asked, reads="found")
    assert release.write(tmp_path / "out", format="csv", shape="input").ok
    lines = (tmp_path / "out" / "release.csv").read_bytes().decode("windows-1252").split("\r\n")[1:-1]
    assert sorted(line.split(";")[1] for line in lines) == sorted(pay for _, pay in rows)
    assert all(re.fullmatch(r"\[?[0-9]{2}(-[0-9]{2}\])?", line.split(";")[0]) for line in lines)
    assert am.verify(tmp_path / "out", release.schema, asked).ok


@pytest.mark.parametrize("memory", [None, "2GB"])
def test_a_number_with_the_separator_in_it_is_quoted(memory: str | None, tmp_path: Path) -> None:
    """Texts in quotes, numbers not: "9,5" is one that needs them where commas separate."""
    lines = [f'{20 + i % 30},"{i % 9},5"' for i in range(60)]
    (tmp_path / "in.csv").write_text('"age","lab"\n' + "\n".join(lines) + "\n", encoding="utf-8")
    release = am.anonymize(tmp_path / "in.csv", quasi=["age"], rest="keep", k=3, method="mondrian", memory=memory)
    assert release.write(tmp_path / "out", format="csv", shape="input").ok
    rows = list(csv.reader((tmp_path / "out" / "release.csv").open(encoding="utf-8", newline="")))
    assert {len(row) for row in rows} == {2}
    assert sorted(row[1] for row in rows[1:]) == sorted(f"{i % 9},5" for i in range(60))
