"""Rows, CSV files in ARX's format and nested mappings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from amongst.errors import BadHierarchy
from amongst.schema.export import to_rows, write_csv
from amongst.schema.hierarchy import Hierarchy
from thorough import some

AGES = "1;0-4;0-9;*\n7;5-9;0-9;*\n12;10-14;10-19;*\n3;0-4;0-9;*\n"


def write(folder: Path, text: str | bytes, name: str = "levels.csv") -> Path:
    file = folder / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def refused(make: Any) -> BadHierarchy:
    with pytest.raises(BadHierarchy) as caught:
        make()
    return caught.value


def test_a_csv_for_numbers(tmp_path: Path) -> None:
    tree = Hierarchy.from_csv(write(tmp_path, AGES)).tree([12, 3])
    assert tree.leaves == [1, 3, 7, 12]
    assert to_rows(tree)[2] == ["7", "5-9", "0-9", "*"]
    assert tree.height == 3
    assert Hierarchy.from_csv(write(tmp_path, AGES)).tree([12.0]).leaves == [1.0, 3.0, 7.0, 12.0]
    assert Hierarchy.from_csv(write(tmp_path, AGES)).tree(["12"]).leaves == ["1", "3", "7", "12"]


def test_rows_in_any_order_come_out_in_in_order() -> None:
    table = [
        ["a", "x", "p", "*"],
        ["b", "y", "q", "*"],
        ["c", "z", "p", "*"],
        ["d", "y", "q", "*"],
        ["e", "x", "p", "*"],
    ]
    assert Hierarchy.from_rows(table).tree(["a"]).leaves == ["a", "e", "c", "b", "d"]


def test_a_label_may_recur_on_the_next_level() -> None:
    tree = Hierarchy.from_rows([["1", "0-4", "*", "*"], ["2", "0-4", "*", "*"]]).tree([1])
    assert to_rows(tree) == [["1", "0-4", "*", "*"], ["2", "0-4", "*", "*"]]


def test_a_root_is_added_where_there_is_none() -> None:
    tree = Hierarchy.from_rows([["a", "x"], ["b", "y"]]).tree(["a"])
    assert to_rows(tree) == [["a", "x", "*"], ["b", "y", "*"]]
    assert to_rows(Hierarchy.from_rows([["a", "all"], ["b", "all"]]).tree(["a"])) == [
        ["a", "all"],
        ["b", "all"],
    ]


def test_all_problems_at_once_and_no_values() -> None:
    table = [
        ["apple", "fruit", "plant", "*"],
        ["pear", "fruit", "edible", "*"],
        ["apple", "fruit", "plant", "*"],
        ["nut", "seed", "*"],
        ["oak", "", "plant", "*"],
    ]
    error = refused(lambda: Hierarchy.from_rows(table).tree(["apple", "nut", "plum", "fig", "lime"]))
    assert [one["text"] for one in error.facts["problems"]] == [
        "row 4: 3 fields where 4 were expected",
        "row 5: an empty field",
        "1 leaf is given more than once",
        "3 values of the column are not covered",
        "1 label at level 1 has two parents at level 2",
    ]
    assert len(error.found) == 5
    for row in table:
        assert not any(cell in str(error) for cell in row if len(cell) > 1)


def test_leaves_of_another_type() -> None:
    table = [["1", "low", "*"], ["two", "low", "*"], ["01", "low", "*"]]
    texts = [one["text"] for one in refused(lambda: Hierarchy.from_rows(table).tree([1, 3])).facts["problems"]]
    assert texts == [
        "1 leaf cannot be read as the column's type",
        "1 leaf is given more than once",
        "1 value of the column is not covered",
    ]


def test_groups_of_numbers_must_be_neighbours_and_gaps_are_told_as_well() -> None:
    odd = Hierarchy.from_rows([["1", "odd", "*"], ["2", "even", "*"], ["3", "odd", "*"]])
    error = refused(lambda: odd.tree([1, 2, 3, 4]))
    assert [one["problem"] for one in error.facts["problems"]] == ["not covered", "order"]
    assert odd.tree([1, 2, 3], "categorical").leaves == [1, 3, 2]


def test_the_order_of_an_ordered_column_is_kept() -> None:
    sizes = Hierarchy.from_rows([["L", "big"], ["XL", "big"], ["S", "small"], ["XS", "small"], ["M", "small"]])
    assert sizes.tree(["S", "M", "L"], "ordered").leaves == ["S", "M", "XS", "L", "XL"]
    error = refused(lambda: sizes.tree(["S", "L", "M", "XL"], "ordered"))
    assert error.facts["problems"][0]["problem"] == "order"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "the file is empty"),
        (b"\n\n", "the file is empty"),
        ("a;ä\n".encode("latin-1"), "not UTF-8: byte 3"),
    ],
)
def test_files_that_cannot_be_used(tmp_path: Path, content: bytes, said: str) -> None:
    error = refused(lambda: Hierarchy.from_csv(write(tmp_path, content)))
    assert said in error.found[0]
    assert error.fix


def test_no_file(tmp_path: Path) -> None:
    assert "no file" in refused(lambda: Hierarchy.from_csv(tmp_path / "none.csv")).found[0]
    assert refused(lambda: Hierarchy.from_csv(tmp_path)).found


def test_a_wrong_separator_is_guessed_at(tmp_path: Path) -> None:
    file = write(tmp_path, "a,x,*\nb,y,*\n")
    error = refused(lambda: Hierarchy.from_csv(file).tree(["a"]))
    assert "check the separator" in str(error)
    assert Hierarchy.from_csv(file, separator=",").tree(["a"]).height == 2
    assert refused(lambda: Hierarchy.from_csv(file, separator=";;")).found


def test_lines_are_counted_as_an_editor_does(tmp_path: Path) -> None:
    file = write(tmp_path, '\ufeffa;x;*\n\n"b\nc";x;*\nd;*\n')
    error = refused(lambda: Hierarchy.from_csv(file).tree(["a", "b\nc"]))
    assert error.found == ["row 5: 2 fields where 3 were expected"]


def test_a_path_in_fields_starts_at_the_folder(tmp_path: Path) -> None:
    write(tmp_path, AGES)
    found = Hierarchy.from_dict({"csv": "levels.csv"}, tmp_path)
    assert found == Hierarchy.from_csv(tmp_path / "levels.csv")
    assert len(found.public_dict()["sha256"]) == 64
    assert found.public_dict()["csv"] == 4


def test_nested() -> None:
    places = Hierarchy.nested({"Europe": ["Italy", "France"], "America": {"North": ["US"], "South": ["Peru", "Chile"]}})
    assert to_rows(places.tree(["US"])) == [
        ["Italy", "Italy", "Europe", "*"],
        ["France", "France", "Europe", "*"],
        ["US", "North", "America", "*"],
        ["Peru", "South", "America", "*"],
        ["Chile", "South", "America", "*"],
    ]
    one_top = Hierarchy.nested({"World": {"Europe": ["Italy"], "Asia": ["Japan"]}})
    assert to_rows(one_top.tree(["Italy"]))[0] == ["Italy", "Europe", "World"]
    beside = Hierarchy.nested({"America": ["Cuba", {"North": ["US"]}], "Asia": ["Japan"]})
    assert to_rows(beside.tree(["US"]))[:2] == [
        ["Cuba", "Cuba", "America", "*"],
        ["US", "North", "America", "*"],
    ]
    numbers = Hierarchy.nested({"young": [1, 2], "old": [8, 9]})
    assert numbers.tree([8]).leaves == [1, 2, 8, 9]


def test_nested_with_two_parents() -> None:
    torn = Hierarchy.nested(
        {"America": {"North": ["US"]}, "Europe": {"North": ["Norway"]}, "Asia": {"East": ["Norway"]}}
    )
    texts = [one["text"] for one in refused(lambda: torn.tree(["US"])).facts["problems"]]
    assert texts == ["1 leaf is given more than once", "1 label at level 1 has two parents at level 2"]


@pytest.mark.parametrize("mapping", [{}, {"a": []}, {"a": "b"}, {"a": {"b": 3}}, ["a"], {"a": [None]}])
def test_mappings_that_are_none(mapping: Any) -> None:
    with pytest.raises(BadHierarchy):
        Hierarchy.nested(mapping)


LABEL = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=6)


@st.composite
def mappings(draw: st.DrawFn) -> dict[str, Any]:
    """Nested mappings with names of their own at every node, so that they are sound."""
    names = iter(draw(st.lists(LABEL, unique=True, min_size=24, max_size=24)))

    def group(depth: int) -> Any:
        if depth == 0 or draw(st.booleans()):
            return [next(names) for _ in range(draw(st.integers(1, 2)))]
        return {next(names): group(depth - 1) for _ in range(draw(st.integers(1, 2)))}

    return {next(names): group(2) for _ in range(draw(st.integers(1, 2)))}


@settings(max_examples=some(50), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(mapping=mappings(), separator=st.sampled_from(";,\t|"))
def test_a_mapping_written_as_csv_makes_the_same_tree(tmp_path: Path, mapping: dict[str, Any], separator: str) -> None:
    tree = Hierarchy.nested(mapping).tree([])
    file = tmp_path / "levels.csv"
    write_csv(tree, file, separator)
    assert [one.name for one in file.parent.iterdir()] == ["levels.csv"]
    again = Hierarchy.from_csv(file, separator).tree([])
    assert to_rows(again) == to_rows(tree)
    assert again.leaves == tree.leaves
