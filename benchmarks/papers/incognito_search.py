"""Look for trees with which the Incognito paper's table of nodes searched comes out as printed.

    python -m benchmarks.papers.incognito_search [--seconds 600] [--seed 1] [--drawn 5] [--trees 2] [--by continents]

Columns are added one by one. Which nodes of the larger lattice hold follows from those of the smaller one and from the
new column's tree: a class of rows breaks k = 2 if a value occurs once in it and no other value of its block does. So
for every node there is a table, block by block, of whether it breaks, and a tree is as good as what its blocks break
together. Ages by where their ranges begin and marital status are gone through whole; education, in order, and
countries by lot, or with ``--by`` all groupings that part the continents, or all of 13 regions; work class and
occupation whole. Nodes are counted for 64 trees at a time, one bit each.
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from amongst import datasets
from benchmarks.papers.incognito_trees import FIGURE_9, PAPER

SHAPE = (5, 2, 2, 3, 4, 3, 3, 3, 2)
SCHOOLING = (
    *("Preschool", "1st-4th", "5th-6th", "7th-8th", "9th", "10th", "11th", "12th", "HS-grad"),
    *("Some-college", "Assoc-voc", "Assoc-acdm", "Bachelors", "Masters", "Prof-school", "Doctorate"),
)
BLOCKS = (
    "United-States|Canada|Mexico|Puerto-Rico Outlying-US(Guam-USVI-etc)|Cuba Dominican-Republic Haiti Jamaica "
    "Trinadad&Tobago|El-Salvador Guatemala Honduras Nicaragua|Columbia Ecuador Peru|South|England Scotland Ireland|"
    "France Germany Holand-Netherlands|Greece Italy Portugal|Hungary Poland Yugoslavia|Iran|India|China Hong Taiwan|"
    "Japan|Cambodia Laos Philippines Thailand Vietnam"
)
CONTINENTS = (range(7), range(8, 12), (7, *range(12, 17)))
"""Which of the blocks are in America, in Europe and in Asia, where "South" is taken for Korea."""
REGIONS = ((0,), (1,), (2, 5), (3, 4), (6,), (7,), (8,), (9,), (10, 11), (12, 13), (14,), (15,), (16,))
"""Blocks that stay together where any of these may be put together."""
AT_A_TIME = 4096
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)

Node = tuple[int, ...]
Maps = list[list[np.ndarray]]
"""Of every column the groups of its values, a level each between the values and the root."""


@lru_cache(None)
def _by_height(shape: Node) -> list[tuple[np.ndarray, list[tuple[np.ndarray, np.ndarray]]]]:
    """The nodes of a lattice height by height, and below each column: which have a child there, and its place."""
    nodes = np.array(list(itertools.product(*map(range, shape))))
    strides = [int(np.prod(shape[c + 1 :])) for c in range(len(shape))]
    found = []
    for height in range(int(nodes.sum(axis=1).max()) + 1):
        at = np.nonzero(nodes.sum(axis=1) == height)[0]
        below = [(np.nonzero(nodes[at, c] > 0)[0], at[nodes[at, c] > 0] - strides[c]) for c in range(len(shape))]
        found.append((at, below))
    return found


def _looked_at(shape: Node, hold: np.ndarray, candidate: np.ndarray) -> np.ndarray:
    """Figure 8 with direct marking: what fails is looked at; what holds if a child failed and none marked it."""
    fails = candidate & ~hold
    kept = np.zeros_like(fails)
    for at, below in _by_height(shape):
        any_child, failed, marked = (np.zeros((len(at), hold.shape[1]), dtype=np.uint64) for _ in range(3))
        for own, child in below:
            any_child[own] |= candidate[child]
            failed[own] |= fails[child]
            marked[own] |= kept[child]
        kept[at] = candidate[at] & hold[at] & (~any_child | failed) & ~marked
    return fails | kept


def _sums(words: np.ndarray, n: int) -> np.ndarray:
    sums: np.ndarray = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little").sum(axis=0, dtype=np.int64)[:n]
    return sums


def _packed(hold: np.ndarray) -> np.ndarray:
    wide = np.zeros((hold.shape[0], -(-hold.shape[1] // 64) * 64), dtype=bool)
    wide[:, : hold.shape[1]] = hold
    packed: np.ndarray = np.packbits(wide, axis=1, bitorder="little").view(np.uint64)
    return packed


def counts(shape: Node, hold: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Nodes that bottom-up search and Incognito look at; ``hold`` has a column a tree."""
    n, words = hold.shape[1], _packed(hold)
    bottom_up = _sums(_looked_at(shape, words, np.full_like(words, ALL)), n)
    grid, incognito = words.reshape((*shape, -1)), np.zeros(n, dtype=np.int64)
    for size in range(1, len(shape) + 1):
        for family in itertools.combinations(range(len(shape)), size):
            own = grid[tuple(slice(None) if c in family else shape[c] - 1 for c in range(len(shape)))]
            candidate = np.full_like(own, ALL)
            for axis in range(size if size > 1 else 0):
                candidate &= np.take(own, [-1], axis=axis)
            flat = (-1, words.shape[1])
            looked = _looked_at(tuple(shape[c] for c in family), own.reshape(flat), candidate.reshape(flat))
            incognito += _sums(looked, n)
    return bottom_up, incognito


class Adults:
    """The table in codes, and what a class breaks."""

    def __init__(self) -> None:
        table = datasets.load("adult").table
        read = [np.unique(np.asarray(table[name].to_pylist()), return_inverse=True) for name in FIGURE_9]
        self.values = [values.tolist() for values, _ in read]
        self.codes = [codes.astype(np.int64) for _, codes in read]
        ages = np.array([int(value) for value in self.values[0]])
        married = np.array([value.startswith("Married") for value in self.values[3]]).astype(np.int64)
        self.maps: Maps = [[ages // 5, ages // 10, ages // 20], [], [], [married]]

    def keys(self, maps: Maps, node: Node) -> np.ndarray:
        """The class of every row at a node."""
        key = np.zeros(len(self.codes[0]), dtype=np.int64)
        for c, level in enumerate(node):
            if level <= len(maps[c]):
                code = self.codes[c] if level == 0 else maps[c][level - 1][self.codes[c]]
                key = np.unique(key * (int(code.max()) + 1) + code, return_inverse=True)[1]
        return key

    def alone(self, maps: Maps, node: Node) -> list[tuple[int, int]]:
        """Values of the next column that occur once in a class, each with the other values there, as bits."""
        c, key = len(node), self.keys(maps, node)
        n = len(self.values[c])
        found, times = np.unique(key * n + self.codes[c], return_counts=True)
        which, value = np.divmod(found, n)
        start = np.nonzero(np.r_[True, which[1:] != which[:-1]])[0]
        bit = np.int64(1) << value
        there = np.repeat(np.bitwise_or.reduceat(bit, start), np.diff(np.r_[start, len(which)]))
        pairs = {(int(v), int(s)) for v, s in zip(value[times == 1], (there & ~bit)[times == 1], strict=True)}
        return sorted(pairs)


def fail_table(pairs: Sequence[list[tuple[int, int]]], n_values: int) -> np.ndarray:
    """For every block of values the nodes that it breaks, a bit each."""
    blocks, full = np.arange(1 << n_values), (1 << n_values) - 1
    table = np.zeros((1 << n_values, -(-len(pairs) // 64)), dtype=np.uint64)
    for value in range(n_values):
        broken = np.zeros_like(table)
        for i, own in enumerate(pairs):
            for v, others in own:
                if v == value:
                    broken[others, i // 64] |= np.uint64(1 << (i % 64))
        for bit in range(n_values):  # whatever misses more than these others misses these
            there = blocks[(blocks >> bit) & 1 == 1]
            broken[there] |= broken[there ^ (1 << bit)]
        inside = blocks[(blocks >> value) & 1 == 1]
        table[inside] |= broken[full ^ inside]
    return table


def outcomes(table: np.ndarray, n_values: int) -> np.ndarray:
    """All that the groupings of the values can break, each once."""
    known = {0: np.zeros((1, table.shape[1]), dtype=np.uint64)}

    def of(values: int) -> np.ndarray:
        if values not in known:
            lowest = values & -values
            rest = values ^ lowest
            found = [of(rest ^ chosen) | table[chosen | lowest] for chosen in _subsets(rest)]
            every = np.concatenate(found)
            every = every[np.lexsort(every.T)]
            known[values] = every[np.r_[True, (every[1:] != every[:-1]).any(axis=1)]]
        return known[values]

    return of((1 << n_values) - 1)


def grouping(table: np.ndarray, n_values: int, broken: np.ndarray) -> list[int] | None:
    """Blocks that together break exactly this."""

    def of(values: int, so_far: np.ndarray) -> list[int] | None:
        if values == 0:
            return [] if (so_far == broken).all() else None
        lowest = values & -values
        for chosen in _subsets(values ^ lowest):
            block = chosen | lowest
            if not (table[block] & ~broken).any():
                rest = of(values ^ block, so_far | table[block])
                if rest is not None:
                    return [block, *rest]
        return None

    return of((1 << n_values) - 1, np.zeros_like(broken))


def _subsets(values: int) -> Iterator[int]:
    chosen = values
    while True:
        yield chosen
        if chosen == 0:
            return
        chosen = (chosen - 1) & values


class Step:
    """A column with one level between its values and the root, added to a lattice of which it is known what holds."""

    def __init__(self, adults: Adults, maps: Maps, hold: np.ndarray) -> None:
        self.nodes = [tuple(int(level) for level in node) for node in np.argwhere(hold)]
        self.pairs = [adults.alone(maps, node) for node in self.nodes]
        self.c, self.n_values, self.hold = len(maps), len(adults.values[len(maps)]), hold

    def holds(self, broken: np.ndarray) -> np.ndarray:
        """The larger lattice, a column for every row of ``broken``."""
        shape = SHAPE[: self.c + 1]
        found = np.zeros((*shape, len(broken)), dtype=bool)
        found[..., 2, :] = self.hold[..., None]
        for i, node in enumerate(self.nodes):
            found[(*node, 1)] = ~broken[:, i]
            found[(*node, 0)] = not self.pairs[i]
        return found.reshape(-1, len(broken))

    def fit(self, broken: np.ndarray) -> np.ndarray:
        """Which of them give the paper's counts."""
        shape, wanted, fits = SHAPE[: self.c + 1], PAPER[self.c + 1], []
        for start in range(0, len(broken), AT_A_TIME):
            hold = self.holds(broken[start : start + AT_A_TIME])
            words = _packed(hold)
            first = _sums(_looked_at(shape, words, np.full_like(words, ALL)), hold.shape[1])
            near = np.nonzero(first == wanted[0])[0]
            if len(near):
                fits.append(start + near[counts(shape, hold[:, near])[1] == wanted[1]])
        return np.concatenate(fits) if fits else np.empty(0, dtype=np.int64)

    def breaks(self, blocks: Sequence[int]) -> list[bool]:
        """What blocks of values break, node by node."""
        of_value = {v: block for block in blocks for v in range(self.n_values) if block >> v & 1}
        return [any(not of_value[v] & others for v, others in own) for own in self.pairs]

    def bits(self, words: np.ndarray) -> np.ndarray:
        unpacked = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")
        return unpacked[:, : len(self.nodes)].astype(bool)

    def map_of(self, blocks: Sequence[int]) -> np.ndarray:
        return np.array([next(g for g, block in enumerate(blocks) if block >> v & 1) for v in range(self.n_values)])


def everything(adults: Adults, maps: Maps) -> np.ndarray:
    """Which nodes hold, from the top down."""
    shape = SHAPE[: len(maps)]
    hold = np.zeros(shape, dtype=bool)
    for node in sorted(itertools.product(*map(range, shape)), key=sum, reverse=True):
        above = [(*node[:c], node[c] + 1, *node[c + 1 :]) for c in range(len(shape)) if node[c] + 1 < shape[c]]
        hold[node] = all(hold[up] for up in above) and np.bincount(adults.keys(maps, node)).min() >= 2
    return hold


def beginnings(adults: Adults) -> Iterator[Maps]:
    """Where ranges of ages can begin, and all groupings of the marital status, that give the counts of 3 and 4."""
    ages = np.array([int(value) for value in adults.values[0]])
    for first, tens, twenties in itertools.product(range(5), range(2), range(2)):
        of_ten, of_twenty = first + 5 * tens, first + 5 * tens + 10 * twenties
        maps: Maps = [[(ages + first) // 5, (ages + of_ten) // 10, (ages + of_twenty) // 20], [], []]
        hold = everything(adults, maps)
        if tuple(int(n[0]) for n in counts(SHAPE[:3], hold.reshape(-1, 1))) != PAPER[3]:
            continue
        step = Step(adults, maps, hold)
        every = [blocks for blocks in partitions(step.n_values) if 1 < len(blocks) < step.n_values]
        for i in step.fit(np.array([step.breaks(blocks) for blocks in every])).tolist():
            yield [*maps, [step.map_of(every[i])]]


def education(adults: Adults, maps: Maps, rng: np.random.Generator, n_drawn: int) -> Iterator[list[np.ndarray]]:
    """Trees of two levels over the values in their order that give the counts of five columns: the one found, and
    others by lot."""
    place = np.array([SCHOOLING.index(value) for value in adults.values[4]])
    found = np.zeros(15, dtype=bool), np.zeros(15, dtype=bool)
    found[0][[3, 4, 8, 11, 12]] = found[1][[8]] = True
    for i in range(n_drawn + 1):
        coarse = rng.random(15) < 0.1
        cuts = found if i == 0 else (coarse | (rng.random(15) < 0.2), coarse)
        levels = [np.r_[0, np.cumsum(own)][place] for own in cuts]
        hold = everything(adults, [*maps, levels])
        if tuple(int(n[0]) for n in counts(SHAPE[:5], hold.reshape(-1, 1))) == PAPER[5]:
            yield levels


def countries(adults: Adults, rng: np.random.Generator) -> list[int]:
    """Blocks of neighbouring countries put together by lot."""
    names = adults.values[5]
    groups = [0] * int(rng.integers(2, 8))
    for block in BLOCKS.split("|"):
        groups[int(rng.integers(len(groups)))] |= sum(1 << names.index(name) for name in block.split())
    return [group for group in groups if group]


def by_place(adults: Adults, five: Step, by: str, most: int, rng: np.random.Generator) -> Iterator[list[int]]:
    """Of all groupings of the blocks within continents, or of all regions, some that fit, each of another outcome."""
    names = adults.values[5]
    block = [sum(1 << names.index(name) for name in one.split()) for one in BLOCKS.split("|")]
    if by == "regions":
        block = [sum(block[b] for b in region) for region in REGIONS]
    parts: Sequence[Sequence[int]] = CONTINENTS if by == "continents" else [range(len(block))]
    tables, found, every = [], [], np.zeros((1, -(-len(five.nodes) // 64)), dtype=np.uint64)
    for own in parts:
        sets = [sum(block[b] for bit, b in enumerate(own) if chosen >> bit & 1) for chosen in range(1 << len(own))]
        hits = [[any(s >> v & 1 and not s & rest for v, rest in pairs) for pairs in five.pairs] for s in sets]
        tables.append((_packed(np.array(hits)), sets))
        found.append(outcomes(tables[-1][0], len(own)))
        every = (every[:, None] | found[-1][None]).reshape(-1, every.shape[1])
    every, place = np.unique(every, axis=0, return_index=True)
    fits = five.fit(five.bits(every))
    print(f"five columns fit; {len(every):,} outcomes of countries by {by}, {len(fits):,} fit", flush=True)
    for i in rng.permutation(place[fits])[:most].tolist():
        blocks: list[int] = []
        for (table, sets), own, broken in zip(tables, parts, _chosen(i, found), strict=True):
            blocks += [sets[chosen] for chosen in grouping(table, len(own), broken) or []]
        yield blocks


def _chosen(place: int, found: Sequence[np.ndarray]) -> list[np.ndarray]:
    """What a place in the product stands for."""
    chosen: list[np.ndarray] = []
    for one in reversed(found):
        place, own = divmod(place, len(one))
        chosen.insert(0, one[own])
    return chosen


def partitions(n: int) -> Iterator[list[int]]:
    """All groupings of n values into blocks."""
    if n == 0:
        yield []
        return
    for smaller in partitions(n - 1):
        yield [*smaller, 1 << (n - 1)]
        for i, block in enumerate(smaller):
            yield [*smaller[:i], block | 1 << (n - 1), *smaller[i + 1 :]]


def main() -> None:
    said = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    said.add_argument("--seconds", type=float, default=600.0)
    said.add_argument("--seed", type=int, default=1)
    said.add_argument("--drawn", type=int, default=5, help="trees of education by lot for each pair; 0: one pass")
    said.add_argument("--trees", type=int, default=2, help="trees of countries that are gone on with")
    said.add_argument("--by", choices=("continents", "regions"), help="countries by these, not by lot")
    asked = said.parse_args()
    adults, rng = Adults(), np.random.default_rng(asked.seed)
    begun = list(beginnings(adults))
    print(f"{len(begun)} pairs of ages and marital status fit four columns", flush=True)
    order = rng.permutation(len(begun)).tolist()
    for i in itertools.cycle(order) if asked.drawn else order:
        for levels in education(adults, begun[i], rng, asked.drawn):
            _with_education(adults, [*begun[i], levels], rng, asked.trees, asked.by)
        if time.process_time() > asked.seconds:
            return


def _with_education(adults: Adults, maps: Maps, rng: np.random.Generator, most: int, by: str | None) -> None:
    """Countries by lot, or by their places; where they fit the other columns."""
    five = Step(adults, maps, everything(adults, maps))
    if by is not None:
        chosen = list(by_place(adults, five, by, most, rng))
    else:
        drawn = [countries(adults, rng) for _ in range(500)]
        fits = five.fit(np.array([five.breaks(blocks) for blocks in drawn]))
        print(f"five columns fit; {len(fits)} of {len(drawn)} trees of countries", flush=True)
        chosen = [drawn[i] for i in fits[:most].tolist()]
    for blocks in chosen:
        _with_countries(adults, [*maps, [five.map_of(blocks)]], five.holds(np.array([five.breaks(blocks)])))


def _with_countries(adults: Adults, maps: Maps, hold: np.ndarray) -> None:
    """Work class, whole; and where it fits occupation, whole."""
    step = Step(adults, maps, hold.reshape(SHAPE[:6]))
    every = [blocks for blocks in partitions(step.n_values) if 1 < len(blocks) < step.n_values]
    broken = np.array([step.breaks(blocks) for blocks in every])
    for i in step.fit(broken).tolist():
        seven = [*maps, [step.map_of(every[i])]]
        last = Step(adults, seven, step.holds(broken[[i]]).reshape(SHAPE[:7]))
        table = fail_table(last.pairs, last.n_values)
        found = outcomes(table, last.n_values)
        fits = last.fit(last.bits(found))
        print(f"seven columns fit; {len(found):,} outcomes of occupation, {len(fits)} fit", flush=True)
        for j in fits.tolist():
            blocks = grouping(table, last.n_values, found[j])
            assert blocks is not None
            _tell(adults, [*seven, [last.map_of(blocks)], []])


def _tell(adults: Adults, maps: Maps) -> None:
    """Trees that fit eight columns, and what they give with nine."""
    hold = everything(adults, maps)
    nine = [int(n[0]) for n in counts(SHAPE, hold.reshape(-1, 1))]
    print(f"eight columns fit; nine: {nine[0]:,} and {nine[1]:,}, the paper has {PAPER[9]}")
    for c in range(4, 8):
        for level in maps[c]:
            groups = [
                [v for v, g in zip(adults.values[c], level, strict=True) if g == own] for own in set(level.tolist())
            ]
            print(" ", FIGURE_9[c], groups, flush=True)


if __name__ == "__main__":
    main()
