"""The first job file for a table: every column with the reasons for what is suggested."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from amongst.job.job import Input, Output
from amongst.job.text import Folder, column_fields, input_fields, output_fields
from amongst.job.toml import comment, toml_text
from amongst.read.formats import format_of
from amongst.schema.suggest import ColumnSuggestion, Suggestion

if TYPE_CHECKING:
    from amongst.read.evidence import Found

OPENING = """\
# A job for amongst. It was drafted from the names and values of the table: read every column before you
# run it with `amongst run`. Reasons stand above each choice; "guess" means that little speaks for it.
#
# role = "identifier"   names a person or a row: dropped
# role = "quasi"        others may know it of people: generalized
# role = "sensitive"    what should not be learned about a person: published as it is
# role = "keep"         tells nothing about anybody: published as it is
# role = "weight"       how many of the population a row stands for: published as it is
# role = "household"    who lives together: numbered anew, and nobody is found through the other members"""

NULLS = """\
nulls = "own value"          # to check: a value of its own; rows without it form groups with each other
# nulls = "match anything"   # nobody can tell: such a row may stand in any group
# nulls = "suppress"         # rows without it are left out of the release"""

PRIVACY = """\
# Every published row looks like at least k - 1 others in its quasi-identifiers.
[[privacy]]
model = "k-anonymity"
k = 10"""

DIVERSITY = """\
# Everybody in a group may still have the same sensitive value. This asks that none has more than 1 in 3 of a group:
# [[privacy]]
# model = "l-diversity"
# l = 3"""


METHOD = """\
[method]
seed = 0
# name = "mondrian"   # faster, and loses more. Left out: best, with about as much time as the rest takes"""


def draft(
    path: str | Path | Input, suggestion: Suggestion, folder: Folder = None, found: Mapping[str, Found] | None = None
) -> str:
    """The text of a commented job file.

    Parameters
    ----------
    path : path or Input
        The table; an Input also says how it was read.
    suggestion : Suggestion
    folder : path, optional
        Where the job file will stand; paths in it are written as seen from there.
    found : mapping of str to Found, optional
        What the cells of text columns show; it stands above the form of each.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from amongst.job.draft import draft
    >>> from amongst.schema.suggest import suggest
    >>> text = draft("data.csv", suggest(pa.table({"age": [31, 42]})))
    >>> "[columns.age]" in text
    True
    """
    source = path if isinstance(path, Input) else Input(Path(path))
    read_in = "\n".join(_input(replace(source, reads={}), folder, suggestion.person))
    parts = [OPENING, read_in, *_forms(source, found or {})]
    parts += ["\n".join(_column(name, one, folder)) for name, one in suggestion.columns.items()]
    parts += [PRIVACY, *([DIVERSITY] if suggestion.schema.sensitive else [])]
    parts.append(METHOD)
    place = Path(folder or "") / f"{source.path.name.split('.')[0] or 'data'}-release"
    other = source.reads or source.encoding or source.separator
    output = Output(place, "csv", shape="input") if other else Output(place)
    if (format := format_of(source.path)) is not None:
        output = Output(place, format.writes or format.name)
    parts.append(toml_text({"output": output_fields(output, folder)}))
    return "\n\n".join(parts)


def _input(source: Input, folder: Folder, person: str | None) -> list[str]:
    lines = toml_text({"input": input_fields(source, folder)}).splitlines()
    if person is not None and source.unit is None:
        lines.append(
            f"unit = {json.dumps(person, ensure_ascii=False)}   # a person has several rows: people are counted"
        )
    if not source.nulls:
        lines.append('# nulls = ["NA"]   # texts that mean missing, besides the empty cell')
    return lines


def _forms(source: Input, found: Mapping[str, Found]) -> list[str]:
    """How columns are written, with what their cells show above each; of those that are not clear that alone."""
    if isinstance(source.reads, str):
        return []
    lines = []
    for name in dict.fromkeys([*found, *source.reads]):
        lines += [comment(f"{name}: {found[name].words}")] if name in found else []
        if name in source.reads:
            lines += toml_text({"reads": {name: source.reads[name].plain}}).splitlines()[1:]
    return ["\n".join(["[input.reads]", *lines])] if lines else []


def _column(name: str, suggested: ColumnSuggestion, folder: Folder) -> list[str]:
    column = suggested.column
    head, *settings = toml_text({"columns": {name: column_fields(column, folder)}}).splitlines()
    role = settings.index(f'role = "{column.role}"')
    settings[role] += f"   # {suggested.confidence}"
    lines = [head, *[comment(reason) for reason in suggested.reasons], *settings]
    if suggested.idea is not None:
        idea = toml_text({"columns": {name: {"hierarchy": suggested.idea.to_dict()}}}).splitlines()[1]
        lines.append(f"# {idea}   # for methods that work with levels")
    elif column.role == "quasi" and column.hierarchy is None and column.kind == "categorical":
        lines.append('# hierarchy = { csv = "levels.csv" }   # with one, groups are named and not listed')
    return lines + NULLS.splitlines() if suggested.needs_null_rule else lines
