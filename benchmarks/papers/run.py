"""Run an experiment: measure, judge, and write what was found as JSON, SVG and HTML."""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from amongst.errors import BadOption
from benchmarks.papers.claims import Part, Verdict, of_both, verdict
from benchmarks.papers.experiment import SCALES, Experiment, Figure
from benchmarks.papers.made import version


@dataclass(frozen=True, eq=False)
class Result:
    """An experiment that was run.

    Attributes
    ----------
    experiment : Experiment
    scale : {"quick", "usual", "full"}
    figure : Figure
    parts : list of Part
        The claim, part by part.
    verdict : Verdict
    ours : Figure, or None
        The same with our methods, where the figure above has those of the paper.
    cpu_seconds : float
        What it took.
    peak_mb : int
        The most memory of the process until then: of this experiment, if nothing ran before.
    """

    experiment: Experiment
    scale: str
    figure: Figure
    parts: Sequence[Part]
    verdict: Verdict
    cpu_seconds: float
    peak_mb: int
    ours: Figure | None = None

    def to_dict(self) -> dict[str, Any]:
        """Everything but the pictures, as plain data."""
        from amongst import __version__

        one = self.experiment
        return {
            "amongst": __version__,
            "name": one.name,
            "shows": one.shows,
            "claim": one.claim,
            "note": one.note,
            "scale": self.scale,
            "data": self.figure.data,
            "panels": [panel.to_dict() for panel in self.figure.panels],
            "ours": [panel.to_dict() for panel in self.ours.panels] if self.ours else [],
            "why": one.why,
            "parts": [{"words": part.words, "n": part.n, "failed": list(part.failed)} for part in self.parts],
            **self.verdict.to_dict(),
            "cpu_seconds": round(self.cpu_seconds, 3),
            "peak_mb": self.peak_mb,
        }

    def write(self, folder: Path) -> list[Path]:
        """Write NAME.json, NAME.svg where there is something to draw, and NAME.html; return the paths."""
        from benchmarks.papers.page import draw_figure, render_papers

        name = self.experiment.name
        texts = {f"{name}.json": json.dumps(self.to_dict(), indent=1, ensure_ascii=False) + "\n"}
        drawn = draw_figure(self)
        if drawn:
            texts[f"{name}.svg"] = drawn
        texts[f"{name}.html"] = render_papers([self])
        folder.mkdir(parents=True, exist_ok=True)
        for file, text in texts.items():
            (folder / file).write_text(text, encoding="utf-8")
        return [folder / file for file in texts]


def run(experiment: Experiment, scale: str = "usual") -> Result:
    """Run one experiment.

    Examples
    --------
    >>> from benchmarks.papers import find, run
    >>> result = run(find("incognito-nodes")[0], "quick")
    >>> result.verdict.words
    'holds'
    """
    if scale not in SCALES:
        raise BadOption("There is no such scale.", found=f"scale = {scale!r}", fix="use one of: " + ", ".join(SCALES))
    began = time.process_time()
    if not experiment.both:
        figure = experiment.measure(scale)
        parts = experiment.check(figure)
        return Result(experiment, scale, figure, parts, verdict(parts), time.process_time() - began, _peak_mb())
    with version("paper"):
        figure = experiment.measure(scale)
        parts = experiment.check(figure)
    with version("ours"):
        ours = experiment.measure(scale)
        found = of_both(verdict(parts), verdict(experiment.check(ours)))
    return Result(experiment, scale, figure, parts, found, time.process_time() - began, _peak_mb(), ours)


def _peak_mb() -> int:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (2**20 if sys.platform == "darwin" else 2**10))
