"""The experiments of the five papers: what each figure shows, measured again, and whether the paper's claim holds."""

from __future__ import annotations

from benchmarks.papers.catalogue import PAPERS, experiments, find
from benchmarks.papers.claims import Part, Verdict
from benchmarks.papers.experiment import SCALES, Experiment, Figure, Panel, Picture
from benchmarks.papers.run import Result, run

__all__ = [
    "PAPERS",
    "SCALES",
    "Experiment",
    "Figure",
    "Panel",
    "Part",
    "Picture",
    "Result",
    "Verdict",
    "experiments",
    "find",
    "run",
]
