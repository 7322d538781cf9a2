"""Options that several commands share."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

ROLES = "What the columns are"
PRIVACY = "What every group must hold"
READING = "How a text file is read"
OUTPUT = "What is written"
RUNNING = "Where and how it runs"


class Form(StrEnum):
    labels = "labels"
    bounds = "bounds"
    structs = "structs"


class LogKind(StrEnum):
    json = "json"


Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")]
Log = Annotated[
    LogKind | None, typer.Option("--log", help="Tell of the run in lines of JSON on stderr.", show_default=False)
]
Force = Annotated[
    bool, typer.Option("--force", help="Replace a release that is there already.", rich_help_panel=OUTPUT)
]
Inside = Annotated[
    Path | None,
    typer.Option(
        "--inside",
        metavar="FOLDER",
        help="Where what must not be published goes; else OUT.inside beside the release.",
        rich_help_panel=OUTPUT,
    ),
]
InsideOf = Annotated[
    Path | None,
    typer.Option(
        "--inside",
        metavar="FOLDER",
        help="What was written inside with the release; else RELEASE.inside, where it is there.",
    ),
]
OutFolder = Annotated[Path, typer.Option("--out", "-o", help="The folder to make.", rich_help_panel=OUTPUT)]
Replace = Annotated[bool, typer.Option("--force", help="Replace what is there already.")]
K = Annotated[int, typer.Option("--k", "-k", min=1, help="Every row looks like at least k - 1 others.")]

Bound = Annotated[
    bool | None,
    typer.Option(
        "--bound/--no-bound",
        help="Tell the loss that no grouping can go below; else only where it is cheap.",
        show_default=False,
        rich_help_panel=OUTPUT,
    ),
]
GroupSize = Annotated[
    int | None,
    typer.Option(
        "--k",
        "-k",
        min=1,
        help="Every row looks like at least k - 1 others. 10 if left out, unless a population is given.",
        rich_help_panel=PRIVACY,
    ),
]
Harden = Annotated[
    bool,
    typer.Option(
        "--harden",
        help="Attack, repair and attack again until no value is certain, no cell narrowed, nobody's presence told.",
        rich_help_panel=PRIVACY,
    ),
]
Promises = Annotated[
    list[str] | None,
    typer.Option(
        "--promise",
        metavar="A=B",
        help="What no attack may achieve, as in [harden]: membership=0.01, likelier=1.5.",
        rich_help_panel=PRIVACY,
    ),
]
Formulas = Annotated[
    list[str] | None,
    typer.Option(
        "--formula",
        metavar="FORMULA",
        help="A model that readers will fit, 'cost ~ age + sex': told inside before and after. May be repeated.",
    ),
]
L = Annotated[
    list[str] | None,
    typer.Option("--l", metavar="3", help="l-diversity; disease=3 for one column.", rich_help_panel=PRIVACY),
]
LSense = Annotated[
    str | None,
    typer.Option(
        "--l-sense",
        metavar="SENSE",
        help="Of --l: frequency (no value above 1/l), distinct, entropy or recursive=C.",
        rich_help_panel=PRIVACY,
    ),
]
T = Annotated[
    list[str] | None,
    typer.Option("--t", metavar="0.2", help="t-closeness; disease=0.2 for one column.", rich_help_panel=PRIVACY),
]
TDistance = Annotated[
    str | None,
    typer.Option("--t-distance", metavar="D", help="Of --t: equal, ordered or hierarchical.", rich_help_panel=PRIVACY),
]
Alpha = Annotated[
    list[str] | None,
    typer.Option("--alpha", metavar="0.5", help="(alpha, k): the largest share.", rich_help_panel=PRIVACY),
]
Beta = Annotated[list[str] | None, typer.Option("--beta", metavar="2", help="beta-likeness.", rich_help_panel=PRIVACY)]
DeltaDisclosure = Annotated[
    list[str] | None,
    typer.Option("--delta-disclosure", metavar="1.5", help="delta-disclosure.", rich_help_panel=PRIVACY),
]
Privacy = Annotated[
    list[str] | None,
    typer.Option(
        "--privacy",
        metavar="MODEL",
        help="Any other model, as in a job file: 'model=\"proximity\", l=3, width=1000'.",
        rich_help_panel=PRIVACY,
    ),
]
KMap = Annotated[
    int | None,
    typer.Option("--k-map", min=1, help="Every group fits k people of the population.", rich_help_panel=PRIVACY),
]
DeltaPresence = Annotated[
    str | None,
    typer.Option("--delta-presence", metavar="0,0.5", help="Chance of being in the data.", rich_help_panel=PRIVACY),
]
Population = Annotated[
    Path | None,
    typer.Option("--population", metavar="FILE", help="Of --k-map and --delta-presence.", rich_help_panel=PRIVACY),
]


def _of_models(
    l: L = None,  # noqa: E741
    l_sense: LSense = None,
    t: T = None,
    t_distance: TDistance = None,
    alpha: Alpha = None,
    beta: Beta = None,
    delta_disclosure: DeltaDisclosure = None,
    k_map: KMap = None,
    delta_presence: DeltaPresence = None,
    population: Population = None,
    privacy: Privacy = None,
) -> None:
    """The options that models have, beside k."""


def asking(command: Callable[..., None]) -> Callable[..., None]:
    """The command with the options of models in the place of its parameter ``typed``, in which it finds them."""
    of_models = inspect.signature(_of_models, eval_str=True).parameters
    own = inspect.signature(command, eval_str=True)
    parameters = [
        one for name, kept in own.parameters.items() for one in (of_models.values() if name == "typed" else [kept])
    ]

    @functools.wraps(command)
    def run(**given: Any) -> None:
        typed = {name: given.pop(name, None) for name in of_models}
        command(typed=typed, **given)

    run.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
    return run


def logged(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command with the option ``--log``, which the log has heard of already."""
    own = inspect.signature(command, eval_str=True)
    more = inspect.Parameter("log", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Log)

    @functools.wraps(command)
    def run(*arguments: Any, log: LogKind | None = None, **options: Any) -> Any:
        return command(*arguments, **options)

    run.__signature__ = own.replace(parameters=[*own.parameters.values(), more])  # type: ignore[attr-defined]
    return run


Engine = Annotated[
    str | None,
    typer.Option(
        "--engine",
        metavar="NAME",
        help="Where rows are counted: memory, duckdb, postgresql or spark. Left out, it follows from the data.",
        rich_help_panel=RUNNING,
    ),
]
Memory = Annotated[
    str | None,
    typer.Option(
        "--memory",
        metavar="4GB",
        help="The most memory to take; what does not fit goes to disk.",
        rich_help_panel=RUNNING,
    ),
]
Work = Annotated[
    Path | None,
    typer.Option("--work", metavar="FOLDER", help="Where temporary files go.", rich_help_panel=RUNNING),
]
Resume = Annotated[
    bool,
    typer.Option(
        "--resume",
        help="Keep what was counted until the release is written, and go on from there after a crash.",
        rich_help_panel=RUNNING,
    ),
]

InDatabase = Annotated[
    str | None,
    typer.Option("--database", metavar="ADDRESS", help="postgresql://..., where the release is a table there."),
]
HierarchiesOf = Annotated[
    Path | None,
    typer.Option("--schema", metavar="JOB.toml", help="Take hierarchies and orders of a job file."),
]
QuasiOfFile = Annotated[
    list[str] | None,
    typer.Option("--quasi", metavar="A,B", help="The quasi-identifiers, for a file without a manifest."),
]

Data = Annotated[
    str,
    typer.Argument(metavar="DATA", help="A table in a file (CSV, Parquet, xlsx, sav ...), or the name of a data set."),
]
Database = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        help="A folder of CSV, Parquet or FHIR NDJSON files, a DuckDB or SQLite file, a postgresql:// address, or the "
        "name of a set of tables: transcripts, students, hospital.",
    ),
]
Namespace = Annotated[
    str | None,
    typer.Option("--namespace", metavar="SCHEMA", help="The schema inside a DuckDB or PostgreSQL database."),
]
Standard = Annotated[
    str | None,
    typer.Option(
        "--as", metavar="STANDARD", help="The tables are those of a standard: omop, fhir. Roles and keys are ready."
    ),
]
Job = Annotated[Path, typer.Argument(metavar="JOB.toml", help="A job file; `amongst inspect` drafts one.")]

Quasi = Annotated[
    list[str] | None,
    typer.Option("--quasi", metavar="A,B", help="Others may know it of people: generalized.", rich_help_panel=ROLES),
]
Sensitive = Annotated[
    list[str] | None,
    typer.Option(
        "--sensitive",
        metavar="A,B",
        help="What should not be learned: published as it is.",
        rich_help_panel=ROLES,
    ),
]
Identifier = Annotated[
    list[str] | None,
    typer.Option("--identifier", metavar="A,B", help="Names a person or row: dropped.", rich_help_panel=ROLES),
]
Keep = Annotated[
    list[str] | None,
    typer.Option("--keep", metavar="A,B", help="Tells nothing: published as it is.", rich_help_panel=ROLES),
]
Weight = Annotated[
    str | None,
    typer.Option("--weight", metavar="A", help="How many of the population a row stands for.", rich_help_panel=ROLES),
]
Household = Annotated[
    str | None,
    typer.Option("--household", metavar="A", help="Who lives together: numbered anew.", rich_help_panel=ROLES),
]
SchemaFile = Annotated[
    Path | None,
    typer.Option("--schema", metavar="JOB.toml", help="Take the columns of a job file.", rich_help_panel=ROLES),
]
TablesFile = Annotated[
    Path | None,
    typer.Option("--schema", metavar="JOB.toml", help="Take the tables of a job file.", rich_help_panel=ROLES),
]
Hierarchies = Annotated[
    list[str] | None,
    typer.Option(
        "--hierarchy",
        metavar="A=FILE",
        help="A column's hierarchy: zip=zip.csv (as ARX writes it), zip=digits=5, age=intervals=[5,10].",
        rich_help_panel=ROLES,
    ),
]

NullsRule = Annotated[
    str | None,
    typer.Option(
        "--nulls-rule",
        metavar="RULE",
        help="What a missing quasi-identifier means: own-value, match-anything or suppress.",
        rich_help_panel=ROLES,
    ),
]

Nulls = Annotated[
    list[str] | None,
    typer.Option(
        "--nulls",
        metavar="NA",
        help="A text that means missing, besides the empty cell.",
        rich_help_panel=READING,
    ),
]
Separator = Annotated[
    str | None,
    typer.Option(
        "--separator",
        metavar=";",
        help="What is between cells, or tab, blank, blanks, places, or widths: 5,10,3; else found out.",
        rich_help_panel=READING,
    ),
]
Encoding = Annotated[
    str | None,
    typer.Option("--encoding", metavar="latin-1", help="The encoding; else found out.", rich_help_panel=READING),
]
Sheet = Annotated[
    str | None,
    typer.Option("--table", metavar="NAME", help="The sheet of a workbook, or the table of a database file."),
]
Format = Annotated[
    str,
    typer.Option(
        "--format",
        metavar="parquet",
        help="Of the data file: parquet, csv, xlsx, sav, dta, xpt, jsonl, sqlite or duckdb.",
        rich_help_panel=OUTPUT,
    ),
]
Reads = Annotated[
    list[str] | None,
    typer.Option(
        "--reads",
        metavar="A=FORM",
        help="How a column is written: birth=dd.MM.yyyy, cost=1.234,56; or found: what its cells show without doubt.",
        rich_help_panel=READING,
    ),
]
Header = Annotated[
    bool | None,
    typer.Option(
        "--header/--no-header",
        help="Whether the first line has the names of the columns.",
        show_default=False,
        rich_help_panel=READING,
    ),
]
