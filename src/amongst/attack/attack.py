"""All attacks on a release, and what they need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from amongst.attack.background import background
from amongst.attack.boxes import Boxes, open_boxes
from amongst.attack.composition import composition
from amongst.attack.downcoding import downcoding
from amongst.attack.finding import Finding, Findings
from amongst.attack.homogeneity import homogeneity
from amongst.attack.inference import inference
from amongst.attack.learner import learner
from amongst.attack.linkability import linkability
from amongst.attack.linkage import linkage
from amongst.attack.minimality import minimality
from amongst.attack.newcomers import newcomers
from amongst.attack.people import People, read_people
from amongst.attack.reidentification import reidentification
from amongst.attack.sensitive_boxes import classes_of
from amongst.attack.similarity import similarity
from amongst.attack.singling_out import singling_out
from amongst.attack.skewness import skewness
from amongst.attack.split import split as split_people
from amongst.errors import BadOption
from amongst.schema.column import Column
from amongst.schema.schema import Schema

ATTACKS = (
    "linkage",
    "re-identification",
    "singling out",
    "downcoding",
    "linkability",
    "composition",
    "inference",
    "learner",
    "minimality",
    "homogeneity",
    "background knowledge",
    "skewness",
    "similarity",
    "newcomers",
)


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
    rows: bool = False,
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
    rows : bool
        Whether findings name the rows of the outside table or original that were hit. For internal use only.
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
    asked = _asked(attacks)
    boxes = open_boxes(published, schema, known, k, sensitive)
    run = _Run(boxes, asked, seed, most, rows, progress or (lambda name, done, total: None))
    run.known = known
    if original is None and boxes.made.release is not None:
        original = boxes.made.release.source.table
    run.outside = None if outside is None else read_people(outside)
    run.original = None if original is None else read_people(original)
    run.control = None if control is None else read_people(control)
    others = [] if against is None else list(against) if isinstance(against, (list, tuple)) else [against]
    run.others = [open_boxes(one, schema, k=k) for one in others]
    run.split = split
    return run.all()


def _asked(attacks: Sequence[str] | None) -> tuple[str, ...]:
    if attacks is None:
        return ATTACKS
    names = [attacks] if isinstance(attacks, str) else list(attacks)
    unknown = [name for name in names if name not in ATTACKS]
    if unknown:
        raise BadOption(
            "There is no such attack.",
            found=", ".join(map(repr, unknown)),
            fix="use one of: " + ", ".join(ATTACKS),
        )
    return tuple(name for name in ATTACKS if name in names)


class _Run:
    """The attacks one after the other, each with what it needs."""

    outside: People | None = None
    original: People | None = None
    control: People | None = None
    others: list[Boxes]
    known: Sequence[str] | None = None
    split = True

    def __init__(
        self,
        boxes: Boxes,
        asked: tuple[str, ...],
        seed: int,
        most: int,
        rows: bool,
        say: Callable[[str, int, int], None],
    ) -> None:
        self.boxes, self.asked, self.seed, self.most, self.rows, self.say = boxes, asked, seed, most, rows, say
        self.rng = np.random.default_rng(seed)
        self.others = []
        self.found: list[Finding] = []
        self.skipped: list[tuple[str, str]] = []
        self.notes: list[str] = list(boxes.notes)

    def all(self) -> Findings:
        for done, name in enumerate(self.asked):
            self.say(name, done, len(self.asked))
            # Lots of its own, so that an attack finds the same whichever others are carried out.
            self.rng = np.random.default_rng([self.seed, ATTACKS.index(name)])
            STEPS[name](self)
        made = self.boxes.made
        return Findings(
            name=made.name,
            n_rows=self.boxes.n_records,
            n_classes=self.boxes.n_boxes,
            threshold=made.threshold,
            attacks=tuple(self.found),
            skipped=tuple(dict.fromkeys(self.skipped)),
            notes=tuple(dict.fromkeys(self.notes)),
        )

    def add(self, name: str, found: Finding | str) -> None:
        """Keep a finding, or why there is none."""
        if isinstance(found, str):
            self.skipped.append((name, found))
        else:
            self.found.append(found)

    def linkage(self) -> None:
        if self.outside is None:
            self.add("linkage", "no outside table was given")
        else:
            self.add("linkage", linkage(self.boxes, self.outside, rows=self.rows))

    def reidentification(self) -> None:
        if self.original is None:
            self.add("re-identification", "the original was not given")
        else:
            people = self.original.sample(self.most, self.rng)
            self.add("re-identification", reidentification(self.boxes, people, rows=self.rows))

    def measured(self, name: str) -> tuple[Boxes, People, People | None] | None:
        """The release to measure, who is in it, and who is not."""
        if self.original is None:
            self.add(name, "the original was not given")
            return None
        if not hasattr(self, "_measured"):
            self._measured = self._with_control(self.original)
        return self._measured

    def _with_control(self, original: People) -> tuple[Boxes, People, People | None]:
        if self.control is not None:
            if self.control.n < original.n:
                self.notes.append(
                    "The control group is smaller than the original: singling out succeeds less often on it for that "
                    "reason alone, so that risk is overstated rather than understated."
                )
            return self.boxes, original, self.control
        made = (
            split_people(self.boxes, original, np.random.default_rng(self.seed))
            if self.split
            else "a split was not wanted"
        )
        if isinstance(made, str):
            self.notes.append(f"There is no control group: {made}. Success is compared with guessing instead.")
            return self.boxes, original, None
        release, inside, others = made
        self.notes.append(
            "No control group was given. Singling out, linkability and inference were measured on a release made "
            f"anew of {inside.n:,} rows of the original in the same way; the other {others.n:,} rows are the "
            "control group."
        )
        return open_boxes(release, None, self.known, self.boxes.threshold), inside, others

    def singling_out(self) -> None:
        if (with_whom := self.measured("singling out")) is not None:
            self.add("singling out", singling_out(*with_whom, self.rng))

    def downcoding(self) -> None:
        self.add("downcoding", downcoding(self.boxes))

    def linkability(self) -> None:
        if (with_whom := self.measured("linkability")) is not None:
            self.add("linkability", linkability(*with_whom, self.rng))

    def composition(self) -> None:
        people = self.original if self.original is not None else self.outside
        if not self.others:
            self.add("composition", "no other release was given")
        elif people is None:
            self.add("composition", "neither the original nor an outside table was given")
        else:
            people = people.sample(self.most, self.rng)
            self.add("composition", composition([self.boxes, *self.others], people, rows=self.rows))

    def newcomers(self) -> None:
        if not self.others:
            self.add("newcomers", "no other release was given")
        for other in self.others:
            self.add("newcomers", newcomers(self.boxes, other))

    def inference(self) -> None:
        if not self.boxes.beliefs:
            self.add("inference", "there is no sensitive column")
        elif (with_whom := self.measured("inference")) is not None:
            boxes, original, control = with_whom
            sample = original.sample(self.most, self.rng)
            others = None if control is None else control.sample(self.most, self.rng)
            for column in boxes.beliefs:
                if column in original.table.column_names:
                    self.add("inference", inference(boxes, column, sample, others))

    def learner(self) -> None:
        if self.boxes.group is None:
            self.add("learner", "it is for releases of two tables (anatomy)")
        elif self.original is None:
            self.add("learner", "the original was not given")
        else:
            sample = self.original.sample(self.most, self.rng)
            for column in self.boxes.beliefs:
                self.add("learner", learner(self.boxes, column, sample))

    def minimality(self) -> None:
        for column in self.boxes.beliefs:
            if self.original is None:
                self.add("minimality", "the original was not given")
            else:
                self.add("minimality", minimality(self.boxes, column, self.original, self.rng))

    def of_values(self, name: str) -> None:
        """The attacks that need the release alone."""
        if not self.boxes.beliefs:
            self.add(name, "there is no sensitive column")
        for column, beliefs in self.boxes.beliefs.items():
            classes, k = classes_of(self.boxes, beliefs), self.boxes.threshold
            if name == "similarity":
                schema = self.boxes.made.schema
                rule = schema[column] if schema is not None and column in schema else Column()
                self.add(name, similarity(classes, column, k, rule))
            else:
                self.add(name, OF_VALUES[name](classes, column, k))


OF_VALUES: dict[str, Callable[..., Finding | str]] = {
    "homogeneity": homogeneity,
    "background knowledge": background,
    "skewness": skewness,
}
STEPS: dict[str, Callable[[_Run], None]] = {
    "linkage": _Run.linkage,
    "re-identification": _Run.reidentification,
    "singling out": _Run.singling_out,
    "downcoding": _Run.downcoding,
    "linkability": _Run.linkability,
    "composition": _Run.composition,
    "inference": _Run.inference,
    "learner": _Run.learner,
    "minimality": _Run.minimality,
    "homogeneity": lambda run: run.of_values("homogeneity"),
    "background knowledge": lambda run: run.of_values("background knowledge"),
    "skewness": lambda run: run.of_values("skewness"),
    "similarity": lambda run: run.of_values("similarity"),
    "newcomers": _Run.newcomers,
}
