"""The bundled Adult table and its schema."""

from pathlib import Path

import numpy as np
import pyarrow.compute as pc
import pytest

from amongst import datasets
from amongst.errors import BadOption

DATA = Path(datasets.__file__).parent / "data"

UCI_COLUMNS = [
    "age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation",
    "relationship", "race", "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country",
    "salary-class",
]  # fmt: skip

FIGURE_9 = [  # attribute, distinct values, height
    ("age", 74, 4),
    ("sex", 2, 1),
    ("race", 5, 1),
    ("marital-status", 7, 2),
    ("education", 16, 3),
    ("native-country", 41, 2),
    ("workclass", 7, 2),
    ("occupation", 14, 2),
    ("salary-class", 2, 1),
]


@pytest.fixture(scope="module")
def adult():
    return datasets.load("adult")


@pytest.mark.known_answer("incognito", "section 4.1", what="Adults: records without unknown values", answer="45,222")
def test_it_has_the_rows_and_columns_of_uci(adult):
    assert adult.table.num_rows == 45_222
    assert adult.table.column_names == UCI_COLUMNS
    assert sum(column.null_count for column in adult.table.columns) == 0
    assert not any(pc.any(pc.equal(column.cast("string"), "?")).as_py() for column in adult.table.columns)


def test_the_parts_make_the_whole_training_rows_first(adult):
    train, test = (datasets.load("adult", part=part).table for part in ("train", "test"))
    assert (train.num_rows, test.num_rows) == (30_162, 15_060)
    assert adult.table.slice(0, 30_162).equals(train)
    assert adult.table.slice(30_162).equals(test)


def test_the_first_row_is_the_first_of_uci(adult):
    first = adult.table.slice(0, 1).to_pylist()[0]
    assert (first["age"], first["fnlwgt"], first["workclass"], first["capital-gain"]) == (
        39,
        77516,
        "State-gov",
        2174,
    )


@pytest.mark.parametrize(("part", "n_tuples"), [(None, 24_766), ("train", 18_109)])
def test_the_distinct_tuples_are_as_many_as_others_count(part, n_tuples):
    adult = datasets.load("adult", part=part)
    assert adult.table.group_by(adult.schema.quasi).aggregate([]).num_rows == n_tuples


def test_the_labels_of_both_parts_are_the_same(adult):
    assert sorted(adult.table["salary-class"].unique().to_pylist()) == ["<=50K", ">50K"]


def test_every_column_has_a_role_and_what_could_single_out_is_dropped(adult):
    assert sorted(adult.schema) == sorted(UCI_COLUMNS)
    assert adult.schema.quasi == [name for name, _, _ in FIGURE_9[:-1]]
    assert adult.schema.sensitive == ["salary-class"]
    assert adult.schema.published == [name for name, _, _ in FIGURE_9]
    assert "education-num" in adult.schema.identifiers


@pytest.mark.known_answer(
    "incognito",
    "figure 9",
    what="Adults: distinct values and height of every column",
    answer="age 74 and 4, sex 2 and 1, race 5 and 1, marital status 7 and 2, "
    "education 16 and 3, country 41 and 2, work class 7 and 2, occupation 14 and 2, salary class 2 and 1",
)
@pytest.mark.parametrize(("name", "n_values", "height"), FIGURE_9)
def test_incognito_figure_9(adult, name, n_values, height):
    column = adult.schema[name]
    values = adult.table[name].unique().to_pylist()
    tree = column.hierarchy.tree(values, column.kind)
    assert len(values) == n_values
    assert tree.height == height
    assert sorted(tree.leaves) == sorted(values)


def test_every_level_of_a_tree_merges_something(adult):
    for name, _, height in FIGURE_9:
        values = adult.table[name].unique().to_pylist()
        tree = adult.schema[name].hierarchy.tree(values, adult.schema[name].kind)
        nodes = [len(np.unique(tree.start[level])) for level in range(height + 1)]
        assert nodes == sorted(set(nodes), reverse=True), name
        assert nodes[-1] == 1


def test_education_groups_are_ranges_of_schooling(adult):
    """The tree's in-order is that of the years at school: neighbours in code are neighbours in life."""
    years = dict(zip(*(adult.table[name].to_pylist() for name in ("education", "education-num")), strict=True))
    tree = adult.schema["education"].hierarchy.tree(list(years), "categorical")
    assert [years[leaf] for leaf in tree.leaves] == sorted(years.values())


def test_another_part_is_an_error():
    with pytest.raises(BadOption) as error:
        datasets.load("adult", part="validation")
    assert "train, test" in error.value.fix


def test_the_file_is_small_and_its_licence_is_beside_it(adult):
    assert (DATA / "adult.parquet").stat().st_size < 1_000_000
    licence = (DATA / "LICENSE-adult.md").read_text(encoding="utf-8")
    assert "CC BY 4.0" in licence
    assert "10.24432/C5XW20" in licence
    assert "Becker" in licence
    assert adult.about.licence == "CC BY 4.0"
    assert "10.24432/C5XW20" in adult.about.source


def test_its_representation_shows_no_cells(adult):
    assert repr(adult) == "Dataset('adult', 45222 rows, 15 columns)"
