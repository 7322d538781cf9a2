"""Models of sensitive values in the SQL of the report, against the verifier."""

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import amongst as am
from amongst.verify import verify
from amongst.verify.sql import as_sql

duckdb = pytest.importorskip("duckdb")
SCHEMA = am.Schema(
    {
        "a": am.Column(role="quasi", kind="categorical"),
        "job's": am.Column(role="sensitive", kind="categorical"),
        "pay": am.Column(role="sensitive", kind="numeric"),
    }
)
MODELS = [
    am.LDiversity(2),
    am.LDiversity(2, "distinct"),
    am.LDiversity(1.7, "entropy"),
    am.LDiversity(2, ("recursive", 2.0)),
    am.TCloseness(0.3, "equal"),
    am.TCloseness(0.3, column="job's"),
    am.AlphaK(0.5, 2),
    am.BetaLikeness(1.0),
    am.BetaLikeness(2, True),
    am.DeltaDisclosure(0.8),
    am.DeltaDisclosure(1.5, "counted"),
]


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10**6), n=st.integers(1, 25), ending=st.sampled_from(["csv", "parquet"]))
def test_the_same_verdict(tmp_path, seed, n, ending):
    rng = np.random.default_rng(seed)
    table = pa.table(
        {
            "a": pa.array(rng.choice(["x", "y", None], n), pa.string()),
            "job's": pa.array(rng.choice(["cook", "nurse", None], n), pa.string()),
            "pay": pa.array([None if x > 2 else float(x) for x in rng.integers(0, 4, n)], pa.float64()),
        }
    )
    path = tmp_path / f"p.{ending}"
    pq.write_table(table, path) if ending == "parquet" else pa.csv.write_csv(table, path)
    rule = {"nulls": "own value"}
    for model in MODELS:
        verdict = verify(path, SCHEMA, model, **rule)
        query = as_sql(SCHEMA, model, path, **rule)
        assert not query.startswith("--")
        row = duckdb.sql(query).fetchall()[0]
        assert row[-1] == (verdict.models[0].ok and verdict.smallest >= model.smallest_group), model


def test_what_sql_does_not_check_is_said(tmp_path):
    path = tmp_path / "p.parquet"
    pq.write_table(pa.table({"a": ["x", "x"], "job's": ["cook", "nurse"], "pay": [1.0, 2.0]}), path)
    models = [am.KAnonymity(2), am.TCloseness(0.4), am.Proximity(2, 5), am.KMap(2, path), am.LDiversity(2)]
    query = as_sql(SCHEMA, models, path)
    said = [line for line in query.splitlines() if line.startswith("--")]
    assert len(said) == 3
    assert all("not checked here" in line for line in said)
    assert duckdb.sql(query).fetchall()[0][-1] is True
    people = as_sql(SCHEMA, models, path, people=True)
    assert "people cannot be counted" in people
    assert "counts1" not in people
    wild = as_sql(SCHEMA, [am.LDiversity(3)], path, nulls="match anything")
    assert "not checked here" in wild.splitlines()[0]
