"""Answers that other tools publish, on data that can be rebuilt here. The source stands above each."""

import pyarrow as pa
import pyarrow.compute as pc
import pytest

import amongst as am
from amongst.verify import verify

NINE = [
    *("sex", "age", "race", "marital-status", "education"),
    *("native-country", "workclass", "occupation", "salary-class"),
]


@pytest.fixture(scope="module")
def adult():
    return am.datasets.load("adult", part="train").table.select(NINE)


# ARX, src/test/org/deidentifier/arx/test/TestRiskMetrics.java, testAverageRisk2: the average prosecutor risk of the
# 30,162 rows of Adult with nine attributes. It is the number of classes over that of rows.
@pytest.mark.known_answer(
    "arx",
    "`TestRiskMetrics`, `testAverageRisk2`",
    what="average prosecutor risk of Adult, 30,162 rows, nine columns",
    answer="0.6465751607983555",
)
def test_average_risk_of_adult_as_arx_has_it(adult):
    verdict = verify(adult, NINE, am.KAnonymity(1))
    assert verdict.n_rows == 30_162
    assert verdict.n_classes == 19_502
    assert verdict.n_unique_rows == 15_512
    assert verdict.n_classes / verdict.n_rows == 0.6465751607983555


# ARX's test of the optimum on Adult: without suppression 5-anonymity admits the levels 1, 2, 1, 1, 3, 2, 2, 1, 1 in the
# order above. Its hierarchies of these columns end in "*" at level 1 (sex, race, salary), 2 (country, work class) and
# 3 (education); the others are rebuilt below.
SPOUSE = ("Married-civ-spouse", "Married-AF-spouse")
OCCUPATIONS = {
    "Technical": ("Tech-support", "Craft-repair", "Prof-specialty", "Machine-op-inspct"),
    "Nontechnical": ("Sales", "Exec-managerial", "Handlers-cleaners"),
}


def at_levels(adult):
    # ARX's file puts 20 with 11 to 19, 30 with 21 to 29 and so on.
    decade = pc.multiply(pc.divide(pc.subtract(adult["age"].cast(pa.int64()), 1), 10), 10)
    shown = {name: pa.array(["*"] * len(adult)) for name in NINE}
    last = pc.add(decade, 9).cast(pa.string())
    shown["age"] = pc.binary_join_element_wise("[", decade.cast(pa.string()), "-", last, "]", "")
    present = pc.is_in(adult["marital-status"].cast(pa.string()), pa.array(SPOUSE))
    shown["marital-status"] = pc.if_else(present, "spouse present", "spouse not present")
    occupation = adult["occupation"].cast(pa.string())
    technical, other = (pc.is_in(occupation, pa.array(OCCUPATIONS[name])) for name in OCCUPATIONS)
    shown["occupation"] = pc.if_else(technical, "Technical", pc.if_else(other, "Nontechnical", "Other"))
    return pa.table(shown)


@pytest.mark.known_answer(
    "arx",
    "optimum on Adult, k = 5, no suppression",
    what="the levels 1, 2, 1, 1, 3, 2, 2, 1, 1 of nine columns",
    answer="hold for k = 5; a finer age does not",
)
def test_levels_that_arx_finds_five_anonymous(adult):
    verdict = verify(at_levels(adult), NINE, am.KAnonymity(5))
    assert verdict.ok, verdict.words()
    finer = at_levels(adult).set_column(1, "age", adult["age"])
    assert not verify(finer, NINE, am.KAnonymity(5)).ok


# sdcMicro, freqCalc on its eight-row data francdat with the keys Key1 to Key4: fk = 2 2 2 1 1 1 1 2.
FRANCDAT = {
    "Key1": [1, 1, 1, 3, 4, 4, 6, 1],
    "Key2": [2, 2, 2, 3, 3, 3, 2, 2],
    "Key3": [5, 1, 1, 1, 1, 1, 1, 5],
    "Key4": [1, 1, 1, 5, 4, 1, 5, 1],
}


def frequencies(columns, **options):
    """How many rows every row cannot be told from: one row in a table whose class sizes are counted."""
    from amongst.published.classes import classes_of
    from amongst.published.layout import lay_out
    from amongst.published.open_published import open_published

    source = open_published(pa.table(columns))
    layout = lay_out(source, list(columns), options.get("nulls"))
    classes = classes_of(source, layout)
    rows = classes.tally
    size = {}
    for i in range(len(rows.size)):
        size[tuple(one.values[int(one.codes[i])].as_py() for one in rows.columns.values())] = int(classes.size[i])
    return [size[row] for row in zip(*columns.values(), strict=True)]


@pytest.mark.known_answer(
    "sdcmicro", "example `francdat`", what="frequency of the key of every row (fk)", answer="2 2 2 1 1 1 1 2"
)
def test_frequencies_of_francdat_as_sdcmicro_has_them():
    assert frequencies(FRANCDAT) == [2, 2, 2, 1, 1, 1, 1, 2]


# The same with the missing cells of sdcMicro's example (help page of freqCalc). Its rule: a missing value stands for
# any of the possible categories. Counted by hand after that rule.
@pytest.mark.known_answer(
    "sdcmicro",
    "example `francdat` with missing keys",
    what="frequency of the key of every row, after its rule that a missing value may be any",
    answer="3 2 4 3 3 2 2 3, counted by hand after the rule",
)
def test_a_missing_key_stands_for_any_category_as_in_sdcmicro():
    keys = {name: list(cells) for name, cells in FRANCDAT.items()}
    keys["Key3"][2] = None
    keys["Key1"][3] = keys["Key2"][3] = None
    keys["Key4"][4] = None
    keys["Key1"][5] = None
    rows = list(zip(*keys.values(), strict=True))
    by_hand = [
        sum(all(None in pair or pair[0] == pair[1] for pair in zip(row, other, strict=True)) for other in rows)
        for row in rows
    ]
    assert frequencies(keys, nulls="match anything") == by_hand == [3, 2, 4, 3, 3, 2, 2, 3]


# pyCANON, tests/test_anonymity.py: on its scores of students beta is 71.0 and delta 4.276666119016055: somebody alone
# in a class, whose score has a share of 1/72. So delta is a natural logarithm, and absent values do not count.
@pytest.mark.known_answer(
    "pycanon",
    "`tests/test_anonymity.py`, scores of students",
    what="beta and delta of somebody alone in a class with a value of share 1/72",
    answer="71.0 and 4.276666119016055, on a table with the same shares",
)
def test_beta_and_delta_of_a_lone_rare_value_as_pycanon_has_them():
    rows = [("alone", "rare"), *[("others", "usual")] * 71]
    table = pa.table({"class": [a for a, _ in rows], "score": [b for _, b in rows]})
    models = [am.BetaLikeness(1, column="score"), am.DeltaDisclosure(1, column="score")]
    beta, delta = verify(table, ["class"], models).models
    assert beta.reached == pytest.approx(71.0)
    assert delta.reached == pytest.approx(4.276666119016055)


# Li, Li, Venkatasubramanian, t-Closeness, ICDE 2007, section 4: salaries 3k to 11k, of which P1 = {3k, 4k, 5k} has the
# distance 0.375 and P2 = {6k, 8k, 11k} the distance 0.167 to the whole.
@pytest.mark.known_answer(
    "t-closeness",
    "section 4",
    what="ordered distance of salaries {3k, 4k, 5k} and {6k, 8k, 11k} to 3k ... 11k",
    answer="0.375 and 1/6",
)
def test_ordered_distances_of_the_paper_on_t_closeness():
    salaries = [3, 4, 5, 6, 8, 11, 7, 9, 10]
    table = pa.table({"class": ["p1"] * 3 + ["p2"] * 3 + ["rest"] * 3, "salary": salaries})
    for name, distance in (("p1", 0.375), ("p2", 1 / 6)):
        own = [s for c, s in zip(table["class"].to_pylist(), salaries, strict=True) if c == name]
        # Nine copies of the whole beside one class leave the distribution of the whole nearly as it is.
        n = 3000
        many = pa.table({"class": ["own"] * 3 + ["whole"] * (9 * n), "salary": own + salaries * n})
        assert verify(many, ["class"], am.TCloseness(1.0, column="salary")).models[0].reached == pytest.approx(
            distance, abs=1e-3
        )


# Machanavajjhala and others, l-Diversity, ICDE 2006: a class of three values is 3-diverse in every sense when they are
# equally frequent; recursive (c, l)-diversity asks for strictly less than c times the tail.
@pytest.mark.known_answer(
    "l-diversity",
    "definitions of distinct, entropy and recursive (c, l)",
    what="three values of equal frequency",
    answer="3-diverse in every sense; recursive only for c above 1",
)
def test_evenly_spread_values_are_diverse_in_every_sense():
    table = pa.table({"class": ["x"] * 6, "disease": ["flu", "cold", "cough"] * 2})
    models = [
        am.LDiversity(3, column="disease"),
        am.LDiversity(3, "distinct", "disease"),
        am.LDiversity(3, "entropy", "disease"),
        am.LDiversity(3, ("recursive", 1.01), "disease"),
    ]
    assert verify(table, ["class"], models).ok
    assert not verify(table, ["class"], am.LDiversity(3, ("recursive", 1.0), "disease")).ok
