"""How many persons have a frequent code: told in steps, true, useful, and so that it gives nobody away."""

from __future__ import annotations

import itertools
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import amongst as am
from thorough import some

CODES = "abcdef"
ABOVE = {"a": "first", "b": "first", "c": "middle", "d": "middle", "e": "end", "f": "end"}
TREE = am.Hierarchy.nested({"first": ["a", "b"], "last": {"middle": ["c", "d"], "end": ["e", "f"]}})
ANCESTORS = {one: {"*", up} | ({"last"} if up != "first" else set()) for one, up in ABOVE.items()}


def drawn(seed: int) -> tuple[dict[str, pa.Table], am.DatabaseSchema, list[Any]]:
    """Persons of a few ages with a few codes, some common; with a hierarchy of the codes or without."""
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(20, 90)), int(rng.integers(2, 4))
    share = rng.dirichlet([1, 1, 0.5, 0.5, 0.2, 0.2])
    rows = int(n * rng.uniform(0.8, 2.5))
    tables = {
        "persons": pa.table({"id": range(n), "age": rng.integers(20, 24, n), "note": rng.choice(["x", "y"], n)}),
        "ill": pa.table({"id": rng.integers(0, n, rows), "code": rng.choice(list(CODES), rows, p=share)}),
    }
    tree = TREE if rng.random() < 0.5 else None
    code = am.Column(role="quasi", kind="categorical", hierarchy=tree)
    schema = am.DatabaseSchema(
        {
            "persons": am.Relation(
                {"age": am.Column(role="quasi", kind="numeric"), "note": am.Column(role="keep")}, key="id"
            ),
            "ill": am.Relation({"code": code}, parent="persons", foreign_key="id", known="codes"),
        }
    )
    return tables, schema, [am.KAnonymity(k), am.KmAnonymity(k, int(rng.integers(1, 3)))]


def held(table: pa.Table) -> dict[str, set[Any]]:
    """Who has a row with every label."""
    persons = defaultdict(set)
    for one in table.to_pylist():
        persons[one["code"]].add(one["id"])
    return persons


def line_of(had: int, shown: int, hiding: int, k: int) -> tuple[int, int] | None:
    """Between which numbers it is told how many have a code, if it is."""
    least = had // (2 * k) * 2 * k
    most = least + 2 * k - 1
    return (least, most) if least and most - shown <= hiding / 2 else None


@settings(max_examples=some(60))
@given(st.integers(0, 2**32 - 1))
def test_what_is_told_is_true_and_leaves_half_of_those_who_may_hide_it_open(seed: int) -> None:
    """Held against lists: every line that may be told is, and no other."""
    tables, schema, models = drawn(seed)
    release = am.anonymize_database(tables, schema, models)
    assert release.verdict.ok, release.verdict.words()
    lines = {one["value"]: (one["least"], one["most"]) for one in release.tables["persons_with"].to_pylist()}
    had, shown = held(tables["ill"]), held(release.tables["ill"])
    covers = ANCESTORS if schema["ill"].schema["code"].hierarchy else {code: {"*"} for code in CODES}
    k, expected = models[0].k, {}
    for code in CODES:
        hiding = set().union(*(shown[label] for label in covers[code])) - shown[code]
        expected[code] = line_of(len(had[code]), len(shown[code]), len(hiding), k)
    assert lines == {code: line for code, line in expected.items() if line}


@settings(max_examples=some(40))
@given(st.integers(0, 2**32 - 1))
def test_the_numbers_of_persons_lie_within_the_bounds(seed: int) -> None:
    tables, schema, models = drawn(seed)
    release = am.anonymize_database(tables, schema, models)
    had, persons = held(tables["ill"]), tables["persons"].to_pylist()
    lines = {one["value"]: one for one in release.tables["persons_with"].to_pylist()}
    for code in CODES:
        for where, whom in (("", {0, 1, 2, 3}), (" AND age BETWEEN 20 AND 21", {0, 1})):
            true = len({one["id"] for one in persons if one["age"] - 20 in whom} & had[code])
            asked = f"SELECT COUNT(*) FROM ill WHERE code = '{code}'{where}"
            answer = am.query_database(release, asked, count="persons").only
            assert answer.lower <= true <= answer.upper
            assert answer.lower <= answer.estimate <= answer.upper
            if code in lines:
                assert answer.upper <= lines[code]["most"]
                assert where or answer.lower >= lines[code]["least"]


@settings(max_examples=some(150))
@given(st.integers(0, 2**32 - 1))
def test_of_nobody_follows_that_they_hide_a_code(seed: int) -> None:
    """All ways to fill general rows that agree with the lines: for everybody there is one without the code.

    What is published is drawn: some persons with general rows, some of them and others with codes that are told.
    """
    rng = np.random.default_rng(seed)
    k, general = int(rng.integers(1, 3)), rng.integers(0, 6, int(rng.integers(2, 8)))  # whose general rows these are
    people, truth = sorted(set(general.tolist())), rng.choice(3, len(general), p=rng.dirichlet([1, 1, 1]))
    shown = [{int(one) for one in rng.choice(30, int(rng.integers(0, 9)), replace=False)} for _ in range(3)]
    ways = np.array(list(itertools.product(range(3), repeat=len(general))))
    fits, has, lines = np.ones(len(ways), dtype=bool), {}, []
    for code, told in enumerate(shown):
        had = told | {int(who) for who, one in zip(general, truth, strict=True) if one == code}
        line = line_of(len(had), len(told), len(set(people) - told), k)
        for person in people:
            has[person, code] = (ways[:, general == person] == code).any(axis=1) | (person in told)
        if line is not None:
            lines.append(code)
            count = sum(has[person, code].astype(int) for person in people) + len(told - set(people))
            fits &= (line[0] <= count) & (count <= line[1])
    assert fits.any()
    for code in lines:
        for person in set(people) - shown[code]:
            assert not has[person, code][fits].all(), "whoever reads the numbers knows who has the code"


def hospital(n: int = 2000) -> tuple[Any, am.DatabaseSchema, list[Any]]:
    made = am.datasets.load_database("hospital", n_persons=n)
    known = {"visits": "nothing", "diagnoses": "codes", "prescriptions": "codes"}
    return made.tables, made.schema.with_known(known), [am.KAnonymity(5), am.KmAnonymity(5, m=2)]


def test_the_proof_notices_lines_that_tell_too_much_or_are_not_so(tmp_path: Path) -> None:
    tables, schema, models = hospital()
    release = am.anonymize_database(tables, schema, models)
    assert release.verdict.ok
    made = dict(release.arrow)
    lines = made["persons_with"].to_pylist()
    assert len(lines) > 15

    def found(changed: list[dict[str, Any]], **known: Any) -> list[str]:
        spoiled = made | {"persons_with": pa.Table.from_pylist(changed, made["persons_with"].schema)}
        return [one.code for one in am.verify_database(spoiled, release.schema, models, **known).findings]

    assert not found(lines)
    first, rest = lines[0], lines[1:]
    for odd in (
        first | {"least": first["least"] + 1, "most": first["most"] + 1},  # not in steps
        first | {"most": first["most"] - 5},  # narrower
        first | {"least": 0, "most": 9},  # of too few persons, and fewer than are shown
        first | {"column": "severity"},  # not of a code
        first | {"least": 600, "most": 609},  # more than half of those who may hide it
    ):
        assert found([odd, *rest]) == ["persons-with"], odd
    assert found([first, *lines]) == ["persons-with"]
    next_step = first | {"least": first["least"] + 10, "most": first["most"] + 10}
    compared = {"original": tables, "input_row": release.plan.input_row}
    assert "persons-with" in found([next_step, *rest], **compared), "seen beside the original"
    for format in ("csv", "duckdb", "sqlite"):
        release.write(tmp_path / format, format=format)
        assert am.verify_database(tmp_path / format, release.schema, models).ok
        asked = f"SELECT COUNT(*) FROM {first['table']} WHERE {first['column']} = '{first['value']}'"
        here, there = (am.query_database(one, asked, count="persons").only for one in (release, tmp_path / format))
        assert (here.lower, here.estimate) == (there.lower, there.estimate)
        assert first["least"] <= there.lower <= there.upper <= first["most"]


def test_it_can_be_left_out_and_a_taken_name_is_refused() -> None:
    tables, schema, models = hospital(200)
    assert "persons_with" not in am.anonymize_database(tables, schema, models, prevalence=False).tables
    renamed = am.DatabaseSchema({name.replace("diagnoses", "persons_with"): one for name, one in schema.items()})
    with pytest.raises(am.errors.BadSchema, match="its name is taken"):
        am.anonymize_database({n.replace("diagnoses", "persons_with"): t for n, t in tables.items()}, renamed, models)


def test_zeros_before_a_code_are_kept_in_text_files(tmp_path: Path) -> None:
    """Codes that look like numbers are told as they are written."""
    tables, schema, models = drawn(3)
    numbers = {code: f"00{i}" for i, code in enumerate(CODES)}
    coded = pa.array([numbers[code] for code in tables["ill"]["code"].to_pylist()])
    plain = schema["ill"].schema["code"]
    schema = schema.with_relations(
        ill=am.Relation({"code": am.Column(role=plain.role, kind="categorical")}, None, "persons", "id", known="codes")
    )
    release = am.anonymize_database(tables | {"ill": tables["ill"].set_column(1, "code", coded)}, schema, models)
    release.write(tmp_path / "out", format="csv")
    told = [one["value"] for one in release.tables["persons_with"].to_pylist()]
    assert told
    assert set(told) <= set(numbers.values())
    assert am.verify_database(tmp_path / "out", release.schema, models).ok
    asked = f"SELECT COUNT(*) FROM ill WHERE code = '{told[0]}'"
    there = am.query_database(tmp_path / "out", asked, count="persons").only
    assert there.lower >= release.tables["persons_with"].to_pylist()[0]["least"] > 0
