"""What an experiment is: a figure of a paper, how to measure it again, and what the paper claims of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from amongst.report.views import PartitionView
    from benchmarks.papers.claims import Part

SCALES = ("quick", "usual", "full")
"""Seconds, minutes, and the paper's own sizes where they are feasible."""

T = TypeVar("T")


def at(scale: str, quick: T, usual: T, full: T | None = None) -> T:
    """What belongs to a scale; the full one is the usual one unless it is given.

    Examples
    --------
    >>> from benchmarks.papers.experiment import at
    >>> at("full", 1000, 50_000), at("quick", 1000, 50_000)
    (50000, 1000)
    """
    return {"quick": quick, "usual": usual, "full": usual if full is None else full}[scale]


@dataclass(frozen=True)
class Panel:
    """One chart of a figure: a series of numbers for every name.

    Attributes
    ----------
    title, x_name, y_name : str
    xs : sequence of float or str
        Where the series are measured; words where x is no number.
    series : dict of str to sequence of float or None
        One number an x; None where there is none.
    log_x, log_y : bool
        What the paper's axes are, or what shows the series best.
    form : {"lines", "stack", "table"}
        A line a series, bars that stand on each other, or no chart: the paper has a table.
    """

    title: str
    x_name: str
    y_name: str
    xs: Sequence[float | str]
    series: Mapping[str, Sequence[float | None]]
    log_x: bool = False
    log_y: bool = False
    form: str = "lines"

    def to_dict(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "x": self.x_name,
            "y": self.y_name,
            "form": self.form,
            "xs": list(self.xs),
            "series": {name: list(values) for name, values in self.series.items()},
        }


@dataclass(frozen=True, eq=False)
class Picture:
    """Groups drawn as boxes over two columns."""

    title: str
    view: PartitionView
    threshold: int


@dataclass(frozen=True, eq=False)
class Figure:
    """What was measured for a figure, and on which data."""

    panels: Sequence[Panel]
    data: str
    pictures: Sequence[Picture] = field(default=())

    def panel(self, title: str) -> Panel:
        return next(panel for panel in self.panels if panel.title == title)


@dataclass(frozen=True)
class Experiment:
    """One figure of a paper.

    Attributes
    ----------
    name : str
        Paper and figure, such as ``mondrian-10``.
    shows : str
        What the figure shows.
    claim : str
        What the paper says of it, in our words.
    measure : callable
        Takes a scale and gives the figure.
    check : callable
        Takes the figure and gives the parts of the claim, the main one first.
    note : str
        Where this departs from the paper.
    both : bool
        Whether it is measured twice, with the methods as printed and with ours.
    why : str
        What makes the difference, where the claim does not hold with both.
    """

    name: str
    shows: str
    claim: str
    measure: Callable[[str], Figure]
    check: Callable[[Figure], list[Part]]
    note: str = ""
    both: bool = False
    why: str = ""

    @property
    def paper(self) -> str:
        return self.name.partition("-")[0]

    @property
    def figure(self) -> str:
        return self.name.partition("-")[2]
