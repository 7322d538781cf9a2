"""What is known of how a release was made: from the release in memory, from its manifest, or from a schema alone."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from amongst.manifest import UNREADABLE, Manifest
from amongst.models import Model, smallest_group
from amongst.query.told import read_told, with_schema
from amongst.schema.schema import Schema
from amongst.verify.verdict import refuse_unproved

USUAL_K = 10
"""Counts below it are not shown where nobody says what the release should hold."""


@dataclass(frozen=True, eq=False)
class Made:
    """How a release was made.

    Attributes
    ----------
    name : str
        What to call it.
    first, second : path or table
        The published table; in two tables also the one with the sensitive values.
    schema : Schema, or None
    names : sequence of str, or None
        The quasi-identifiers of a table without a schema.
    models : tuple of Model
    method : str or None
    options : dict
    seed : int
    attained : frozenset of str
        Columns whose published ends, or members, occur in the class.
    closed : frozenset of str
        Columns whose hierarchy is not known here.
    threshold : int
    release : Release, or None
        The release in memory.
    unit : str or None
        The column that told people apart.
    secret : tuple of str
        Columns to take as sensitive besides those of the schema.
    """

    name: str
    first: Any
    second: Any
    schema: Schema | None
    names: Sequence[str] | None
    models: tuple[Model, ...]
    method: str | None
    options: dict[str, Any]
    seed: int
    attained: frozenset[str]
    closed: frozenset[str]
    threshold: int
    release: Any = None
    unit: str | None = None
    secret: tuple[str, ...] = ()


def made_of(
    published: Any, schema: Schema | Sequence[str] | None, k: int | None = None, address: str | None = None
) -> Made:
    """What is known of a release; ``address`` is that of the database where it is a table there."""
    if hasattr(published, "partition") and hasattr(published, "arrow"):
        return _in_memory(published, k)
    given = schema if isinstance(schema, Schema) else None
    names = None if given is not None or schema is None else [schema] if isinstance(schema, str) else list(schema)
    path = Path(published) if isinstance(published, (str, os.PathLike)) else None
    name = path.name if path is not None else "a table"
    told = read_told(path) if path is not None else None
    if told is None or path is None:
        return Made(
            name=name,
            first=published if address is None else _in_database(address, str(published)),
            second=None,
            schema=given,
            names=names,
            models=(),
            method=None,
            options={},
            seed=0,
            attained=frozenset(),
            closed=frozenset(),
            threshold=USUAL_K if k is None else k,
        )
    told = with_schema(told, given) if given is not None else told
    models, method, options, seed, unit, table = _manifest(path)
    threshold = smallest_group(models) if k is None else k
    data = published if path.is_dir() or told.sensitive_file is None else path
    if table is not None:
        data = _in_database(address, table)
    return Made(
        name=name,
        first=data,
        second=told.sensitive_file,
        schema=told.schema,
        names=None,
        models=models,
        method=method,
        options=options,
        seed=seed,
        attained=told.attained,
        closed=told.closed,
        threshold=max(threshold, 1),
        unit=unit,
    )


def _in_database(address: str | None, table: str) -> Any:
    from amongst.engines.postgresql.released import open_released

    return open_released(address, table)


def _in_memory(release: Any, k: int | None) -> Made:
    refuse_unproved(release.verdict)
    here = release.store.in_memory  # else rows are counted where they are, and the source is not the original
    return Made(
        name="the release",
        first=release.arrow if here else release.store.unwritten(release.plan)[0],
        second=release.plan.sensitive,
        schema=release.schema,
        names=None,
        models=tuple(release.models),
        method=release.method,
        options={**release.options, **release.repeats},
        seed=release.seed,
        attained=frozenset(release.attained),
        closed=frozenset(),
        threshold=release.threshold if k is None else k,
        release=release if here else None,
        unit=release.unit,
    )


def _manifest(path: Path) -> tuple[tuple[Model, ...], str | None, dict[str, Any], int, str | None, str | None]:
    folder = path if path.is_dir() else path.parent
    try:
        told = Manifest.read(folder)
        full = told.inside(folder) or told  # the seed is not told in public: attacks that make it again draw their own
        table = None if told.in_database is None else told.in_database["name"]
        return tuple(told.models), full.method, full.options, full.seed, told.unit, table
    except UNREADABLE:
        return (), None, {}, 0, None, None
