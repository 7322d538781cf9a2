"""What cannot be read says what, found and fix, and quotes no cell."""

import gzip

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from amongst.errors import BadInput, BadOption, BadSchema
from amongst.models import KAnonymity
from amongst.published import csv_file
from amongst.schema import Column, Schema
from amongst.verify import verify

K1 = [KAnonymity(1)]


def refused(published, schema=None, models=K1, error=BadInput, **options):
    with pytest.raises(error) as caught:
        verify(published, schema, models, **options)
    assert caught.value.what
    assert caught.value.found
    assert caught.value.fix
    assert "secret" not in str(caught.value)
    return caught.value


def written(tmp_path, text, name="p.csv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize("name", ["p.csv", "p.parquet", "p.feather", "p.csv.gz"])
def test_missing_file(tmp_path, name):
    assert name in str(refused(tmp_path / name))


@pytest.mark.parametrize("name", ["p.csv", "p.tsv", "p.parquet", "p.arrow", "p.csv.gz"])
@pytest.mark.parametrize("content", [b"", b"\n\n"])
def test_empty_file(tmp_path, name, content):
    refused(written(tmp_path, content, name))


def test_header_only_is_nothing_published(tmp_path):
    for text in ("a,b\n", "a,b"):
        verdict = verify(written(tmp_path, text), ["a", "b"], K1)
        assert [finding.code for finding in verdict.findings] == ["nothing-published"]


@pytest.mark.parametrize("text", ["a,b\n1,2\nsecret\n", "a,b\n1,secret,3\n"])
def test_ragged_rows(tmp_path, text):
    error = refused(written(tmp_path, text))
    assert "where the header has 2" in str(error)


def test_not_utf8(tmp_path):
    refused(written(tmp_path, b"a,b\n1,secret\xff\n"))
    late = b"a,b\n" + b"1,x\n" * 400_000 + b"1,secret\xff\n"
    assert "UTF-8" in str(refused(written(tmp_path, late)))
    refused(written(tmp_path, b"\xff\xfe,b\n1,2\n"))


def test_parquet_text_that_is_not_utf8(tmp_path):
    binary = pa.array([b"\xff\xfe secret", b"a"])
    text = pa.Array.from_buffers(pa.string(), 2, binary.buffers())
    pq.write_table(pa.table({"a": text}), tmp_path / "p.parquet")
    refused(tmp_path / "p.parquet")


def test_duplicate_names(tmp_path):
    assert "'a'" in str(refused(written(tmp_path, "a,b,a\n1,2,3\n")))


def test_a_quote_that_is_not_closed_hides_no_rows(tmp_path):
    path = written(tmp_path, 'age,d\n30,flu\n30,"cold\n41,secret\n52,secret\n')
    with pytest.raises(BadInput, match="quote") as caught:
        verify(path, ["age"], KAnonymity(2))
    assert caught.value.found == ["row 3"]
    assert "secret" not in str(caught.value)
    assert verify(written(tmp_path, 'age,d\n30,5" disk\n30,x\n'), ["age"], KAnonymity(2)).n_rows == 2


@pytest.mark.parametrize("name", ["p.parquet", "p.feather", "p.csv.gz"])
def test_not_what_its_name_says(tmp_path, name):
    refused(written(tmp_path, "a,b\nsecret,2\n", name))


def test_a_parquet_file_that_was_cut_short(tmp_path):
    pq.write_table(pa.table({"a": ["x"] * 1000}), tmp_path / "p.parquet")
    whole = (tmp_path / "p.parquet").read_bytes()
    refused(written(tmp_path, whole[:-20], "cut.parquet"))
    broken = whole[:4] + bytes(len(whole) // 3) + whole[4 + len(whole) // 3 :]
    refused(written(tmp_path, broken, "broken.parquet"))


def test_a_gzip_file_that_was_cut_short(tmp_path):
    import random

    rows = "\n".join(str(random.Random(1).random()) for _ in range(1)) + "\n"
    text = "a\n" + "".join(f"{random.Random(i).random()}\n" for i in range(5000)) + rows
    refused(written(tmp_path, gzip.compress(text.encode())[:-200], "p.csv.gz"))


def test_unknown_ending_and_objects(tmp_path):
    assert ".xlsx" in str(refused(written(tmp_path, "x", "p.xlsx")))
    assert "int" in str(refused(5))
    refused({"a": [1]})


def test_folders(tmp_path):
    refused(tmp_path)
    written(tmp_path, "a\nx\nx\n", "release.csv")
    assert verify(tmp_path, ["a"], [KAnonymity(2)]).ok
    assert verify(str(tmp_path), ["a"], [KAnonymity(2)]).ok
    pq.write_table(pa.table({"a": ["x"]}), tmp_path / "release.parquet")
    refused(tmp_path)


def test_a_type_that_cannot_be_compared():
    refused(pa.table({"a": [["secret"], ["x"]]}))


def test_options():
    table = pa.table({"a": ["x"]})
    refused(table, ["a"], [], error=BadOption)
    refused(table, ["a"], ["secret"], error=BadOption)
    refused(table, ["a"], KAnonymity, error=BadOption)
    refused(table, [5], error=BadOption)
    refused(table, [], error=BadSchema)
    refused(table, Schema({"a": Column(role="keep")}), error=BadSchema)
    refused(table, ["a"], error=BadOption, nulls="whatever")
    refused(table, ["a"], error=BadOption, nulls={"b": "own value"})


class TestCsv:
    def classes(self, tmp_path, text, columns=None, name="p.csv"):
        verdict = verify(written(tmp_path, text, name), columns, K1, nulls="own value")
        return verdict.n_rows, verdict.n_classes

    def test_cells_are_text(self, tmp_path):
        assert self.classes(tmp_path, "a\n25\n025\n25.0\n+25\n") == (4, 4)

    def test_missing_and_empty_are_apart(self, tmp_path):
        assert self.classes(tmp_path, 'a,b\n,1\n"",1\nNA,1\nnull,1\nNaN,1\n') == (5, 5)

    def test_nothing_is_trimmed(self, tmp_path):
        assert self.classes(tmp_path, "a,b\nx,1\n x,1\nx ,1\nX,1\n") == (4, 4)

    def test_quotes_and_newlines(self, tmp_path):
        text = '"a,1",b\n"x\ny",1\n"x\ny",1\n"say ""hi""",2\n'
        assert self.classes(tmp_path, text) == (3, 2)
        assert self.classes(tmp_path, 'a,"b\nb"\nx,1\nx,1\n') == (2, 1)

    def test_newlines_where_a_block_ends(self, tmp_path, monkeypatch):
        monkeypatch.setattr(csv_file, "_BLOCK", 64)
        cell = '"' + "x\n" * 10 + '"'
        assert self.classes(tmp_path, "a,b\n" + f"{cell},1\n" * 50) == (50, 1)

    def test_other_separators_and_line_ends(self, tmp_path):
        assert self.classes(tmp_path, "a;b\r\nx;1\r\nx;1\r\n", ["a", "b"]) == (2, 1)
        assert self.classes(tmp_path, "a|b\nx|1\ny|1\n", ["b"]) == (2, 1)
        assert self.classes(tmp_path, "a\tb\nx,y\t1\n", ["a", "b"], "p.tsv") == (1, 1)

    def test_byte_order_mark(self, tmp_path):
        assert self.classes(tmp_path, b"\xef\xbb\xbfa,b\nx,1\nx,1\n", ["a"]) == (2, 1)

    def test_blank_lines(self, tmp_path):
        assert self.classes(tmp_path, "a,b\nx,1\n\nx,1\n\n") == (2, 1)
        assert self.classes(tmp_path, "a\nx\n\nx\n") == (3, 2)

    def test_only_quasi_identifiers_are_compared(self, tmp_path):
        assert self.classes(tmp_path, "a,b\nx,1\nx,2\n", ["a"]) == (2, 1)

    def test_an_index_written_along_is_unexpected(self, tmp_path):
        schema = Schema({"a": Column(role="quasi")})
        verdict = verify(written(tmp_path, ",a\n0,x\n1,x\n"), schema, [KAnonymity(2)])
        assert [finding.code for finding in verdict.findings] == ["unexpected-column"]


class TestFrames:
    def test_pandas(self):
        pd = pytest.importorskip("pandas")
        frame = pd.DataFrame({"a": ["x", "x", "y", None, None], "n": [1.0, 1.0, 2.0, None, None]})
        verdict = verify(frame, ["a", "n"], [KAnonymity(2)], nulls="own value")
        assert (verdict.n_rows, verdict.n_classes, verdict.notes) == (5, 3, [])
        indexed = frame.set_index(pd.Index(list("vwxyz")))
        verdict = verify(indexed, ["a", "n"], [KAnonymity(2)], nulls="own value")
        assert (verdict.n_classes, [note.code for note in verdict.notes]) == (3, ["index"])
        with pytest.raises(BadInput):
            verify(pd.DataFrame([[1, 2]], columns=["a", "a"]), ["a"], K1)
        with pytest.raises(BadInput):
            verify(pd.DataFrame({"a": [1, "secret", object()]}), ["a"], K1)

    def test_pandas_categories_that_no_row_has(self):
        pd = pytest.importorskip("pandas")
        frame = pd.DataFrame({"a": pd.Categorical(["x", "x"], categories=["x", "secret"])})
        schema = Schema({"a": Column(role="quasi", kind="categorical")})
        verdict = verify(frame, schema, [KAnonymity(2)])
        assert [finding.code for finding in verdict.findings] == ["unused-values"]
        assert "secret" not in verdict.words()
        assert [note.code for note in verify(frame, ["a"], [KAnonymity(2)]).notes] == ["unused-values"]

    def test_polars(self):
        pl = pytest.importorskip("polars")
        frame = pl.DataFrame({"a": ["x", "x", "y"], "d": pl.Series(["u", "v", "v"], dtype=pl.Categorical)})
        assert verify(frame, ["a"], [KAnonymity(1)]).n_classes == 2
        assert verify(frame.lazy(), ["a", "d"], [KAnonymity(1)]).n_classes == 3

    def test_the_frame_is_not_changed(self):
        table = pa.table({"a": ["x", "y"]})
        verify(table, ["a"], K1)
        assert table.equals(pa.table({"a": ["x", "y"]}))


def test_names_with_dots_and_quotes(tmp_path):
    table = pa.table({"a": ["x", "x"], "a.b": ["y", "z"], 'q"': ["s", "s"]})
    pq.write_table(table, tmp_path / "p.parquet")
    assert verify(tmp_path / "p.parquet", ["a", 'q"'], K1).n_classes == 1
    assert verify(tmp_path / "p.parquet", ["a.b"], K1).n_classes == 2
