"""Little flows through every part of amongst. Each gives something to hold two runs of it against each other."""

from __future__ import annotations

import contextlib
import datetime as dt
import functools
import hashlib
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

import amongst as am
from amongst.attack.declared import ATTACKS

Flow = Callable[[Path], Any]
K = [am.KAnonymity(3)]
N = 60


@functools.cache
def people() -> tuple[pa.Table, am.Schema]:
    """Sixty rows with a column of every kind."""
    draw = np.random.default_rng(5)
    cities = ["oslo", "york", "rome", "nice", "bern"]
    days = [dt.date(2020, 1, 1) + dt.timedelta(days=int(day)) for day in draw.integers(0, 900, N)]
    table = pa.table(
        {
            "person": [f"p{i // 2:03}" for i in range(N)],
            "age": draw.integers(18, 90, N),
            "zip": [f"53{code:03}" for code in draw.integers(700, 730, N)],
            "city": draw.choice(cities, N).tolist(),
            "job": [f"job {i}" for i in draw.integers(0, 9, N)],
            "seen": days,
            "disease": draw.choice(["flu", "cold", "asthma", "gout", "burn"], N).tolist(),
            "cost": draw.integers(10, 5000, N) / 10,
            "bill": draw.integers(0, 900, N),
            "weight": draw.integers(1, 40, N),
        }
    )
    groups = {"North": ["oslo", "york"], "South": {"Hot": ["rome", "nice"], "Mild": ["bern"]}}
    schema = am.Schema(
        {
            "person": am.Column(role="identifier"),
            "age": am.Column(role="quasi", kind="numeric", hierarchy=am.Hierarchy.intervals([10, 30])),
            "zip": am.Column(role="quasi", hierarchy=am.Hierarchy.digits(5)),
            "city": am.Column(role="quasi", hierarchy=am.Hierarchy.nested(groups)),
            "job": am.Column(role="quasi", kind="categorical", hierarchy=am.Hierarchy.fanout(3)),
            "seen": am.Column(role="quasi", kind="date", hierarchy=am.Hierarchy.dates("month", "year")),
            "disease": am.Column(role="sensitive"),
            "cost": am.Column(role="keep"),
            "bill": am.Column(role="sensitive"),
            "weight": am.Column(role="identifier"),
        }
    )
    return table, schema


@functools.cache
def plain_schema() -> am.Schema:
    """The same without hierarchies: categories are published as sets."""
    _, schema = people()
    return am.Schema(
        {
            name: am.Column(role=column.role, kind=column.kind) if column.role == "quasi" else column
            for name, column in schema.items()
        }
    )


def _few_quasi(*kept: str) -> am.Schema:
    _, schema = people()
    return am.Schema(
        {
            name: am.Column(role="identifier") if column.role == "quasi" and name not in kept else column
            for name, column in schema.items()
        }
    )


def _digest(table: pa.Table) -> str:
    cells = str(table.to_pydict()).encode()
    return hashlib.sha256(cells).hexdigest()


def _proved(release: am.Release) -> am.Release:
    assert release.verdict.ok, release.verdict.words()
    return release


def _release(method: str = "mondrian", schema: am.Schema | None = None, models: Any = K, **options: Any) -> am.Release:
    table, usual = people()
    return _proved(am.anonymize(table, schema or usual, models, method, **options))


def _by_method(method: str) -> Flow:
    if method == "anatomy":
        schema = _few_quasi("age", "city").with_columns(bill=am.Column(role="identifier"))
        return lambda folder: _release(method, schema, [am.LDiversity(2)]).verdict.words()
    return lambda folder: _digest(_release(method, _few_quasi("age", "city", "zip")).arrow)


def _by_model(model: Callable[[], Any], method: str, unit: str | None) -> Flow:
    return lambda folder: _digest(_release(method, models=[*K, model()], unit=unit).arrow)


def _suggest(folder: Path) -> Any:
    table, _ = people()
    return [(name, column.role, column.kind) for name, column in am.Schema.suggest(table).items()]


def _written(format: str, schema: str) -> Flow:
    def flow(folder: Path) -> Any:
        release = _release(schema=plain_schema() if schema == "sets" else None)
        out = folder / "out"
        release.write(out, format=format)
        verdict = am.verify(next(out.glob("release.*")), release.schema, K)
        assert verdict.ok, verdict.words()
        return [_digest(release.arrow), verdict.words()]

    return flow


def _of_another_tool(folder: Path) -> Any:
    """An Arrow file that amongst did not write."""
    release = _release(schema=plain_schema())
    path = folder / "release.arrow"
    with pa.ipc.new_file(path, release.arrow.schema) as file:
        file.write_table(release.arrow)
    return am.verify(path, release.schema, K).words()


def _risk(**about: Any) -> Flow:
    def flow(folder: Path) -> Any:
        table, schema = people()
        if about.get("population"):
            about["population"] = pa.concat_tables([table, table])
        return am.risk(table, schema, **about).to_dict()

    return flow


def _risk_of_release(folder: Path) -> Any:
    return am.risk(_release()).to_dict()


def _attack(name: str) -> Flow:
    def flow(folder: Path) -> Any:
        table, _ = people()
        release, other = _release(schema=plain_schema()), _release("hilbert", plain_schema())
        told = {"original": table, "outside": table.select(["age", "city"]), "against": other}
        return am.attack(release, attacks=[name], **told).to_dict().keys()

    return flow


def _attack_cuts(folder: Path) -> Any:
    models, table = [*K, am.LDiversity(2, column="disease")], people()[0].slice(0, 9)
    schema = _few_quasi("age", "city")
    release = _proved(am.anonymize(table, schema, models, "mondrian"))
    return len(am.attack(release, attacks=["minimality"], split=False).to_dict())


def _ask(folder: Path) -> Any:
    release = _release(schema=plain_schema())
    asked = (
        "SELECT COUNT(*) WHERE age < 40",
        "SELECT city, COUNT(*), AVG(cost) WHERE job IN ('job 1', 'job 2') OR age > 50 GROUP BY city",
    )
    return [str(release.query(sql).to_dict()) for sql in asked]


def _workload(folder: Path) -> Any:
    table, _ = people()
    questions = am.Workload.random(table, people()[1], n=30)
    release = _release("mondrian", workload=questions)
    return [release.workload_error(questions).to_dict(), _digest(release.arrow)]


def _fidelity(folder: Path) -> Any:
    return str(_release().fidelity().to_dict())


def _learned(folder: Path) -> Any:
    return str(am.classification(_release(target="disease"), target="disease").to_dict())


def _evidence(folder: Path) -> Any:
    table, _ = people()
    _release().write(folder / "out")
    pack = am.evidence(folder / "out", original=table)
    pack.write(folder / "pack")
    return pack.ok


def _by_parts(method: str, schema: str, suffix: str) -> Flow:
    def flow(folder: Path) -> Any:
        table, usual = people()
        path = folder / f"in.{suffix}"
        if suffix == "csv":
            pa.csv.write_csv(table, path)
        else:
            pq.write_table(table, path)
        chosen = plain_schema() if schema == "sets" else usual
        release = am.anonymize(path, chosen, K, method, memory="8GB", work=folder)
        release.write(folder / "out", format="parquet")
        verdict = am.verify(folder / "out" / "release.parquet", chosen, K)
        assert verdict.ok, verdict.words()
        return _digest(pq.read_table(folder / "out" / "release.parquet"))

    return flow


def _database(method: str) -> Flow:
    def flow(folder: Path) -> Any:
        made = am.datasets.load_database("students", n_persons=40)
        release = am.anonymize_database(made.tables, made.schema, K, method)
        assert release.verdict.ok
        release.write(folder / "out")
        return release.verdict.words()

    return flow


def _lattice(folder: Path) -> Any:
    from amongst.lattice.draw import draw_lattice

    table, schema = people()
    return len(str(draw_lattice(table, schema, K)))


def _together(folder: Path) -> Any:
    first, second = _release(), _release("hilbert")
    first.write(folder / "first")
    second.write(folder / "second")
    register = am.Register(folder / "register")
    register.add(folder / "first", people="all")
    return str(am.verify_against(folder / "second", [folder / "first"]))


def _dual(folder: Path) -> Any:
    table, schema = people()
    found = am.largest_k(table, schema, 0.5, method="mondrian")
    return found.k, _digest(found.release.arrow)


def _bound(folder: Path) -> Any:
    return str(_release().lower_bound())


def _levels(folder: Path) -> Any:
    table, schema = people()
    return len(str(am.generalizations(table, schema, K)))


def _typed(*arguments: str) -> Flow:
    """A command in this process, on the little table."""

    def flow(folder: Path) -> Any:
        from typer.testing import CliRunner

        from amongst.cli.command import app

        table, _ = people()
        pa.csv.write_csv(table, folder / "in.csv")
        told = ""
        with contextlib.chdir(folder), contextlib.redirect_stderr(io.StringIO()):
            for line in arguments:
                ended = CliRunner().invoke(app, line.split())
                assert ended.exit_code == 0, ended.output
                told += ended.output
        return len(told) > 0

    return flow


@functools.cache
def flows() -> dict[str, Flow]:
    """Every flow by name, the quick ones first."""
    table_methods = [one["name"] for one in am.methods()]
    made: dict[str, Flow] = {"suggest": _suggest}
    made |= {f"method {name}": _by_method(name) for name in table_methods}
    models: dict[str, Callable[[], Any]] = {
        "l": lambda: am.LDiversity(2, column="disease"),
        "t": lambda: am.TCloseness(0.6, column="disease"),
        "beta": lambda: am.BetaLikeness(4, column="disease"),
        "proximity": lambda: am.Proximity(2, 1.0, "bill"),
        "map": lambda: am.KMap(3, people()[0]),
        "presence": lambda: am.DeltaPresence(0.0, 1.0, people()[0]),
        "subsets": lambda: am.KOfSubsets(3, 2),
    }
    for name, model in models.items():
        for method in ("mondrian", "incognito"):
            made[f"model {name} by {method}"] = _by_model(model, method, None)
    made["as printed"] = lambda folder: _digest(_release(schema=_few_quasi("age", "seen"), rules="paper").arrow)
    made["left out"] = lambda folder: _digest(_release("hilbert", _few_quasi("age", "zip"), suppression=0.2).arrow)
    made["few columns"] = lambda folder: _digest(_release("cell-generalization", models=[am.KOfSubsets(3, 2)]).arrow)
    made["people by mondrian"] = lambda folder: _digest(_release(unit="person").arrow)
    made["people by hilbert"] = lambda folder: _digest(_release("hilbert", unit="person").arrow)
    made |= {
        f"written {form} {kind}": _written(form, kind) for form in ("parquet", "csv") for kind in ("levels", "sets")
    }
    made["Arrow of another tool"] = _of_another_tool
    made |= {
        "risk": _risk(), "risk weights": _risk(weights="weight"), "risk fraction": _risk(fraction=0.1),
        "risk population": _risk(population=True), "risk unit": _risk(unit="person"),
        "risk release": _risk_of_release, "ask": _ask, "workload": _workload, "fidelity": _fidelity,
        "learned": _learned, "bound": _bound, "levels": _levels, "dual": _dual, "lattice": _lattice,
        "together": _together, "attack cuts": _attack_cuts, "evidence": _evidence,
    }  # fmt: skip
    made |= {
        f"by parts {method} {schema} {suffix}": _by_parts(method, schema, suffix)
        for method in ("mondrian", "hilbert", "incognito")
        for schema, suffix in (("levels", "csv"), ("sets", "parquet"))
    }
    made |= {f"database {method}": _database(method) for method in ("miracle", "miracle-x", "bitmap")}
    made |= {f"attack by {name}": _attack(name) for name in ATTACKS}
    made["typed"] = _typed("inspect in.csv --write job.toml", "plan job.toml")
    return made
