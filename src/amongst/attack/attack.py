"""All attacks on a release: who is asked, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from amongst.attack.boxes import open_boxes
from amongst.attack.declared import ATTACKS, Attacks
from amongst.attack.finding import Finding, Findings
from amongst.attack.intruder import Intruder
from amongst.attack.people import read_people
from amongst.schema.limits import limited
from amongst.schema.schema import Schema


def attack(
    published: Any,
    schema: Schema | Sequence[str] | None = None,
    *,
    outside: Any = None,
    original: Any = None,
    control: Any = None,
    against: Any = None,
    known: Sequence[str] | None = None,
    sensitive: Sequence[str] = (),
    attacks: Sequence[str] | None = None,
    k: int | None = None,
    most: int = 10_000,
    seed: int = 0,
    split: bool = True,
    divisions: int = 4,
    rows: bool = False,
    address: str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> Findings:
    """Attack a release as a motivated intruder would, and say what came of it.

    Parameters
    ----------
    published : path, table or Release
        A release folder, its data file, a published table of another tool, or a release in memory.
    schema : Schema or sequence of str, optional
        The schema of the release, for hierarchies that its manifest does not tell; or the names of the
        quasi-identifiers of a table without a manifest.
    outside : path, table or mapping, optional
        A public table about people, such as a voter list, with some of the quasi-identifiers under their names.
    original : path or table, optional
        The table that the release was made of; a release in memory knows its own.
    control : path or table, optional
        People like those of the original who are not in the release. Without it half of the original is published anew
        in the same way, and the other half is the control group (see ``split``).
    against : path, table or Release, or a list of them, optional
        Other releases about the same people.
    known : sequence of str, optional
        The published columns that the intruder may know of people; the quasi-identifiers if left out.
    sensitive : sequence of str, optional
        Columns to take as sensitive, of a table without a schema.
    attacks : sequence of str, optional
        Which attacks to carry out; all that can be if left out.
    k : int, optional
        Counts of people below it are not shown, and fewer candidates than that are a success; left out, what the
        release was asked to hold, or 10 where that is not known.
    most : int
        Of more people than this a sample is tried, where a sample will do.
    seed : int
        Of the lots.
    split : bool
        Whether the release may be made anew of half of the original for a control group.
    divisions : int
        How often a small table is divided anew for the attack on membership, to say more closely what it achieves.
    rows : bool
        Whether findings name the rows of the outside table or original that were hit. For internal use only.
    address : str, optional
        Of the database (``postgresql://...``), where a release folder says that its rows are a table there.
    progress : callable, optional
        Told (attack, done, total).

    Returns
    -------
    Findings

    Examples
    --------
    >>> import amongst as am
    >>> patients = am.datasets.load("patients")
    >>> release = am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)])
    >>> voters = {"Name": ["Ahmed"], "Age": [25], "Sex": ["Male"], "Zipcode": [53711]}
    >>> am.attack(release, outside=voters)["linkage"].achieved[0]
    'Fit one record alone: 0 of 1 (0%) outside people.'
    >>> am.attack(patients.table, patients.schema, outside=voters, k=1)["linkage"].achieved[0]
    'Fit one record alone: 1 of 1 (100%) outside people.'
    """
    asked = ATTACKS.asked(attacks)
    if original is not None and isinstance(schema, Schema) and any(column.has_limits for column in schema.values()):
        original, schema = limited(read_people(original).table, schema)  # whoever knows a cell knows its label
    boxes = open_boxes(published, schema, known, k, sensitive, address)
    if original is None and boxes.made.release is not None:
        original = boxes.made.release.source.table
    others = [] if against is None else list(against) if isinstance(against, (list, tuple)) else [against]
    intruder = Intruder(
        boxes=boxes,
        outside=None if outside is None else read_people(outside),
        original=None if original is None else read_people(original),
        control=None if control is None else read_people(control),
        others=[open_boxes(one, schema, k=k, sensitive=sensitive, address=address) for one in others],
        known=known,
        most=most,
        seed=seed,
        split=split,
        divisions=divisions,
        rows=rows,
        notes=list(boxes.notes),
    )
    return carry_out(ATTACKS, intruder, asked, progress)


def carry_out(
    register: Attacks,
    intruder: Any,
    asked: Sequence[str],
    progress: Callable[[str, int, int], None] | None = None,
) -> Findings:
    """The attacks one after the other, each with lots of its own: on one table and on many."""
    found: list[Finding] = []
    skipped: list[tuple[str, str]] = []
    for done, name in enumerate(asked):
        if progress is not None:
            progress(name, done, len(asked))
        intruder.rng = np.random.default_rng([intruder.seed, register[name].place])
        for what in register[name].carry_out(intruder):
            if isinstance(what, str):
                skipped.append((name, what))
            else:
                found.append(what)
    notes = tuple(dict.fromkeys(intruder.notes))
    return Findings(attacks=tuple(found), skipped=tuple(dict.fromkeys(skipped)), notes=notes, **intruder.release)
