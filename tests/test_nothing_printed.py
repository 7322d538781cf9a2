"""No text of any object holds a cell of the original that is not published; no pickle holds the original."""

from __future__ import annotations

import copy
import io
import logging
import pickle
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pytest

import amongst as am
from amongst.errors import AmongstError, BadOption
from amongst.read import read

N = 120
SECRETS = ("Quagga", "zyzzosis", "Xanadu", "871234")
"""Names of people; and a disease, a town and an income that only suppressed people have."""


def table() -> pa.Table:
    rng = np.random.default_rng(2)
    normal = {
        "name": [f"Quagga-{i}" for i in range(N)],
        "age": rng.integers(20, 60, N).tolist(),
        "pay": (rng.integers(20, 60, N) * 1000).tolist(),
        "town": rng.choice(["Ulm", "Bonn"], N).tolist(),
        "disease": rng.choice(["flu", "cold", "gout"], N).tolist(),
    }
    gone = {"name": "Quagga-x", "age": None, "pay": 871234, "town": "Xanadu", "disease": "zyzzosis"}
    return pa.table({name: pa.array([*values, gone[name]]) for name, values in normal.items()})


SCHEMA = am.Schema(
    {
        "name": am.Column(role="identifier"),
        "age": am.Column(role="quasi", nulls="suppress", hierarchy=am.Hierarchy.intervals([5, 20])),
        "pay": am.Column(role="quasi", hierarchy=am.Hierarchy.intervals([10_000, 40_000])),
        "town": am.Column(role="quasi", hierarchy=am.Hierarchy.flat()),
        "disease": am.Column(role="sensitive"),
    }
)
K = [am.KAnonymity(5)]


def release(**options: Any) -> am.Release:
    return am.anonymize(table(), SCHEMA, K, **options)


def in_a_file(folder: Path, **options: Any) -> Any:
    pa.csv.write_csv(table(), folder / "in.csv")
    return am.anonymize(folder / "in.csv", SCHEMA, K, engine="duckdb", **options)


def written(folder: Path, name: str = "out", **options: Any) -> Path:
    release(**options).write(folder / name)
    return folder / name


def series(folder: Path) -> Any:
    made = am.Series(SCHEMA, [am.KAnonymity(2), am.LDiversity(2, column="disease")], person="name", key=b"k" * 32)
    made.next(table().slice(0, N).drop_columns([]))
    return made


def register(folder: Path) -> Any:
    made = am.Register(folder / "register")
    made.add(written(folder), people="patients")
    return [made, made.entries()]


def database() -> Any:
    persons = table().select(["name", "age", "town"]).slice(0, N)
    visits = pa.table({"who": persons.column("name"), "disease": ["zyzzosis"] * N, "pay": [871234] * N})
    relations = {
        "persons": am.Relation(
            {"age": am.Column(role="quasi"), "town": am.Column(role="quasi", hierarchy=am.Hierarchy.flat())}, key="name"
        ),
        "visits": am.Relation(
            {"disease": am.Column(role="identifier"), "pay": am.Column(role="identifier")},
            parent="persons",
            foreign_key="who",
        ),
    }
    return am.anonymize_database(
        {"persons": persons, "visits": visits}, am.DatabaseSchema(relations), [am.KAnonymity(3)]
    )


MADE: dict[str, Callable[[Path], Any]] = {
    "release": lambda folder: release(),
    "of pandas": lambda folder: am.anonymize(
        table().to_pandas().astype({"disease": "category"}), SCHEMA, K, method="mondrian"
    ),
    "full domain": lambda folder: release(method="datafly", suppression=0.1),
    "anatomy": lambda folder: am.anonymize(table(), SCHEMA, [am.LDiversity(2)], method="anatomy"),
    "of a file": in_a_file,
    "source": lambda folder: read(table()),
    "verdict": lambda folder: release().verdict,
    "utility": lambda folder: release().utility,
    "sensitive": lambda folder: release().sensitive,
    "risk": lambda folder: am.risk(release(), original=table()),
    "attack": lambda folder: am.attack(release(), original=table()),
    "evidence": lambda folder: am.evidence(written(folder), original=table()),
    "schema": lambda folder: SCHEMA,
    "suggestion": lambda folder: am.Schema.suggest(table()),
    "generalizations": lambda folder: am.generalizations(table(), SCHEMA, K),
    "lower bound": lambda folder: release().lower_bound(),
    "largest k": lambda folder: am.largest_k(table(), SCHEMA, 0.9, method="mondrian"),
    "fidelity": lambda folder: release().fidelity(),
    "answers": lambda folder: am.query(written(folder), "SELECT COUNT(*) WHERE age < 40"),
    "data set": lambda folder: am.datasets.load("patients"),
    "database": lambda folder: database(),
    "random questions": lambda folder: am.Workload.random(table(), SCHEMA, n=200, seed=1),
    "errors of questions": lambda folder: am.workload_error(
        release(), table(), am.Workload.random(table(), SCHEMA, n=200, seed=1), schema=SCHEMA
    ),
    "comparison": lambda folder: am.compare(table(), SCHEMA, K, ["mondrian", "datafly"], processes=1),
    "regression": lambda folder: am.regression(
        release(), "pay ~ C(disease)", schema=SCHEMA, original=table(), n_tables=2
    ),
    "classification": lambda folder: am.classification(release(), "disease"),
    "recoding": lambda folder: am.Recoding.of(release(method="datafly", suppression=0.1)),
    "series": series,
    "against": lambda folder: am.verify_against(written(folder), [written(folder, "before")]),
    "together": lambda folder: am.verify_together([written(folder), written(folder, "before")]),
    "register": register,
    "attack of a database": lambda folder: am.attack_database(database(), most=5),
    "hardened": lambda folder: am.anonymize(table(), SCHEMA, K, method="mondrian", harden=am.Harden(membership=None)),
}


def texts_of(thing: Any, path: str = "", seen: set[int] | None = None) -> Iterator[tuple[str, str]]:
    """Every text that an object of ours shows, and all objects of ours that it holds."""
    seen = set() if seen is None else seen
    if id(thing) in seen:
        return
    seen.add(id(thing))
    if isinstance(thing, dict):
        for key, value in thing.items():
            yield from texts_of(value, f"{path}[{key!r}]", seen)
    elif isinstance(thing, (list, tuple)):
        for i, value in enumerate(thing):
            yield from texts_of(value, f"{path}[{i}]", seen)
    elif type(thing).__module__.startswith("amongst"):
        shown = f"{path}:{type(thing).__name__}"
        yield shown, repr(thing)
        yield shown, str(thing)
        if hasattr(type(thing), "_repr_html_"):
            yield shown, thing._repr_html_()
        for name, value in getattr(thing, "__dict__", {}).items():
            yield from texts_of(value, f"{path}.{name}", seen)


@pytest.mark.parametrize("name", MADE)
def test_no_text_of_an_object_holds_a_cell(name: str, tmp_path: Path) -> None:
    for path, text in texts_of(MADE[name](tmp_path)):
        for secret in SECRETS:
            assert secret not in text, f"{path} shows a cell of the original"


@pytest.mark.parametrize("name", ["release", "of pandas", "full domain", "anatomy", "of a file", "database"])
def test_a_release_is_short_and_shows_itself_in_a_notebook(name: str, tmp_path: Path) -> None:
    made = MADE[name](tmp_path)
    assert len(repr(made)) < 300
    assert "\n" not in repr(made)
    assert "<Release" not in made._repr_html_()


@pytest.mark.parametrize("name", ["release", "of pandas", "full domain", "anatomy", "of a file", "database"])
def test_a_pickle_leaves_the_source_out(name: str, tmp_path: Path) -> None:
    made = MADE[name](tmp_path)
    content = pickle.dumps(made)
    for secret in SECRETS:
        assert secret.encode() not in content
        assert secret.encode("utf-16-le") not in content
    back = pickle.loads(content)
    assert repr(back) == repr(made)
    if name == "database":
        assert back.tables["persons"].num_rows == made.arrow["persons"].num_rows
    elif name != "of a file":
        assert back.verdict.ok
        assert str(back.table) == str(made.table)
    with pytest.raises(BadOption, match="not the original"):
        back.write(tmp_path / "again")
    assert not (tmp_path / "again").exists()
    assert copy.deepcopy(made) is made or name == "database"


def test_errors_and_logs_hold_no_cell(tmp_path: Path) -> None:
    log = io.StringIO()
    handler = logging.StreamHandler(log)
    logging.getLogger().addHandler(handler)
    frame = table().to_pandas()
    wrong: list[Callable[[], Any]] = [
        lambda: am.anonymize(frame, SCHEMA, [am.KAnonymity(10_000)], method="mondrian"),
        lambda: am.anonymize(frame, am.Schema({"age": am.Column(role="quasi")}), K, method="mondrian"),
        lambda: am.anonymize(frame, SCHEMA, [am.LDiversity(50)], method="mondrian"),
        lambda: am.anonymize(pd.concat([frame, frame], axis=1), SCHEMA, K, method="mondrian"),
        lambda: am.query(release(), "SELECT COUNT(*) WHERE disease > 3 AND nothing = 4"),
    ]
    try:
        for run in wrong:
            with pytest.raises(AmongstError) as caught:
                run()
            told = "".join(traceback.format_exception_only(caught.value)) + repr(caught.value) + log.getvalue()
            assert not [secret for secret in SECRETS if secret in told]
    finally:
        logging.getLogger().removeHandler(handler)
