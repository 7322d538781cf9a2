"""Which columns the two tables of an anatomy have, and which they must not have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from amongst.errors import BadOption
from amongst.published.finding import Finding
from amongst.published.source import Source
from amongst.schema.schema import Schema


@dataclass(frozen=True)
class PairColumns:
    """What the columns are for.

    Attributes
    ----------
    link : str or None
        The one column that both tables have; None where there is no such column, or more than one.
    sensitive : str
    count : str or None
        The column of the second table that says how often a value occurs.
    findings, notes : list of Finding
    """

    link: str | None
    sensitive: str
    count: str | None
    findings: list[Finding] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)


def pair_columns(quasi: Source, sensitive: Source, schema: Schema | Sequence[str] | None) -> PairColumns:
    """Find the link, the sensitive column and the count, and everything that should not be there."""
    if not isinstance(schema, Schema) or len(schema.sensitive) != 1:
        found = "no schema" if not isinstance(schema, Schema) else f"{len(schema.sensitive)} sensitive columns"
        fix = "give the schema of the release, which has one sensitive column"
        raise BadOption("Two tables are verified with the schema they were made with.", found=found, fix=fix)
    name = schema.sensitive[0]
    shared = [one for one in quasi.names if one in sensitive.names]
    links = [one for one in shared if one not in schema]
    link = links[0] if len(links) == 1 else None
    counts = [one for one in sensitive.names if one != name and one not in shared and one not in schema]
    count = counts[0] if len(counts) == 1 else None
    findings = [
        *_no_single_link(links),
        *_beside(name, quasi),
        *_other_links([one for one in shared if one in schema and one != name]),
        *_unexpected(schema, quasi, [link, name], ("quasi", "keep", "weight")),
        *_unexpected(schema, sensitive, [link, name, count], ()),
        *_missing([one for one in schema.quasi if one not in quasi.names], quasi),
        *_missing([name] if name not in sensitive.names else [], sensitive),
        *_missing(["a count"] if count is None else [], sensitive),
    ]
    gone = [one for one in [*schema.named("keep"), *schema.named("weight")] if one not in quasi.names]
    notes = [Finding("absent-column", "Columns of the schema are not in the published table.", _listed(gone))]
    return PairColumns(link, name, count, findings, notes if gone else [])


def _no_single_link(links: list[str]) -> list[Finding]:
    if len(links) == 1:
        return []
    what = "The two tables must have exactly one column in common, the number of the group."
    return [Finding("link", what, _listed(links) or "no such column", "publish with one group number in both")]


def _beside(name: str, quasi: Source) -> list[Finding]:
    if name not in quasi.names:
        return []
    what = "The sensitive column stands beside the quasi-identifiers, so nothing is hidden."
    return [Finding("sensitive-column", what, f"'{name}' in {quasi.name}", "publish the first table without it")]


def _other_links(names: list[str]) -> list[Finding]:
    if not names:
        return []
    what = "Columns other than the group number link the two tables."
    return [Finding("link", what, _listed(names), "publish the second table without them")]


def _unexpected(schema: Schema, source: Source, known: Sequence[str | None], roles: tuple[str, ...]) -> list[Finding]:
    others = [one for one in source.names if one not in known and not (one in schema and schema[one].role in roles)]
    identifiers = [one for one in others if one in schema.identifiers]
    unknown = [one for one in others if one not in identifiers]
    findings = []
    if identifiers:
        what = "An identifier is in the published table."
        findings.append(Finding("identifier", what, _listed(identifiers), "publish without it"))
    if unknown:
        what = "The published table has columns that do not belong there."
        findings.append(Finding("unexpected-column", what, f"{_listed(unknown)} in {source.name}", "publish without"))
    return findings


def _missing(names: list[str], source: Source) -> list[Finding]:
    if not names:
        return []
    what = "A column is not in the published table."
    return [Finding("missing-column", what, f"no {_listed(names)} in {source.name}", "publish it")]


def _listed(names: Sequence[str], most: int = 10) -> str:
    shown = ", ".join(f"'{name}'" for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
