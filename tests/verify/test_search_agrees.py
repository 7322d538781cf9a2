"""The search's conditions and the verifier, written apart, say the same of random groups."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import amongst as am
from amongst.kernels.holds import holds_by_class
from amongst.partition.conditions import conditions_of
from amongst.partition.requested import encode_for
from amongst.schema.check import check
from amongst.verify import verify

TREE = am.Hierarchy.nested({"lung": ["flu", "cold"], "heart": {"valve": ["leak", "tear"]}, "none": ["well"]})
SCHEMA = am.Schema(
    {
        "group": am.Column(role="quasi"),
        "who": am.Column(role="identifier"),
        "disease": am.Column(role="sensitive", hierarchy=TREE),
        "pay": am.Column(role="sensitive"),
        "grade": am.Column(role="sensitive", order=("low", "mid", "high", "top")),
    }
)
MODELS = [
    am.KAnonymity(3),
    am.LDiversity(2),
    am.LDiversity(1.5),
    am.LDiversity(2, "distinct"),
    am.LDiversity(1.7, "entropy"),
    am.LDiversity(2, ("recursive", 2.0)),
    am.LDiversity(1, ("recursive", 0.5)),
    am.TCloseness(0.3),
    am.TCloseness(0.4, "equal"),
    am.TCloseness(0.25, "ordered"),
    am.TCloseness(0.35, "hierarchical", "disease"),
    am.AlphaK(0.5, 2),
    am.BetaLikeness(1.0),
    am.BetaLikeness(2.0, True),
    am.DeltaDisclosure(0.8),
    am.DeltaDisclosure(1.5, "counted"),
    am.Proximity(1.5, 2),
]


def random_table(rng, n):
    pay = rng.choice([1.0, 2.0, 2.5, 7.0, 9.0, np.nan], n)
    return pa.table(
        {
            "group": rng.integers(0, 4, n),
            "who": rng.integers(0, max(n // 2, 1), n),
            "disease": pa.array(rng.choice(["flu", "cold", "leak", "well", None], n), pa.string()),
            "pay": pa.array(pay),
            "grade": pa.array(rng.choice(["low", "mid", "high", None], n), pa.string()),
        }
    )


@pytest.mark.parametrize("model", MODELS, ids=str)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 60), with_people=st.booleans())
def test_same_verdict_on_the_same_groups(model, seed, n, with_people):
    table = random_table(np.random.default_rng(seed), n)
    schema = check(SCHEMA, table)
    coded = encode_for(table, schema, [model], "who" if with_people else None)
    group = np.unique(np.asarray(table.column("group")), return_inverse=True)[1].astype(np.int32)
    searched = holds_by_class(conditions_of(coded, [model]), group, int(group.max()) + 1).all()
    published = table.drop_columns(["who"])
    verdict = verify(published, schema, [model], units=table.column("who") if with_people else None)
    if verdict.smallest >= model.smallest_group:
        assert verdict.models[0].ok == searched
    else:  # the search does not look further than at the size
        assert not searched
