"""A series of releases about the same people: each is made so that all of them together hold."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.brief import Brief
from amongst.errors import BadInput, BadOption, BadSchema
from amongst.models import Model, smallest_group
from amongst.pseudonyms import Pseudonyms
from amongst.read import Source, read
from amongst.recoding import Recoding
from amongst.republish.box_tree import BoxTree, Node, grow, loss_of_nodes
from amongst.republish.cut import Chosen, Promise
from amongst.republish.month import Month, Published, Rows, parts_of, too_few
from amongst.schema.schema import Schema, as_schema

if TYPE_CHECKING:
    from amongst.release import Release

FORMAT = 1
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
    """

    n_rows: int
    n_left_out: int
    loss: float


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
    ) -> None:
        self.schema, self.models = as_schema(schema), list(models)
        self.person = person
        self.promise = promise_of(self.models, newcomers, crowd)
        self.start = 2 * self.promise.k if start is None else start
        self.sensitive = _sensitive_alone(self.schema, person)
        self._people = Pseudonyms(key, "series")
        self.tree: BoxTree | None = None
        self.values: list[str] = []
        self.published: list[Published] = []
        self.told: list[Told] = []

    def brief(self) -> str:
        return f"{len(self.published)} releases, k = {self.promise.k}, l = {self.promise.l}"

    def next(self, data: Any, **reading: Any) -> Release:
        """The next release: the boxes of least loss with which all releases together hold what is promised.

        Rows for which that cannot be are left out this time; ``told[-1]`` says how many.
        """
        source = data if isinstance(data, Source) else read(data, **reading)
        rows = Rows.of(source.table, self.schema, self.sensitive, self.person, self._people, self.values)
        if self.tree is None:
            self.tree = grow(rows.coded, max(self.start, rows.n // MOST_LEAVES))
            if len(self.tree.nodes) == 1 and rows.n < self.promise.k:
                raise too_few(rows.n)
        tree = self.tree
        leaf = tree.leaf_of_row(rows.coded)
        tree.widen(rows.coded, leaf)
        promise = replace(self.promise, of=parts_of(self.values, len(self.sensitive)))
        work = Month(tree, rows, leaf, self.published, promise, len(self.values))
        chosen, keep = work.settle()
        release = self._release(source, chosen, keep)
        self._remember(work, chosen, keep)
        lost = float((loss_of_nodes(tree, rows.coded)[work.class_of_row(chosen.nodes)] * keep).sum())
        left_out = int((~keep).sum())
        self.told.append(Told(rows.n, left_out, (lost + left_out) / rows.n))
        return release

    def _release(self, source: Source, chosen: Chosen, keep: np.ndarray) -> Release:
        import pyarrow as pa

        assert self.tree is not None
        tokens = [self.tree.tokens(node) for node in chosen.nodes]
        columns, places = {}, []
        for name in self.schema.quasi:
            text = [json.dumps(one[name]) for one in tokens]
            known = {one: place for place, one in enumerate(sorted(set(text)))}
            columns[name] = {"tokens": [json.loads(one) for one in known]}
            places.append([known[one] for one in text])
        recoding = Recoding("series", columns, [list(one) for one in zip(*places, strict=True)])
        part = source.table if keep.all() else source.table.filter(pa.array(keep))
        release = recoding.transform(
            Source(part, source.frame, source.name, None, source.notes, source.spelled), self.schema, self.models
        )
        if release.plan.n_classes != len(chosen.nodes):
            raise AssertionError("the release has other classes than were chosen")
        return release

    def _remember(self, work: Month, chosen: Chosen, keep: np.ndarray) -> None:
        order = np.argsort(work.rows.digest[keep], kind="stable")
        own = work.class_of_row(chosen.nodes)[keep]
        counts = np.zeros((work.n_nodes, len(self.values)), dtype=np.int64)
        np.add.at(counts, (own, work.rows.value[keep]), 1)
        classes = np.array(chosen.nodes, dtype=np.int64)
        digest, leaf = work.rows.digest[keep][order], work.leaf[keep][order].astype(np.int32)
        self.published.append(Published(classes, counts[classes], digest, leaf))

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
            "told": [vars(one) for one in self.told],
            "nodes": None if self.tree is None else [node.to_dict() for node in self.tree.nodes],
        }
        arrays = {
            f"{name}{number}": getattr(one, name)
            for number, one in enumerate(self.published)
            for name in ("classes", "counts", "digest", "leaf")
        }
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
                series = cls(schema, models, person=facts["person"], key=key, **more)
                mark = facts["key"]
                series.values, series.told = facts["values"], [Told(**one) for one in facts["told"]]
                series.tree = None if facts["nodes"] is None else BoxTree([Node(**one) for one in facts["nodes"]])
                series.published = [
                    Published(*(stored[f"{name}{number}"] for name in ("classes", "counts", "digest", "leaf")))
                    for number in range(len(series.told))
                ]
        except (OSError, ValueError, KeyError, TypeError) as error:
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

    def _mark_of_key(self) -> str:
        """By which a key is known again; from it nothing follows for the digest of anybody."""
        return str(self._people.digests(["key"], "mark of the key")[0])


def folder_of(path: Path) -> Path | None:
    """Where the last release of a saved series was to be, if that was told."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            told = json.loads(str(stored["facts"])).get("folder")
        return None if told is None else Path(told)
    except (OSError, ValueError, KeyError, TypeError):
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
