"""What is suppressed is gone from the files too: no dictionary keeps its values."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import amongst as am

N = 35  # odd, so that somebody finds no partner and is suppressed
WORDS = [f"word {i:03d}" for i in range(N)]
SCHEMA = am.DatabaseSchema(
    {
        "people": am.Relation({"land": am.Column(role="quasi")}, key="key"),
        "visits": am.Relation({"word": am.Column(role="sensitive")}, parent="people", foreign_key="person"),
    }
)


def tables() -> dict[str, pa.Table]:
    people = pa.table({"key": list(range(N)), "land": ["x", "y"] * (N // 2) + ["x"]})
    return {
        "people": people,
        "visits": pa.table({"person": list(range(N)), "word": pa.array(WORDS).dictionary_encode()}),
    }


def stored_words(path: Path) -> set[str]:
    column = pq.ParquetFile(path, read_dictionary=["word"]).read()["word"]
    return {word for chunk in column.chunks for word in chunk.dictionary.to_pylist()}


@pytest.mark.parametrize("kind", ["arrow", "pandas", "parquet"])
def test_suppressed_values_are_in_no_dictionary(kind: str, tmp_path: Path) -> None:
    data: object = tables()
    if kind == "pandas":
        data = {name: table.to_pandas() for name, table in tables().items()}
        assert isinstance(data["visits"]["word"].dtype, pd.CategoricalDtype)
    elif kind == "parquet":
        (tmp_path / "in").mkdir()
        for name, table in tables().items():
            pq.write_table(table, tmp_path / "in" / f"{name}.parquet")
        data = tmp_path / "in"
    release = am.anonymize_database(data, SCHEMA, [am.KAnonymity(2)], leftovers="suppress")
    assert release.utility.suppressed_persons == 1
    release.write(tmp_path / "out", format="parquet")
    published = set(pq.read_table(tmp_path / "out" / "visits.parquet")["word"].to_pylist())
    assert stored_words(tmp_path / "out" / "visits.parquet") == published
    assert len(published) == N - 1
    words = release.arrow["visits"]["word"]
    assert {word for chunk in words.chunks for word in chunk.dictionary.to_pylist()} == published


def test_the_verifier_finds_them(tmp_path: Path) -> None:
    release = am.anonymize_database(tables(), SCHEMA, [am.KAnonymity(2)], leftovers="suppress")
    release.write(tmp_path / "out", format="parquet")
    path = tmp_path / "out" / "visits.parquet"
    table = pq.read_table(path, read_dictionary=["word"])
    words = table["word"].combine_chunks()
    words = words.chunk(0) if isinstance(words, pa.ChunkedArray) else words
    wider = pa.DictionaryArray.from_arrays(words.indices, pa.concat_arrays([words.dictionary, pa.array(["secret"])]))
    pq.write_table(table.set_column(table.column_names.index("word"), "word", wider), path, store_schema=False)
    verdict = am.verify_database(tmp_path / "out", SCHEMA, [am.KAnonymity(2)])
    assert [finding.code for finding in verdict.findings] == ["unused-values"]
    assert "secret" not in verdict.words()


@pytest.mark.parametrize("method", ["mondrian", "samarati", "anatomy"])
def test_nor_in_those_of_a_single_table(method: str, tmp_path: Path) -> None:
    ages = [None if i % 7 == 0 else 20 + i % 5 for i in range(N)]
    table = pa.table(
        {"age": pa.array(ages, pa.int64()), "word": pa.array(WORDS).dictionary_encode(), "note": pa.array(WORDS)}
    )
    schema = am.Schema(
        {
            "age": am.Column(role="quasi", nulls="suppress", hierarchy=am.Hierarchy.intervals([5])),
            "word": am.Column(role="sensitive"),
            "note": am.Column(role="identifier"),
        }
    )
    models = [am.LDiversity(2)] if method == "anatomy" else [am.KAnonymity(2)]
    am.anonymize(table, schema, models, method=method).write(tmp_path / "out")
    path = tmp_path / "out" / ("sensitive.parquet" if method == "anatomy" else "release.parquet")
    published = set(pq.read_table(path)["word"].to_pylist())
    assert stored_words(path) == published
    assert len(published) < N
