"""The table of what runs where is true: what it calls a gap is refused, everything else is published and proved."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pytest
from everywhere import ENGINES, Engine
from polars_engine import PolarsStore

import amongst as am
from amongst.engines.gaps import ELSEWHERE, FEATURES
from amongst.errors import BadOption
from amongst.models import MODELS
from amongst.partition.methods import METHODS
from asked_models import example

ROOT = Path(__file__).parents[2]
INDEX = runpy.run_path(str(ROOT / "scripts" / "engine_index.py"))
N = 120
TABLE = pa.table(
    {
        "person": [i // 2 for i in range(N)],
        "home": [i // 2 for i in range(N)],
        "age": [20 + i * 7 % 40 for i in range(N)],
        "sex": ["fm"[i // 3 % 2] for i in range(N)],
        "seen": [f"{1 + i % 28:02d}.03.2020" for i in range(N)],
        "times": [1.0 + i % 3 for i in range(N)],
        "paid": [1000 * (i % 11) for i in range(N)],
        "ill": ["flu cold gout"[i % 3 * 5 : i % 3 * 5 + 4] for i in range(N)],
    }
)
SCHEMA = am.Schema(
    {
        "person": am.Column(role="identifier"),
        "home": am.Column(role="identifier"),
        "age": am.Column(role="quasi", hierarchy=am.Hierarchy.intervals([5, 10, 20])),
        "sex": am.Column(role="quasi", nulls="own value"),
        "seen": am.Column(role="identifier"),
        "times": am.Column(role="identifier"),
        "paid": am.Column(role="identifier"),
        "ill": am.Column(role="sensitive"),
    }
)
EVERYBODY = pa.concat_tables([TABLE.select(["age", "sex"])] * 3)
ROWS_LEFT_OUT = {"method": "mondrian", "suppression": 0.05}


def roles(**roles: am.Column) -> am.Schema:
    return am.Schema({**SCHEMA, **roles})


CASES: dict[str, Callable[[], dict[str, Any]]] = {
    "forms": lambda: {
        "form": "bounds",
        "schema": roles(times=am.Column(role="weight"), sex=am.Column(role="quasi", nulls="match anything")),
    },
    "structs": lambda: {"form": "structs"},
    "values": lambda: {"models": [am.KAnonymity(3), am.LDiversity(2), am.TCloseness(0.9)]},
    "population": lambda: {"models": [am.KMap(3, EVERYBODY)]},
    "target": lambda: {"target": "ill"},
    "apply": lambda: {
        "method": "recoding",
        "recoding": am.Recoding.of(am.anonymize(TABLE, SCHEMA, k=3, method="mondrian")),
    },
    "reads": lambda: {"reads": {"seen": "dd.MM.yyyy"}, "schema": roles(seen=am.Column(role="quasi"))},
    "limits": lambda: {
        "schema": roles(age=am.Column(role="quasi", finest=5, top=50), paid=am.Column(role="sensitive", top=5000))
    },
    "resume": lambda: {"resume": True},
    "formats": lambda: {"write": {"format": "jsonl"}},
    "shape": lambda: {"write": {"format": "csv", "shape": "input"}},
    "unit": lambda: {"unit": "person"},
    "household": lambda: {"schema": roles(home=am.Column(role="household"))},
    "workload": lambda: {"workload": am.Workload.of(["SELECT COUNT(*) WHERE age > 30"], ["age", "sex", "ill"])},
    "suppression": lambda: ROWS_LEFT_OUT,
    "two tables": lambda: {"method": "anatomy", "models": [am.LDiversity(2)]},
    "harden": lambda: {"harden": am.Harden(membership=None)},
}


def publish(engine: Engine, case: dict[str, Any], folder: Path, *, text: bool = False) -> bool:
    """Whether a release with all that the case asks for was written and proved."""
    case = {"schema": SCHEMA, "models": [am.KAnonymity(3)], "method": "mondrian", **case}
    written = {**case.pop("write", {}), **engine.writes}
    release = am.anonymize(**case, **engine.there(TABLE, folder, text=text))
    return release.write(folder / "out", **written).ok


@pytest.fixture
def engine(name: str, request: pytest.FixtureRequest) -> Engine:
    """Where the table is put: by the name that the docs' table has for the engine."""
    return {"memory": Engine, **ENGINES}[name.casefold()](request.getfixturevalue)


STORES = {**INDEX["STORES"], "Polars": PolarsStore}
"""The columns of the table, and the engine of somebody else."""
ON_SPARK = ("structs", "population", "target", "apply", "harden")
"""What Spark publishes and no other test has it publish."""
TRIED = [
    (name, feature)
    for name, store in STORES.items()
    for feature in FEATURES
    if name != "Spark" or feature in store.gaps or feature in ON_SPARK
]


@pytest.mark.parametrize(("name", "feature"), TRIED, ids=lambda one: one.replace(" ", "-"))
def test_a_gap_is_refused_and_everything_else_is_published(
    name: str, feature: str, engine: Engine, tmp_path: Path
) -> None:
    case, text = CASES[feature](), feature == "shape"
    if feature not in STORES[name].gaps:
        assert publish(engine, case, tmp_path, text=text)
        return
    with pytest.raises(BadOption):
        publish(engine, case, tmp_path, text=text)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["files", "PostgreSQL"])
def test_every_method_and_every_model_runs_there(name: str, engine: Engine, tmp_path: Path) -> None:
    asked = [{"method": name} for name, one in METHODS.items() if one.publishes != "two tables" and one.takes != "l"]
    small = {name: {"k": 3} for name, model in MODELS.items() if "k" in model.card.first}
    schema = roles(times=am.Column(role="weight"), paid=am.Column(role="sensitive"))
    for symbol, model in MODELS.items():
        column = {"column": "paid"} if symbol == "proximity" else {}
        one = example(model, population=EVERYBODY, **small.get(symbol, {}), **column)
        asked.append({"models": [am.KAnonymity(3), one], "schema": schema})
    for number, case in enumerate(asked):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert publish(engine, case, folder), case


def test_every_gap_has_words_and_the_page_is_that_of_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(CASES) == set(FEATURES) >= set(ELSEWHERE)
    assert all(set(store.gaps) <= set(FEATURES) for store in INDEX["STORES"].values())
    page = INDEX["PAGE"].read_text(encoding="utf-8")
    assert INDEX["written"](page) == page, "make methods"
    one = replace(ELSEWHERE["unit"], why="a reason of its own")
    monkeypatch.setattr(INDEX["STORES"]["files"], "gaps", {**ELSEWHERE, "forms": one})
    assert "a reason of its own" in INDEX["written"](page)


@pytest.mark.parametrize("name", ["memory", "files", "PostgreSQL", "Spark"])
@pytest.mark.parametrize("rest", ["keep", "drop"])
def test_what_becomes_of_the_rest_is_said_wherever_rows_are(rest: str, engine: Engine, tmp_path: Path) -> None:
    """The columns of a file or table are known to the engine alone, and the lists of the one call leave some out."""
    named: dict[str, Any] = {"identifier": ["person", "home", "seen"], "quasi": ["age"], "rest": rest, "k": 3}
    release = am.anonymize(method="mondrian", **named, **engine.there(TABLE, tmp_path))
    kept = {"sex", "times", "paid", "ill"} if rest == "keep" else set()
    assert set(release.schema.published) == {"age", *kept}
    assert release.write(tmp_path / "rest", **engine.writes, force=True).ok
