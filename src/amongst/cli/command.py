"""The command and its parts. Importing this is cheap: every part imports what it needs when it runs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Annotated, NoReturn

import typer

from amongst import __version__
from amongst.cli.answers import all_answers
from amongst.cli.commands import (
    anonymize,
    anonymize_database,
    apply,
    attack,
    compare,
    datasets,
    demo,
    evidence,
    fidelity,
    inspect,
    inspect_database,
    lattice,
    methods,
    papers,
    plan,
    pseudonymise,
    query,
    register,
    regression,
    republish,
    risk,
    risk_database,
    sign,
    together,
    verify,
    verify_database,
    workload,
)
from amongst.cli.commands.app import app as app_page
from amongst.cli.commands.run import run as run_job
from amongst.cli.guard import guarded
from amongst.cli.log import LOG
from amongst.cli.options import Json, Log, Quiet, logged
from amongst.cli.voice import VOICE
from amongst.cli.without_pandas import without_pandas

EPILOG = (
    "Exit codes: 0 done; 1 the data or the request does not allow it; 2 wrong usage; 3 a defect in amongst; "
    "130 stopped with Ctrl-C."
)

app = typer.Typer(
    name="amongst",
    help="Publish tables about people: every record hides amongst at least k - 1 others.",
    epilog=EPILOG,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
PARTS: list[Callable[..., None]] = [
    demo.demo,
    inspect.inspect,
    anonymize.anonymize,
    run_job,
    apply.apply,
    plan.plan,
    verify.verify,
    attack.attack,
    pseudonymise.pseudonymise,
    inspect_database.inspect_database,
    anonymize_database.anonymize_database,
    verify_database.verify_database,
    risk_database.risk_database,
    compare.compare,
    query.query,
    workload.workload,
    fidelity.fidelity,
    regression.regression,
    risk.risk,
    register.register,
    sign.sign,
    republish.republish,
    together.together,
    evidence.evidence,
    lattice.lattice,
    methods.methods,
    datasets.datasets,
    papers.papers,
    app_page,
]
for part in PARTS:
    app.command()(guarded(logged(part)))


def _show_version(asked: bool) -> None:
    if asked:
        from amongst.cli.page import Line

        VOICE.result(lambda: {"amongst": __version__}, lambda: [Line(f"amongst {__version__}")])
        raise typer.Exit


def _show_answers(asked: bool) -> None:
    if asked:
        import json

        print(json.dumps(all_answers(), indent=2))
        raise typer.Exit


@app.callback()
def amongst(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_show_version, is_eager=True)
    ] = False,
    json_schema: Annotated[
        bool,
        typer.Option(
            "--json-schema", help="Print the JSON schema of all answers.", callback=_show_answers, is_eager=True
        ),
    ] = False,
    json: Json = False,
    quiet: Quiet = False,
    log: Log = None,
) -> None:
    pass


def run() -> NoReturn:
    """Run the command with the arguments of the process; end with its exit code."""
    without_pandas()
    VOICE.listen(sys.argv[1:])
    LOG.listen(sys.argv[1:], __version__)
    if not VOICE.json and not LOG.asked:
        app(prog_name="amongst")
    try:
        sys.exit(app(prog_name="amongst", standalone_mode=False))
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        # What typer says of wrong usage, in the words that the other errors have.
        VOICE.usage_error(error.format_message())
        sys.exit(getattr(error, "exit_code", 2))
