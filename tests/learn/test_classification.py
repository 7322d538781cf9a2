"""What a model learns from a release: features mean the same for published and plain rows."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.errors import BadOption
from amongst.learn.features import Encoding
from amongst.query.in_memory import open_in_memory
from amongst.query.open_release import open_original

pytest.importorskip("sklearn", reason="scikit-learn is not installed")


def table_of(n: int, seed: int) -> pa.Table:
    rng = np.random.default_rng(seed)
    age, town = rng.integers(20, 60, n), rng.choice(["oslo", "york", "rome", "nice"], n)
    says = (age > 40) ^ (rng.random(n) < 0.05)
    return pa.table({"age": age, "town": town, "y": np.where(says, "yes", "no")})


SCHEMA = am.Schema(
    {
        "age": am.Column(role="quasi"),
        "town": am.Column(role="quasi", hierarchy=am.Hierarchy.nested({"N": ["oslo", "york"], "S": ["rome", "nice"]})),
        "y": am.Column(role="sensitive"),
    }
)


def test_a_model_learns_what_there_is_to_learn() -> None:
    release = am.anonymize(table_of(2000, 1), SCHEMA, [am.KAnonymity(20)], target="y")
    found = am.classification(release)
    assert found.majority < 0.6
    assert found.original > 0.9
    assert found.released > 0.9
    assert found.by_group > 0.9
    assert found.cm == pytest.approx(0.05, abs=0.02)
    assert found.n_learned + found.n_predicted == 2000
    assert "not seen before" in found.words


def test_held_out_rows_and_a_model_of_ones_own() -> None:
    from sklearn.tree import DecisionTreeClassifier

    release = am.anonymize(table_of(1000, 1), SCHEMA, [am.KAnonymity(20)], method="mondrian")
    found = am.classification(
        release, "y", held_out=table_of(500, 2), model=DecisionTreeClassifier(max_depth=3, random_state=0)
    )
    assert (found.n_learned, found.n_predicted) == (1000, 500)
    assert found.released > 0.85
    assert found == am.classification(
        release, "y", held_out=table_of(500, 2), model=DecisionTreeClassifier(max_depth=3, random_state=0)
    )


def test_nothing_is_learned_from_nothing() -> None:
    table = table_of(400, 3)
    release = am.anonymize(table, SCHEMA, [am.KAnonymity(280)], target="y")
    found = am.classification(release, share=0.3)
    assert found.released == pytest.approx(found.majority)
    assert found.by_group == pytest.approx(found.majority)


def test_features_of_ranges_and_ancestors() -> None:
    table = pa.table({"age": [20, 20, 30, 60], "town": ["oslo", "york", "rome", "rome"], "y": ["a", "a", "b", "b"]})
    release = am.anonymize(table, SCHEMA, [am.KAnonymity(2)], method="mondrian")
    encoding = Encoding.of(open_original(table, release.schema), ["age", "town"], "y")
    published = encoding.examples(open_in_memory(release))
    names = encoding.values["town"]
    by_class = {int(one): row for one, row in zip(published.classes, published.features, strict=True)}
    north, south = by_class[0], by_class[1]
    assert north[0] == 0.0
    assert south[0] == pytest.approx((45 - 20) / 40)
    assert {name: north[2 + i] for i, name in enumerate(names) if north[2 + i]} == {"oslo": 0.5, "york": 0.5}
    assert {name: south[2 + i] for i, name in enumerate(names) if south[2 + i]} == {"rome": 1.0}
    assert published.weight.sum() == 4


def test_people_are_not_divided() -> None:
    table = table_of(600, 4).append_column("id", pa.array(np.arange(600) // 3))
    schema = am.Schema({**dict(SCHEMA.items()), "id": am.Column(role="identifier")})
    release = am.anonymize(table, schema, [am.KAnonymity(5)], unit="id", target="y")
    found = am.classification(release)
    assert found.n_learned % 3 == 0


def test_what_cannot_be_is_refused() -> None:
    release = am.anonymize(table_of(100, 1), SCHEMA, [am.KAnonymity(5)], method="mondrian")
    with pytest.raises(BadOption, match="no column to predict"):
        am.classification(release)
    with pytest.raises(BadOption, match="cannot be the target"):
        am.classification(release, "age")
    with pytest.raises(BadOption, match="left to predict"):
        am.classification(release, "y", share=1.0)
