"""A good release, broken in every way we can think of: each must be caught, by the right finding."""

import datetime

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from amongst.errors import BadInput
from amongst.models import KAnonymity
from amongst.schema import Column, Hierarchy, Schema
from amongst.verify import verify

K = 3
COUNTRY = Hierarchy.nested({"Europe": ["Italy", "France"], "America": {"North": ["Canada"], "South": ["Peru"]}})
SCHEMA = Schema(
    {
        "name": Column(role="identifier"),
        "age": Column(role="quasi", kind="numeric", statistic=("mean",)),
        "zip": Column(role="quasi", kind="categorical", hierarchy=Hierarchy.digits(5)),
        "country": Column(role="quasi", kind="categorical", hierarchy=COUNTRY, nulls="own value"),
        "born": Column(role="quasi", kind="date", hierarchy=Hierarchy.dates("month", "year"), nulls="suppress"),
        "grade": Column(role="quasi", kind="ordered", order=("low", "mid", "high")),
        "sport": Column(role="quasi", kind="categorical"),
        "disease": Column(role="sensitive"),
        "visits": Column(role="keep"),
    }
)
CLASSES = [
    ("[20-29]", 24.5, "5371*", "Europe", "[1990-01-01 - 1999-12-31]", "low", "{golf,rowing}", 3),
    ("[20-29]", 24.5, "537**", "Peru", "1995-03", "[low-mid]", "golf", 4),
    ("[30-39]", 35.0, "*", "*", "1985", "high", "golf", 3),
    ("30", 30.0, "53711", None, "1980-05-17", "high", '{golf,"a,b"}', 5),
]
COLUMNS = ["age", "age_mean", "zip", "country", "born", "grade", "sport"]


def good() -> pa.Table:
    rows = [values for *values, size in CLASSES for _ in range(size)]
    table = pa.table({name: [row[c] for row in rows] for c, name in enumerate(COLUMNS)})
    n = len(rows)
    table = table.append_column("disease", pa.array(["flu", "cold", "flu"] * n)[:n])
    return table.append_column("visits", pa.array([1, 2, 2] * n)[:n])


def with_cell(name, value, row=0):
    cells = good().column(name).to_pylist()
    cells[row] = value
    return replaced(name, cells)


def with_class(name, value):
    """Another value in the whole first class, so that only the value itself can be wrong."""
    cells = good().column(name).to_pylist()
    return replaced(name, [value] * CLASSES[0][-1] + cells[CLASSES[0][-1] :])


def replaced(name, cells):
    table = good()
    return table.set_column(table.column_names.index(name), name, pa.array(cells))


def codes(verdict):
    return {finding.code for finding in verdict.findings}


def test_the_good_release_is_good():
    verdict = verify(good(), SCHEMA, [KAnonymity(K)])
    assert verdict.ok, verdict.words()
    assert verdict.notes == []
    assert (verdict.n_rows, verdict.n_classes, verdict.smallest) == (15, 4, 3)
    assert verdict.columns == COLUMNS


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("age", "[30-39]"),  # moved to the label of another class
        ("age", "[20-28]"),  # narrowed
        ("age", "[20-29] "),
        ("age", "[20 - 29]"),
        ("age", "[20.0-29.0]"),
        ("age_mean", 24.500000000000004),  # a statistic that tells a row apart
        ("age_mean", None),
        ("country", "europe"),
        ("country", "Europe\u200b"),
        ("country", "Italy"),
        ("country", None),
        ("zip", "53711"),
        ("zip", "5372*"),
        ("grade", "mid"),
        ("sport", "{rowing,golf}"),  # the same set in another order is another text
        ("sport", '{"golf",rowing}'),
        ("born", "[1990-01-01 - 1999-12-30]"),
    ],
)
@pytest.mark.parametrize("row", [0, 2])
def test_one_cell_that_tells_a_row_apart(name, value, row):
    verdict = verify(with_cell(name, value, row), SCHEMA, [KAnonymity(K)])
    assert "k-anonymity" in codes(verdict)
    assert not verdict
    assert verdict.smallest < K


@pytest.mark.parametrize("lost", range(4))
def test_a_class_that_lost_a_row(lost):
    first = sum(values[-1] for values in CLASSES[:lost])
    n_gone = CLASSES[lost][-1] - K + 1
    keep = [i for i in range(15) if not first <= i < first + n_gone]
    verdict = verify(good().take(keep), SCHEMA, [KAnonymity(K)])
    assert codes(verdict) == {"k-anonymity"}
    assert (verdict.models[0].asked, verdict.models[0].reached, verdict.models[0].ok) == (K, K - 1, False)
    assert f"1 of 4 classes, with {K - 1} rows" in verdict.findings[0].found


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("age", "[29-20]"),
        ("age", "twenty"),
        ("age", ""),
        ("age", "5371*"),
        ("age", "{20,x}"),
        ("age", "[20,20)"),
        ("age", "[low-mid]"),
        ("zip", "537*"),
        ("zip", "5371x"),
        ("zip", "53711*"),
        ("zip", "[53711-53799]"),
        ("country", "Atlantis"),
        ("country", "EUROPE"),
        ("country", "Europe "),
        ("country", "{Italy,Atlantis}"),
        ("country", "Eur*"),
        ("born", "[1999-12-31 - 1990-01-01]"),
        ("born", "1990-13"),
        ("born", "1990-02-30"),
        ("born", "1990s"),  # no decades in this hierarchy
        ("born", "spring"),
        ("grade", "huge"),
        ("grade", "[high-low]"),
        ("grade", "[low-huge]"),
        ("grade", "{low,huge}"),
    ],
)
def test_labels_that_the_schema_does_not_know(name, value):
    verdict = verify(with_class(name, value), SCHEMA, [KAnonymity(K)])
    assert codes(verdict) == {"label-not-understood"}
    finding = verdict.findings[0]
    assert (finding.found, f"'{name}'" in finding.what) == ("1 label on 3 rows", True)
    assert value not in verdict.words() or not value


@pytest.mark.parametrize(
    ("name", "value"),
    [("age", "*"), ("age", "{20,25}"), ("age", ">=65"), ("age", "20-29"), ("zip", "*"), ("country", "North"),
     ("country", "{Italy,Peru}"), ("born", "1990"), ("grade", "*"), ("grade", "{low,high}"),
     ("sport", "[a-z]")],
)  # fmt: skip
def test_labels_that_it_does_know(name, value):
    verdict = verify(with_class(name, value), SCHEMA, [KAnonymity(K)])
    assert verdict.ok, verdict.words()


def test_nulls_where_they_should_be_suppressed():
    verdict = verify(with_class("born", None), SCHEMA, [KAnonymity(K)])
    assert codes(verdict) == {"null-published"}
    assert "3 rows" in verdict.findings[0].found


def test_nulls_without_a_rule_are_a_note():
    verdict = verify(with_class("sport", None), SCHEMA, [KAnonymity(K)])
    assert verdict.ok
    assert [note.code for note in verdict.notes] == ["null-without-rule"]
    assert verify(with_class("sport", None), SCHEMA, [KAnonymity(K)], nulls={"sport": "own value"}).notes == []


@pytest.mark.parametrize("name", ["name", "group_id", "__index_level_0__", "Unnamed: 0", "", "age_median", "AGE"])
def test_columns_that_should_not_be_there(name):
    extra = pa.array([7.0] * 15)
    verdict = verify(good().append_column(name, extra), SCHEMA, [KAnonymity(K)])
    assert codes(verdict) == {"identifier" if name == "name" else "unexpected-column"}
    assert f"'{name}'" in verdict.findings[0].found


def test_an_unasked_statistic_that_splits_a_class_is_counted_too():
    split = good().append_column("age_median", pa.array([float(i == 0) for i in range(15)]))
    verdict = verify(split, SCHEMA, [KAnonymity(K)])
    assert codes(verdict) == {"unexpected-column", "k-anonymity"}
    assert verdict.n_unique_rows == 1


def test_the_original_beside_its_bounds_is_counted():
    table = good().drop_columns(["age"])
    table = table.append_column("age_lower", pa.array([20] * 7 + [30] * 8))
    table = table.append_column("age_upper", pa.array([29] * 7 + [39] * 8))
    assert verify(table, SCHEMA, [KAnonymity(K)]).ok
    beside = table.append_column("age", pa.array([str(20 + i) for i in range(15)]))
    assert "k-anonymity" in codes(verify(beside, SCHEMA, [KAnonymity(K)]))


def test_a_name_that_the_schema_has_is_that_column():
    schema = Schema({"age": Column(role="quasi", kind="numeric"), "age_mean": Column(role="keep")})
    table = pa.table({"age": ["[20-29]"] * 2, "age_mean": [1.5, 2.5]})
    verdict = verify(table, schema, [KAnonymity(2)])
    assert (verdict.ok, verdict.columns) == (True, ["age"])


def test_a_column_without_a_role_is_not_accounted_for():
    schema = SCHEMA.with_columns(visits=Column())
    assert codes(verify(good(), schema, [KAnonymity(K)])) == {"unexpected-column"}


def test_a_quasi_identifier_that_is_missing():
    verdict = verify(good().drop_columns(["zip"]), SCHEMA, [KAnonymity(K)])
    assert codes(verdict) == {"missing-column"}
    only_mean = verify(good().drop_columns(["age"]), SCHEMA, [KAnonymity(K)])
    assert codes(only_mean) == {"missing-column"}
    renamed = good().rename_columns(["Age", *good().column_names[1:]])
    assert codes(verify(renamed, SCHEMA, [KAnonymity(K)])) == {"missing-column", "unexpected-column"}


def test_kept_columns_that_are_missing_are_a_note():
    verdict = verify(good().drop_columns(["visits"]), SCHEMA, [KAnonymity(K)])
    assert verdict.ok
    assert [note.code for note in verdict.notes] == ["absent-column"]


def test_duplicate_columns():
    table = good()
    twice = pa.Table.from_arrays([*table.columns, table.column("age")], [*table.column_names, "age"])
    with pytest.raises(BadInput, match="'age'"):
        verify(twice, SCHEMA, [KAnonymity(K)])


def test_nothing_published():
    verdict = verify(good().slice(0, 0), SCHEMA, [KAnonymity(K)])
    assert codes(verdict) == {"nothing-published"}
    assert (verdict.n_rows, verdict.n_classes, verdict.smallest, verdict.class_sizes) == (0, 0, 0, [])
    assert "0 rows" in verdict.words()


def test_order_of_rows_does_not_matter():
    assert verify(good().take(list(reversed(range(15)))), SCHEMA, [KAnonymity(K)]).ok
    shuffled = [(7 * i) % 15 for i in range(15)]
    assert verify(good().take(shuffled), SCHEMA, [KAnonymity(K)]).class_sizes == [3, 4, 5]


def test_values_that_only_the_dictionary_holds(tmp_path):
    hidden = pa.DictionaryArray.from_arrays(pa.array([0] * 15, pa.int32()), pa.array(["golf", "a secret"]))
    table = good()
    table = table.set_column(table.column_names.index("sport"), "sport", hidden)
    path = tmp_path / "release.parquet"
    pq.write_table(table, path, store_schema=False)
    for published in (table, path):
        verdict = verify(published, SCHEMA, [KAnonymity(K)])
        assert "unused-values" in codes(verdict)
        assert "'sport'" in next(f for f in verdict.findings if f.code == "unused-values").what
    kept = pa.DictionaryArray.from_arrays(pa.array([0] * 15, pa.int32()), pa.array(["flu", "a secret"]))
    table = good().set_column(good().column_names.index("disease"), "disease", kept)
    assert codes(verify(table, SCHEMA, [KAnonymity(K)])) == {"unused-values"}


@pytest.mark.parametrize("column", COLUMNS)
def test_every_key_column_counts(column):
    """Make any key column all different: no class is left."""
    cells = [f"[{i}-{i + 1}]" for i in range(15)] if column != "age_mean" else [float(i) for i in range(15)]
    assert verify(replaced(column, cells), SCHEMA, [KAnonymity(2)]).n_unique_rows == 15


class TestBounds:
    SCHEMA = Schema(
        {
            "age": Column(role="quasi", kind="numeric", nulls="own value"),
            "born": Column(role="quasi", kind="date"),
            "grade": Column(role="quasi", kind="ordered", order=("low", "mid", "high")),
        }
    )

    def table(self, **changes):
        day = datetime.date
        columns = {
            "age_lower": [20, 20, None, None],
            "age_upper": [29, 29, None, None],
            "born_lower": [day(1990, 1, 1)] * 4,
            "born_upper": [day(1999, 1, 1)] * 4,
            "grade_lower": ["low"] * 4,
            "grade_upper": ["high"] * 4,
        }
        return pa.table({**columns, **changes})

    def test_good(self):
        verdict = verify(self.table(), self.SCHEMA, [KAnonymity(2)])
        assert verdict.ok, verdict.words()
        assert verdict.n_classes == 2

    @pytest.mark.parametrize(
        "changes",
        [
            {"age_lower": [30, 30, None, None]},
            {"age_upper": [29, 29, 29, 29]},
            {"age_lower": [float("nan"), float("nan"), None, None]},
            {"age_lower": ["[1-2]", "[1-2]", None, None]},
            {"born_lower": [datetime.date(2001, 1, 1)] * 4},
            {"grade_lower": ["high"] * 4, "grade_upper": ["low"] * 4},
            {"grade_lower": ["tiny"] * 4},
        ],
    )
    def test_bounds_that_are_no_range(self, changes):
        verdict = verify(self.table(**changes), self.SCHEMA, [KAnonymity(2)])
        assert codes(verdict) == {"label-not-understood"}

    def test_a_half_missing_range_is_a_null_too(self):
        schema = self.SCHEMA.with_columns(age=Column(role="quasi", kind="numeric", nulls="suppress"))
        table = self.table(age_lower=[20, 20, 20, 20], age_upper=[29, 29, None, None])
        verdict = verify(table, schema, [KAnonymity(2)])
        assert codes(verdict) == {"null-published", "label-not-understood"}

    def test_structs_are_the_same(self):
        table = self.table()
        for name in ("age", "born", "grade"):
            ends = [table.column(f"{name}_{end}").combine_chunks() for end in ("lower", "upper")]
            table = table.drop_columns([f"{name}_lower", f"{name}_upper"])
            table = table.append_column(name, pa.StructArray.from_arrays(ends, names=["lower", "upper"]))
        verdict = verify(table, self.SCHEMA, [KAnonymity(2)])
        assert verdict.ok, verdict.words()
        assert (verdict.n_classes, verdict.columns) == (2, ["age", "born", "grade"])
        age = table.column("age").combine_chunks()
        missing = pc.if_else(pa.array([True, True, False, False]), age, None)  # null structs, not structs of nulls
        same = table.set_column(0, "age", missing)
        assert verify(same, self.SCHEMA, [KAnonymity(2)]).n_classes == 2

    def test_a_struct_with_a_field_too_many(self):
        fields = [pa.array([20, 20]), pa.array([29, 29]), pa.array([1, 2])]
        struct = pa.StructArray.from_arrays(fields, names=["lower", "upper", "row"])
        schema = Schema({"age": Column(role="quasi", kind="numeric")})
        verdict = verify(pa.table({"age": struct}), schema, [KAnonymity(2)])
        assert codes(verdict) == {"unexpected-column", "k-anonymity"}

    def test_one_bound_alone_is_a_missing_column(self):
        verdict = verify(self.table().drop_columns(["age_upper"]), self.SCHEMA, [KAnonymity(2)])
        assert codes(verdict) == {"missing-column", "unexpected-column"}
