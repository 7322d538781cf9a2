"""Trees that are built in: facts of their sources, found when values fit, refused when they do not."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pytest

import amongst as am
from amongst.errors import BadHierarchy
from amongst.release.folder import release_in
from amongst.schema.recipes.known import BY_FORM
from amongst.schema.suggest import suggest
from amongst.schema.trees import KNOWN, above_country, above_icd_10, above_state, above_zip, countries, icd_10


@pytest.mark.parametrize(
    ("code", "above"),
    [
        ("E11.9", ("E11.-", "E10-E14", "E00-E90")),
        ("I21", ("I21.-", "I20-I25", "I00-I99")),
        ("C50.4", ("C50.-", "C50-C50", "C00-D48")),
        ("S72.01", ("S72.-", "S70-S79", "S00-T98")),
        ("D50", ("D50.-", "D50-D53", "D50-D89")),
        ("hello", None),
        ("", None),
    ],
)
def test_diagnoses(code: str, above: tuple[str, ...] | None) -> None:
    assert above_icd_10(code) == above


def test_blocks_of_icd_10_do_not_overlap_and_lie_in_one_chapter() -> None:
    blocks = sorted(tuple(one.split("-")) for one in icd_10.BLOCKS.split())
    assert len(blocks) == 263
    assert all(first <= last for first, last in blocks)
    assert all(a[1] < b[0] for a, b in pairwise(blocks))
    chapters = [tuple(one.split("-")) for one in icd_10.CHAPTERS.split()]
    assert all(sum(lo <= first and last <= hi for lo, hi in chapters) == 1 for first, last in blocks)


def test_countries_by_any_of_their_names() -> None:
    codes = [one.split(" ", 2) for listed in countries.COUNTRIES.values() for one in listed.split("; ")]
    assert len({two for two, _, _ in codes}) == 250  # those of ISO 3166-1, and Kosovo
    for two, three, name in codes:
        assert above_country(two) == above_country(three) == above_country(name)
    assert above_country("USA") == ("Northern America", "Americas")
    assert above_country("de") == above_country("Germany") == ("Western Europe", "Europe")
    assert above_country("Atlantis") is None


def test_states_and_postal_areas() -> None:
    assert above_state("New York") == above_state("ny") == ("Middle Atlantic", "Northeast")
    assert above_zip("53703") == ("537**", "WI", "East North Central", "Midwest")
    assert above_zip("02139-4307") == ("021**", "MA", "New England", "Northeast")
    assert above_zip("00000") is None


def test_values_that_are_not_in_the_tree_are_counted_and_not_shown() -> None:
    with pytest.raises(BadHierarchy) as refused:
        am.Hierarchy.known("countries").tree(["DE", "qwertz", "asdfgh"])
    assert "2 values" in str(refused.value)
    assert "qwertz" not in str(refused.value)


@pytest.mark.parametrize("name", [*KNOWN, *BY_FORM])
def test_a_job_file_names_and_keeps_the_tree(name: str) -> None:
    tree = am.Hierarchy.known(name)
    assert am.Hierarchy.from_dict({"known": name}) == tree
    assert am.Hierarchy.from_dict(tree.to_dict()) == tree
    with pytest.raises(BadHierarchy, match=name):  # a name that is wrong is answered with all that there are
        am.Hierarchy.known("planets")


@pytest.mark.parametrize(
    ("column", "values", "tree"),
    [
        ("country", ["Germany", "France", "Peru", "Japan", "USA"], "countries"),
        ("state", ["NY", "CA", "TX", "OH", "GA"], "us-states"),
        ("place", ["Georgia", "Texas", "Ohio", "Utah"], "us-states"),
        ("town", ["Ulm", "Bonn", "Kiel", "Jena"], None),
    ],
)
def test_inspect_finds_the_tree_where_all_values_fit(column: str, values: list[str], tree: str | None) -> None:
    found = suggest(pa.table({column: values * 20})).columns[column].column
    assert found.hierarchy == (None if tree is None else am.Hierarchy.known(tree))


def test_a_release_with_a_built_in_tree_is_proved_from_its_folder(tmp_path: Path) -> None:
    codes = ["E11.9", "E10.1", "E10", "J45.0", "J44.1", "I21", "I25.1", "I10"]
    table = pa.table({"code": codes * 6, "age": [20 + i % 7 for i in range(48)]})
    schema = am.Schema({"code": am.Column(role="quasi", hierarchy=am.Hierarchy.known("icd-10")), "age": "quasi"})
    release = am.anonymize(table, schema, k=6, method="mondrian")
    release.write(tmp_path / "out")
    told = release_in(tmp_path / "out")
    assert am.verify(tmp_path / "out", told.schema, [am.KAnonymity(6)]).ok
    full = am.anonymize(table, schema, k=7, method="datafly")
    assert full.verdict.ok


def test_regions_of_the_european_union_are_found_by_their_form() -> None:
    def found(codes: list[str]) -> dict[str, object] | None:
        hierarchy = suggest(pa.table({"region": codes * 10, "age": list(range(len(codes) * 10))})).columns["region"]
        return None if hierarchy.column.hierarchy is None else hierarchy.column.hierarchy.to_dict()

    assert found(["DE212", "DE300", "FRK26", "EL303", "AT130"]) == {"prefix": [4, 3, 2]}
    assert found(["ITEM", "MEN", "FIT", "SEAT", "ROLE"]) is None
    assert found(["XX212", "DE300", "FRK26", "EL303"]) is None


def test_the_tree_of_zip_codes_is_an_idea_where_the_name_says_it() -> None:
    codes = ["53703", "53711", "02139", "10001", "94110"] * 10
    suggested = suggest(pa.table({"zip": codes, "plz": codes})).columns
    assert suggested["zip"].idea == am.Hierarchy.known("us-zip")
    assert suggested["plz"].idea is None


@pytest.mark.parametrize(
    "name", ["Viet Nam", "Korea, Republic of", "Bolivia, Plurinational State of", "Syrian Arab Republic"]
)
def test_countries_by_the_names_of_the_standard(name: str) -> None:
    assert am.Hierarchy.known("countries").tree([name]).n_levels == 4
