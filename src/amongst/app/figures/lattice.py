"""The lattice of full-domain generalizations: which hold, what each would suppress and lose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from amongst.app.figures.plain import plain, short
from amongst.lattice.draw import draw_lattice
from amongst.models import Model
from amongst.report.charts.lattice import lattice_chart
from amongst.report.charts.lattice_border import border_chart
from amongst.report.charts.lattice_marks import describe
from amongst.report.lattice_story import LatticeStory
from amongst.report.lattice_view import LatticeView
from amongst.schema.schema import Schema

NAME = 60
WIDEST = 12_000.0
"""The page shows a part of a drawing at a time, so every node is a box there with lines to those one level up."""


def lattice_view(
    table: Any,
    schema: Schema,
    models: Sequence[Model],
    suppression: float = 0.0,
    *,
    method: str = "incognito",
    limits: Mapping[str, int] | None = None,
    choose: str = "gcp",
    progress: Any = None,
) -> dict[str, Any]:
    """All nodes of a small lattice, the border of a large one; parameters as for ``draw_lattice``.

    Examples
    --------
    >>> import amongst as am
    >>> from amongst.app.figures import lattice_view
    >>> data = am.datasets.load("incognito-patients")
    >>> view = lattice_view(data.table, data.schema, [am.KAnonymity(2)])
    >>> view["n_nodes"], view["n_safe"], len(view["drawings"]), view["nodes"][view["chosen"]]["minimal"]
    (12, 5, 1, True)
    """
    options: dict[str, Any] = {"suppression": suppression, "limits": limits, "choose": choose, "progress": progress}
    return lattice_figures(draw_lattice(table, schema, models, method, **options))


def lattice_figures(story: LatticeStory) -> dict[str, Any]:
    """A lattice that was searched and measured, as plain data."""
    view = story.view
    told = plain(
        {
            "title": short(story.title),
            "method": story.method,
            "measure": story.measure,
            "asked": story.asked,
            "words": describe(view),
            "k": view.k,
            "columns": [short(name, NAME) for name in view.columns],
            "level_words": view.level_words,
            "n_nodes": view.n_nodes,
            "n_safe": view.n_safe,
            "n_minimal": view.n_minimal,
            "whole": view.whole,
            "by_height": {"safe": view.safe_by_height, "unsafe": view.unsafe_by_height},
            "chosen": view.chosen,
            "nodes": [_node(view, i) for i in range(view.n_drawn)],
            "drawings": [lattice_chart(view, widest=WIDEST), *([] if view.whole else [border_chart(view)])],
            "measured": [{"node": one.node, "losses": dict(one.losses)} for one in story.measured],
        }
    )
    return {**told, "names": list(view.columns)}  # as they are: levels are applied by these names


def _node(view: LatticeView, i: int) -> dict[str, Any]:
    return {
        "levels": view.levels[i],
        "height": int(view.heights[i]),
        "safe": bool(view.safe[i]),
        "minimal": bool(view.minimal[i]),
        "share": float(view.share[i]),
        "suppresses": view.suppresses(i),
        "loss": float(view.gcp[i]),
        "publishes": short(view.publishes(i), 400),
    }
