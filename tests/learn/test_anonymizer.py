"""The transformer for scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

import amongst as am


def adult(rows: slice):
    data = am.datasets.load("adult")
    frame = data.table.to_pandas().iloc[rows]
    columns = ["age", "sex", "education", "marital-status"]
    return (
        frame[columns].reset_index(drop=True),
        (frame["salary-class"] == ">50K").to_numpy(),
        {name: data.schema[name] for name in columns},
    )


def test_rows_stay_in_their_order_and_in_a_pipeline_it_learns() -> None:
    X, y, schema = adult(slice(0, 2000))
    test, truth, _ = adult(slice(2000, 2500))
    one = am.Anonymizer({name: "quasi" if c.role != "quasi" else c for name, c in schema.items()}, [am.KAnonymity(10)])
    made = clone(one).fit(X).transform(test)
    assert list(made.columns) == list(X.columns)
    assert len(made) == len(test)
    for age, label in zip(test["age"], made["age"], strict=True):
        ends = [int(end) for end in label.strip("[]").split("-")]
        assert ends[0] <= age <= ends[-1]
    model = make_pipeline(one, OneHotEncoder(handle_unknown="ignore"), DecisionTreeClassifier(random_state=0)).fit(X, y)
    assert (model.predict(test) == truth).mean() > 0.7
    assert model[0].get_feature_names_out().tolist() == list(X.columns)
    assert np.bincount(model[0].release_.plan.class_of_row).min() >= 10


def test_a_single_row_can_be_transformed_and_an_unfitted_one_says_so() -> None:
    X, _, schema = adult(slice(0, 300))
    with pytest.raises(NotFittedError):
        am.Anonymizer(schema, [am.KAnonymity(5)]).transform(X)
    fitted = am.Anonymizer(schema, [am.KAnonymity(5)]).fit(X)
    assert len(fitted.transform(X.iloc[:1])) == 1
