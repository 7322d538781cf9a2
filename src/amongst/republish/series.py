"""A series of releases about the same people: each is made so that all of them together hold."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np

from amongst.brief import Brief
from amongst.errors import BadInput, BadOption, BadSchema
from amongst.models import Model, smallest_group
from amongst.partition.applied.given_groups import GivenGroups
from amongst.pseudonyms import Pseudonyms
from amongst.read import Source
from amongst.recoding import Recoding
from amongst.republish.box_tree import BoxTree, Node, grow, loss_of_nodes
from amongst.republish.boxes import Boxes
from amongst.republish.cut import Chosen
from amongst.republish.earlier import Published
from amongst.republish.invariance import Signatures, with_counterfeits
from amongst.republish.month import Month, too_few
from amongst.republish.month_rows import month_rows
from amongst.republish.people import People, Rows, parts_of, without_missing
from amongst.republish.promise import Promise
from amongst.schema.schema import Schema, as_schema

if TYPE_CHECKING:
    from amongst.release import Release

FORMAT = 2
METHODS = ("boxes", "m-invariance")
KEPT = [one.name for one in fields(Published)]
MOST_LEAVES = 6_000
"""More boxes would take long to choose from, and gain next to nothing."""


@dataclass(frozen=True)
class Told:
    """What a release of a series cost.

    Attributes
    ----------
    n_rows, n_left_out : int
        Rows of the table, and those that were not published this time.
    loss : float
        With everybody left out charged in full.
    n_counterfeits : int
        Rows of nobody.
    """

    n_rows: int
    n_left_out: int
    loss: float
    n_counterfeits: int = 0


class Series(Brief):
    """Releases of one table again and again, while people come, go and change.

    Parameters
    ----------
    schema : Schema, or dict
        With sensitive columns and no kept ones: what is published as it is links the releases. Of several sensitive
        columns l and the values of newcomers are asked of each.
    models : sequence of privacy models
        k-anonymity, and l-diversity (distinct or by frequency) where it is wanted.
    person : str
        The identifier that tells people apart; one row a person.
    key : bytes
        Under which people are remembered; see ``amongst.pseudonyms.make_key``.
    newcomers : int
        Where the difference of two releases shows people who came or went, at least so many values can be theirs.
    crowd : int
        And they are at least so many.
    start : int, optional
        The least rows of a class in the first release; left out, 2 k, and more in large tables: later ones need
        the room.
    method : {"boxes", "m-invariance"}
        All releases publish boxes of one tree, and what these have in common is counted; or every class has the same
        values for somebody, each equally often: m is the l that is asked.
    counterfeits : bool
        With m-invariance: whether rows of nobody may take the place of a missing value. How many is told in the
        release. Left out, the rows that lack a partner wait.

    Examples
    --------
    >>> import amongst as am
    >>> year = am.datasets.hospital_year(n_persons=500, n_months=3)
    >>> models = [am.KAnonymity(5), am.LDiversity(2, "distinct")]
    >>> series = am.Series(year[0].schema, models, person="person", key=b"at least 16 bytes")
    >>> [series.next(month.table).verdict.ok for month in year]
    [True, True, True]
    """

    def __init__(
        self,
        schema: Any,
        models: Sequence[Model],
        *,
        person: str,
        key: bytes,
        newcomers: int = 2,
        crowd: int = 1,
        start: int | None = None,
        method: str = "boxes",
        counterfeits: bool = False,
    ) -> None:
        self.schema, self.models = as_schema(schema), list(models)
        self.person = person
        if min(newcomers, crowd) < 1:
            raise BadOption(
                "Whoever came or went is somebody, and has a value.",
                found=f"newcomers = {newcomers}, crowd = {crowd}",
                fix="use numbers from 1",
            )
        self.promise = promise_of(self.models, newcomers, crowd)
        self.start = 2 * self.promise.k if start is None else start
        self.sensitive = _sensitive_alone(self.schema, person)
        self._people = Pseudonyms(key, "series")
        self.signatures = None if method == "boxes" else Signatures(self.promise, counterfeits=counterfeits)
        if method not in METHODS or (counterfeits and method == "boxes") or (self.signatures and self.promise.l < 2):
            raise BadOption(
                "A series has no such method.",
                found=f"method = {method!r}, counterfeits = {counterfeits}, l = {self.promise.l}",
                fix="use boxes; or m-invariance with l-diversity of at least 2, with or without counterfeits",
            )
        self.tree: BoxTree | None = None
        self.values: list[str] = []
        self.published: list[Published] = []
        self.told: list[Told] = []

    def brief(self) -> str:
        return f"{len(self.told)} releases, k = {self.promise.k}, l = {self.promise.l}"

    def next(self, data: Any, *, engine: str | None = None, memory: str | int | None = None, **how: Any) -> Release:
        """The next release: the boxes of least loss with which all releases together hold what is promised.

        Rows for which that cannot be are left out this time; ``told[-1]`` says how many.

        Parameters
        ----------
        data
            A frame, a file, the address of a database, or a frame of Spark.
        engine, memory, **how
            Where the rows are and how they are read, as ``am.anonymize`` takes it. Of rows that are not in memory those
            of this month come here, of the columns of the series; no earlier original is looked at.
        """
        source = self.rows_of(data, engine=engine, memory=memory, **how)
        n_rows = source.table.num_rows
        source = _part(source, without_missing(source.table, self.schema.quasi))
        if n_rows and not source.table.num_rows:
            raise BadInput(
                "Every row has a missing quasi-identifier, and no box of a series has such rows.",
                found=f"{n_rows:,} rows, none complete",
                fix="fill them in, or leave the column with the missing cells out",
            )
        rows = Rows.of(source.table, self.schema, self.sensitive, self.person, self._people, self.values)
        if self.signatures is not None:
            return self._with_signatures(self.signatures, source, rows, n_rows)
        tree = self.tree
        if tree is None:
            grown = grow(rows.coded, max(self.start, n_rows // MOST_LEAVES))
            if len(grown.nodes) == 1 and source.table.num_rows < self.promise.k:
                raise too_few(source.table.num_rows)
            tree = grown.without_ends()
        leaf = tree.leaf_of_row(rows.coded)
        last = {} if not self.published else {name: getattr(self.published[-1], name) for name in ("digest", "leaf")}
        people = People.of(rows, leaf, self.values, self._people, last)
        wide = tree.widened(rows.coded, leaf)  # as wide as everybody; what is published is as wide as who is in it
        most_rows = max([people.most_rows, *(one.most_rows for one in self.published)])
        promise = replace(self.promise, of=parts_of(self.values, len(self.sensitive)), most_rows=most_rows)
        work = Month(Boxes(tree), people, loss_of_nodes(wide, rows.coded), self.published, promise, len(self.values))
        chosen, keep = work.settle()
        kept = (people.person_of_row >= 0) & np.append(keep, False)[people.person_of_row]
        self.tree = tree.widened(rows.coded, np.where(kept, leaf, -1))
        release = self._release(_part(source, kept), chosen, most_rows > 0)
        self._remember(work, chosen, keep)
        loss = loss_of_nodes(self.tree, rows.coded)[work.class_of_person(chosen.nodes)]
        lost = float(loss[people.person_of_row[kept]].sum())
        left_out = n_rows - int(kept.sum())
        self.told.append(Told(n_rows, left_out, (lost + left_out) / n_rows))
        return release

    def rows_of(self, data: Any, **how: Any) -> Source:
        """The rows of a month, from wherever they are, for ``next``."""
        return month_rows(data, self.schema, self.models, self.person, **how)

    def _with_signatures(self, signatures: Signatures, source: Source, rows: Rows, n_rows: int) -> Release:
        from amongst.anonymize import anonymize

        told = signatures.next(rows)
        kept = told.group_of_row >= 0
        if not kept.any():
            raise too_few(n_rows)
        row = np.concatenate([np.flatnonzero(kept), [row for *_, row in told.counterfeits]]).astype(np.int64)
        group = np.concatenate([told.group_of_row[kept], [one for one, *_ in told.counterfeits]]).astype(np.int64)
        table = with_counterfeits(source.table, row, told, self.sensitive, self.person, self.values)
        n = len(told.counterfeits)
        words = f"m-invariance, m = {self.promise.l}, {n:,} of {len(row):,} rows are counterfeits"
        part = Source(table, source.frame, source.name, None, source.notes, source.spelled)
        release = anonymize(part, self.schema, self.models, "given-groups", groups=GivenGroups(group, words))
        signatures.remember(rows, told)
        left_out = n_rows - int(kept.sum())
        lost = release.utility.gcp * len(row)
        self.told.append(Told(n_rows, left_out, (lost + left_out) / n_rows, n))
        return release

    def _release(self, source: Source, chosen: Chosen, several: bool) -> Release:
        assert self.tree is not None
        tokens = [self.tree.tokens(node) for node in chosen.nodes]
        columns, places = {}, []
        for name in self.schema.quasi:
            text = [json.dumps(one[name]) for one in tokens]
            known = {one: place for place, one in enumerate(sorted(set(text)))}
            columns[name] = {"tokens": [json.loads(one) for one in known]}
            places.append([known[one] for one in text])
        recoding = Recoding("series", columns, [list(one) for one in zip(*places, strict=True)])
        unit = {"unit": self.person} if several else {}
        release = recoding.transform(source, self.schema, self.models, **unit)
        if release.plan.n_classes != len(chosen.nodes):
            raise AssertionError("the release has other classes than were chosen")
        return release

    def _remember(self, work: Month, chosen: Chosen, keep: np.ndarray) -> None:
        people, n = work.people, work.n_values
        classes = np.array(chosen.nodes, dtype=np.int64)
        count = work.counts_at(work.class_of_person(chosen.nodes), keep)[classes]
        rows, sizes = count[:, n : 2 * n], count[:, 2 * n :]
        who = [getattr(people, name)[keep] for name in ("digest", "content", "leaf", "n_rows")]
        small = [one.astype(np.int32) if place > 1 else one for place, one in enumerate(who)]
        self.published.append(Published(classes, count[:, :n], rows, sizes, *small))

    def save(self, path: str | os.PathLike[str], *, folder: str | os.PathLike[str] | None = None) -> None:
        """Write what the next release needs: labels and counts that were published, and digests under the key.

        ``folder`` is where the last release is to be; see ``amongst.republish.two_steps``.
        """
        from amongst.staging import staged_file

        facts = {
            "format": FORMAT,
            "promise": self.promise.told,
            "person": self.person,
            "key": self._mark_of_key(),
            "start": self.start,
            **({} if folder is None else {"folder": os.path.abspath(folder)}),
            "values": self.values,
            "signatures": None if self.signatures is None else self.signatures.facts,
            "told": [vars(one) for one in self.told],
            "nodes": None if self.tree is None else [node.to_dict() for node in self.tree.nodes],
        }
        arrays = {f"{name}{number}": getattr(one, name) for number, one in enumerate(self.published) for name in KEPT}
        arrays |= {} if self.signatures is None else self.signatures.arrays
        with staged_file(Path(path)) as part:
            with part.open("wb") as file:
                np.savez_compressed(file, facts=np.array(json.dumps(facts)), **arrays)
            part.chmod(0o600)

    @classmethod
    def load(cls, path: str | os.PathLike[str], schema: Any, models: Sequence[Model], key: bytes) -> Series:
        """Go on with a series; schema, models and key must be those that it was begun with."""
        try:
            with np.load(path, allow_pickle=False) as stored:
                facts = json.loads(str(stored["facts"]))
                promise = Promise(**facts["promise"])
                more = {"newcomers": promise.newcomers, "crowd": promise.crowd, "start": facts["start"]}
                own = facts["signatures"]
                more |= {} if own is None else {"method": "m-invariance", "counterfeits": own["counterfeits"]}
                series = cls(schema, models, person=facts["person"], key=key, **more)
                mark = facts["key"]
                series.values, series.told = facts["values"], [Told(**one) for one in facts["told"]]
                series.tree = None if facts["nodes"] is None else BoxTree([Node(**one) for one in facts["nodes"]])
                if series.signatures is not None:
                    series.signatures.load(own, stored)
                series.published = [
                    Published(*(stored[f"{name}{number}"] for name in KEPT))
                    for number in range(len(series.told) if own is None else 0)
                ]
        except (OSError, ValueError, KeyError, TypeError, BadZipFile) as error:
            raise BadInput(
                "The series cannot be read.",
                found=getattr(error, "strerror", None) or "another content",
                fix="give the file that was saved",
            ) from None
        if series.promise != promise:
            fix = "ask for what the series was begun with, or begin another one"
            raise BadOption("The series promises something else.", found="other models than before", fix=fix)
        if series._mark_of_key() != mark:
            fix = "give the key that it was begun with: under another one nobody is known again"
            raise BadOption(
                "The series remembers people under another key.", found="a key that is not its own", fix=fix
            )
        return series

    def refuse_other(self, asked: Mapping[str, Any]) -> None:
        """Raise where something else is asked than the series was begun with, such as ``newcomers``: it would not hold
        beside the releases that are out already."""
        signed = self.signatures
        begun = {
            "newcomers": self.promise.newcomers,
            "crowd": self.promise.crowd,
            "method": "boxes" if signed is None else "m-invariance",
            "counterfeits": signed is not None and signed.counterfeits,
        }
        other = [f"{name} = {value}, begun with {begun[name]}" for name, value in asked.items() if value != begun[name]]
        if other:
            fix = "leave it out, or begin another series"
            raise BadOption("The series promises something else.", found=", ".join(other), fix=fix)

    def _mark_of_key(self) -> str:
        """By which a key is known again; from it nothing follows for the digest of anybody."""
        return str(self._people.digests(["key"], "mark of the key")[0])


def _part(source: Source, keep: np.ndarray) -> Source:
    import pyarrow as pa

    part = source.table if keep.all() else source.table.filter(pa.array(keep))
    return Source(part, source.frame, source.name, None, source.notes, source.spelled)


def folder_of(path: Path) -> Path | None:
    """Where the last release of a saved series was to be, if that was told."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            told = json.loads(str(stored["facts"])).get("folder")
        return None if told is None else Path(told)
    except (OSError, ValueError, KeyError, TypeError, BadZipFile):
        return None


def promise_of(models: Sequence[Model], newcomers: int, crowd: int) -> Promise:
    """The models as a promise over all releases."""
    wrong = [one.name for one in models if one.name not in ("k-anonymity", "l-diversity")]
    senses = [getattr(one, "sense", "distinct") for one in models if one.name == "l-diversity"]
    wrong += [f"l-diversity, {sense}" for sense in senses if sense not in ("distinct", "frequency", "probabilistic")]
    if wrong:
        raise BadOption(
            "A series promises k-anonymity and l-diversity.",
            found=", ".join(wrong),
            fix="ask for k-anonymity, and l-diversity by frequency or distinct",
        )
    asked = [one for one in models if one.name == "l-diversity"]
    least = max([int(np.ceil(one.asked)) for one in asked], default=1)
    shares = [1 / one.asked for one in asked if getattr(one, "sense", "") != "distinct"]
    return Promise(smallest_group(models), least, min(shares, default=1.0), newcomers, crowd)


def _sensitive_alone(schema: Schema, person: str) -> list[str]:
    as_is = [name for name in schema.published if schema[name].role != "quasi"]
    if not as_is or any(schema[name].role != "sensitive" for name in as_is):
        raise BadSchema(
            "A series needs a sensitive column, and nothing else that is published as it is.",
            found=", ".join(f"'{name}' ({schema[name].role})" for name in as_is) or "no sensitive column",
            fix='drop the others with role="identifier": what stays the same links the months',
        )
    if person not in schema or schema[person].role != "identifier":
        raise BadSchema(
            "The column that tells people apart must be an identifier of the schema.",
            found=f"'{person}'",
            fix='give it role="identifier"',
        )
    return as_is
