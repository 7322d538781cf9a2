"""People who come and go between two releases: what a naive intruder sees of them is never called ok."""

from __future__ import annotations

import functools
from collections import Counter

import naive_newcomers as naive
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import amongst as am
from thorough import some

METHODS = [
    "mondrian",
    "mondrian-relaxed",
    "single-dimensional",
    "incognito",
    "full-subtree",
    "hilbert",
    "gain-split",
    "top-down",
    "best",
]
LADDER = am.Hierarchy.intervals([5, 10, 30])
SCHEMA = am.Schema(
    {
        "age": am.Column(role="quasi", kind="numeric", hierarchy=LADDER),
        "zip": am.Column(role="quasi", kind="numeric"),
        "disease": am.Column(role="sensitive"),
    }
)
QUASI = ["age", "zip"]


def people(rng, n, n_diseases):
    return {
        "age": rng.integers(0, 30, n).tolist(),
        "zip": rng.integers(0, 4, n).tolist(),
        "disease": [f"d{i}" for i in rng.integers(0, n_diseases, n)],
    }


def two_years(seed, n_came, n_went, n=60, n_diseases=4):
    """A table, and the same a year later."""
    rng = np.random.default_rng(seed)
    first = pa.table(people(rng, n, n_diseases))
    stay = np.sort(rng.permutation(n)[n_went:])
    return first, pa.concat_tables(
        [first.take(pa.array(stay)), pa.table(people(rng, n_came, n_diseases), first.schema)]
    )


def published(table, method, models, folder):
    rule = (
        SCHEMA
        if method in ("incognito", "full-subtree")
        else SCHEMA.with_columns(age=am.Column(role="quasi", kind="numeric"))
    )
    if method in ("incognito", "full-subtree"):
        rule = rule.with_columns(zip=am.Column(role="quasi", kind="numeric", hierarchy=am.Hierarchy.intervals([2, 4])))
    am.anonymize(table, rule, models, method=method).write(folder)
    return folder


def rows_of(folder):
    import pyarrow.parquet as pq

    return pq.read_table(folder / "release.parquet").to_pylist()


@settings(max_examples=some(60), deadline=None)
@given(
    st.integers(0, 10_000),
    st.sampled_from(METHODS),
    st.sampled_from([*METHODS, None]),
    st.integers(0, 15),
    st.integers(0, 8),
    st.sampled_from([2, 4]),
    st.booleans(),
)
def test_what_a_naive_intruder_sees_is_never_ok(
    tmp_path_factory, seed, method, other, n_came, n_went, n_diseases, values
):
    tmp_path = tmp_path_factory.mktemp("two")
    models = [am.KAnonymity(4), *([am.LDiversity(2, "distinct")] if values else [])]
    try:
        folders = [
            published(table, one, models, tmp_path / name)
            for table, one, name in zip(
                two_years(seed, n_came, n_went, n_diseases=n_diseases), (other or method, method), "ab", strict=True
            )
        ]
    except am.errors.AmongstError:
        return  # cannot be made
    (found,) = am.verify_against(folders[1], folders[0])
    first, second = map(rows_of, folders)
    seen = naive.learned(first, second, QUASI, ["disease"], "disease", 4, 2 if values else 1)
    if seen:
        assert not found.ok, seen
    codes = {one.code for one in found.findings}
    if "few" in seen and not found.same_file:
        assert codes & {"newcomers", "leavers"}
    if "certain" in seen and not found.same_file:
        assert "newcomers-certain" in codes


@pytest.mark.parametrize("method", METHODS)
def test_one_newcomer_is_seen_whatever_the_method(method, tmp_path):
    first, _ = two_years(1, 0, 0)
    ann = pa.table({"age": [7], "zip": [2], "disease": ["d9"]}, first.schema)
    for name, table in (("jan", first), ("feb", pa.concat_tables([first, ann]))):
        published(table, method, [am.KAnonymity(4)], tmp_path / name)
    for new, old in (("feb", "jan"), ("jan", "feb")):
        (found,) = am.verify_against(tmp_path / new, tmp_path / old)
        assert not found.ok
        codes = [one.code for one in found.findings]
        assert ("newcomers" if new == "feb" else "leavers") in codes
        assert "newcomers-certain" in codes
        assert "d9" not in str(found.to_dict())


def test_one_newcomer_in_two_tables(tmp_path):
    """Anatomy: the quasi-identifiers are plain to see, and the counts of the values differ by hers."""
    first, _ = two_years(1, 0, 0)
    ann = pa.table({"age": [7], "zip": [2], "disease": ["d0"]}, first.schema)
    for name, table in (("jan", first), ("feb", pa.concat_tables([first, ann]))):
        am.anonymize(table, SCHEMA, [am.LDiversity(2)], method="anatomy").write(tmp_path / name)
    (found,) = am.verify_against(tmp_path / "feb", tmp_path / "jan")
    assert "newcomers-certain" in [one.code for one in found.findings]
    (beside,) = am.verify_against(
        published(pa.concat_tables([first, ann]), "mondrian", [am.KAnonymity(4)], tmp_path / "one"), tmp_path / "jan"
    )
    assert "newcomers-certain" in [one.code for one in beside.findings]


def whole_classes(n_each, values, tmp_path, name):
    """A release of two classes with the same labels whatever is in them."""
    rows = [(age, values[i % len(values)]) for age in (3, 13) for i in range(n_each)]
    schema = am.Schema({"age": SCHEMA["age"], "disease": SCHEMA["disease"]})
    table = pa.table({"age": [age for age, _ in rows], "disease": [value for _, value in rows]})
    am.anonymize(table, schema, [am.KAnonymity(4), am.LDiversity(2, "distinct")], method="incognito").write(
        tmp_path / name
    )
    return tmp_path / name


def test_many_newcomers_in_every_class_may_come(tmp_path):
    old = whole_classes(6, "abc", tmp_path, "old")
    new = whole_classes(12, "abc", tmp_path, "new")
    (found,) = am.verify_against(new, old)
    assert found.ok, found.findings
    assert (found.compared, found.n_few) == (True, 0)
    assert found.n_sets >= 3


def test_many_newcomers_with_one_value_are_known(tmp_path):
    old = whole_classes(6, "abc", tmp_path, "old")
    rows = rows_of(old)
    schema = am.Schema({"age": SCHEMA["age"], "disease": SCHEMA["disease"]})
    age = [int(str(row["age"]).strip("[]").split("-")[0]) for row in rows]
    table = pa.table({"age": age + [3] * 8, "disease": [row["disease"] for row in rows] + ["a"] * 8})
    am.anonymize(table, schema, [am.KAnonymity(4)], method="incognito").write(tmp_path / "new")
    (found,) = am.verify_against(tmp_path / "new", old)
    assert [one.code for one in found.findings] == ["newcomers-certain"]


def test_somebody_who_went_and_somebody_who_came_with_the_same_value(tmp_path):
    """The whole tables are alike, and the classes are not."""
    base = [(3, d) for d in "abcd"] + [(13, d) for d in "abcd"]
    schema = am.Schema({"age": SCHEMA["age"], "disease": SCHEMA["disease"]})
    for name, rows in (("old", [*base, (3, "a")]), ("new", [*base, (13, "a")])):
        table = pa.table({"age": [age for age, _ in rows], "disease": [d for _, d in rows]})
        am.anonymize(table, schema, [am.KAnonymity(4)], method="incognito").write(tmp_path / name)
    (found,) = am.verify_against(tmp_path / "new", tmp_path / "old")
    assert {"newcomers", "leavers"} <= {one.code for one in found.findings}


def renamed(table, **names):
    return table.rename_columns([names.get(name, name) for name in table.column_names])


@functools.cache
def base():
    return two_years(3, 0, 0)[0]


CHANGES = {
    "nothing": lambda table: table,
    "rows added": lambda table: pa.concat_tables([table, table.slice(0, 7)]),
    "rows left out": lambda table: table.slice(5),
    "a column renamed": lambda table: renamed(table, zip="plz"),
    "the sensitive column renamed": lambda table: renamed(table, disease="dx"),
    "a column added": lambda table: table.append_column("more", pc.add(table["zip"], 1)),
    "a column left out": lambda table: table.drop_columns(["zip"]),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_register_finds_the_earlier_entry_or_says_that_it_could_not(change, tmp_path):
    """Another name of the file, rows or columns: whatever is not compared does not hold."""
    roles = {"age": "quasi", "zip": "quasi", "plz": "quasi", "disease": "sensitive", "dx": "sensitive", "more": "keep"}
    register = am.Register(tmp_path / "register")
    for name, table in (("jan", base()), ("feb", CHANGES[change](base()))):
        (tmp_path / name).mkdir()
        pa.csv.write_csv(table, tmp_path / name / f"{name}.csv")
        schema = am.Schema({column: am.Column(role=roles[column]) for column in table.column_names})
        made = am.anonymize(tmp_path / name / f"{name}.csv", schema, [am.KAnonymity(4)], method="mondrian")
        made.write(tmp_path / name / "out", format="parquet" if name == "jan" else "csv")
        if name == "jan":
            register.add(tmp_path / name / "out")
    (found,) = am.verify_against(tmp_path / "feb" / "out", tmp_path / "register")
    assert found.earlier == "out"
    assert found.ok == (change == "nothing")
    if "column" in change:
        assert "composition-unproved" in [one.code for one in found.findings]
    elif change != "nothing":
        assert {one.code for one in found.findings} & {"newcomers", "leavers"}


def test_nothing_compared_is_no_success(tmp_path):
    from pathlib import Path

    release = published(base(), "mondrian", [am.KAnonymity(4)], tmp_path / "jan")
    register = am.Register(tmp_path / "register")
    register.add(release)
    for only in (release, published(base(), "mondrian", [am.KAnonymity(5)], tmp_path / "feb")):
        other = am.Register(tmp_path / f"other-{Path(only).name}")
        other.add(only)
        (found,) = am.verify_against(only, other.folder)  # itself is not earlier
        assert (found.ok, found.compared, bool(found)) == (False, False, False)
    strange = am.Schema({"height": am.Column(role="quasi"), "shoe": am.Column(role="sensitive")})
    am.anonymize(
        pa.table({"height": [1, 2] * 5, "shoe": list("ab") * 5}), strange, [am.KAnonymity(2)], method="mondrian"
    ).write(tmp_path / "shoes")
    for against in (tmp_path / "register", tmp_path / "jan"):
        (found,) = am.verify_against(tmp_path / "shoes", against)
        assert not found.ok


def test_people_are_not_rows(tmp_path):
    """One person with twelve rows joined: twelve rows are more than k, and one person is not."""
    first = pa.table({"who": [f"p{i}" for i in range(40)], "age": [3, 13] * 20, "disease": list("abcd") * 10})
    schema = am.Schema(
        {"who": am.Column(role="identifier"), "age": SCHEMA["age"], "disease": am.Column(role="sensitive")}
    )
    joined = pa.table({"who": ["ann"] * 12, "age": [3] * 12, "disease": list("abcd") * 3})
    for name, table in (("old", first), ("new", pa.concat_tables([first, joined]))):
        am.anonymize(table, schema, [am.KAnonymity(4)], method="incognito", unit="who").write(tmp_path / name)
    (found,) = am.verify_against(tmp_path / "new", tmp_path / "old")
    assert [one.code for one in found.findings] == ["composition-unproved"]
    am.anonymize(first, schema, [am.KAnonymity(3)], method="incognito", unit="who").write(
        tmp_path / "again", format="csv"
    )
    (same,) = am.verify_against(tmp_path / "again", tmp_path / "old")
    assert not same.same_file
    assert same.unchanged
    assert same.ok, same.findings


def test_the_naive_intruder_sees_something_and_not_always():
    """The judge of the test above can say both."""
    seen = Counter()
    for n_came in (0, 1, 30):
        first, second = two_years(5, n_came, 0, n_diseases=3)
        rows = [table.set_column(0, "age", pa.array(["*"] * table.num_rows)).to_pylist() for table in (first, second)]
        seen[n_came] = len(naive.learned(*rows, QUASI, ["disease"], "disease", 4))
    assert seen[0] == 0
    assert seen[1] == 2
