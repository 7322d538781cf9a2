"""Data sets by name."""

import json

import pytest

from amongst import datasets
from amongst.errors import BadOption

SMALL = {"adult": {}, "patients": {}, "incognito-patients": {}}


@pytest.mark.parametrize("name", datasets.names())
def test_every_name_loads_with_a_role_for_every_column(name):
    options = SMALL.get(name, {"n_rows": 50, "seed": 1})
    loaded = datasets.load(name, **options)
    assert loaded.name == name
    assert sorted(loaded.schema) == sorted(loaded.table.column_names)
    assert loaded.schema.quasi
    assert all(column.null_count == 0 for column in loaded.table.columns)
    assert loaded.about.source
    assert loaded.about.licence


@pytest.mark.parametrize("name", datasets.names())
def test_every_quasi_identifier_has_a_hierarchy_that_covers_it(name):
    loaded = datasets.load(name, **SMALL.get(name, {"n_rows": 50, "seed": 1}))
    for column in loaded.schema.quasi:
        values = loaded.table[column].unique().to_pylist()
        tree = loaded.schema[column].hierarchy.tree(values, loaded.schema[column].kind)
        assert set(values) <= set(tree.leaves)


def test_what_there_is_can_be_told_without_loading_it():
    told = {one["name"]: one for one in datasets.describe()}
    assert list(told) == datasets.names()
    assert told["adult"]["rows"] == datasets.load("adult").table.num_rows
    assert told["patients"]["rows"] == datasets.load("patients").table.num_rows
    assert told["adult"]["options"] == {"part": None}
    assert told["skewed"]["options"]["sigma"] == 0.2
    assert told["census"]["made"]
    assert json.loads(json.dumps(datasets.describe())) == datasets.describe()


def test_an_unknown_name_is_an_error_with_the_list():
    with pytest.raises(BadOption) as error:
        datasets.load("adults")
    assert error.value.fix == "use one of: " + ", ".join(datasets.names())


@pytest.mark.parametrize(("name", "options"), [("patients", {"part": "train"}), ("census", {"rows": 5})])
def test_an_unknown_option_is_an_error(name, options):
    with pytest.raises(BadOption) as error:
        datasets.load(name, **options)
    assert next(iter(options)) in error.value.found[0]
