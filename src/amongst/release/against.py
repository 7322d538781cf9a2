"""A release held against earlier ones of the same people."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from amongst.errors import BadInput
from amongst.published.finding import Finding
from amongst.release.folder import ReleaseFolder, release_in
from amongst.release.register import Entry, Register, is_register
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    from amongst.published.finding import Finding
    from amongst.published.release_part import Part
    from amongst.verify.together.against import Composition

Path_ = str | os.PathLike[str]


def verify_against(
    release: Path_, earlier: Path_ | Iterable[Path_], *, schema: Schema | None = None, people: str | None = None
) -> list[Composition]:
    """Say what a release and each of some earlier ones tell together, from the published files alone.

    Parameters
    ----------
    release : path
        A release folder.
    earlier : path, or several
        Release folders, or registers: of a register all earlier releases of the same people are taken.
    schema : Schema, optional
        The schema of the releases, for hierarchies that manifests do not tell.
    people : str, optional
        Which people of a register; left out, those of entries with the same input, else of entries with most of the
        same columns.

    Returns
    -------
    list of Composition
        One for every earlier release, and one for every register in which none was found. Each is true in a condition
        when the two were compared and the smaller k of both still holds, for people in both, and for those who came or
        went in between.

    Examples
    --------
    >>> import amongst as am
    >>> patients = am.datasets.load("patients")
    >>> for name, method in (("a", "mondrian"), ("b", "mondrian")):
    ...     _ = am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)], method=method).write(name)
    >>> [found.same_file for found in am.verify_against("b", "a")]
    [True]
    """
    this = release_in(Path(release))
    places = [earlier] if isinstance(earlier, (str, os.PathLike)) else list(earlier)
    found: list[Composition] = []
    for place in map(Path, places):
        if is_register(place):
            entries = Register(place).earlier_than(this, people)
            found += [_entry(this, entry, schema) for entry in entries] or [_nobody(this, place)]
        else:
            found.append(compare(this, release_in(place), schema))
    return found


def compare(this: ReleaseFolder, other: ReleaseFolder, schema: Schema | None, name: str | None = None) -> Composition:
    """Two releases that lie in folders."""
    from amongst.verify.together.against import Composition, compose

    name = name or other.folder.name
    k = threshold_of(this, other)
    if "database" in (this.manifest.kind, other.manifest.kind):
        what = "A release of many tables is not held against another one: what both tell together is not known."
        fix = "do not publish both, or only to those who may know all of it"
        finding = Finding("composition-unproved", what, "a release of many tables", fix)
        return Composition(name, k, compared=False, findings=[finding])
    if set(this.sha256.values()) == set(other.sha256.values()):
        return Composition(name, k, same_file=True, same_rows=True, same_schema=not schema_notes(this, other))
    changed = [file for one in (this, other) for file in one.changed_files()]
    if changed:
        what = "A published file is gone, or not as it was written, so nothing can be said."
        return Composition(name, k, compared=False, findings=[_unproved(what, ", ".join(changed))])
    found = compose(part_of(this, schema), part_of(other, schema), this.models, k, name)
    notes = schema_notes(this, other)
    findings = [*found.findings, *_columns_apart(this, other), *_people_not_compared(this, other, found)]
    return replace(found, same_schema=not notes, findings=findings, notes=[*notes, *found.notes])


def _columns_apart(this: ReleaseFolder, other: ReleaseFolder) -> list[Finding]:
    """Published columns that only one of them has, or has in another role: what they tell together was not compared."""
    roles = [
        {name: column.role for name, column in one.schema.items() if column.role != "identifier"}
        for one in (this, other)
    ]
    apart = [name for name in dict.fromkeys([*roles[0], *roles[1]]) if roles[0].get(name) != roles[1].get(name)]
    if not apart:
        return []
    what = "Columns of one release are not in the other, or in another role: what they tell together was not compared."
    fix = "publish the same columns in the same roles and under the same names, or do not publish both"
    return [Finding("composition-unproved", what, ", ".join(f"'{name}'" for name in apart), fix)]


def _people_not_compared(this: ReleaseFolder, other: ReleaseFolder, found: Composition) -> list[Finding]:
    """Where people were counted: rows of two releases do not tell which of them are of one person."""
    if (this.unit is None and other.unit is None) or found.unchanged:
        return []
    what = "A release counts people. Whose rows are whose in both is not in the files: rows were compared, not people."
    fix = "publish the earlier one again, unchanged; or do not publish both"
    return [Finding("composition-unproved", what, "rows of one person may be more than k", fix)]


def _nobody(this: ReleaseFolder, register: Path) -> Composition:
    """A register without a release of the same people: nothing was compared, so nothing holds."""
    from amongst.verify.together.against import Composition

    what = "The register has no other release that looks as if it were of the same people, so nothing was compared."
    fix = "name the people with --people, or the earlier release itself; a first release is not held against anything"
    findings = [Finding("composition-unproved", what, "no entry", fix)]
    return Composition(register.name, max(this.threshold, 1), compared=False, findings=findings)


def threshold_of(this: ReleaseFolder, other: ReleaseFolder) -> int:
    """The smaller k of both; releases of two tables have none."""
    own = [one.threshold for one in (this, other) if not one.is_pair] or [this.threshold, other.threshold]
    return max(min(own), 1)


def schema_notes(this: ReleaseFolder, other: ReleaseFolder) -> list[Finding]:
    """What the two manifests say differently about columns."""
    ours, theirs = this.manifest["schema"], other.manifest["schema"]
    roles = [
        f"'{name}' ({ours.get(name, {}).get('role', 'absent')}, earlier {theirs.get(name, {}).get('role', 'absent')})"
        for name in dict.fromkeys([*ours, *theirs])
        if ours.get(name, {}).get("role") != theirs.get(name, {}).get("role")
    ]
    changed = [name for name in ours if not roles and name in theirs and ours[name] != theirs[name]]
    if roles:
        return [Finding("other-roles", "The two releases give columns other roles.", ", ".join(roles))]
    if changed:
        found = ", ".join(f"'{name}'" for name in changed)
        return [Finding("other-schema", "The two releases publish columns in another way.", found)]
    return []


def _entry(this: ReleaseFolder, entry: Entry, schema: Schema | None) -> Composition:
    from amongst.verify.together.against import Composition

    k = threshold_of(this, entry.release)
    same = set(this.sha256.values()) == set(entry.release.sha256.values())
    if not same and entry.release.changed_files():
        what = f"The files of '{entry.name}' are not where the register says, or changed, so nothing can be said."
        found = ", ".join(entry.release.changed_files())
        return Composition(entry.name, k, compared=False, findings=[_unproved(what, found)])
    return compare(this, entry.release, schema, entry.name)


def _unproved(what: str, found: str) -> Finding:
    return Finding("composition-unproved", what, found, "give the folder of the earlier release itself")


def part_of(stored: ReleaseFolder, schema: Schema | None) -> Part:
    """A release as the verifier compares it, opened by its own readers."""
    from amongst.published.layout import lay_out
    from amongst.published.open_published import open_published
    from amongst.published.pair_columns import pair_columns
    from amongst.published.release_part import Part
    from amongst.query.told import read_told, with_schema
    from amongst.verify.pair.pair import pair_in

    told = read_told(stored.folder)
    if told is None:
        raise BadInput("The release has no manifest.", found=stored.folder.name, fix="name a release folder")
    if schema is not None:
        told = with_schema(told, schema)
    source = open_published(stored.folder)
    layout = lay_out(source, told.schema)
    files = pair_in(stored.folder)
    if files is None:
        return Part(source, layout, told.closed)
    second = open_published(files[1])
    columns = pair_columns(source, second, told.schema)
    if columns.link is None or columns.count is None or columns.sensitive not in second.names:
        found = "no group number in both, or no sensitive column with its counts"
        raise BadInput("The two tables cannot be put together.", found=found, fix="check it with amongst verify")
    return Part(source, layout, told.closed, (second, columns))
