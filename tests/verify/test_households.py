"""Households: whoever knows all members of one finds k of them, by lists and dicts from the written file."""

from __future__ import annotations

import csv
import itertools
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.errors import BadOption, BadSchema, Infeasible

ROLES = {"home": "household", "age": "quasi", "sex": "quasi", "ill": "sensitive"}


def people(n_households: int, seed: int = 0, sizes: tuple[int, ...] = (1, 2, 2, 3)) -> pa.Table:
    rng = np.random.default_rng(seed)
    size = rng.choice(sizes, n_households)
    home = rng.permutation(np.repeat(np.arange(n_households), size))
    n = len(home)
    return pa.table(
        {
            "home": [f"H{one}" for one in home],
            "age": rng.integers(0, 90, n),
            "sex": rng.choice(["f", "m"], n),
            "ill": rng.choice(["flu", "cold", "gout", "none"], n),
        }
    )


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def households(rows: list[dict[str, str]]) -> dict[str, list[dict[str, str]]]:
    found: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in rows:
        found[row["home"]].append(row)
    return found


def shown(members: list[dict[str, str]]) -> tuple[Any, ...]:
    """What is known of a household: of all its members all quasi-identifiers."""
    return tuple(sorted((row["age"], row["sex"]) for row in members))


@pytest.mark.parametrize("method", ["mondrian", "best", "hilbert"])
def test_every_set_of_members_is_that_of_k_households(tmp_path: Path, method: str) -> None:
    table = people(160)
    models = [am.KAnonymity(4), am.LDiversity(2)]
    release = am.anonymize(table, ROLES, models, method=method)
    release.write(tmp_path / "out", format="csv")
    rows = rows_of(tmp_path / "out" / "release.csv")
    found = households(rows)
    assert len(rows) == table.num_rows
    assert Counter(map(len, found.values())) == Counter(Counter(table["home"].to_pylist()).values())
    assert min(Counter(map(shown, found.values())).values()) >= 4
    alike: dict[Any, list[str]] = defaultdict(list)  # whoever knows the family and who in it is meant
    for members in found.values():
        for row in members:
            alike[shown(members), row["age"], row["sex"]].append(row["ill"])
    assert all(max(Counter(ills).values()) <= len(ills) / 2 for ills in alike.values())
    assert am.verify(tmp_path / "out", release.schema, models).ok


def test_numbers_tell_nothing_of_the_input() -> None:
    """Other names of households, and other places of their rows, give the same release."""
    table = people(90, seed=1)
    there = am.anonymize(table, ROLES, k=3, method="mondrian").table
    assert sorted(set(there["home"].to_pylist())) == list(range(1, 91))
    moved = table.take(pa.array(np.random.default_rng(2).permutation(table.num_rows)))
    assert am.anonymize(moved, ROLES, k=3, method="mondrian").table.equals(there)
    by_content: dict[int, list[Any]] = defaultdict(list)
    for row in there.to_pylist():
        by_content[row["home"]].append((row["age"], row["sex"], row["ill"]))
    sizes = [len(by_content[number]) for number in sorted(by_content)]
    assert len(set(sizes[:30])) > 1  # not by size, as the groups were made


def test_the_proof_sees_what_only_households_tell(tmp_path: Path) -> None:
    """Every row is one of four, and yet one family is the only one with two old people."""
    rows = [{"home": i // 2, "age": "old" if i % 2 else "young"} for i in range(16)]
    rows[0], rows[3] = {"home": 0, "age": "old"}, {"home": 1, "age": "young"}
    table = pa.Table.from_pylist(rows)
    schema = am.Schema({"home": "household", "age": "quasi"})
    assert am.verify(table, ["age"], am.KAnonymity(4)).ok
    verdict = am.verify(table, schema, am.KAnonymity(4))
    assert not verdict.ok
    assert {one.code for one in verdict.findings} == {"households", "k-anonymity"}
    assert am.verify(pa.Table.from_pylist(rows[4:]), schema, am.KAnonymity(4)).ok


def test_twins_are_one_household() -> None:
    """Two rows of a household that look alike are not two households."""
    table = pa.table({"home": [1, 1, 2, 2], "age": ["a"] * 4})
    schema = am.Schema({"home": "household", "age": "quasi"})
    assert am.verify(table, schema, am.KAnonymity(2)).ok
    assert [one.code for one in am.verify(table, schema, am.KAnonymity(4)).findings] == ["households"]


@pytest.mark.parametrize("seed", range(20))
def test_the_proof_says_what_lists_say(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 30))
    rows = [{"home": str(rng.integers(0, 6)), "age": str(rng.choice(["a", "b"])), "sex": "f"} for _ in range(n)]
    k = int(rng.integers(1, 4))
    naively = min(Counter(map(shown, households(rows).values())).values()) >= k
    schema = am.Schema({"home": "household", "age": "quasi", "sex": "quasi"})
    assert am.verify(pa.Table.from_pylist(rows), schema, am.KAnonymity(k)).ok is naively


def test_who_loses_a_member_is_left_out_whole_and_rare_sizes_are_asked_about() -> None:
    table = people(60, seed=3)
    age = pa.array([None if i < 5 else one for i, one in enumerate(table["age"].to_pylist())])
    broken = set(table["home"].to_pylist()[:5])
    schema = am.Schema({**am.Schema(ROLES), "age": am.Column(role="quasi", nulls="suppress")})
    release = am.anonymize(table.set_column(1, "age", age), schema, k=3, method="mondrian")
    stay = [home for home in table["home"].to_pylist() if home not in broken]
    assert release.table.num_rows == len(stay)
    large = pa.concat_tables([table, table.slice(0, 7).set_column(0, "home", pa.array(["large"] * 7))])
    with pytest.raises(Infeasible, match="fewer than 3") as caught:
        am.anonymize(large, ROLES, k=3, method="mondrian")
    assert caught.value.found == ["sizes: 7"]
    assert am.anonymize(large, ROLES, k=3, suppression=7, method="mondrian").table.num_rows == table.num_rows


def test_no_way_leads_to_the_numbers_of_the_input() -> None:
    table = people(30)
    release = am.anonymize(table, ROLES, k=3, method="mondrian")
    known = set(table["home"].to_pylist())
    for shown in (release.for_models(), release.for_models("indicators"), release.table):
        assert not known & set(shown["home"].to_pylist())
    assert "H1" not in repr(release)
    with pytest.raises(BadOption, match="numbered anew"):
        am.largest_k(table, ROLES, 0.9)


def test_what_households_do_not_go_with_is_refused() -> None:
    table = people(20)
    for method in ("incognito", "anatomy"):
        with pytest.raises(BadOption):
            am.anonymize(table, {**ROLES, "sex": "quasi"}, am.LDiversity(2), method=method)
    with pytest.raises(BadOption, match="k-anonymity"):
        am.anonymize(table, ROLES, am.KOfSubsets(2, m=1), method="mondrian")
    with pytest.raises(BadSchema):
        am.anonymize(table, {**ROLES, "ill": "household"}, k=2, method="mondrian")
    nobody = table.set_column(0, "home", pa.array([None, *table["home"].to_pylist()[1:]]))
    with pytest.raises(BadSchema, match="household"):
        am.anonymize(nobody, ROLES, k=2, method="mondrian")


def could_be(member: dict[str, Any], row: dict[str, Any]) -> bool:
    low, *high = row["age"].strip("[]").split("-")
    sex = row["sex"] == "*" or member["sex"] in row["sex"].strip("{}").split(",")
    return sex and int(low) <= member["age"] <= int(high[0] if high else low)


@pytest.mark.parametrize(("seed", "k", "method"), [(0, 3, "mondrian"), (1, 2, "best"), (2, 4, "gain-split")])
def test_who_knows_members_exactly_has_k_households_to_choose_from(seed: int, k: int, method: str) -> None:
    """An intruder with the input in hand: all members of a family, or one, against every published household."""
    table = people(70, seed=seed)
    shown = list(households(am.anonymize(table, ROLES, k=k, method=method).table.to_pylist()).values())
    for family in households(table.to_pylist()).values():
        whole = [
            rows
            for rows in shown
            if len(rows) == len(family)
            and any(all(map(could_be, family, order)) for order in itertools.permutations(rows))
        ]
        assert len(whole) >= k
        for member in family:
            assert sum(any(could_be(member, row) for row in rows) for rows in shown) >= k
