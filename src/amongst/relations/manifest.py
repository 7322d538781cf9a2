"""The manifest of many tables: what was asked, done and proved, without a cell value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from amongst.manifest import FORMAT, Manifest
from amongst.relations.schema_file import relation_fields
from amongst.release.manifest import tree_facts, versions

if TYPE_CHECKING:
    from amongst.relations.relation import Relation
    from amongst.relations.release import DatabaseRelease
    from amongst.schema.column import Column
    from amongst.verify import Verdict


def database_manifest(release: DatabaseRelease, files: dict[str, str], verdict: Verdict) -> Manifest:
    """Everything but the data, as plain data, for the inside; ``relations/public.py`` says what of it is public."""
    others = {name: _other_kind(relation) for name, relation in release.schema.others.items()}
    facts = {
        "format": FORMAT,
        "document": "inside",
        "kind": "database",
        "input": {
            "name": release.source.name,
            "kind": release.source.kind,
            "sha256": dict(release.source.digests),
            "rows": {name: release.source.tables[name].num_rows for name in release.schema},
        },
        "tables": {name: _table(release, name) for name in release.schema},
        "left_out": list(release.schema.leave_out),
        "lookups": list(release.schema.lookups),
        **({"others": others} if others else {}),
        "privacy": [model.to_dict() for model in release.models],
        "method": {"name": release.method, "options": release.options, "seed": release.seed},
        "output": {"sha256": files},
        "proved": {**verdict.to_dict(), "compared_with_the_input": release.verdict.compared},
        "utility": release.utility.to_dict(),
        "versions": versions(),
    }
    if release.certificate is not None:
        facts["hardened"] = release.certificate.to_dict()
    return Manifest(facts)


def _table(release: DatabaseRelease, name: str) -> dict[str, Any]:
    relation = release.schema[name]
    columns = {column: _column(rule) for column, rule in relation.schema.items()}
    return {**relation_fields(relation), "columns": columns}


def _other_kind(relation: Relation) -> dict[str, Any]:
    """Key and roles of another kind of persons; of columns that are left out not even the names."""
    columns = {c: {"role": rule.role} for c, rule in relation.schema.items() if rule.role != "identifier"}
    return {**relation_fields(relation), "columns": columns}


def _column(rule: Column) -> dict[str, Any]:
    """The rule of a column without what a hierarchy or an order names."""
    fields: dict[str, Any] = {"role": rule.role}
    if rule.role == "quasi":
        optional = {"kind": rule.kind, "publish": rule.publish, "nulls": rule.nulls, "grid": rule.grid}
        fields |= {"weight": rule.weight, **{key: value for key, value in optional.items() if value is not None}}
        fields |= tree_facts(rule)
    return fields
