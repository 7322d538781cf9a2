"""One HTML file that holds everything it shows."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.report import wording
from amongst.report.charts import svg
from amongst.report.lattice_view import LatticeView
from amongst.report.shown import show

if TYPE_CHECKING:
    from jinja2 import Environment

    from amongst.report.story import Story

FOLDER = Path(__file__).parent
VERDICTS = {
    "holds": "Everything that was asked for holds.",
    "fails": "Not everything that was asked for holds.",
    "unchecked": "Nothing was asked, so nothing was checked.",
}

ROLES = {
    "quasi": "Quasi-identifiers, generalized",
    "sensitive": "Sensitive, published as they are",
    "keep": "Kept as they are",
    "weight": "Sampling weights, kept as they are",
    "household": "Households, numbered anew",
    "identifier": "Identifiers, dropped",
}


FIGURES = {
    "l_frequency": "l-diversity by frequency: no value has more than 1/l of a group",
    "l_distinct": "distinct l-diversity: different values in a group",
    "l_entropy": "entropy l-diversity: as even as l equally frequent values",
    "l_recursive": "recursive (2, l)-diversity",
    "t": "t-closeness: distance of a group to the table",
    "beta": "beta-likeness: gain of a value in a group over its share in the table",
    "delta": "delta-disclosure: largest |ln| of the ratio of the shares",
}
"""What the figures of a sensitive column say; the first four are better when large, the others when small."""
SHORT = {
    "l_frequency": "l by frequency",
    "l_distinct": "distinct l",
    "l_entropy": "entropy l",
    "l_recursive": "(2, l)",
    "t": "t",
    "beta": "beta",
    "delta": "delta",
}
"""The same as heads of a table of many columns."""
MOST_TABLES = 3
"""More sensitive columns than this are told in one table."""


def render(story: Story) -> str:
    """The report as the text of one HTML file.

    It has no script and refers to nothing outside of itself. The same story gives the same text.

    Examples
    --------
    >>> from amongst.report import Check, Story, render
    >>> words = "Every row shares its values with 1 other (k = 2)."
    >>> check = Check(words=words, asked="k = 2", reached="k = 3", ok=True)
    >>> facts = {"n_rows": 6, "n_columns": 4, "n_published": 6, "n_groups": 2, "smallest": 3, "largest": 3}
    >>> story = Story(title="Patients", threshold=2, checks=(check,), **facts)
    >>> page = render(story)
    >>> page.startswith("<!doctype html>") and "Patients" in page
    True
    """
    words: dict[str, Any] = {
        "verdict": VERDICTS[story.verdict],
        "method": _method(story),
        "roles": _roles(story),
        "figures": FIGURES,
        "heads": SHORT if len(story.sensitive_alike) > MOST_TABLES else {},
    }
    return fill("report.html", story=story, **words, **_pictures(story))


def _method(story: Story) -> dict[str, object]:
    seed = {} if story.seed is None else {"seed": story.seed}
    return {"method": story.method, **story.options, **seed}


def _roles(story: Story) -> dict[str, list[str]]:
    """The columns under what becomes of them."""
    named = {words: [column.name for column in story.columns if column.role == role] for role, words in ROLES.items()}
    return {words: names for words, names in named.items() if names}


def _pictures(story: Story) -> dict[str, Any]:
    """Every chart that the story has data for; the others are None or empty."""
    from amongst.report.charts.boxes import lay_out
    from amongst.report.charts.class_sizes import class_size_chart
    from amongst.report.charts.distribution import distribution_chart
    from amongst.report.charts.loss import loss_chart
    from amongst.report.charts.partition import partition_chart

    sizes, view, ncp = story.class_sizes, story.partition, story.utility.ncp
    shown = [(one, show(one, story.threshold)) for one in story.distributions]
    layout = lay_out(view) if view is not None else None
    return {
        "loss": loss_chart(list(ncp), list(ncp.values())) if ncp else None,
        "sizes": class_size_chart(sizes.sizes, sizes.counts, story.threshold) if sizes is not None else None,
        "distributions": [
            (one.column, cells, distribution_chart(one.column, one.kind, cells, f"column-{i}"))
            for i, (one, cells) in enumerate(shown)
        ],
        "lattice": None if story.lattice is None else lattice_pictures(story.lattice),
        "layout": layout,
        "boxes": partition_chart(view, story.threshold, layout) if view is not None else None,
    }


def lattice_pictures(view: LatticeView) -> dict[str, Any]:
    """The lattice as a chart, with what its legend needs to know."""
    from amongst.report.charts.lattice import fits, lattice_chart
    from amongst.report.charts.lattice_marks import loss_ends

    least, most = loss_ends(view)
    return {"chart": lattice_chart(view), "as_boxes": fits(view), "least": least, "most": most}


def fill(template: str, *, beside: str = __file__, **values: Any) -> str:
    """A page from a template, with the style sheet in it.

    A template lies beside the code that fills it (``beside=__file__``); the frame and the parts that all pages share
    lie here.
    """
    from markupsafe import Markup

    page = _environment(Path(beside).parent).get_template(template).render(css=Markup(style_sheet()), **values)
    return page if page.endswith("\n") else page + "\n"


def style_sheet() -> str:
    """The style sheet of every page, with that of the charts in its place."""
    sheet = (FOLDER / "report.css").read_text(encoding="utf-8")
    return sheet.replace("/* charts.css */\n", svg.style_sheet())


@cache
def _environment(folder: Path) -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    # A command renders once, so time spent on optimizing the template does not come back.
    environment = Environment(
        loader=FileSystemLoader([folder, FOLDER], encoding="utf-8"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        optimized=False,
        undefined=StrictUndefined,
        finalize=_finalize,
    )
    words = {name: getattr(wording, name) for name in ("count", "hidden_count", "percent", "figure", "told", "visible")}
    environment.filters.update(words)
    return environment


def _finalize(value: Any) -> Any:
    """Every value that the template writes: plain text loses the characters that act."""
    return wording.visible(value, lines=True) if not hasattr(value, "__html__") else value
