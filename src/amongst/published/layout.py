"""Which published columns stand for which quasi-identifier, and which should not be there at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from amongst.errors import BadOption, BadSchema
from amongst.published.finding import Finding
from amongst.published.source import Source
from amongst.schema.column import NULL_RULES, PUBLISHED_AS_IT_IS, STATISTICS, Column
from amongst.schema.schema import Schema


@dataclass(frozen=True)
class Leaf:
    """A column of the file, or one field of a struct column."""

    column: str
    field: str | None = None


@dataclass(frozen=True)
class Key:
    """What one quasi-identifier contributes to what tells rows apart.

    Attributes
    ----------
    quasi : str
        The quasi-identifier in the schema.
    form : {"label", "bounds", "statistic"}
    leaves : tuple of Leaf
        One for a label or statistic, lower and upper for bounds.
    nulls : str or None
        The rule for nulls.
    """

    quasi: str
    form: str
    leaves: tuple[Leaf, ...]
    nulls: str | None


@dataclass(frozen=True)
class Layout:
    """How a published table is laid out.

    Attributes
    ----------
    schema : Schema
        The schema that was given, or one made of the names that were given.
    foreign : bool
        No schema was given: the file may come from another tool.
    keys : list of Key
    others : list of str
        The columns that are no part of a key.
    findings, notes : list of Finding
    """

    schema: Schema
    foreign: bool
    keys: list[Key]
    others: list[str]
    findings: list[Finding] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)

    @property
    def columns(self) -> list[str]:
        """The names of the columns that tell rows apart."""
        return list(dict.fromkeys(leaf.column for key in self.keys for leaf in key.leaves))


def lay_out(
    source: Source,
    schema: Schema | Sequence[str] | None,
    nulls: str | Mapping[str, str] | None = None,
    spoken_of: Sequence[str] = (),
) -> Layout:
    """Find the columns of every quasi-identifier. ``spoken_of`` are other columns that a model speaks of."""
    foreign = not isinstance(schema, Schema)
    asked = schema if isinstance(schema, Schema) else _schema_of_names(source, schema)
    if not asked.quasi:
        raise BadSchema(
            "There is no quasi-identifier to verify.",
            found="no column with role quasi",
            fix='give some role="quasi"',
        )
    rules = _null_rules(asked, nulls)
    keys = [key for name in asked.quasi for key in _keys_of(source, asked, name, rules[name])]
    used = {leaf.column for key in keys for leaf in key.leaves}
    others = [name for name in source.names if name not in used]
    layout = Layout(asked, foreign, keys, others)
    layout.findings.extend([*_missing(asked, keys), *_odd_fields(keys)])
    if not foreign:
        layout.findings.extend(_unexpected(asked, keys, others))
    elif unsaid := [name for name in others if name not in spoken_of]:
        what = "Columns are not among the quasi-identifiers, so nothing is said about them."
        layout.notes.append(Finding("other-columns", what, _listed(unsaid)))
    layout.findings.extend(_identifiers(asked, others))
    layout.notes.extend(_absent(asked, others))
    return layout


def _schema_of_names(source: Source, names: Sequence[str] | None) -> Schema:
    names = source.names if names is None else [names] if isinstance(names, str) else list(names)
    wrong = [name for name in names if not isinstance(name, str)]
    if wrong:
        raise BadOption(
            "Quasi-identifiers are given by their names.",
            found=f"{len(wrong)} of {len(names)} are not text",
            fix='give a schema, or names such as ["age", "zip"]',
        )
    return Schema({name: Column(role="quasi") for name in names})


def _null_rules(schema: Schema, nulls: str | Mapping[str, str] | None) -> dict[str, str | None]:
    """The rule of every quasi-identifier; what the caller says goes before the schema."""
    said = dict(nulls) if isinstance(nulls, Mapping) else dict.fromkeys(schema.quasi, nulls) if nulls else {}
    unknown = [name for name in said if name not in schema.quasi]
    if unknown or any(rule not in NULL_RULES for rule in said.values()):
        found = f"no quasi-identifier: {', '.join(map(str, unknown))}" if unknown else f"nulls = {nulls!r}"
        raise BadOption("This is no rule for nulls.", found=found, fix="use one of: " + ", ".join(NULL_RULES))
    return {name: said.get(name, schema[name].nulls) for name in schema.quasi}


def _keys_of(source: Source, schema: Schema, name: str, rule: str | None) -> list[Key]:
    def free(derived: str) -> bool:
        """In the file, and not a column of its own in the schema."""
        return derived in source.names and derived not in schema

    keys = []
    if name in source.names:
        of = source.schema.field(name).type
        fields = tuple(Leaf(name, of.field(i).name) for i in range(of.num_fields))
        if not pa.types.is_struct(of):
            keys.append(Key(name, "label", (Leaf(name),), rule))
        elif fields:
            keys.append(Key(name, "bounds", fields, rule))
    bounds = [f"{name}_lower", f"{name}_upper"]
    if all(map(free, bounds)):
        keys.append(Key(name, "bounds", tuple(map(Leaf, bounds)), rule))
    statistics = [f"{name}_{statistic}" for statistic in STATISTICS]
    return keys + [Key(name, "statistic", (Leaf(one),), rule) for one in statistics if free(one)]


def _missing(schema: Schema, keys: list[Key]) -> list[Finding]:
    there = {key.quasi for key in keys if key.form != "statistic"}
    gone = [name for name in schema.quasi if name not in there]
    if not gone:
        return []
    return [
        Finding(
            "missing-column",
            "A quasi-identifier is not in the published table.",
            f"no column for {_listed(gone)}, nor its _lower and _upper",
            "publish it, or take it out of the schema",
        )
    ]


def _odd_fields(keys: list[Key]) -> list[Finding]:
    odd = []
    for key in keys:
        fields = [leaf.field for leaf in key.leaves]
        if fields != [None] * len(fields) and fields != ["lower", "upper"]:
            odd.append(key.quasi)
    if not odd:
        return []
    return [
        Finding(
            "unexpected-column",
            "A struct column has other fields than lower and upper.",
            f"columns {_listed(odd)}",
            "publish the two fields lower and upper, in this order",
        )
    ]


def _unexpected(schema: Schema, keys: list[Key], others: list[str]) -> list[Finding]:
    unasked = [
        key.leaves[0].column
        for key in keys
        if key.form == "statistic"
        and key.leaves[0].column.removeprefix(f"{key.quasi}_") not in schema[key.quasi].statistic
    ]
    unknown = [name for name in others if name not in schema or schema[name].role is None]
    if not unknown and not unasked:
        return []
    return [
        Finding(
            "unexpected-column",
            "The published table has columns that the schema does not account for.",
            _listed([*unasked, *unknown]),
            "give them a role in the schema, or publish without them",
        )
    ]


def _identifiers(schema: Schema, others: list[str]) -> list[Finding]:
    left = [name for name in schema.identifiers if name in others]
    if not left:
        return []
    return [Finding("identifier", "An identifier is in the published table.", _listed(left), "publish without it")]


def _absent(schema: Schema, others: list[str]) -> list[Finding]:
    gone = [name for name in schema.published if schema[name].role in PUBLISHED_AS_IT_IS and name not in others]
    if not gone:
        return []
    return [Finding("absent-column", "Columns of the schema are not in the published table.", _listed(gone))]


def _listed(names: Sequence[str], most: int = 10) -> str:
    shown = ", ".join(f"'{name}'" for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
