"""What was asked, what was proved and what it cost: as a page, as charts, and as a few lines of text.

A report is told from a :class:`Story`, which holds facts and no rows. ``render`` makes one HTML file of it
that needs nothing else: no script, no font, no image, no network. ``summary`` makes lines for a terminal.
``vega.spec`` gives the same charts as Vega-Lite specs for a notebook.
"""

from __future__ import annotations

from amongst.report.render import render
from amongst.report.story import Check, ColumnFacts, SensitiveFacts, Story, Utility
from amongst.report.text import summary
from amongst.report.views import Axis, ClassSizes, Distribution, Heat, PartitionView

__all__ = [
    "Axis",
    "Check",
    "ClassSizes",
    "ColumnFacts",
    "Distribution",
    "Heat",
    "PartitionView",
    "SensitiveFacts",
    "Story",
    "Utility",
    "render",
    "summary",
]
