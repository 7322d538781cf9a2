"""What ``amongst lattice`` was asked, from a job file or from what was typed; what is typed goes first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.cli.columns import names_in, null_rule_in, with_hierarchies, with_null_rule
from amongst.cli.table import data_set, source_of
from amongst.errors import BadOption
from amongst.job.job import Input, Job
from amongst.lattice.draw import COMPLETE
from amongst.models import KAnonymity, Model
from amongst.partition.methods import METHODS
from amongst.read import read
from amongst.schema.column import Column
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    from amongst.datasets import Dataset
    from amongst.read import Source

SHARED = ("suppression", "limits", "choose")
"""Options of full-domain methods that a drawing of the lattice takes over from a job."""
DEFAULT_K = 10


@dataclass(frozen=True, eq=False)
class LatticeJob:
    """A table, a schema and what a search over its lattice needs to know."""

    input: Input
    known: Dataset | None
    schema: Schema
    models: Sequence[Model]
    method: str
    options: dict[str, Any]

    def source(self) -> Source:
        """The table without the columns that play no part."""
        told = self.input
        whole = read(told.path, **told.reading) if self.known is None else source_of(self.known)
        names = [name for name in whole.table.column_names if name in self.schema]
        return replace(whole, table=whole.table.select(names))


def lattice_job(
    name: str, typed: Mapping[str, Any], roles: Mapping[str, Any], reading: Mapping[str, Any]
) -> LatticeJob:
    """The job of this name, or one over the table of this name, with what was typed put over it."""
    if Path(name).suffix.lower() == ".toml":
        job = Job.of_one_table(name)
        begun = LatticeJob(job.input, None, job.schema, job.models, *_searching(job))
    else:
        known = data_set(name)
        source = Input(Path(name), **{**reading, "nulls": tuple(reading["nulls"] or ())})
        begun = LatticeJob(source, known, Schema({}) if known is None else known.schema, (), COMPLETE, {})
    options = {**begun.options, **_options(typed)}
    asked = replace(begun, options=options, method=typed["method"] or begun.method)
    if typed["k"] is not None or not asked.models:
        asked = replace(asked, models=(KAnonymity(typed["k"] or DEFAULT_K),))
    return replace(asked, schema=_schema(asked, roles))


def _searching(job: Job) -> tuple[str, dict[str, Any]]:
    """Method and options of a job that searches the lattice; another job is drawn as if it did."""
    if job.method is None or job.method not in METHODS or METHODS[job.method].search is None:
        return COMPLETE, {}
    return job.method, {name: job.options[name] for name in SHARED if name in job.options}


def _options(typed: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {} if typed["choose"] is None else {"choose": typed["choose"]}
    if typed["suppression"] is not None:
        found["suppression"] = suppression_in(typed["suppression"])
    if typed["limit"]:
        found["limits"] = limits_in(typed["limit"])
    return found


def limits_in(typed: Sequence[str]) -> dict[str, int]:
    """The highest levels of columns, such as ``age=2``.

    Examples
    --------
    >>> from amongst.cli.lattice_job import limits_in
    >>> limits_in(["age=2", "sex = 0"])
    {'age': 2, 'sex': 0}
    """
    limits = {}
    for text in typed:
        name, _, level = (part.strip() for part in text.rpartition("="))
        if not (name and level.isdecimal()):
            raise BadOption("--limit needs a column and a level.", found=f"--limit {text!r}", fix="write --limit age=2")
        limits[name] = int(level)
    return limits


def suppression_in(text: str) -> float | int:
    """A number of rows such as 200, or a share such as 0.05 or 5%.

    Examples
    --------
    >>> from amongst.cli.lattice_job import suppression_in
    >>> [suppression_in(text) for text in ("200", "0.05", "5%")]
    [200, 0.05, 0.05]
    """
    try:
        if text.endswith("%"):
            return float(text[:-1]) / 100
        return int(text) if text.isdecimal() else float(text)
    except ValueError:
        raise BadOption(
            "The suppression limit cannot be understood.",
            found=f"--suppression {text!r}",
            fix="write a share such as 0.05 or 5%, or a number of rows such as 200",
        ) from None


def _schema(asked: LatticeJob, roles: Mapping[str, Any]) -> Schema:
    """The quasi-identifiers in the order they were typed; the other columns play no part."""
    columns = asked.schema if roles["schema"] is None else Schema.from_file(roles["schema"])
    names = names_in(roles["quasi"])
    if names:
        columns = Schema({name: replace(columns.get(name, Column()), role="quasi") for name in names})
    columns = with_null_rule(with_hierarchies(columns, roles["hierarchy"]), null_rule_in(roles["nulls_rule"]))
    if not columns.quasi:
        raise BadOption(
            "There is no lattice without quasi-identifiers.",
            found="none named",
            fix="name them after --quasi, or give a job file",
        )
    return Schema({name: column for name, column in columns.items() if column.role == "quasi"})
