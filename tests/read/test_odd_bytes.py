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


WORDS = {
    "windows-1252": ["Größe", "Straße", "Müller", "l’été", "œuvre", "kg/m²", "Åsa", "não", "Núñez", "MÜLLER"],
    "cp850": ["Größe", "Straße", "Müller", "élève", "Åsa", "não", "Núñez", "MÜLLER"],
    "mac-roman": ["Größe", "Straße", "prénom", "élève", "âge", "coût", "rökare"],
    "windows-1250": ["Kołodziej", "żółty", "mężczyzna", "imię", "źródło", "Łódka"],
}


@pytest.mark.parametrize("encoding", WORDS)
def test_the_encoding_is_found_by_where_its_signs_stand(tmp_path: Path, encoding: str) -> None:
    lines = [f"{i};{word}" for i, word in enumerate(WORDS[encoding] * 5)]
    (tmp_path / "in.csv").write_bytes("\r\n".join(["nr;word", *lines, ""]).encode(encoding))
    found = read(tmp_path / "in.csv")
    assert found.table["word"].to_pylist() == WORDS[encoding] * 5
    assert any(f"read as {encoding}" in note for note in found.notes)


@pytest.mark.parametrize(
    ("words", "encoding"),
    [
        (["фамилия", "мужской", "Иванов"], "windows-1251"),
        (["фамилия", "мужской", "Иванов"], "koi8-r"),
        (["Επώνυμο", "άνδρας"], "windows-1253"),
        (["氏名", "東京都"], "shift_jis"),
        (["ślubny", "wąsy", "maści"], "iso8859-2"),
    ],
)
def test_other_alphabets_are_refused_until_they_are_named(tmp_path: Path, words: list[str], encoding: str) -> None:
    (tmp_path / "in.csv").write_bytes(
        "\n".join(["nr,word", *(f"{i},{word}" for i, word in enumerate(words * 9)), ""]).encode(encoding)
    )
    with pytest.raises(BadInput, match="not clear") as error:
        read(tmp_path / "in.csv")
    assert error.value.facts["say"] == ["encoding"]
    assert read(tmp_path / "in.csv", encoding=encoding).table["word"].to_pylist() == words * 9


def test_zero_bytes_are_told(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_bytes(b"a,b\n1,\xe4\n3,\x004\n")
    with pytest.raises(BadInput, match="zeros among them"):
        read(tmp_path / "in.csv")
