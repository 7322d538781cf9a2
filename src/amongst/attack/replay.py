"""Worlds of any method: it is run anew on other ways to deal out the values; what publishes the same is believed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

import numpy as np
import pyarrow as pa

from amongst.attack.boxes import Boxes, values_of
from amongst.attack.people import People
from amongst.attack.worlds import ENOUGH, Weighed
from amongst.errors import AmongstError
from amongst.published.tally import one_key

MOST_ROWS = 300
"""Of a larger table the people of some neighbouring classes are published anew, and that release is attacked."""
MOST_IN_FULL = 6
"""Of a class of so many people all ways to deal out the values are looked at."""
WORLDS, EXACT = 60, 2000
"""How many worlds are drawn; worlds that are all there are count as if they had been drawn so often."""
MOST_RUNS = 240
"""Of the method, after which no further class is tried; of several columns that are asked for each has its share."""


def weigh_replay(
    boxes: Boxes, people: People, column: str, rng: np.random.Generator, *, n_columns: int = 1
) -> Weighed | str:
    """Strike out the worlds in which the method would have published something else.

    The intruder knows the method, its options and everybody's quasi-identifiers, not who of a class has which value.
    Class by class the values of one are dealt out anew, in all ways where these are few, else by lot; the method is run
    on the whole table, and the world stays if the release is the same.
    Lots that a method draws are drawn anew: the seed is not known.
    """
    table = _some(boxes, people, rng)
    made = _Again(boxes, table, column)
    first = made.publish(made.values, made.seed)
    if first is None:
        return "the people who were chosen could not be published in the same way"
    class_of_row, shown = first
    weighed = Weighed()
    weighed.n_classes = int(class_of_row.max()) + 1
    weighed.n_rows = table.num_rows
    codes, n_values = made.codes, int(made.codes.max()) + 1
    share = _shares(class_of_row, codes, n_values)
    n_runs = 0
    for members in _parts(class_of_row, codes, rng):
        worlds, all_of_them = _worlds(class_of_row, codes, members, rng)
        seen, n_left, n_tried = np.zeros((len(codes), n_values)), 0, 0
        for world in worlds:
            again = made.publish(made.dealt(world), made.seed_for(rng))
            n_tried += 1
            if again is not None and again[1].equals(shown):
                seen[np.arange(len(codes)), codes[world]] += 1
                n_left += 1
        weighed.n_parts += 1
        weighed.n_telling += n_left < n_tried
        if n_left >= (1 if all_of_them else ENOUGH):
            times = -(-EXACT // n_left) if all_of_them else 1
            weighed.add(seen[members] * times, n_left * times, share[members], codes[members])
        n_runs += n_tried
        if n_runs >= MOST_RUNS / n_columns:
            break
    return weighed


class _Again:
    """The method, to be run on the same people with their values dealt out anew."""

    def __init__(self, boxes: Boxes, table: pa.Table, column: str) -> None:
        made, release = boxes.made, boxes.made.release
        self.column, self.table, self.made = column, table, made
        self.schema = made.schema if release is None else release.schema
        self.asked: dict[str, Any] = {"unit": made.unit, "bound": False, "options": dict(made.options)}
        if release is not None:
            self.asked |= {"form": release.form, "target": release.target}
        self.values = table.column(column).combine_chunks()
        self.codes = values_of(table, column).codes
        self.at = table.column_names.index(column)
        self.seed = int(made.seed or 0)
        from amongst.partition.methods import find_method

        self.draws_lots = find_method(made.method or "").draws_lots

    def seed_for(self, rng: np.random.Generator) -> int:
        """Of the lots of a world: of a method that draws none it does not matter."""
        return int(rng.integers(1 << 30)) if self.draws_lots else self.seed

    def dealt(self, world: np.ndarray) -> pa.Array:
        return self.values.take(pa.array(world))

    def publish(self, values: pa.Array, seed: int) -> tuple[np.ndarray, pa.Table] | None:
        """The class of every row, and what is published; None where the method finds no release."""
        from amongst.anonymize import release_of
        from amongst.engines import open_store
        from amongst.request import Request

        table = self.table.set_column(self.at, self.column, values)
        assert self.schema is not None
        assert self.made.method is not None
        try:
            asked = Request(
                schema=self.schema, models=self.made.models, method=self.made.method, seed=seed, **self.asked
            )
            made = release_of(open_store("memory", table, asked, _silent, reading={}), asked, _silent)
        except AmongstError:
            return None
        class_of_row = made.plan.class_of_row
        return (class_of_row, made.arrow) if len(class_of_row) == table.num_rows else None


def _silent(step: str, done: int, total: int) -> None:
    """Nobody waits for one of many runs."""


def _some(boxes: Boxes, people: People, rng: np.random.Generator) -> pa.Table:
    """The original, or the people who lie nearest to one of them by how many values they share."""
    rules = boxes.made.schema
    assert rules is not None
    table = people.table.select([name for name in people.table.column_names if name in rules])
    if table.num_rows <= MOST_ROWS:
        return table
    one = int(rng.integers(people.n))
    names = [name for name in rules.quasi if name in people.table.column_names]
    alike = sum(people.column(name).codes == people.column(name).codes[one] for name in names)
    order = np.lexsort((rng.random(people.n), -np.asarray(alike)))
    return table.take(pa.array(np.sort(order[:MOST_ROWS])))


def _parts(class_of_row: np.ndarray, codes: np.ndarray, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """The rows whose values are dealt out together: those of one class after the other, in an order by lot."""
    for number in rng.permutation(int(class_of_row.max()) + 1):
        members = np.flatnonzero(class_of_row == number)
        if len(np.unique(codes[members])) > 1:
            yield members


def _worlds(
    class_of_row: np.ndarray, codes: np.ndarray, members: np.ndarray, rng: np.random.Generator
) -> tuple[list[np.ndarray], bool]:
    """For every row whose value it has in a world; and whether these are all the worlds there are."""
    few = len(members) <= MOST_IN_FULL
    orders = permutations(range(len(members))) if few else (rng.permutation(len(members)) for _ in range(WORLDS))
    found = {}
    for i, order in enumerate(orders):
        given = members[list(order)]
        world = np.arange(len(codes))
        world[members] = given
        found[tuple(codes[given].tolist()) if few else i] = world
    return list(found.values()), few


def _shares(class_of_row: np.ndarray, codes: np.ndarray, n_values: int) -> np.ndarray:
    """The share of every value in everybody's class."""
    number = np.unique(one_key([class_of_row], len(codes)), return_inverse=True)[1].reshape(-1)
    count = np.bincount(number * n_values + codes, minlength=(int(number.max()) + 1) * n_values).reshape(-1, n_values)
    return np.asarray((count / count.sum(axis=1, keepdims=True))[number])
