"""How many persons have a frequent code: told in steps, true, useful, and so that it gives nobody away."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
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


def lines_of(
    had: dict[Any, int], shown: dict[Any, int], hiding: dict[Any, list[int]], below: dict[str, set[Any]], k: int
) -> dict[Any, tuple[int, int]]:
    """Between which numbers it is told how many have a code, by the rule of the docs.

    ``hiding``: in how many rows everybody may hide it; ``below``: codes of labels.
    """
    least = {code: had[code] // (2 * k) * 2 * k for code in had}
    told = {code for code in had if least[code] and least[code] + 2 * k - 1 - shown[code] <= len(hiding[code]) / 2}

    def part(code: Any) -> float:
        hidden = max(0, least[code] - shown[code])
        rows = [(most, sum(min(most, n) for n in hiding[code])) for most in (1, 2, 4, 8, 16)]
        return min(hidden / n for most, n in rows if hidden * most < n) if hidden else 0.0

    while True:
        odd = [own for own in below.values() if sum(map(part, own & told)) > 1 + 1e-9 or len(own - told) < 2]
        among = [code for code in told if any(code in own for own in odd)]
        if not among:
            return {code: (least[code], least[code] + 2 * k - 1) for code in told}
        fewest = min(least[code] for code in among)
        told.remove(max(code for code in among if least[code] == fewest))


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
    rows = Counter((one["code"], one["id"]) for one in release.tables["ill"].to_pylist())
    hiding = {}
    for code in CODES:
        of_person: Counter[int] = Counter()
        for (label, person), n in rows.items():
            of_person[person] += n * (label in covers[code] and person not in shown[code])
        hiding[code] = [n for n in of_person.values() if n]
    known = {code for code in CODES if covers is ANCESTORS or had[code]}  # a tree lists values that nobody has
    below = {label: {code for code in known if label in covers[code]} for label in shown}
    counts = ({code: len(own[code]) for code in CODES} for own in (had, shown))
    below = {label: own for label, own in below.items() if own and shown[label]}
    assert lines == lines_of(*counts, hiding, below, models[0].k)


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


BELOW = {"*": {0, 1, 2, 3, 4, 5, 6}, "low": {0, 1, 2}, "high": {3, 4, 5, 6}, "middle": {3, 4}, "end": {5, 6}}


@settings(max_examples=some(150))
@given(st.integers(0, 2**32 - 1))
def test_of_nobody_follows_that_they_hide_a_code(seed: int) -> None:
    """All ways to fill general rows that agree with all lines: for everybody and every code there is one without it.

    What is published is drawn: some persons with general rows, some of them and others with codes that are told.
    """
    rng = np.random.default_rng(seed)
    k, labels = int(rng.integers(1, 3)), rng.choice([*BELOW], int(rng.integers(3, 7)), p=rng.dirichlet([1, 2, 1, 1, 1]))
    general = rng.integers(0, int(rng.integers(2, 9)), len(labels))  # whose general rows these are
    people, chance = sorted(set(general.tolist())), rng.dirichlet([1] * 7)
    parts = [sorted(BELOW[label]) for label in labels]
    truth = [int(rng.choice(own, p=chance[own] / chance[own].sum())) for own in parts]
    shown = [{int(one) for one in rng.choice(30, int(rng.integers(0, 9)), replace=False)} for _ in range(7)]
    ways = np.array(list(itertools.product(*parts)))
    had = {code: len(shown[code] | set(general[np.array(truth) == code].tolist())) for code in range(7)}
    may = {code: Counter(general[[code in own for own in parts]].tolist()) for code in range(7)}
    lines = lines_of(
        had,
        {code: len(shown[code]) for code in range(7)},
        {code: [n for person, n in may[code].items() if person not in shown[code]] for code in range(7)},
        {label: BELOW[label] for label in labels},
        k,
    )
    fits, has = np.ones(len(ways), dtype=bool), {}
    for code, told in enumerate(shown):
        for person in people:
            has[person, code] = (ways[:, general == person] == code).any(axis=1) | (person in told)
        if code in lines:
            count = sum(has[person, code].astype(int) for person in people) + len(told - set(people))
            fits &= (lines[code][0] <= count) & (count <= lines[code][1])
    assert fits.any()
    for (person, code), has_it in has.items():
        assert person in shown[code] or not has_it[fits].all(), "whoever reads the lines knows who has the code"


def test_the_proof_notices_lines_that_leave_too_little_open() -> None:
    """Each line by itself is as it should be; together they say what a general label is."""
    codes = [*"abc"] * 20 + ["low"] * 8 + [*"de"] * 10
    tree = am.Hierarchy.nested({"low": ["a", "b", "c"], "high": ["d", "e"]})
    tables = {
        "persons": pa.table({"id": range(len(codes)), "age": ["*"] * len(codes)}),
        "ill": pa.table({"id": range(len(codes)), "code": codes}),
    }
    code = am.Column(role="quasi", kind="categorical", hierarchy=tree)
    persons = am.Relation({"age": am.Column(role="quasi", kind="categorical")}, key="id")
    ill = am.Relation({"code": code}, parent="persons", foreign_key="id", known="codes")
    schema = am.DatabaseSchema({"persons": persons, "ill": ill})

    def found(*values: str) -> list[str]:
        lines = {"table": "ill", "column": "code", "least": 20, "most": 23}
        told = pa.Table.from_pylist([lines | {"value": value} for value in values])
        made = tables | {"persons_with": told.select(["table", "column", "value", "least", "most"])}
        verdict = am.verify_database(made, schema, [am.KAnonymity(2), am.KmAnonymity(2, 1)])
        return [one.found for one in verdict.findings if one.code == "persons-with"]

    assert not found("a")
    assert found("a", "b"), "one code alone of a label has no line: whoever has the label and none of the others has it"


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
    assert len(lines) > 8

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
