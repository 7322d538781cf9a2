"""The published groups as boxes over any two quasi-identifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.app.figures.plain import plain, rounded, short
from amongst.measure.ncp import ncp_of_published
from amongst.release.story import view_over, widest_pair
from amongst.report.charts.boxes import N_SHADES, shades
from amongst.report.charts.scale import day
from amongst.report.views import LABELLED, Axis, PartitionView
from amongst.report.wording import count, hidden_count, percent, tick

if TYPE_CHECKING:
    from amongst.release.release import Release

MOST_BOXES = 2000
"""More than can be told apart on a screen; of more an even sample by area is sent."""
MOST_NAMES = 400
NAME = 32
DAYS = 3_000_000
"""Dates further from 1970 than so many days are drawn as numbers."""
RARE = "a rare value"


def partition_view(
    release: Release, x: str | int | None = None, y: str | int | None = None, window: list[float] | None = None
) -> dict[str, Any] | None:
    """Boxes with how many rows they hold and what these lost; None where there are no boxes to draw.

    Parameters
    ----------
    release : Release
    x, y : str or int, optional
        Two quasi-identifiers, by name or by place; left out, the two with the most different published ranges.
    window : list of 4 numbers, optional
        Only what meets ``[x from, x to, y from, y to]``: of too many boxes a window shows more.

    Examples
    --------
    >>> import amongst as am
    >>> from amongst.app.figures import partition_view
    >>> patients = am.datasets.load("patients")
    >>> release = am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)], method="mondrian")
    >>> view = partition_view(release, "Age", "Zipcode")
    >>> view["n_groups"], [box["rows"] for box in view["boxes"]]
    (2, ['3', '3'])
    """
    names = [column.name for column in release.coded.columns]
    if len(names) < 2 or release.is_pair or release.partition.n_groups == 0:
        return None
    across, up = widest_pair(release)
    if x is not None and y is not None:
        across, up = (one if isinstance(one, int) else names.index(one) for one in (x, y))
    view, groups = view_over(release, across, up)
    boxes = _merge(view, loss_of_group(release)[groups])
    if window is not None:
        boxes = {name: column[_meets(boxes["bounds"], view, window)] for name, column in boxes.items()}
    n_boxes = len(boxes["rows"])
    drawn = _sample(boxes["area"])
    boxes = {name: column[drawn] for name, column in boxes.items()}
    return plain(
        {
            "columns": [short(name) for name in names],
            "x": {"place": across, **_axis(view.x, view.x_lo, view.x_hi)},
            "y": {"place": up, **_axis(view.y, view.y_lo, view.y_hi)},
            "n_groups": release.partition.n_groups,
            "n_boxes": n_boxes,
            "is_sample": n_boxes > len(drawn),
            "threshold": release.threshold,
            "shades": {"loss": _ends(boxes["loss"]), "size": _ends(boxes["rows"] / boxes["groups"])},
            "boxes": _told(boxes, view, release.threshold),
            "words": _words(view, release, n_boxes, len(drawn), release.partition.n_groups - len(groups)),
        }
    )


def loss_of_group(release: Release) -> np.ndarray:
    """The mean penalty of every group over the quasi-identifiers: GCP is its mean over rows."""
    partition, schema = release.partition, release.schema
    columns = release.coded.columns
    parts = [ncp_of_published(column, schema[column.name], partition, c) for c, column in enumerate(columns)]
    return np.mean(parts, axis=0)


def _merge(view: PartitionView, loss: np.ndarray) -> dict[str, np.ndarray]:
    """Groups with the same ranges in both columns as one box, the large ones first."""
    bounds = np.column_stack([view.x_lo, view.x_hi, view.y_lo, view.y_hi]).astype(np.float64)
    bounds, size, loss = bounds[ok := np.isfinite(bounds).all(axis=1)], np.asarray(view.size)[ok], loss[ok]
    distinct, box_of_group = np.unique(bounds, axis=0, return_inverse=True)
    box_of_group = box_of_group.reshape(-1)
    rows = np.bincount(box_of_group, weights=size, minlength=len(distinct))
    lost = np.bincount(box_of_group, weights=size * loss, minlength=len(distinct)) / np.maximum(rows, 1)
    width = np.column_stack([distinct[:, 1] - distinct[:, 0], distinct[:, 3] - distinct[:, 2]])
    area = np.prod(width / np.maximum(width.max(axis=0, initial=0), 1e-300) + 1e-3, axis=1)
    order = np.argsort(-area, kind="stable")
    merged = {"bounds": distinct, "rows": rows, "loss": lost, "area": area, "groups": np.bincount(box_of_group)}
    return {name: column[order] for name, column in merged.items()}


def _meets(bounds: np.ndarray, view: PartitionView, window: list[float]) -> np.ndarray:
    x0, x1, y0, y1 = window
    wide, high = view.x.width_of_value, view.y.width_of_value
    across = (bounds[:, 1] + wide >= x0) & (bounds[:, 0] <= x1)
    return across & (bounds[:, 3] + high >= y0) & (bounds[:, 2] <= y1)


def _sample(area: np.ndarray) -> np.ndarray:
    n = len(area)
    return np.arange(n) if n <= MOST_BOXES else np.linspace(0, n - 1, MOST_BOXES).astype(np.int64)


def _ends(values: np.ndarray) -> list[float]:
    return [float(values.min()), float(values.max())] if len(values) else [0.0, 0.0]


def _told(boxes: dict[str, np.ndarray], view: PartitionView, threshold: int) -> list[dict[str, Any]]:
    by_loss, by_size = shades(boxes["loss"]), shades(boxes["rows"] / boxes["groups"])
    at = [rounded(column, 12) for column in boxes["bounds"].T]
    told = zip(*at, boxes["rows"].tolist(), boxes["groups"].tolist(), boxes["loss"].tolist(), strict=True)
    return [
        {
            "at": [x0, x1, y0, y1],
            "x": _range(view.x, x0, x1),
            "y": _range(view.y, y0, y1),
            "rows": hidden_count(int(rows), threshold),
            "groups": int(groups),
            "loss": float(f"{loss:.4g}"),
            "shade": {"loss": int(by_loss[i]), "size": int(by_size[i])},
        }
        for i, (x0, x1, y0, y1, rows, groups, loss) in enumerate(told)
    ]


def _range(axis: Axis, lo: float, hi: float) -> str:
    """The ends in words, as the axis names them."""
    if axis.kind in LABELLED:
        first, last = (short(axis.labels[int(end)], NAME) for end in (lo, hi))
        n = int(hi) - int(lo) + 1
        if n == 1:
            return first or RARE
        return f"{first or RARE} to {last or RARE} ({count(n)} values)" if first or last else f"{count(n)} values"
    word = day if axis.kind == "date" and abs(lo) < DAYS else _number
    return word(lo) if lo == hi else f"{word(lo)} to {word(hi)}"


def _number(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() and abs(value) >= 10_000 else tick(value)


def _axis(axis: Axis, lo: np.ndarray, hi: np.ndarray) -> dict[str, Any]:
    if axis.kind in LABELLED and len(axis.labels) <= MOST_NAMES:
        return {"name": short(axis.name), "kind": "names", "labels": [short(label, NAME) for label in axis.labels]}
    ends = [float(np.min(lo, initial=np.inf)), float(np.max(hi, initial=-np.inf))]
    is_date = axis.kind == "date" and all(abs(end) < DAYS for end in ends)
    kind = "date" if is_date else "places" if axis.kind in LABELLED else "numbers"
    return {"name": short(axis.name), "kind": kind, "step": axis.width_of_value, "ends": ends}


def _words(view: PartitionView, release: Release, n_boxes: int, n_drawn: int, n_missing: int) -> str:
    groups = (
        f"{count(release.partition.n_groups)} groups over {short(view.x.name, NAME)} and {short(view.y.name, NAME)}"
    )
    sample = "" if n_drawn == n_boxes else f", of which an even sample of {count(n_drawn)} is drawn"
    lost = f" All columns together lost {percent(release.utility.gcp)} on average."
    missing = "" if not n_missing else f" {count(n_missing)} groups with a missing value there are not drawn."
    return f"{groups}: {count(n_boxes)} different boxes{sample}.{missing}{lost}"


assert N_SHADES == 6  # the palette has as many
