"""Releases that just hold a model, then broken by one row: the verifier must see it."""

import pyarrow as pa
import pytest

import amongst as am
from amongst.errors import BadInput, BadOption
from amongst.verify import verify

SCHEMA = am.Schema(
    {
        "age": am.Column(role="quasi", kind="numeric"),
        "disease": am.Column(role="sensitive", kind="categorical"),
        "pay": am.Column(role="sensitive", kind="numeric"),
    }
)
AGES = ["[20-29]"] * 6 + ["[30-39]"] * 6
DISEASES = ["flu", "flu", "cold", "cold", "cough", "cough"] * 2
PAY = [10, 20, 30, 40, 50, 60] * 2

# What just holds, on the boundary: one step further does not.
JUST = [
    (am.KAnonymity(6), am.KAnonymity(7)),
    (am.LDiversity(3, column="disease"), am.LDiversity(3.001, column="disease")),
    (am.LDiversity(3, "distinct", "disease"), am.LDiversity(4, "distinct", "disease")),
    (am.LDiversity(3, "entropy", "disease"), am.LDiversity(3.001, "entropy", "disease")),
    # 2 < 1.5 * 2 holds, 2 < 1 * 2 does not: strictly less.
    (am.LDiversity(3, ("recursive", 1.5), "disease"), am.LDiversity(3, ("recursive", 1.0), "disease")),
    (am.TCloseness(0.0), None),
    (am.AlphaK(1 / 3, 6, "disease"), am.AlphaK(0.333, 6, "disease")),
    (am.AlphaK(1 / 3, 6, "disease"), am.AlphaK(1 / 3, 7, "disease")),
    (am.BetaLikeness(1e-6), None),
    (am.DeltaDisclosure(1e-6, "counted"), None),
    (am.Proximity(3, width=10), am.Proximity(3, width=20)),
    (am.Proximity(6, width=9.99), am.Proximity(6, width=10)),
    (am.KOfSubsets(6, 1), am.KOfSubsets(7, 1)),
]


def release(ages=AGES, diseases=DISEASES, pay=PAY):
    return pa.table({"age": ages, "disease": diseases, "pay": pay})


def holds(table, model, **options):
    return verify(table, SCHEMA, [model], **options).ok


@pytest.mark.parametrize(("model", "more"), JUST)
def test_the_boundary_itself_holds_and_one_step_further_does_not(model, more):
    assert holds(release(), model)
    if more is not None:
        assert not holds(release(), more)


MUTATED = {
    "a row moved to the other class": release(ages=["[30-39]", *AGES[1:]]),
    "a sensitive value shared by one more": release(diseases=["cold", *DISEASES[1:]]),
    "a label narrowed": release(ages=["[20-28]", *AGES[1:]]),
    "a row gone": release().slice(1),
}


@pytest.mark.parametrize("what", MUTATED)
@pytest.mark.parametrize("model", [model for model, _ in JUST if getattr(model, "column", None) == "disease"])
def test_one_row_changed_breaks_what_just_held(what, model):
    still_holds = {  # as many values are left in every class
        "a row moved to the other class": ("distinct",),
        "a sensitive value shared by one more": ("distinct",),
        "a row gone": ("distinct", "recursive"),
    }
    kind = getattr(model, "kind", "")
    if what == "a row gone" and kind == "recursive":
        assert verify(MUTATED[what], SCHEMA, [model]).ok is (2 < 1.5 * 1)
        return
    assert holds(MUTATED[what], model) == (kind in still_holds.get(what, ()))


@pytest.mark.parametrize("model", [am.TCloseness(0.01), am.BetaLikeness(0.1), am.DeltaDisclosure(0.1)])
@pytest.mark.parametrize("what", MUTATED)
def test_likeness_to_the_table_is_lost_too(model, what):
    verdict = verify(MUTATED[what], SCHEMA, [model])
    assert not verdict.ok
    assert {finding.code for finding in verdict.findings} == {model.name}


def test_a_finding_tells_how_many_and_never_what():
    verdict = verify(release(diseases=["plague"] * 6 + DISEASES[6:]), SCHEMA, [am.LDiversity(3, column="disease")])
    assert "1 of 2 classes fail" in verdict.words()
    assert "plague" not in verdict.words()
    assert "as it is, l = 1 holds" in verdict.words()


def test_people_instead_of_rows():
    people = list("aabbccddeeff")  # three people in every class, each with one disease
    assert holds(release(), am.KAnonymity(3), units=people)
    assert not holds(release(), am.KAnonymity(4), units=people)
    assert holds(release(), am.LDiversity(3, column="disease"), units=people)
    # Somebody with two diseases counts for both, and still as one of the people.
    both = list("ababccddeeff")
    assert holds(release(), am.LDiversity(1.5, column="disease"), units=both)
    assert not holds(release(), am.LDiversity(1.6, column="disease"), units=both)
    # One person with all the rows of a class: no sense of people is left.
    assert verify(release(), SCHEMA, [am.KAnonymity(2)], units=["a"] * 6 + people[6:]).smallest == 1


@pytest.mark.parametrize("units", [["a"] * 11, ["a"] * 13, [None] + ["a"] * 11, [], [object()] * 12])
def test_people_that_do_not_fit_the_rows(units):
    with pytest.raises(BadInput):
        verify(release(), SCHEMA, [am.KAnonymity(1)], units=units)


def test_a_null_that_matches_anything_leaves_sensitive_values_unproved():
    table = release(ages=[None, *AGES[1:]])
    for model in (am.LDiversity(1), am.TCloseness(1.0), am.AlphaK(1.0, 1), am.BetaLikeness(99)):
        verdict = verify(table, SCHEMA, [model], nulls="match anything")
        assert "matches anything" in verdict.findings[0].what
        assert verify(release(), SCHEMA, [model], nulls="match anything").ok
    assert verify(table, SCHEMA, [am.KAnonymity(6)], nulls="match anything").ok


def test_columns_that_are_not_there():
    with pytest.raises(BadOption, match="needs a sensitive column"):
        verify(release(), ["age"], [am.LDiversity(2)])
    with pytest.raises(BadOption, match="quasi-identifier cannot be"):
        verify(release(), ["age"], [am.LDiversity(2, column="age")])
    assert verify(release(), ["age"], [am.LDiversity(3, column="disease")]).ok
    verdict = verify(release().drop_columns(["disease"]), SCHEMA, [am.LDiversity(2, column="disease")])
    assert "not published" in verdict.findings[0].what
    assert not verify(release().drop_columns(["disease"]), SCHEMA, [am.LDiversity(2)]).ok


def test_numbers_in_a_text_file_are_numbers(tmp_path):
    path = tmp_path / "release.csv"
    path.write_text("age,pay\n1,9\n1,10\n1,100\n2,9\n2,10\n2,\n")
    schema = am.Schema({"age": am.Column(role="quasi"), "pay": am.Column(role="sensitive")})
    # 9, 10, 100 and the missing one in this order: 1/6 of the mass moves over one of three steps.
    assert verify(path, schema, [am.TCloseness(1.0)]).models[0].reached == pytest.approx(1 / 6 / 3)
    assert verify(path, schema, [am.Proximity(1.5, 1)]).ok
    assert not verify(path, schema, [am.Proximity(1.6, 1)]).ok


def test_not_a_number_and_null_are_one_value():
    table = pa.table({"age": ["1"] * 3, "pay": pa.array([float("nan"), None, 5.0])})
    assert verify(table, ["age"], [am.LDiversity(1, "distinct", "pay")]).models[0].reached == 2


def test_what_cannot_be_ordered_is_not_proved():
    schema = am.Schema({"age": am.Column(role="quasi"), "grade": am.Column(role="sensitive", kind="ordered")})
    table = pa.table({"age": ["1", "1"], "grade": ["low", "high"]})
    verdict = verify(table, schema, [am.TCloseness(1.0)])
    assert not verdict.ok
    assert "order is not known" in verdict.findings[0].what
    assert verify(table, schema, [am.TCloseness(1.0, "equal")]).ok
    assert not verify(table, schema, [am.TCloseness(1.0, "hierarchical")]).ok


def test_numbers_of_a_text_file_find_their_hierarchy(tmp_path):
    path = tmp_path / "release.csv"
    path.write_text("age,zip\n1,53711\n1,1234\n2,53712\n2,1234\n")
    column = am.Column(role="sensitive", kind="categorical", hierarchy=am.Hierarchy.digits(5))
    schema = am.Schema({"age": am.Column(role="quasi"), "zip": column})
    # A quarter moves from 53711 to 53712: one level of five.
    assert verify(path, schema, [am.TCloseness(1.0)]).models[0].reached == pytest.approx(0.25 / 5)


def test_an_empty_table_says_nothing_of_models():
    verdict = verify(release().slice(0, 0), SCHEMA, [model for model, _ in JUST])
    assert [finding.code for finding in verdict.findings] == ["nothing-published"]
    assert verdict.to_dict()["models"][1]["reached"] is None
