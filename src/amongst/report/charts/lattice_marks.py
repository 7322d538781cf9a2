"""How one node of the lattice looks, in every drawing of it."""

from __future__ import annotations

import numpy as np
from markupsafe import Markup

from amongst.report.charts import svg
from amongst.report.charts.boxes import N_SHADES
from amongst.report.lattice_view import LatticeView
from amongst.report.wording import count

FRAME = 4
"""How far the frame of the chosen node stands out."""
SMALL = 11
"""Nodes smaller than this have thinner lines."""


def loss_ends(view: LatticeView) -> tuple[float, float]:
    """The smallest and the largest loss of the drawn nodes that hold."""
    losses = view.gcp[view.safe]
    return (float(losses.min()), float(losses.max())) if len(losses) else (0.0, 1.0)


def shade_of_node(view: LatticeView) -> list[str]:
    """Nodes that hold from the darkest blue, the least loss, to the lightest; the others without colour."""
    least, most = loss_ends(view)
    steps = N_SHADES - 2
    share = (view.gcp - least) / (most - least) if most - least > 1e-9 else np.zeros(view.n_drawn)
    shade = N_SHADES - 1 - np.rint(np.clip(share, 0, 1) * steps).astype(int)
    return [f"s{s}" if safe else "unsafe" for s, safe in zip(shade.tolist(), view.safe.tolist(), strict=True)]


def node_mark(
    view: LatticeView, node: int, shade: str, x: float, y: float, width: float, height: float, words: str = ""
) -> Markup:
    """A rectangle; red rises in it by the share of rows that are suppressed, or would have to be."""
    parts = [svg.element("title", view.tip(node))]
    if node == view.chosen:
        parts += [svg.rect(x - FRAME, y - FRAME, width + 2 * FRAME, height + 2 * FRAME, "chosen")]
    parts += [svg.rect(x, y, width, height, shade)]
    share = min(float(view.share[node]), 1.0)
    if share > 0:
        rise = max(share * height, 1.5)
        parts += [svg.rect(x, y + height - rise, width, rise, "gone")]
    outline = "edge-of minimal" if view.minimal[node] else "edge-of"
    parts += [svg.rect(x, y, width, height, outline + (" fine" if width < SMALL else ""))]
    if words:
        dark = " on-dark" if shade in ("s4", "s5") else ""
        parts += [svg.text(x + width / 2, y + height / 2 + 4.5, words, f"levels{dark}", text_anchor="middle")]
    return svg.group("node", *parts, data_place=str(node))


def describe(view: LatticeView) -> str:
    """The drawing for those who cannot see it."""
    chosen = "" if view.chosen < 0 else f" Chosen: {view.publishes(view.chosen)}."
    return (
        f"{count(view.n_nodes)} generalizations, {count(view.n_safe)} of them safe, "
        f"{count(view.n_minimal)} minimal.{chosen}"
    )
