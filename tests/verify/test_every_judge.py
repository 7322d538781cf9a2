"""Every model of the register has a naive judge, and the verifier says what the judge says, on random small tables."""

from __future__ import annotations

import random

import pyarrow as pa
import pytest

import amongst as am
import judges
from amongst.models import MODELS, Model
from amongst.verify import verify
from asked_models import example

CITIES, ILLS = ("oslo", "york", "*"), ("flu", "cold", "gout", None)
SCHEMA = am.Schema(
    {
        "city": am.Column(role="quasi", kind="categorical"),
        "sex": am.Column(role="quasi", kind="categorical"),
        "ill": am.Column(role="sensitive", kind="categorical"),
        "pay": am.Column(role="sensitive", kind="numeric"),
    }
)
PEOPLE = pa.table({"city": ["oslo"] * 6 + ["york"] * 5 + ["rome"], "sex": list("fmfmfmfmfmff")})


def published(draw: random.Random) -> pa.Table:
    """Some classes of rows, of which the values may be few."""
    rows = []
    for city in draw.sample(CITIES, draw.randint(1, 3)):
        sex, ills = draw.choice("fm*"), draw.sample(ILLS, draw.randint(1, 4))
        rows += [
            (city, sex, draw.choice(ills), draw.choice([1.0, 2.0, 5.0, 9.0, None])) for _ in range(draw.randint(1, 12))
        ]
    columns = zip(*rows, strict=True)
    return pa.table(dict(zip(SCHEMA, (pa.array(list(cells)) for cells in columns), strict=True)))


def strengths(model: Model) -> list[Model]:
    """The model as it is asked for first, and weaker, since most random tables hold little."""
    asked = model.asked
    weaker = (asked / 2, asked / 4) if model.larger_asks_more else (asked * 2, asked * 5)
    found = [model]
    for number in weaker:
        fits = max(int(number), 1) if isinstance(asked, int) else number
        try:
            found.append(model.with_fields(**{model.symbol: fits}))
        except (am.errors.BadOption, TypeError):
            continue  # a share of more than one, or a number that no field is called after
    return found


@pytest.mark.parametrize("name", MODELS)
def test_the_verifier_says_what_the_judge_says(name: str) -> None:
    draw, said = random.Random(name), []
    for _ in range(40):
        table = published(draw)
        for model in strengths(example(MODELS[name], population=PEOPLE)):
            columns = ["pay"] if model.of_kinds else ["ill", "pay"]
            rows = table.to_pylist()
            naively = judges.holds(model, rows, ["city", "sex"], columns, distances={"pay": "ordered"})
            reached = verify(table, SCHEMA, [model]).models
            assert reached[0].ok is naively, (model, rows)
            said.append(naively)
    assert {*said} == {True, False}, "the tables tell nothing of this model"
