"""The lattice of full-domain generalizations, searched, measured and drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from amongst.choices import MEASURES
from amongst.lattice.generalize import find_search
from amongst.lattice.view import view_lattice
from amongst.measure.at_levels import LevelLoss
from amongst.models import Model
from amongst.partition.full_domain.choose import DIGITS, choose_node, refuse_unknown_measure
from amongst.partition.full_domain.generalizations import Generalizations
from amongst.partition.full_domain.search import infeasible, search_lattice
from amongst.partition.requested import encode_for
from amongst.read import Source, read
from amongst.report.lattice_story import LatticeStory, Measured
from amongst.report.lattice_view import LatticeView
from amongst.report.wording import count, percent
from amongst.schema.check import check
from amongst.schema.schema import Schema

COMPLETE = "incognito"
"""Finds all generalizations where the method that was asked for stops at one."""


def draw_lattice(
    data: Any,
    schema: Schema,
    models: Sequence[Model],
    method: str = COMPLETE,
    *,
    suppression: float = 0.0,
    limits: Mapping[str, int] | None = None,
    choose: str = "gcp",
    progress: Callable[[str, int, int], None] | None = None,
) -> LatticeStory:
    """Which generalizations hold, which are minimal, what each would lose, and which one would be chosen.

    Parameters
    ----------
    data, schema, models, suppression, limits
        As for ``generalizations``.
    method : str
        Who chooses. Samarati's search and Datafly do not decide the whole lattice: it is decided by
        ``incognito`` then, and what they would choose is marked in it.
    choose : str
        The measure of loss to choose by.

    Returns
    -------
    LatticeStory
        ``amongst.lattice.page.render_lattice`` makes a page of it, ``to_dict()`` plain data.

    Examples
    --------
    >>> import amongst as am
    >>> from amongst.lattice.draw import draw_lattice
    >>> data = am.datasets.load("incognito-patients")
    >>> story = draw_lattice(data.table, data.schema, [am.KAnonymity(2)])
    >>> story.view.n_nodes, story.view.n_safe, story.view.n_minimal
    (12, 5, 3)
    """
    find_search(method)
    refuse_unknown_measure(choose)
    say = progress or (lambda step, done, total: None)
    say("read", 0, 0)
    source = data if isinstance(data, Source) else read(data)
    schema = check(schema, source.table)
    coded = encode_for(source.table, schema, models)
    say("search", 0, 0)

    def looked(done: int, total: int) -> None:
        say("search", done, total)

    def search(name: str) -> Generalizations:
        return search_lattice(find_search(name), coded, models, suppression, limits, progress=looked)

    found = search(method)
    if len(found) == 0:
        raise infeasible(found)
    chosen = choose_node(found, choose)
    found = found if found.complete else search(COMPLETE)
    say("draw", 0, 0)
    view = view_lattice(found, schema, chosen)
    asked = tuple(_asked(models, view, found, limits or {}))
    measured = tuple(_measure(found, view, choose))
    return LatticeStory(source.name, asked, view, measured, method, choose)


def _measure(found: Generalizations, view: LatticeView, choose: str) -> list[Measured]:
    """The losses of the minimal nodes that are drawn, and of the chosen one."""
    losses = {measure: LevelLoss(found.sets, measure) for measure in MEASURES}
    columns, k = tuple(range(len(view.columns))), view.k
    measured = []
    for node in np.flatnonzero(view.minimal | (np.arange(view.n_drawn) == view.chosen)).tolist():
        counted = found.sets.scan(columns, tuple(view.levels[node].tolist()))
        of = {measure: loss.of(counted, k) for measure, loss in losses.items()}
        measured.append(Measured(node, {**of, "c_avg": of["c_avg"] / k}))
    height = view.heights
    return sorted(measured, key=lambda one: (round(one.losses[choose], DIGITS), height[one.node], one.node))


def _asked(models: Sequence[Model], view: LatticeView, found: Generalizations, limits: Mapping[str, int]) -> list[str]:
    sentences = [model.words() for model in models]
    if view.most_suppressed:
        share = percent(view.most_suppressed / view.n_rows)
        rows = "1 row" if view.most_suppressed == 1 else f"{count(view.most_suppressed)} rows"
        sentences.append(f"At most {rows} ({share}) may be suppressed for it.")
    else:
        sentences.append("No row may be suppressed for it.")
    for name, level in limits.items():
        words = view.level_words[found.columns.index(name)][level]
        most = f"{name} may be generalized to level {level} at most ({words})."
        sentences.append(most if level else f"{name} is kept as it is.")
    return sentences
