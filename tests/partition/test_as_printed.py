"""``rules="paper"``: the figures of the papers in lists and loops, and the methods that must give the same groups."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from diverse_oracle import eligible_line
from small_tables import small_table

import amongst as am
from amongst.encode import CodedTable, encode, frequency_set
from amongst.encode.coded import CodedColumn
from amongst.errors import BadOption
from amongst.kernels import diverse
from amongst.kernels.numpy import diverse as in_python
from amongst.models import KAnonymity, LDiversity
from amongst.partition import METHODS, Partition
from amongst.partition.line.curve import BITS, curve_keys, leading_places, places_as_printed
from amongst.partition.line.diverse_runs import diversity_asked
from amongst.partition.line.idistance import find_centres
from amongst.partition.pricing import prices_of
from amongst.schema.check import check

LAST = (1 << BITS) - 1
Rows = list[int]


def tables(n: int, seed: int = 5) -> list[tuple[CodedTable, np.random.Generator]]:
    rng = np.random.default_rng(seed)
    made = [small_table(rng, nulls=("none",))[0] for _ in range(n)]
    return [(replace(table, sensitive={"illness": _illness(table.n_rows, rng)}), rng) for table in made]


def _illness(n: int, rng: np.random.Generator) -> CodedColumn:
    codes = rng.integers(0, 6, n).astype(np.uint8)
    values = pa.array([f"v{i}" for i in range(6)])
    return CodedColumn("illness", "categorical", codes, values, None, 0.0, 0.0, None)


def groups_of(partition: Partition) -> set[frozenset[int]]:
    return {frozenset(np.flatnonzero(partition.group_of_row == g).tolist()) for g in range(partition.n_groups)}


def place_of(column: CodedColumn, code: int) -> float:
    """A number is where it is; a category is where it comes in the in-order."""
    return float(code) if column.position is None else float(column.position[code])


# Mondrian, figure 7


def figure_7(table: CodedTable, k: int, l: int = 1, *, only_first: bool = False) -> set[frozenset[int]]:  # noqa: E741
    columns, illness = table.columns, table.sensitive["illness"].codes.tolist()
    heaviest = max(column.weight for column in columns)

    def ends(column: CodedColumn, rows: Rows) -> Fraction:
        places = [Fraction(str(place_of(column, int(column.codes[row])))) for row in rows]
        return max(places) - min(places)

    def width(column: CodedColumn, rows: Rows) -> Fraction:
        whole = ends(column, list(range(table.n_rows)))
        share = ends(column, rows) / whole if whole else Fraction(0)
        return share * Fraction(round(column.weight / heaviest * (1 << 20)))

    def holds(rows: Rows) -> bool:
        own = [illness[row] for row in rows]
        return len(rows) >= k and all(own.count(one) * l <= len(own) for one in own)

    def anonymize(rows: Rows) -> list[Rows]:
        differ = [c for c in columns if len({int(c.codes[row]) for row in rows}) > 1]
        for column in sorted(differ, key=lambda c: -width(c, rows)):
            in_order = sorted(int(column.codes[row]) for row in rows)
            median = in_order[(len(rows) - 1) // 2]
            lhs = [row for row in rows if column.codes[row] <= median]
            rhs = [row for row in rows if column.codes[row] > median]
            if holds(lhs) and holds(rhs):
                return anonymize(lhs) + anonymize(rhs)
            if only_first and len(lhs) >= k and len(rhs) >= k:
                break
        return [rows]

    return {frozenset(group) for group in anonymize(list(range(table.n_rows)))}


def test_mondrian_is_figure_7() -> None:
    compared = 0
    for table, rng in tables(120):
        k = int(rng.choice([1, 2, 3, 5]))
        if k > table.n_rows:
            continue
        found = METHODS["mondrian"].run(table, [KAnonymity(k)], rules="paper")
        assert groups_of(found) == figure_7(table, k)
        compared += found.n_groups > 1
    assert compared > 40


@pytest.mark.parametrize("rules", ["paper", "paper-first"])
def test_mondrian_with_l_splits_at_the_median(rules: str) -> None:
    compared = 0
    for table, rng in tables(120, seed=6):
        l = int(rng.choice([2, 3]))  # noqa: E741
        if np.bincount(table.sensitive["illness"].codes).max() * l > table.n_rows:
            continue
        found = METHODS["mondrian"].run(table, [LDiversity(l)], rules=rules)
        assert groups_of(found) == figure_7(table, l, l, only_first=rules == "paper-first")
        compared += found.n_groups > 1
    assert compared > 15


def test_a_cut_below_the_median_is_ours_alone() -> None:
    """Values 1, 2, 2: the median is 2, nothing lies above it; ours cuts below."""
    table, _ = small_table(np.random.default_rng(0), nulls=("none",))
    column = replace(
        table.columns[0],
        codes=np.array([0, 0, 1, 1, 1], dtype=np.uint8),
        values=pa.array([1, 2]),
        position=np.array([1.0, 2.0]),
        lowest=1.0,
        span=1.0,
        tree=None,
        null_code=None,
    )
    narrow = CodedTable([column], 5)
    assert METHODS["mondrian"].run(narrow, [KAnonymity(2)], rules="paper").n_groups == 1
    assert METHODS["mondrian"].run(narrow, [KAnonymity(2)], cuts="ordered").n_groups == 2


def test_equal_widths_are_equal_beside_fractions_and_wide_columns() -> None:
    """Of equally wide columns the first is cut, whatever others are measured in."""
    rng = np.random.default_rng(11)
    compared = 0
    for _ in range(60):
        n = int(rng.integers(12, 40))
        cells = {
            "thirds": rng.integers(0, 4, n),
            "more thirds": rng.integers(0, 4, n) * 5 - 2,
            "tenths": np.round(rng.integers(-1, 3, n) / 10, 1),
            "wide": rng.choice([0, 13, 10**9 + 7], n),
        }
        data = pa.table({name: pa.array(own) for name, own in cells.items()})
        table = encode(data, check(am.Schema({name: am.Column(role="quasi") for name in cells}), data))
        table = replace(table, sensitive={"illness": _illness(n, rng)})
        found = METHODS["mondrian"].run(table, [KAnonymity(2)], rules="paper")
        assert groups_of(found) == figure_7(table, 2)
        compared += found.n_groups > 2
    assert compared > 40


# Hilb and iDist: figures 3, 8 and 9


def literal_places(table: CodedTable) -> list[list[int]]:
    rows = []
    for column in table.columns:
        there = [place_of(column, int(code)) for code in column.codes]
        low, wide = min(there), max(there) - min(there)
        rows.append([round((at - low) / wide * LAST) if wide else 0 for at in there])
    return rows


def test_places_are_numbers_spread_over_twelve_bits() -> None:
    for table, _ in tables(60):
        found = [
            place[column.codes].tolist() for place, column in zip(places_as_printed(table), table.columns, strict=True)
        ]
        assert found == literal_places(table)


def figure_3(price: list[list[int]], k: int) -> int:
    """What the best division loses; ``price[b][e]`` is that of rows b to e, each."""
    n = len(price)
    opt: list[int | None] = [0] + [None] * n
    for i in range(k, n + 1):
        ways = [
            before + (i - j) * price[j][i - 1]
            for j in ([0] if i < 2 * k else range(max(k, i - 2 * k + 1), i - k + 1))
            if (before := opt[j]) is not None
        ]
        opt[i] = min(ways, default=None)
    found = opt[n]
    assert found is not None
    return found


def figures_8_and_9(position: list[int], value: list[int], l: int) -> list[list[int]]:  # noqa: E741
    """Groups of places; rows are in the order of the line."""
    left = list(range(len(value)))
    groups = []

    def frontier() -> list[int]:
        return [next(row for row in left if value[row] == one) for one in sorted({value[row] for row in left})]

    def eligible(gone: list[int]) -> bool:
        rest = [value[row] for row in left if row not in gone]
        return all(rest.count(one) * l <= len(rest) for one in set(rest))

    while left:
        lowest = sorted(frontier())
        group = next((lowest[:n] for n in range(l, len(lowest) + 1) if eligible(lowest[:n])), None)
        if group is None:
            counts = {one: sum(value[row] == one for row in left) for one in set(value)}
            ranked = sorted(frontier(), key=lambda row: (-counts[value[row]], row))
            group = next(ranked[:n] for n in range(l, len(ranked) + 1) if eligible(ranked[:n]))
        left = [row for row in left if row not in group]
        lowest = sorted(frontier())
        if len(lowest) >= l and eligible([lowest[0]]):
            first, last = lowest[0], lowest[l - 1]
            nearer = position[first] - position[min(group)] < position[last] - position[first]
            if nearer and value[first] not in {value[row] for row in group}:
                group = [*group, first]
                left.remove(first)
        groups.append(group)
    return groups


@pytest.mark.parametrize("kernel", [diverse.diverse_runs, in_python.diverse_runs], ids=["compiled", "python"])
def test_the_heuristic_is_figures_8_and_9(kernel) -> None:  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(8)
    prices = prices_of(small_table(rng, nulls=("none",))[0])
    fell_back = 0
    for _ in range(300):
        l = int(rng.integers(2, 4))  # noqa: E741
        n = int(rng.integers(l, 30))
        line_places, values = eligible_line(rng, n, l)
        position, value = np.array(line_places), np.array(values)
        m = int(value.max()) + 1
        codes = [np.zeros(n, dtype=np.uint32) for _ in prices.columns]
        place = np.argsort(value, kind="stable").astype(np.uint32)
        first = np.concatenate([[0], np.cumsum(np.bincount(value, minlength=m))])
        line = diverse.DiverseLine(
            codes, np.arange(n, dtype=np.uint32), place, first, prices, position.astype(np.int64), as_printed=True
        )
        found = kernel(line, l)[0]
        expected = figures_8_and_9(position.tolist(), value.tolist(), l)
        assert {frozenset(np.flatnonzero(found == g).tolist()) for g in range(found.max() + 1)} == {
            frozenset(group) for group in expected
        }
        ours = kernel(replace(line, as_printed=False), l)[0]
        fell_back += not np.array_equal(ours, found)
    assert fell_back > 10


def line_of_hilb(table: CodedTable) -> tuple[list[int], list[int]]:
    """The rows in the order of the curve, and the places on it."""
    tuples = frequency_set(table.codes)
    keys = curve_keys(tuples, places_as_printed(table))
    order = sorted(range(tuples.n_tuples), key=lambda t: tuple(keys[t].tolist()))
    at = leading_places(keys[order, 0], 2)
    rows = [row for t in order for row in _rows_of(tuples.tuple_of_row, t)]
    place = [int(at[i]) for i, t in enumerate(order) for _ in _rows_of(tuples.tuple_of_row, t)]
    return rows, place


def line_of_idist(table: CodedTable, centres: int) -> tuple[list[int], list[int]]:
    """The rows by their nearest centre, then by how far they are from it; and the places on that line."""
    tuples = frequency_set(table.codes)
    places = places_as_printed(table)
    keys = curve_keys(tuples, places)
    by_curve = sorted(range(tuples.n_tuples), key=lambda t: tuple(keys[t].tolist()))
    middles = find_centres(places, tuples, np.array(by_curve, dtype=np.uint32), centres, 1, 0)
    points = [[int(p[c[t]]) for p, c in zip(places, tuples.codes, strict=True)] for t in range(tuples.n_tuples)]

    def square(t: int, centre: int) -> int:
        return sum((at - int(own[centre])) ** 2 for at, own in zip(points[t], middles, strict=True))

    near = {t: min(range(len(middles[0])), key=lambda centre: (square(t, centre), centre)) for t in by_curve}
    order = sorted(by_curve, key=lambda t: (near[t], square(t, near[t]), by_curve.index(t)))
    far = {t: int(square(t, near[t]) ** 0.5) for t in order}
    wide = max(far.values()) + 1
    rows = [row for t in order for row in _rows_of(tuples.tuple_of_row, t)]
    place = [near[t] * wide + far[t] for t in order for _ in _rows_of(tuples.tuple_of_row, t)]
    return rows, place


def _rows_of(tuple_of_row: np.ndarray, t: int) -> list[int]:
    return np.flatnonzero(tuple_of_row == t).tolist()  # type: ignore[no-any-return]


LINES = {"hilbert": line_of_hilb, "idistance": lambda table: line_of_idist(table, 3)}
OPTIONS: dict[str, dict[str, object]] = {"hilbert": {}, "idistance": {"centres": 3}}


@pytest.mark.parametrize("name", LINES)
def test_groups_of_neighbours_lose_what_figure_3_finds(name: str) -> None:
    for table, rng in tables(80, seed=7):
        k = int(rng.choice([2, 3, 4]))
        if k > table.n_rows:
            continue
        rows, _ = LINES[name](table)
        codes = np.stack([column.codes for column in table.columns], axis=1)[rows].astype(np.int64)
        prices = prices_of(table)
        n = len(rows)
        price = [[0] * n for _ in range(n)]
        for b in range(n):
            lo, hi = np.minimum.accumulate(codes[b:]), np.maximum.accumulate(codes[b:])
            price[b][b:] = prices.of_boxes(lo, hi).tolist()
        found = METHODS[name].run(table, [KAnonymity(k)], rules="paper", **OPTIONS[name])
        loss = int((prices.of_boxes(found.lo, found.hi) * found.size_of_group).sum())
        assert loss == figure_3(price, k)


@pytest.mark.parametrize("name", LINES)
def test_fast_groups_span_what_figure_3_finds(name: str) -> None:
    """HilbFast and iDistFast (section 5.1): the cost of a sequence is its extent in the 1-D space."""
    divided = 0
    for table, rng in tables(80, seed=10):
        k = int(rng.choice([2, 3, 4]))
        if k > table.n_rows:
            continue
        rows, place = LINES[name](table)
        n = len(rows)
        found = METHODS[f"{name}-fast"].run(table, [KAnonymity(k)], rules="paper", **OPTIONS[name])
        place_of_row = dict(zip(rows, place, strict=True))
        own = [[place_of_row[row] for row in group] for group in groups_of(found)]
        spans = sum(len(places) * (max(places) - min(places)) for places in own)
        assert spans == figure_3([[place[e] - place[b] for e in range(n)] for b in range(n)], k)
        divided += len(own) > 1
    assert divided > 30


@pytest.mark.parametrize("name", LINES)
def test_diverse_groups_are_those_of_figures_8_and_9(name: str) -> None:
    compared = 0
    for table, rng in tables(150, seed=9):
        l = int(rng.choice([2, 3]))  # noqa: E741
        illness = table.sensitive["illness"].codes
        if np.bincount(illness).max() * l > table.n_rows or diversity_asked(table, [LDiversity(l)]) is None:
            continue
        rows, place = LINES[name](table)
        codes = list(zip(*(column.codes.tolist() for column in table.columns), strict=True))
        # Rows of one tuple come in the order of their values.
        ordered = sorted(range(len(rows)), key=lambda i: (rows.index(codes.index(codes[rows[i]])), illness[rows[i]]))
        rows = [rows[i] for i in ordered]
        expected = figures_8_and_9([place[i] for i in ordered], [int(illness[row]) for row in rows], l)
        found = METHODS[name].run(table, [LDiversity(l)], rules="paper", **OPTIONS[name])
        assert _by_tuple_and_value(groups_of(found), codes, illness) == _by_tuple_and_value(
            [frozenset(rows[i] for i in group) for group in expected], codes, illness
        )
        compared += 1
    assert compared > 40


def _by_tuple_and_value(groups, codes, illness) -> list[list[tuple[object, int]]]:  # type: ignore[no-untyped-def]
    """Rows that agree in everything can stand for each other."""
    return sorted(sorted((codes[row], int(illness[row])) for row in group) for group in groups)


def test_there_are_512_centres_as_printed_however_small_the_table() -> None:
    adult = am.datasets.load("adult")
    table = adult.table.slice(0, 3000)
    groups = {
        centres: am.anonymize(table, adult.schema, [KAnonymity(5)], "idistance", rules="paper", **more).group_of_row
        for centres, more in {None: {}, 512: {"centres": 512}, 8: {"centres": 8}}.items()
    }
    assert groups[None].tolist() == groups[512].tolist() != groups[8].tolist()


def test_unknown_rules_are_refused() -> None:
    table, _ = tables(1)[0]
    for name in ("mondrian", "mondrian-relaxed", "hilbert", "hilbert-fast", "idistance", "idistance-fast"):
        with pytest.raises(BadOption, match="does not know these rules"):
            METHODS[name].run(table, [KAnonymity(1)], rules="letter")
