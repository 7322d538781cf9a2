"""Drawings of lattices of any size: well-formed, complete, and silent about few people."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product
from xml.etree import ElementTree

import numpy as np
import pytest
from markupsafe import Markup
from story_examples import NASTY

from amongst.partition.full_domain.border import by_height
from amongst.partition.lattice import Lattice, mark_above, minimal
from amongst.report.charts.lattice import fits, lattice_chart
from amongst.report.charts.lattice_border import border_chart
from amongst.report.charts.lattice_heights import heights_chart
from amongst.report.charts.lattice_marks import shade_of_node
from amongst.report.lattice_view import LatticeView


def some_view(heights: tuple[int, ...], share_safe: float = 0.3, k: int = 10, seed: int = 0) -> LatticeView:
    """A lattice with random nodes that hold, and everything above them."""
    rng = np.random.default_rng(seed)
    lattice = Lattice(heights)
    safe = lattice.nothing()
    nodes = list(product(*(range(size) for size in lattice.shape)))
    for node in nodes:
        if rng.random() < share_safe / 3:
            mark_above(safe, node)
    if share_safe:
        safe[tuple(heights)] = True
    levels = np.array(nodes)
    held = safe[tuple(levels.T)]
    return LatticeView(
        columns=tuple(f"column {c}" for c in range(len(heights))),
        level_words=tuple(tuple(f"level {level}" for level in range(size)) for size in lattice.shape),
        k=k,
        n_rows=1000,
        most_suppressed=0,
        safe_by_height=by_height(safe),
        unsafe_by_height=by_height(~safe),
        n_minimal=int(minimal(safe).sum()),
        levels=levels,
        safe=held,
        minimal=minimal(safe)[tuple(levels.T)],
        chosen=int(np.argmax(held)) if held.any() else -1,
        suppressed=np.where(held, 0, rng.integers(1, 1000, len(nodes))),
        gcp=levels.sum(axis=1) / max(sum(heights), 1),
    )


def parsed(chart: Markup) -> ElementTree.Element:
    root = ElementTree.fromstring(str(chart))
    assert root.find("title") is not None
    assert root.find("desc") is not None
    places = [v for one in root.iter() for key, v in one.attrib.items() if key in ("x", "y", "x1", "y1", "width")]
    assert not re.search("nan|inf|e[+-]", " ".join(places))
    return root


def tips(root: ElementTree.Element) -> list[str]:
    return [str(one.findtext("title")) for one in root.iter("g") if one.get("class") == "node"]


@pytest.mark.parametrize("heights", [(0,), (1,), (1, 1, 2), (4, 1, 1), (4, 1, 1, 2), (4, 1, 1, 2, 3), (0, 3)])
@pytest.mark.parametrize("share_safe", [0.0, 0.3, 3.0])
def test_a_drawing_of_any_lattice(heights: tuple[int, ...], share_safe: float) -> None:
    view = some_view(heights, share_safe)
    for draw in (lattice_chart, heights_chart, border_chart):
        found = tips(parsed(draw(view)))
        assert len(found) == view.n_nodes
        assert len(set(found)) == view.n_nodes
    assert sum("chosen" in tip for tip in tips(parsed(lattice_chart(view)))) == (view.chosen >= 0)


def test_every_edge_is_drawn_once() -> None:
    view = some_view((1, 1, 2))
    root = parsed(lattice_chart(view))
    nodes = set(map(tuple, view.levels.tolist()))
    edges = [(node, c) for node in nodes for c in range(3) if (*node[:c], node[c] + 1, *node[c + 1 :]) in nodes]
    assert len(list(root.iter("line"))) == len(edges)
    n_entering = sum(one.get("class") == "step" for one in root.iter("line"))
    assert n_entering == sum(
        not view.safe[i] and bool(view.minimal[j])
        for i in range(view.n_nodes)
        for j in range(view.n_nodes)
        if (view.levels[j] - view.levels[i]).sum() == 1 and (view.levels[j] >= view.levels[i]).all()
    )


def test_boxes_where_they_fit_and_squares_where_they_do_not() -> None:
    assert fits(some_view((1, 1, 2)))
    assert not fits(some_view((4, 1, 1, 2, 3)))
    assert "levels" in lattice_chart(some_view((1, 1, 2)))


def test_boxes_do_not_overlap() -> None:
    root = parsed(lattice_chart(some_view((4, 1, 1, 2))))
    boxes = []
    for node in root.iter("g"):
        if node.get("class") == "node":
            rect = next(one for one in node.iter("rect") if "edge-of" in str(one.get("class")))
            boxes.append([float(str(rect.get(side))) for side in ("x", "y", "width", "height")])
    for i, (x, y, w, h) in enumerate(boxes):
        assert x >= 0
        assert x + w <= 880
        for x2, y2, w2, h2 in boxes[i + 1 :]:
            assert x + w <= x2 or x2 + w2 <= x or y + h <= y2 or y2 + h2 <= y


def test_few_rows_are_not_counted_out() -> None:
    view = some_view((1, 1), share_safe=0.3, k=10)
    for n, words in [
        (0, "no rows"),
        (1, "fewer than 10 rows"),
        (9, "fewer than 10 rows"),
        (10, "1.0% of the rows"),
    ]:
        view.suppressed[:] = n
        assert view.suppresses(0) == words
        assert bool(view.share[0]) == (n >= 10)
        marked = 'class="gone"' in lattice_chart(view)
        assert marked == (n >= 10)


def test_the_least_loss_is_the_darkest() -> None:
    view = some_view((3, 3), share_safe=1.0)
    shades = shade_of_node(view)
    of_safe = sorted((view.gcp[i], shades[i]) for i in range(view.n_nodes) if view.safe[i])
    assert [int(shade[1]) for _, shade in of_safe] == sorted((int(s[1]) for _, s in of_safe), reverse=True)
    assert {shades[i] for i in range(view.n_nodes) if not view.safe[i]} <= {"unsafe"}
    assert "s5" in shades


def test_columns_of_which_the_same_is_told_stand_together() -> None:
    view = some_view((2, 2, 1))
    words = {tuple(view.levels[i].tolist()): view.publishes(i) for i in range(view.n_nodes)}
    assert words[0, 0, 0] == "everything as it is"
    assert words[1, 1, 0] == "column 0, column 1: level 1; column 2: as it is"
    assert words[2, 0, 0] == "column 0: level 2; column 1, column 2: as they are"


@pytest.mark.parametrize("name", NASTY)
def test_any_name_is_only_text(name: str) -> None:
    view = replace(some_view((1, 2)), columns=(name, "b"), level_words=(("0", name), ("0", name, "2")))
    for draw in (lattice_chart, heights_chart, border_chart):
        assert len(tips(parsed(draw(view)))) == view.n_nodes
