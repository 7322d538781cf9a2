"""Text files that no single encoding reads: refused, with what was found; a told encoding is taken."""

from __future__ import annotations

from pathlib import Path

import pytest

from amongst.errors import BadInput
from amongst.read import read

UTF8, LATIN = "Jörg;Köln\n".encode(), "Jörg;Köln\n".encode("latin-1")


@pytest.mark.parametrize("lines", [UTF8 * 20 + LATIN * 3, UTF8 + LATIN * 3], ids=["mostly UTF-8", "mostly not"])
def test_two_encodings_in_one_file_are_refused_unless_one_is_told(tmp_path: Path, lines: bytes) -> None:
    path = tmp_path / "in.csv"
    path.write_bytes(b"name;town\n" + lines)
    with pytest.raises(BadInput, match="two encodings") as error:
        read(path)
    assert error.value.facts["say"] == ["encoding"]
    assert "Jörg" not in str(error.value)
    assert read(path, encoding="latin-1").table.num_rows == lines.count(b"\n")
