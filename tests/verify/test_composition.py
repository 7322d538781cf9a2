"""What two releases tell together is never less than the truth, and what is certain is true."""

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import amongst as am
from amongst.published.layout import lay_out
from amongst.published.open_published import open_published
from amongst.published.release_part import Part, classes_of_part
from amongst.verify.together.against import compose
from amongst.verify.together.composition import cells_of
from thorough import some

SCHEMA = am.Schema(
    {
        "age": am.Column(role="quasi", kind="numeric"),
        "zip": am.Column(role="quasi", kind="numeric"),
        "disease": am.Column(role="sensitive"),
    }
)
METHODS = ["mondrian", "mondrian-relaxed", "hilbert", "single-dimensional", "gain-split"]


def people(seed, n=40, n_diseases=5):
    rng = np.random.default_rng(seed)
    return pa.table(
        {
            "age": rng.integers(0, 12, n),
            "zip": rng.integers(0, 8, n),
            "disease": [f"d{i}" for i in rng.integers(0, n_diseases, n)],
        }
    )


def part(release):
    source = open_published(release.arrow)
    return Part(source, lay_out(source, release.schema))


def label_of_row(release):
    """What every row of the original became; None where it was suppressed."""
    shown = release.arrow.select(["age", "zip"]).to_pylist()
    found = [None] * release.coded.n_input
    for place, row in enumerate(release.plan.row_at.tolist()):
        found[row] = tuple(map(str, shown[place].values()))
    return found


def labels_of_classes(one):
    rows = classes_of_part(one, ["disease"]).rows
    columns = [column.values.cast(pa.string()).take(pa.array(column.codes)) for column in rows.columns.values()]
    return list(zip(*[column.to_pylist() for column in columns], strict=True))


@settings(max_examples=some(30))
@given(st.integers(0, 10_000), st.sampled_from(METHODS), st.sampled_from(METHODS), st.integers(2, 6))
def test_bounds_hold_the_true_cells(seed, first, second, k):
    table = people(seed)
    ours = am.anonymize(table, SCHEMA, [am.KAnonymity(k)], method=first)
    theirs = am.anonymize(table, SCHEMA, [am.KAnonymity(3)], method=second)
    parts = part(ours), part(theirs)
    cells = cells_of(*parts, ["disease"])
    names = [labels_of_classes(one) for one in parts]
    bounds = {
        (names[0][a], names[1][b]): (least, most)
        for a, b, least, most in zip(cells.ours, cells.theirs, cells.least, cells.most, strict=True)
    }
    assert cells.same_rows
    true = Counter(zip(label_of_row(ours), label_of_row(theirs), strict=True))
    for cell, n in true.items():
        least, most = bounds[cell]
        assert least <= n <= most
    assert all(true[cell] >= least for cell, (least, _) in bounds.items())
    for threshold in (2, 3, 5):
        inside = sum(n for cell, n in true.items() if bounds[cell][1] < threshold)
        assert cells.n_certain(threshold) <= inside


@settings(max_examples=15)
@given(st.integers(0, 10_000))
def test_the_values_left_hold_the_true_one(seed):
    table = people(seed)
    ours, theirs = (am.anonymize(table, SCHEMA, [am.KAnonymity(3)], method=method) for method in METHODS[:2])
    parts = part(ours), part(theirs)
    cells = cells_of(*parts, ["disease"])
    names = [labels_of_classes(one) for one in parts]
    left = {
        (names[0][a], names[1][b]): n
        for a, b, n in zip(cells.ours, cells.theirs, cells.n_values["disease"], strict=True)
    }
    true = {}
    for cell, disease in zip(
        zip(label_of_row(ours), label_of_row(theirs), strict=True), table["disease"].to_pylist(), strict=True
    ):
        true.setdefault(cell, set()).add(disease)
    assert all(left[cell] >= len(values) for cell, values in true.items())


def two_tables(first, second):
    """Two published tables as parts: lists of (label, disease)."""
    schema = am.Schema({"age": am.Column(role="quasi", kind="numeric"), "disease": am.Column(role="sensitive")})
    parts = []
    for rows in (first, second):
        table = pa.table({"age": [a for a, _ in rows], "disease": [d for _, d in rows]})
        source = open_published(table)
        parts.append(Part(source, lay_out(source, schema)))
    return parts


def test_a_class_inside_a_larger_one_shows_the_others():
    """The difference attack: of five people in [0-9] three are in [0-4], so two are in [5-9]."""
    earlier = [("[0-4]", d) for d in "abc"] + [("[5-20]", d) for d in "abc"]
    later = [("[0-9]", d) for d in "abcab"] + [("[10-20]", "c")]
    ours, theirs = two_tables(later, earlier)
    cells = cells_of(ours, theirs, ["disease"])
    assert cells.same_rows
    found = sorted(zip(cells.most.tolist(), cells.least.tolist(), strict=True))
    assert found == [(1, 1), (2, 2), (3, 3)]
    together = compose(ours, theirs, [am.KAnonymity(3)], 3, "earlier")
    assert not together.ok
    assert together.n_certain == 3
    assert together.findings[0].code == "composition"
    assert together.to_dict()["people_in_them_at_least"] == 3


def test_whole_classes_of_the_earlier_release_tell_nothing_new():
    earlier = [("[0-4]", d) for d in "abc"] + [("[5-9]", d) for d in "abd"]
    later = [("[0-9]", d) for d in "abcabd"]
    ours, theirs = two_tables(later, earlier)
    together = compose(ours, theirs, [am.KAnonymity(3)], 3, "earlier")
    assert together.ok, together.findings
    assert together.n_cells == 2


def test_sensitive_values_that_both_leave_open():
    """The intersection attack: each class has three diseases, both together leave one."""
    earlier = [("[0-9]", d) for d in "abc"]
    later = [("[5-14]", d) for d in "cde"]
    ours, theirs = two_tables(later, earlier)
    together = compose(ours, theirs, [am.KAnonymity(1), am.LDiversity(2, "distinct")], 1, "earlier")
    assert [one.code for one in together.findings] == ["composition-diversity", "composition-certain"]
    assert not together.same_rows


def test_boxes_that_do_not_meet_have_nobody_in_common():
    ours, theirs = two_tables([("[0-4]", "a")] * 3, [("[5-9]", "a")] * 3)
    together = compose(ours, theirs, [am.KAnonymity(3)], 3, "earlier")
    assert (together.n_cells, together.compared, together.ok) == (0, False, False)


def test_nothing_shows_a_cell_or_a_count_below_k():
    secret = "Zanzibari-4711"
    earlier = [("[0-4]", secret)] * 4 + [("[5-9]", "b")] * 4
    later = [("[0-9]", secret)] * 4 + [("[0-9]", "b")] * 3 + [("[2-9]", "b")]
    ours, theirs = two_tables(later, earlier)
    told = str(compose(ours, theirs, [am.KAnonymity(4)], 4, "earlier").to_dict())
    assert secret not in told
    assert "fewer than 4" in told


@pytest.mark.parametrize("kind", ["categorical", "date"])
def test_columns_of_another_kind_are_not_compared(kind):
    source = open_published(pa.table({"age": ["[0-4]"] * 3}))
    parts = [
        Part(source, lay_out(source, am.Schema({"age": am.Column(role="quasi", kind=one)})))
        for one in ("numeric", kind)
    ]
    together = compose(*parts, [am.KAnonymity(3)], 3, "earlier")
    assert [one.code for one in together.notes] == ["other-kind"]
