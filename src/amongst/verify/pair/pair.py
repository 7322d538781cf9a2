"""From two published tables alone: does an anatomy hold what was asked of it?"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.errors import BadInput, BadOption
from amongst.models import Model
from amongst.published.finding import Finding, counted
from amongst.schema.schema import Schema
from amongst.verify.verdict import Reached, Verdict

if TYPE_CHECKING:
    from amongst.published.pair_columns import PairColumns
    from amongst.published.source import Source
    from amongst.verify.pair.counts import PairCounts

SENSES = ("frequency", "distinct", "entropy")
FEW_GROUPS = 10


def verify_pair(
    quasi: Any, sensitive: Any, schema: Schema | Sequence[str] | None, models: Sequence[Model] | Model
) -> Verdict:
    """Check the two tables of an anatomy, whoever made them.

    Parameters
    ----------
    quasi, sensitive : path, pyarrow, pandas or polars table
        The table with the quasi-identifiers, and the one with the sensitive values and their counts.
    schema : Schema
        With one sensitive column.
    models : LDiversity, or sequence of them
        In the sense of frequency, distinct or entropy.

    Notes
    -----
    Checked are: one column and no other is in both tables; no identifier is in either, no sensitive column beside the
    quasi-identifiers, nor a copy of it; every group is in both, and its counts add up to its rows; in every group
    the models hold. In the verdict a class is a group.

    Examples
    --------
    >>> import amongst as am, pyarrow as pa
    >>> from amongst.verify.pair.pair import verify_pair
    >>> schema = am.Schema({"age": am.Column(role="quasi"), "disease": am.Column(role="sensitive")})
    >>> people = pa.table({"group": [1, 1], "age": [31, 64]})
    >>> diseases = pa.table({"group": [1, 1], "disease": ["cold", "flu"], "count": [1, 1]})
    >>> verify_pair(people, diseases, schema, am.LDiversity(2)).ok
    True
    """
    from amongst.published.open_published import open_published
    from amongst.published.pair_columns import pair_columns
    from amongst.verify.pair.counts import copies, pair_counts
    from amongst.verify.proofs import nothing_asked
    from amongst.verify.sensitive import spelling_notes

    asked = _provable(models)
    first, second = open_published(quasi), open_published(sensitive)
    columns = pair_columns(first, second, schema)
    _refuse_other_column(asked, columns.sensitive)
    if columns.link is None or columns.count is None or columns.sensitive not in second.names:
        return _verdict(columns, columns.findings, columns.notes, [], None)
    where = (first, second, columns.link, columns.sensitive, columns.count)
    counts = pair_counts(*where)
    reached, findings = _prove(asked, counts)
    columns.notes.extend([*nothing_asked(asked), *spelling_notes({columns.sensitive: counts.n_joined})])
    leaks, notes = _leaks(first, second, schema)
    copied = _copied(copies(*where))
    if len(counts.size) < FEW_GROUPS:  # in a handful of groups it may be chance
        notes, copied = [*copied, *notes], []
    findings = [*columns.findings, *_nothing(counts), *counts.findings, *copied, *findings, *leaks]
    return _verdict(columns, findings, [*columns.notes, *notes], reached, counts)


def diversity_of_pair(quasi: Any, sensitive: Any, schema: Schema) -> dict[str, float]:
    """The largest l that every group of two tables holds, in every sense."""
    from amongst.published.open_published import open_published
    from amongst.published.pair_columns import pair_columns
    from amongst.verify.pair.counts import pair_counts

    first, second = open_published(quasi), open_published(sensitive)
    columns = pair_columns(first, second, schema)
    if columns.link is None or columns.count is None:
        return {}
    counts = pair_counts(first, second, columns.link, columns.sensitive, columns.count)
    return {sense: float(diversity(counts, sense).min()) for sense in SENSES}


def pair_in(published: Any) -> tuple[Path, Path] | None:
    """The two files of a release folder whose manifest says anatomy, or that holds both; else None."""
    from amongst.published.open_published import OPENERS

    if not isinstance(published, (str, os.PathLike)) or not os.path.isdir(published):
        return None
    folder = Path(published)
    files = {
        name: [folder / f"{name}{ending}" for ending in OPENERS if (folder / f"{name}{ending}").is_file()]
        for name in ("release", "sensitive")
    }
    if not files["sensitive"] and not _says_pair(folder):
        return None
    if any(len(paths) != 1 for paths in files.values()):
        found = ", ".join(path.name for paths in files.values() for path in paths) or "no data file"
        what = f"The folder {folder.name} does not hold one release of two tables."
        raise BadInput(what, found=found, fix="keep the two files of one release in it, release and sensitive")
    return files["release"][0], files["sensitive"][0]


def _says_pair(folder: Path) -> bool:
    try:
        told = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        return "link" in told["output"]
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _provable(models: Any) -> list[Model]:
    models = list(models) if isinstance(models, (list, tuple)) else [models]
    unknown = [
        type(one).__name__
        for one in models
        if not (isinstance(one, Model) and one.two_tables and one.condition in SENSES)
    ]
    if unknown or not models:
        raise BadOption(
            "Of two tables l-diversity can be proved, and nothing else." if models else "A privacy model is needed.",
            found=", ".join(unknown) or "no model",
            fix="use LDiversity in one of the senses: " + ", ".join(SENSES),
        )
    return models


def _refuse_other_column(models: Sequence[Model], name: str) -> None:
    other = [model.column for model in models if model.column not in (None, name)]
    if other:
        fix = f"name '{name}', or no column"
        raise BadOption("A model speaks of another column than the sensitive one.", found=f"'{other[0]}'", fix=fix)


def _prove(models: Sequence[Model], counts: PairCounts) -> tuple[list[Reached], list[Finding]]:
    reached, findings = [], []
    for model in models:
        l_of_group = diversity(counts, model.condition)
        low = l_of_group < model.asked * (1 - 1e-12)
        least = float(l_of_group.min(initial=np.inf)) if len(l_of_group) else 0.0
        ok = not low.any() and len(l_of_group) > 0
        best = round(least, 6) if not least.is_integer() else int(least)
        reached.append(Reached(model.name, model.asked, best, ok, model.words()))
        if not ok:
            n_rows = int(counts.size[low].sum())
            found = f"{int(low.sum()):,} of {len(low):,} groups, with {counted(n_rows, 'row')} in all, fall short"
            fix = f"form the groups anew; as it is, l = {best:g} holds"
            findings.append(Finding("l-diversity", f"Groups are not {model.asked:g}-diverse.", found, fix))
    return reached, findings


def diversity(counts: PairCounts, sense: str) -> np.ndarray:
    """The largest l that every group holds, in a sense."""
    if sense == "distinct":
        return counts.n_values.astype(np.float64)
    if sense == "entropy":
        return np.exp(counts.entropy)
    return counts.total / np.maximum(counts.most, 1)


def _nothing(counts: PairCounts) -> list[Finding]:
    if counts.n_rows:
        return []
    what = "Nothing is published: the table has no rows."
    return [Finding("nothing-published", what, "0 rows", "ask for less, so that some rows can be published")]


def _copied(names: list[str]) -> list[Finding]:
    if not names:
        return []
    what = "A column beside the quasi-identifiers has just the sensitive values of every group."
    return [Finding("sensitive-column", what, ", ".join(f"'{name}'" for name in names), "publish without it")]


def _leaks(first: Source, second: Source, schema: Any) -> tuple[list[Finding], list[Finding]]:
    """What each of the files gives away beside its cells."""
    from amongst.published.classes import classes_of
    from amongst.published.layout import Layout
    from amongst.verify.checks.leaks import check_leaks

    findings, notes = [], []
    for source in (first, second):
        layout = Layout(schema, False, [], source.names)
        more_findings, more_notes = check_leaks(source, layout, classes_of(source, layout))
        findings += more_findings
        notes += more_notes
    return findings, notes


def _verdict(
    columns: PairColumns,
    findings: list[Finding],
    notes: list[Finding],
    reached: list[Reached],
    counts: PairCounts | None,
) -> Verdict:
    size = np.zeros(0, dtype=np.int64) if counts is None else counts.size
    sizes, times = np.unique(size, return_counts=True)
    return Verdict(
        ok=not findings,
        findings=findings,
        notes=notes,
        models=reached,
        columns=[] if columns.link is None else [columns.link],
        n_rows=int(size.sum()),
        n_classes=len(size),
        smallest=int(size.min()) if len(size) else 0,
        n_unique_rows=int((size == 1).sum()),
        class_sizes=sizes.tolist(),
        class_counts=times.tolist(),
        rows_of_class=dict(zip(sizes.tolist(), times.tolist(), strict=True)),
    )
