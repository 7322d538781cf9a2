"""Evidence about a release that lies in a folder: verified again, attacked, measured, held against earlier ones."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.errors import BadOption
from amongst.evidence.one_table import OneTable
from amongst.evidence.pack import Evidence
from amongst.models import Model
from amongst.release.folder import ReleaseFolder, release_in
from amongst.release.people import people_of
from amongst.schema.schema import Schema
from amongst.verify import Finding, verify

if TYPE_CHECKING:
    from amongst.attack.finding import Findings
    from amongst.review import Review
    from amongst.verify import Verdict

Place = str | os.PathLike[str]


def evidence(
    release: Place,
    *,
    schema: Schema | None = None,
    original: Any = None,
    control: Any = None,
    outside: Any = None,
    population: Any = None,
    against: Place | Iterable[Place] = (),
    people: str | None = None,
    inside: Place | None = None,
    seed: int = 0,
    date: str | None = None,
    author: str | None = None,
    purpose: str | None = None,
    recipient: str | None = None,
    review: Review | None = None,
    step: Callable[[str], None] | None = None,
) -> Evidence:
    """Gather what a review board needs: request, assumptions, proofs, attacks, figures, versions, digests.

    Parameters
    ----------
    release : path
        A release folder.
    schema : Schema, optional
        The schema the release was made with, for hierarchies that its manifest does not tell.
    original : path or table, optional
        What the release was made of. With it attacks are measured beside a control group, and risk before and after.
    control, outside : path or table, optional
        People who are not in the release; a public table about people. See ``am.attack``.
    population : path or table, optional
        Everybody: for k-map and delta-presence, and the risk of a journalist.
    against : path, or several
        Earlier releases of the same people, or registers of them.
    people : str, optional
        Which people of a register.
    inside : path, optional
        What was written inside with the release; left out, the folder beside it, ``<release>.inside``.
    seed : int
        Of the attacks.
    date : str, optional
        The day of the pack, such as ``"2026-11-15"``; today if left out.
    author, purpose, recipient : str, optional
        Who gathered it, what the release is for, and who is to get it: printed in both versions where they are given.
    review : Review, optional
        The context, as ``[review]`` of a job file says it: it selects the attacks and the threshold, and stands in the
        internal version. Author, purpose and recipient that are not given are taken from it.
    step : callable, optional
        Told the name of every step.

    Returns
    -------
    Evidence
        ``write(folder)``, ``to_dict(public=...)``, ``to_html(public=...)``.

    Examples
    --------
    >>> import amongst as am
    >>> patients = am.datasets.load("patients")
    >>> _ = am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)]).write("out")
    >>> found = am.evidence("out", original=patients.table)
    >>> found.ok, found.k
    (True, 2)
    """
    from amongst.release.against import verify_against
    from amongst.risk.risk import risk

    say = step or (lambda name: None)
    stored = release_in(Path(release))
    known = _schema(stored, schema)
    models = [_with_population(model, population) for model in stored.models]
    earlier = [against] if isinstance(against, (str, os.PathLike)) else list(against)
    say("verify")
    people_of_rows = None if stored.unit is None else people_of(stored.folder, None if inside is None else Path(inside))
    verdict = _verify(stored, stored.provable if schema is None else known, models, people_of_rows)
    say("compare")
    together = verify_against(stored.folder, earlier, schema=schema, people=people) if earlier else []
    say("attack")
    known_to_all: dict[str, Any] = {"original": original, "control": control, "outside": outside, "seed": seed}
    if review is not None:
        known_to_all["attacks"] = review.chosen
        author, purpose, recipient = (
            given or told or None
            for given, told in ((author, review.author), (purpose, review.purpose), (recipient, review.recipient))
        )
    attacks = _attack(stored, schema, _folders(stored, earlier, people), known_to_all)
    say("measure")
    measured = risk(stored.folder, known, original=original, population=population, inside=inside)
    return Evidence(
        release=stored,
        models=models,
        verdict=verdict,
        together=together,
        attacks=attacks,
        account=OneTable(measured),
        about=told_about(date=date, author=author, purpose=purpose, recipient=recipient),
        review=review,
    )


def told_about(*, date: str | None, **said: str | None) -> dict[str, str]:
    """The day, today if left out, and what else is given of: who, what for, for whom."""
    import datetime

    day = date or datetime.datetime.now(datetime.UTC).date().isoformat()
    return {"date": day} | {name: text for name, text in said.items() if text}


def _schema(stored: ReleaseFolder, schema: Schema | None) -> Schema:
    """The schema of the manifest, with hierarchies and orders that were given."""
    if schema is None:
        return stored.schema
    from amongst.query.told import read_told, with_schema

    told = read_told(stored.folder)
    assert told is not None
    return with_schema(told, schema).schema


def _with_population(model: Model, population: Any) -> Model:
    if model.counts != "population":
        return model
    if population is None and not Path(str(model.population)).is_file():
        raise BadOption(
            "The release was compared with a population, which is not here.",
            found=f"model {model.name!r} without its table",
            fix="give it with population= (--population)",
        )
    return model if population is None else model.with_fields(population=population)


def _verify(stored: ReleaseFolder, schema: Schema, models: list[Model], people: Any) -> Verdict:
    """The published file, verified again by code that shares nothing with the search."""
    verdict = verify(stored.folder, schema, models, units=people)
    notes = list(verdict.notes)
    if stored.unit is not None and people is None:
        what = (
            "The release promises something of people. Whose its rows are is not in the file: rows were counted again."
        )
        notes.append(Finding("people-not-counted", what, "people were counted when it was made, as its manifest says"))
    return replace(verdict, notes=notes)


def _folders(stored: ReleaseFolder, earlier: list[Place], people: str | None) -> list[Path]:
    """The folders of earlier releases that are still there as they were written."""
    from amongst.release.register import Register, is_register

    found = []
    for place in map(Path, earlier):
        if is_register(place):
            entries = Register(place).earlier_than(stored, people)
            found += [entry.release.folder for entry in entries if not entry.release.changed_files()]
        else:
            found.append(place)
    return found


def _attack(stored: ReleaseFolder, schema: Schema | None, against: list[Path], known: dict[str, Any]) -> Findings:
    from amongst.attack.attack import attack

    return attack(stored.folder, schema, against=against or None, **known)
