"""Who attacks many tables: what is published, what is known of persons, and how it was made."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from amongst.attack.made import USUAL_K
from amongst.errors import BadInput, BadOption
from amongst.manifest import UNREADABLE, Manifest
from amongst.models import smallest_group
from amongst.relations.attack import Intruder, known_trees
from amongst.relations.check_tables import check_tables
from amongst.relations.diversity import database_models
from amongst.relations.other_persons import as_released
from amongst.relations.persons import Persons, persons_of
from amongst.relations.relation import DatabaseSchema
from amongst.relations.schema_file import told_by_manifest
from amongst.relations.stored import Stored
from amongst.relations.stores import read_database

MOST = 200
"""Of more persons a sample is tried: every tree is compared with every other."""
USUAL_M = 2
"""So many codes are known where no model says how many."""
NO_ORIGINAL = "the original tables, or the job with its schema, were not given"


@dataclass(eq=False, kw_only=True)
class DatabaseIntruder:
    """Who has the published tables, and may know persons of the original.

    Attributes
    ----------
    shown : Persons
        What is published.
    known : Persons, or None
        The original, with a schema that can compare: None where either is missing.
    asked : DatabaseSchema, or None
        The schema as it was told.
    make_again : dict
        What publishes other persons in the same way; empty where that is not known.
    """

    name: str
    shown: Persons
    known: Persons | None
    k: int
    m: int = USUAL_M
    asked: DatabaseSchema | None = None
    make_again: dict[str, Any] = field(default_factory=dict)
    most: int = MOST
    seed: int = 0
    split: bool = True
    divisions: int = 1
    rng: np.random.Generator = field(default_factory=np.random.default_rng)
    notes: list[str] = field(default_factory=list)

    @property
    def release(self) -> dict[str, Any]:
        """What findings say of the release."""
        n_groups = int(self.shown.group.max(initial=-1)) + 1
        return {
            "name": self.name,
            "n_rows": self.shown.n,
            "n_classes": n_groups,
            "threshold": self.k,
            "counted": "persons",
        }

    @property
    def trees(self) -> list[str]:
        return [name for name, relation in self.shown.schema.items() if relation.in_trees]

    def sample(self, persons: Persons) -> tuple[Persons, bool]:
        if persons.n <= self.most:
            return persons, False
        return persons.of(np.sort(self.rng.choice(persons.n, self.most, replace=False))), True

    def fitting(self, shown: Persons, persons: Persons) -> list[np.ndarray]:
        """For every person the groups whose trees can be hers."""
        assert self.known is not None
        first = np.unique(shown.group, return_index=True)[1]  # one of every group: all of it look alike
        some = shown.of(first)
        group = shown.group[np.sort(first)]
        comparing = Intruder(some.tables, self.known.schema)
        known = known_trees(persons.tables, self.known.schema, self.trees)
        return [group[comparing.places(tree)] for tree in known]


def open_tables(
    published: Any, schema: DatabaseSchema | None, original: Any, namespace: str | None, k: int | None
) -> DatabaseIntruder:
    """The published tables, the original where it is given, and how they were made."""
    made: dict[str, Any] = {}
    name = "the tables"
    models: tuple[Any, ...] = ()
    in_memory = hasattr(published, "account")
    if in_memory:
        release, name = published, "the release"
        schema = release.schema if schema is None else schema
        original = release.source.tables if original is None else original
        models, tables = tuple(release.models), release.arrow
        made = {"models": models, "method": release.method, "seed": release.seed, **release.options}
    else:
        if isinstance(published, (str, os.PathLike)) and "://" not in str(published):
            name = Path(published).name
            schema, models, made = _told(Path(published), schema)
        if schema is None:
            raise BadOption(
                "It is not said what the tables are.",
                found="no schema, and no manifest beside them",
                fix="give the schema they were made with (--original JOB.toml)",
            )
        tables = dict(read_database(published, tables=list(schema), namespace=namespace).tables)
    gone = [one for one in schema if one not in tables]
    if gone:
        raise BadInput("A table is not there.", found=", ".join(gone), fix="give all tables of the release")
    # The tables told times already, and have classes for other kinds of persons, as any column.
    told = {one: replace(relation, times={}, others={}) for one, relation in schema.as_known().items()}
    known, asked = None, DatabaseSchema(told, schema.leave_out, person=schema.told_person)
    if original is not None:
        stored = original if isinstance(original, Stored) else read_database(original, tables=schema.needed)
        if not in_memory:
            of_kind = database_models(models)[0] if models else USUAL_K
            stored = as_released(stored, schema, of_kind, made.get("seed") or 0)
        full = check_tables(schema, stored).as_known()
        known = persons_of(stored.tables, full)
        schema = full
    shown = persons_of(tables, schema.complete().as_known())
    m = max((int(getattr(model, "m", 0)) for model in models), default=0) or USUAL_M
    threshold = k if k is not None else smallest_group(models) if models else USUAL_K
    return DatabaseIntruder(name=name, shown=shown, known=known, k=max(threshold, 1), m=m, asked=asked, make_again=made)


def _told(folder: Path, schema: DatabaseSchema | None) -> tuple[DatabaseSchema | None, tuple[Any, ...], dict[str, Any]]:
    """Schema and models of a manifest, and how the release was made where that lies inside."""
    try:
        told = Manifest.read(folder)
        own, models = told_by_manifest(told)
        full = told.inside(folder) or told
        method = full["method"]
        made = {"models": models, "method": method["name"], "seed": method.get("seed", 0), **method["options"]}
    except UNREADABLE:
        return schema, (), {}
    if schema is None:
        return own, models, made
    promised = {one: relation.known for one, relation in own.items() if one in schema}  # a job need not say it
    return schema.with_keys_of(own).with_known(promised), models, made
