"""The script that rebuilds the bundled table from UCI's files."""

import importlib.util
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from amongst import datasets

SCRIPT = Path(__file__).parents[2] / "scripts" / "make_adult.py"


@pytest.fixture(scope="module")
def make_adult():
    spec = importlib.util.spec_from_file_location("make_adult", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def as_uci(table, stop=""):
    """The rows as UCI writes them, with a row that knows too little after every hundred."""
    lines = []
    for i, row in enumerate(table.to_pylist()):
        lines.append(", ".join(str(value) for value in row.values()) + stop)
        if i % 100 == 0:
            lines.append(", ".join(str(value) for value in {**row, "workclass": "?"}.values()) + stop)
    return "\n".join(lines) + "\n\n"


def test_it_rebuilds_the_table_from_files_as_uci_writes_them(make_adult, tmp_path, capsys):
    train, test = (datasets.load("adult", part=part).table.slice(0, 2000) for part in ("train", "test"))
    (tmp_path / "adult.data").write_text(as_uci(train))
    (tmp_path / "adult.test").write_text("|1x3 Cross validator\n" + as_uci(test, stop="."))
    out = tmp_path / "adult.parquet"
    make_adult.main([str(tmp_path / "adult.data"), str(tmp_path / "adult.test"), str(out)])
    file = pq.ParquetFile(out)
    assert file.num_row_groups == 2
    assert file.read_row_group(0).equals(train)
    assert file.read_row_group(1).equals(test)
    assert "2,000 + 2,000 rows" in capsys.readouterr().out


def test_a_line_that_does_not_fit_is_an_error(make_adult, tmp_path):
    (tmp_path / "adult.data").write_text("39, State-gov, 77516\n" * 2)
    with pytest.raises(pa.ArrowInvalid):
        make_adult.read_part(tmp_path / "adult.data")
