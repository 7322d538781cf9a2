"""A release told as facts for its report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.encode.coded import CodedColumn
from amongst.encode.encode import numbers
from amongst.partition import find_method
from amongst.recode.bounds import bounds, codes_of_ancestor, per_day
from amongst.recode.labels import text_of
from amongst.release.analyses import analysis_facts
from amongst.release.caveats import assumptions, caveats, caveats_of_target
from amongst.release.formulas import caveats_of_csv
from amongst.release.manifest import levels_of, versions
from amongst.release.public import MADE
from amongst.release.sensitive import shown_kind
from amongst.report import (
    Axis,
    Check,
    ClassSizes,
    ColumnFacts,
    Distribution,
    PartitionView,
    SensitiveFacts,
    Story,
    Utility,
)
from amongst.report.spread import spread_codes, spread_ranges
from amongst.schema.doubts import doubts_of_release, shown_doubts

if TYPE_CHECKING:
    from amongst.models import Model
    from amongst.release.release import Release
    from amongst.report.lattice_view import LatticeView
    from amongst.schema.column import Column

MOST_BINS = 24
MOST_CATEGORIES = 60


SQL_READS = (".csv", ".parquet")
"""Files that DuckDB reads as they are, so that a reader can check them in SQL."""


def tell(
    release: Release, verdict: Any = None, files: Sequence[Path] = (), digests: Mapping[str, str] | None = None
) -> Story:
    """Fill a Story from a release; with the data file that was written, if it was."""
    data = files[0] if files else None
    verdict = verdict or release.verdict
    utility = release.utility
    sizes, counts = np.unique(release.plan.size_of_class, return_counts=True)
    doubted, shown = doubts_of_release(release, data), shown_doubts(release, data)
    return Story(
        title=release.source.name,
        threshold=release.threshold,
        n_rows=release.coded.n_input,
        n_columns=release.source.n_columns,
        n_published=utility.n_published,
        n_groups=utility.n_classes,
        smallest=utility.smallest,
        largest=utility.largest,
        checks=tuple(_check(model, one) for model, one in zip(release.models, verdict.models, strict=True)),
        input_name=release.source.name,
        uniques_before=utility.uniques_before,
        uniques_after=utility.uniques_after,
        asked=tuple(model.words(release.unit is not None) for model in release.models),
        columns=tuple(_column_facts(release)),
        method=release.method,
        options=release.told_options,
        seed=release.seed,
        explanation=tuple(_explain(release)),
        told_to_all=tuple(_explain_to_all(release)),
        for_the_maker=tuple(one for one in doubted if one not in shown),
        utility=_utility(release),
        sensitive=tuple(
            SensitiveFacts(one.column, one.distance, one.before.to_dict(), one.after.to_dict())
            for one in release.sensitive.values()
        ),
        analyses=analysis_facts(release),
        unit=release.unit,
        smallest_people=None if release.unit is None else verdict.smallest,
        class_sizes=ClassSizes(sizes, counts),
        distributions=tuple(_distribution(release, c) for c in range(release.coded.n_qi)),
        partition=_partition_view(release),
        shown_partition=_shown_partition(release),
        lattice=_lattice_view(release),
        check_sql=_check_sql(release, data),
        digests=dict(digests or {}),
        versions=versions(),
        caveats=(
            *dict.fromkeys([*shown, *doubted]),
            *caveats(release.models, release.schema),
            *caveats_of_target(release.schema, release.target),
            *_formulas(release, data),
        ),
        assumptions=assumptions(release.models, release.unit),
    )


def _formulas(release: Release, data: Path | None) -> tuple[str, ...]:
    """What to know of a CSV file; rows that live elsewhere are not looked at."""
    is_text = data is not None and data.suffix == ".csv"
    return caveats_of_csv(release.arrow) if is_text and release.store.in_memory else ()


def _utility(release: Release) -> Utility:
    measured, least = release.utility, release.reported_bound
    figures = (measured.gcp, measured.c_dm, measured.c_avg, measured.lm, measured.ncp)
    if least is None:
        return Utility(*figures, cm=measured.cm)
    return Utility(*figures, least.gcp, least.exact, measured.cm)


def _check(model: Model, reached: Any) -> Check:
    symbol = model.symbol
    # The k of k-map is another than that of k-anonymity: a letter that two models have stands behind the model's name.
    whose = f"{model.name} " if model.letter_of_another else ""
    asked, got = f"{whose}{symbol} = {reached.asked_words()}", f"{symbol} = {reached.reached_words()}"
    return Check(reached.words, asked, got, reached.ok, not model.asks_nothing)


def _check_sql(release: Release, data: Path | None) -> str:
    if data is None or data.suffix not in SQL_READS or data.with_name(f"{data.name}-metadata.json").is_file():
        return ""
    from amongst.verify.sql import as_sql

    return as_sql(release.schema, release.models, data, name=data.name, people=release.unit is not None)


def _column_facts(release: Release) -> list[ColumnFacts]:
    return [
        ColumnFacts(
            name=name,
            role=column.role or "",
            kind=shown_kind(release, name),
            weight=column.weight,
            nulls=column.nulls,
            hierarchy=_tree_words(release, column),
            publish=column.publish if column.role == "quasi" else None,
        )
        for name, column in release.schema.items()
    ]


def _tree_words(release: Release, column: Column) -> str | None:
    if column.hierarchy is None:
        return None
    made = release.certificate is not None and "nested" in column.hierarchy.public_dict()
    return MADE if made else column.hierarchy.describe()  # how many values the input has is not told of made ones


def _explain(release: Release) -> list[str]:
    coded, utility = release.coded, release.utility
    sentences = [f"Read {coded.n_input:,} rows and {release.source.n_columns} columns."]
    dropped = release.schema.identifiers
    if dropped:
        sentences.append(f"Dropped {len(dropped)} identifier column{'s' if len(dropped) > 1 else ''}.")
    if coded.unit is not None:
        n_people = len(np.unique(coded.unit))
        sentences.append(f"Counted people by '{release.unit}', not rows: there are {n_people:,}.")
    if coded.n_rows < coded.n_input:
        sentences.append(
            f"Left out {coded.n_input - coded.n_rows:,} rows with missing quasi-identifiers, as the null rule says."
        )
    if "tuples" in release.partition.facts:
        sentences.append(f"Counted {release.partition.facts['tuples']:,} distinct combinations of quasi-identifiers.")
    sentences.append(f"{find_method(release.method).words} This made {release.partition.n_groups:,} groups.")
    sentences.append(
        f"Published {utility.n_published:,} rows in {utility.n_classes:,} classes, sorted by what they show."
    )
    levels = levels_of(release)
    if levels:
        told = ", ".join(f"{name!r} {level}" for name, level in levels.items())
        sentences.append(f"Levels of the hierarchies that were published, 0 being the values: {told}.")
    sentences += [*_proved(release), *_certified(release)]
    sentences += [] if release.certificate is None else release.certificate.words
    return sentences + ([] if release.review is None else release.review.words)


def _proved(release: Release) -> list[str]:
    """Whether a search of levels has proved that none lose less."""
    facts = release.partition.facts
    if "proved" not in facts:
        return []
    if facts["proved"]:
        return ["It is proved that no other levels that hold lose less."]
    return [f"It is not proved that these levels lose least: none that hold can lose less than {facts['least']:.4f}."]


def _certified(release: Release) -> list[str]:
    """How far the loss is from the least at most, where reports are to tell a bound."""
    if release.reported_bound is None or release.coded.count is not None:
        return []
    from amongst.partition.certified import BUDGET, CHEAP, least_loss

    budget = BUDGET if release.bound else CHEAP
    found = least_loss(release.coded, release.partition, release.threshold, budget=budget)
    return [found.words()] if found.least > 0 else []


def _explain_to_all(release: Release) -> list[str]:
    """The same without what only the original tells."""
    dropped = release.schema.identifiers
    sentences = [f"Dropped {len(dropped)} identifier column{'s' if len(dropped) > 1 else ''}."] if dropped else []
    if release.unit is not None:
        sentences.append(f"Counted people by '{release.unit}', not rows.")
    promised = [] if release.certificate is None else release.certificate.public_words
    return [*sentences, find_method(release.method).words, "Published the rows sorted by what they show.", *promised]


def _distribution(release: Release, c: int) -> Distribution:
    column, partition = release.coded.columns[c], release.partition
    size = partition.size_of_group.astype(np.float64)
    lo, hi = partition.lo[:, c].astype(np.int64), partition.hi[:, c].astype(np.int64)
    inside = hi < column.n_values
    if column.wildcard >= 0:
        size = size - partition.rows_in_groups(column.codes == column.wildcard)
    lo, hi, size = lo[inside], hi[inside], size[inside]
    if column.kind in ("numeric", "date") and _fits_floats(numbers(column.values)):
        return _binned(release, column, *_shown_ends(release, c, lo, hi), size)
    if column.kind in ("numeric", "date"):
        return _binned_codes(column, release.counts_of_values(column), spread_codes(lo, hi, size, column.n_values))
    lo, hi = (ends.astype(np.int64) for ends in _shown_ends(release, c, lo, hi))
    before, after = release.counts_of_values(column), spread_codes(lo, hi, size, column.n_values)
    labels = text_of(column.values).to_pylist()
    if len(labels) > MOST_CATEGORIES:
        return _binned_codes(column, before, after)
    return Distribution(column.name, "categorical", before, after, labels=tuple(labels))


def _fits_floats(values: np.ndarray) -> bool:
    """Not where the distance between the ends, or a bin beyond them, is more than a float holds."""
    with np.errstate(over="ignore", invalid="ignore"):
        return len(values) == 0 or bool(np.isfinite(2 * (values.max() - values.min()) + 2 * np.abs(values).max()))


def _binned(
    release: Release, column: CodedColumn, lower: np.ndarray, upper: np.ndarray, size: np.ndarray
) -> Distribution:
    edges, step = _edges(column), _step(column)
    at = numbers(column.values) / per_day(column.values.type)
    before, _ = np.histogram(at, bins=edges, weights=release.counts_of_values(column))
    # Cells of a grid may begin before the table does, and end after it.
    lower, upper = np.maximum(lower, edges[0]), np.minimum(upper, edges[-1] - step)
    after = spread_ranges(lower, upper, size, edges, step=step)
    return Distribution(column.name, column.kind, before, after, edges=edges)


def _binned_codes(column: CodedColumn, before: np.ndarray, after: np.ndarray) -> Distribution:
    """Too many categories to name: neighbours in order are put together, and bins go by number."""
    edges = np.unique(np.linspace(0, len(before), MOST_BINS + 1).astype(np.int64))
    starts = edges[:-1]
    return Distribution(
        column.name,
        "numeric",
        np.add.reduceat(before, starts),
        np.add.reduceat(after, starts),
        edges=edges.astype(float),
    )


def _edges(column: CodedColumn) -> np.ndarray:
    """Round bin edges around a column; times are counted in days on the number line."""
    unit = per_day(column.values.type)
    return round_edges(column.lowest / unit, (column.lowest + column.span) / unit)


def _step(column: CodedColumn) -> float:
    import pyarrow as pa

    kind = column.values.type
    return 1.0 if pa.types.is_integer(kind) or pa.types.is_date32(kind) else 0.0


def round_edges(low: float, high: float) -> np.ndarray:
    """Round bin edges that hold low..high: the data's own ends are somebody's values and are not shown."""
    # Edges must differ as doubles: near 2**62 these are 1024 apart.
    width = max((high - low) / MOST_BINS, 1.0 / MOST_BINS, 4 * float(np.spacing(max(abs(low), abs(high)))))
    power = 10.0 ** np.floor(np.log10(width))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= width * (1 - 1e-9))
    first, last = np.floor(low / step), np.floor(high / step) + 1
    with np.errstate(over="ignore"):  # the last edge above 1e308 is infinite
        first, last = first - (first * step > low), last + (last * step <= high)  # a quotient may be rounded
        return (first + np.arange(int(last - first) + 1)) * step


def _partition_view(release: Release) -> PartitionView | None:
    """The two columns with the most different published ranges, as figures 4, 15 and 16 of the Mondrian paper."""
    if release.coded.n_qi < 2:
        return None
    return view_over(release, *widest_pair(release))[0]


def _shown_partition(release: Release) -> PartitionView | None:
    """The groups over the two number lines with the most different labels, as a reader of the labels can draw them."""
    coded, partition = release.coded, release.partition
    ends = {c: _label_ends(release, c) for c in range(coded.n_qi) if _tells_ends(release, c)}
    there = {c: partition.hi[:, c] < coded.columns[c].n_values for c in ends}
    ends = {c: both for c, both in ends.items() if _fits_floats(np.concatenate([end[there[c]] for end in both]))}
    if len(ends) < 2:
        return None
    variety = [distinct_boxes([end[there[c]] for end in ends[c]])[0].shape[1] for c in ends]
    x, y = sorted(list(ends)[i] for i in np.argsort(variety, kind="stable")[::-1][:2])
    inside = there[x] & there[y]
    if not inside.any():
        return None
    boxes, place = distinct_boxes([end[inside] for end in (*ends[x], *ends[y])])
    size = np.bincount(place, weights=partition.size_of_group[inside]).astype(np.int64)
    across, up = (_shown_axis(coded.columns[c], *boxes[at : at + 2]) for c, at in ((x, 0), (y, 2)))
    x_lo, x_hi, y_lo, y_hi = boxes
    return PartitionView(x=across, y=up, x_lo=x_lo, x_hi=x_hi, y_lo=y_lo, y_hi=y_hi, size=size)


def distinct_boxes(ends: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """The different boxes with these ends, in order of the ends, and which of them every box is."""
    order = np.lexsort(ends[::-1])
    sorted_ends = np.stack(ends)[:, order]
    new = np.append(True, (sorted_ends[:, 1:] != sorted_ends[:, :-1]).any(axis=0))[: len(order)]
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.cumsum(new) - 1
    return sorted_ends[:, new], place


def _shown_axis(column: CodedColumn, lower: np.ndarray, upper: np.ndarray) -> Axis:
    """The axis of ranges as they are published: their ends tell whether values are whole, and nobody else's do."""
    whole = all(bool((ends == np.floor(ends)).all()) for ends in (lower, upper))
    return Axis(column.name, column.kind, step=1.0 if whole else 0.0)


def _tells_ends(release: Release, c: int) -> bool:
    """Whether the labels of a column are ranges on a number line, and not names or sets."""
    column, partition = release.coded.columns[c], release.partition
    rule = release.schema[column.name]
    if column.kind not in ("numeric", "date") or partition.sets_of(c) is not None or rule.nulls == "match anything":
        return False
    return column.n_values > 0 and not partition.publishes_nodes and rule.publish == "range"


def _label_ends(release: Release, c: int) -> tuple[np.ndarray, np.ndarray]:
    last = release.coded.columns[c].n_values - 1
    lo, hi = release.partition.lo[:, c], release.partition.hi[:, c]
    return _shown_ends(release, c, np.minimum(lo, last), np.minimum(hi, last))


def widest_pair(release: Release) -> tuple[int, int]:
    """The places of the two columns with the most different published ranges."""
    partition, n_qi = release.partition, release.coded.n_qi
    spread = [len(np.unique(partition.lo[:, c].astype(np.int64) << 32 | partition.hi[:, c])) for c in range(n_qi)]
    x, y = sorted(np.argsort(spread, kind="stable")[::-1][:2].tolist())
    return x, y


def view_over(release: Release, x: int, y: int) -> tuple[PartitionView, np.ndarray]:
    """The groups over the columns ``x`` and ``y``, and which groups these are: some have no value there."""
    table, partition = release.coded, release.partition
    inside = (partition.hi[:, x] < table.columns[x].n_values) & (partition.hi[:, y] < table.columns[y].n_values)
    ends = [_shown_ends(release, c, partition.lo[inside, c], partition.hi[inside, c]) for c in (x, y)]
    across, up = (_axis(release, table.columns[c]) for c in (x, y))
    (x_lo, x_hi), (y_lo, y_hi) = ends
    view = PartitionView(
        x=across, y=up, x_lo=x_lo, x_hi=x_hi, y_lo=y_lo, y_hi=y_hi, size=partition.size_of_group[inside]
    )
    return view, np.flatnonzero(inside)


def _lattice_view(release: Release) -> LatticeView | None:
    """All generalizations among which a full-domain method chose, where they are few."""
    steered = release.target is not None or release.workload is not None
    if "lattice" not in release.partition.facts or steered:  # its losses are those that steered the search
        return None
    from amongst.lattice.view import decide_all, view_lattice

    sets, asked, chosen = release.partition.facts["lattice"]
    return view_lattice(decide_all(sets, asked), release.schema, chosen)


def _axis(release: Release, column: CodedColumn) -> Axis:
    """Values that fewer rows have than may be shown keep their place, and lose their name."""
    if column.kind in ("numeric", "date"):
        return Axis(column.name, column.kind, step=_step(column))
    names = zip(text_of(column.values).to_pylist(), release.counts_of_values(column), strict=True)
    return Axis(column.name, column.kind, labels=tuple(name if n >= release.threshold else "" for name, n in names))


def _shown_ends(release: Release, c: int, lo: np.ndarray, hi: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where on the axis the groups ``lo..hi`` begin and end, as far as the published table tells."""
    column, by_node = release.coded.columns[c], release.partition.publishes_nodes
    rule = release.schema[column.name]
    lo, hi = lo.astype(np.int64), hi.astype(np.int64)
    ancestor = column.tree is not None and (by_node or rule.publish == "ancestor")
    if ancestor:
        assert column.tree is not None
        lo, hi = codes_of_ancestor(column.tree, lo, hi)
        hi = np.minimum(hi, column.n_values - 1)
    if column.kind not in ("numeric", "date"):
        return lo.astype(np.float64), hi.astype(np.float64)
    ends = bounds(column, lo, hi, None if by_node else rule.grid)
    lower, upper = (numbers(end) / per_day(column.values.type) for end in ends)
    if ancestor:  # the node's name tells its ends, and these are only the values in it
        edges = _edges(column)
        alone = lo == hi
        lower = np.where(alone, lower, edges[np.clip(np.searchsorted(edges, lower, side="right") - 1, 0, None)])
        after = np.minimum(np.searchsorted(edges, upper, side="right"), len(edges) - 1)
        upper = np.where(alone, upper, edges[after] - _step(column))
    return lower, upper
