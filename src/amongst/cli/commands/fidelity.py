"""``amongst fidelity``: how like its original a release is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from amongst.cli import options as o
from amongst.cli.voice import VOICE

if TYPE_CHECKING:
    from amongst.cli.page import Shown
    from amongst.query.fidelity import Fidelity

MANY = {"published": "string: the release", "tables": "object: of every table what is told of one"}
ONE = {
    "published": "string: the release",
    "sensitive": "string?: the column whose distribution was compared",
    "cube": "[object]: distances in the data cube by level",
    "marginals": "[object]: distance of every column",
    "associations": "[object]: correlations before and after",
}
ANSWER = (ONE, MANY)


def fidelity(
    published: Annotated[Path, typer.Argument(help="A release folder, or its data file.")],
    original: Annotated[str, typer.Argument(metavar="JOB.toml", help="The job it was made by, or its data set.")],
    levels: Annotated[str, typer.Option("--levels", metavar="1,2", help="Levels of the data cube.")] = "1,2",
    sensitive: Annotated[
        str | None, typer.Option("--sensitive", metavar="A", help="The column that the cube counts.")
    ] = None,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Say how like its original a release is: the data cube, columns, correlations.

    Of a release of many tables every table is looked at, with the columns of the tables that it hangs on.
    """
    from amongst.cli.commands.workload import original_of
    from amongst.cli.of_many_tables import is_of_many_tables, original_tables, refuse_given
    from amongst.cli.page import Line
    from amongst.cli.progress import watched
    from amongst.query.fidelity import fidelity as compare

    if is_of_many_tables(published):
        from amongst.relations.compared import fidelity_database

        refuse_given({"--sensitive": sensitive})
        with watched({"read": 20, "compare": 80}) as steps:
            steps.say("read")
            tables, rules = original_tables(original)
            steps.say("compare")
            many = fidelity_database(published, tables, rules, levels=_levels(levels))
        facts = {name: one.to_dict() for name, one in many.items()}
        VOICE.result(
            lambda: {"published": str(published), "tables": facts},
            lambda: [shown for name, one in many.items() for shown in (Line(name, "name"), *_words(one), Line(""))],
        )
        return
    with watched({"read": 20, "compare": 80}) as steps:
        steps.say("read")
        table, schema = original_of(original)
        steps.say("compare")
        found = compare(published, table, schema, levels=_levels(levels), sensitive=sensitive)
    VOICE.result(lambda: {"published": str(published), **found.to_dict()}, lambda: _words(found))


def _levels(typed: str) -> list[int]:
    from amongst.errors import BadOption

    parts = [part.strip() for part in typed.split(",")]
    if not all(part.isdecimal() for part in parts):
        raise BadOption("Levels are whole numbers.", found=f"--levels {typed!r}", fix="write --levels 1,2")
    return [int(part) for part in parts]


def _words(found: Fidelity) -> list[Shown]:
    from amongst.cli.page import Grid, Line

    cube = [
        [
            str(one.level),
            f"{one.n_measured} of {one.n_group_bys}",
            f"{one.mean:.4f}",
            f"{one.largest:.4f}",
            ", ".join(one.worst),
        ]
        for one in found.cube
    ]
    marginals = [[one.column, f"{one.distance:.1%}", f"{one.divergence:.4f}"] for one in found.marginals]
    pairs = sorted(found.associations, key=lambda one: -abs(one.before - one.after))[:10]
    moved = [[" and ".join(one.columns), one.measure, f"{one.before:.3f}", f"{one.after:.3f}"] for one in pairs]
    numbers = ("level", "mean KL", "largest KL", "moved", "KL", "before", "after")
    return [
        Line(f"Data cube{f' over {found.sensitive}' if found.sensitive else ''}", "name"),
        Grid(["level", "group-bys", "mean KL", "largest KL", "of"], cube, right=numbers),
        Line(""),
        Line("Columns", "name"),
        Grid(["column", "moved", "KL"], marginals, right=numbers),
        Line(""),
        Line("Correlations that changed most", "name"),
        Grid(["columns", "measure", "before", "after"], moved, right=numbers),
    ]
