"""The whole life of a release in Python, as in a notebook."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
from gauntlet_table import GauntletTable

import amongst as am
from amongst.errors import AmongstError
from amongst.read import read


def live_in_python(table: GauntletTable, folder: Path, people: bool) -> tuple[list[tuple[str, str]], str]:
    """What was shown at every step, and the error that ended it, if one did."""
    shown: list[tuple[str, str]] = []
    try:
        _live(table, folder, people, shown)
    except AmongstError as error:
        if not (error.found or error.fix):
            raise  # a refusal says what was found, or what to do
        return [*shown, ("error", str(error))], str(error)
    return shown, ""


def _live(table: GauntletTable, folder: Path, people: bool, shown: list[tuple[str, str]]) -> None:
    def show(step: str, *things: Any) -> None:
        shown.append((step, "\n".join(f"{thing!r}\n{thing}" for thing in things)))

    data = read(table.place(folder), **_reading(table)).table
    schema = with_null_rules(am.Schema.suggest(data), data)
    show("suggest", schema)
    unit = table.unit if people else None
    if unit is not None and schema[unit].role != "identifier":
        schema = schema.with_columns(**{unit: am.Column(role="identifier")})
    release = am.anonymize(data, schema, [am.KAnonymity(table.k)], unit=unit, method="mondrian")
    show("anonymize", release, release.utility)
    release.write(folder / "out", format="csv")
    if unit is None:
        verdict = am.verify(folder / "out" / "release.csv", schema, [am.KAnonymity(table.k)])
        assert verdict.ok, verdict.words()
        show("verify", verdict)
    assert release.verdict.ok, release.verdict.words()
    show("risk", am.risk(release))
    show("attack", am.attack(release, most=200))
    show("query", release.query("SELECT COUNT(*)"))
    pack = am.evidence(folder / "out", original=data)
    assert pack.ok
    pack.write(folder / "pack")
    show("evidence", pack)


def with_null_rules(schema: am.Schema, table: pa.Table) -> am.Schema:
    """What only a person can decide: a missing value is a value of its own."""
    rules = {
        name: replace(column, nulls="own value")
        for name, column in schema.items()
        if column.role == "quasi" and table[name].null_count
    }
    return am.Schema({**schema, **rules})


def _reading(table: GauntletTable) -> dict[str, Any]:
    given: dict[str, Any] = dict(table.reading or {})
    if "header" in given:
        given["header"] = given["header"] == "yes"
    if "nulls" in given:
        given["nulls"] = [given["nulls"]]
    return given
