"""The intruder: a release, what is known beside it, and lots to draw."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from amongst.attack.boxes import Boxes, open_boxes
from amongst.attack.finding import Finding
from amongst.attack.people import People
from amongst.attack.sensitive_boxes import Classes, classes_of
from amongst.attack.split import split as split_people

NO_ORIGINAL = "the original was not given"
NO_SENSITIVE = "there is no sensitive column"


@dataclass(eq=False, kw_only=True)
class Intruder:
    """What an attack may use.

    Attributes
    ----------
    boxes : Boxes
        The release.
    outside, original, control : People, or None
    others : list of Boxes
        Other releases about the same people, in the order they were given.
    known : sequence of str, or None
        The published columns that are known of people.
    most : int
        Of more people than this a sample is tried, where a sample will do.
    divisions : int
        How often a table is divided into people in the data and people outside of it, where one division says little.
    rows : bool
        Whether findings name rows.
    rng : numpy.random.Generator
        The lots of the attack that is carried out.
    """

    boxes: Boxes
    outside: People | None = None
    original: People | None = None
    control: People | None = None
    others: list[Boxes] = field(default_factory=list)
    known: Sequence[str] | None = None
    most: int = 10_000
    seed: int = 0
    split: bool = True
    divisions: int = 4
    rows: bool = False
    rng: np.random.Generator = field(default_factory=np.random.default_rng)
    notes: list[str] = field(default_factory=list)
    _measured: tuple[Boxes, People, People | None] | None = None

    @property
    def release(self) -> dict[str, Any]:
        """What findings say of the release."""
        boxes = self.boxes
        figures = {"n_rows": boxes.n_records, "n_classes": boxes.n_boxes, "threshold": boxes.threshold}
        return {"name": boxes.made.name, **figures}

    def measured(self) -> tuple[Boxes, People, People | None] | str:
        """The release to measure, who is in it, and who is not."""
        if self.original is None:
            return NO_ORIGINAL
        if self._measured is None:
            self._measured = self._with_control(self.original)
        return self._measured

    def measure(
        self, attack: Callable[[Boxes, People, People | None, np.random.Generator], Finding]
    ) -> Iterator[Finding | str]:
        """An attack on the release to measure, of people who are in it and others who are not."""
        given = self.measured()
        yield given if isinstance(given, str) else attack(*given, self.rng)

    def guess_values(self, guess: Callable[[Boxes, str, People, People | None], Finding]) -> Iterator[Finding | str]:
        """What a way to guess values achieves for every sensitive column, of people in the release and of others."""
        if not self.boxes.beliefs:
            yield NO_SENSITIVE
            return
        given = self.measured()
        if isinstance(given, str):
            yield given
            return
        boxes, original, control = given
        sample = original.sample(self.most, self.rng)
        others = None if control is None else control.sample(self.most, self.rng)
        there = set(original.table.column_names)
        for column in boxes.beliefs:
            if column in there:
                yield guess(boxes, column, sample, others)

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
            "No control group was given. Attacks that compare with one were measured on a release made "
            f"anew of {inside.n:,} rows of the original in the same way; the other {others.n:,} rows are the "
            "control group."
        )
        return open_boxes(release, None, self.known, self.boxes.threshold), inside, others

    def divided_again(self, times: int) -> list[tuple[Boxes, People, People]]:
        """Further releases of half of the original, with who is in each and who is not; none where one was given."""
        found: list[tuple[Boxes, People, People]] = []
        if self.original is None or self.control is not None:
            return found
        for i in range(times):
            made = split_people(self.boxes, self.original, np.random.default_rng([self.seed, i]))
            if not isinstance(made, str):
                release, inside, others = made
                found.append((open_boxes(release, None, self.known, self.boxes.threshold), inside, others))
        return found

    def each_value(self, carry_out: Callable[[Classes, str, int], Finding | str]) -> Iterator[Finding | str]:
        """An attack on the values of every sensitive column, class by class."""
        if not self.boxes.beliefs:
            yield NO_SENSITIVE
        for column, beliefs in self.boxes.beliefs.items():
            yield carry_out(classes_of(self.boxes, beliefs), column, self.boxes.threshold)
