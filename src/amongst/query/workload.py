"""Workloads: many questions with weights, and how well a release answers them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.brief import Brief
from amongst.errors import AmongstError, BadInput, BadQuestion
from amongst.query.ask import ask, open_any
from amongst.query.count_many import count_many, parts_by_column
from amongst.query.open_release import OpenRelease, open_original
from amongst.query.question import Question
from amongst.query.sql import parse_question
from amongst.query.workload_error import WorkloadError
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    from amongst.encode import CodedTable


@dataclass(frozen=True, eq=False)
class Workload(Brief):
    """Questions with weights.

    Attributes
    ----------
    questions : list of Question
    weight : ndarray of float64
        How much every question counts.
    words : str
        Where they come from.

    Examples
    --------
    >>> import amongst as am
    >>> patients = am.datasets.load("patients")
    >>> work = am.Workload.random(patients.table, patients.schema, kind="equality", columns=["Age"])
    >>> len(work.questions)
    4
    >>> release = am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)], method="mondrian")
    >>> print(f"{release.workload_error(work).mean_absolute:.2f}")
    0.50
    """

    questions: list[Question]
    weight: np.ndarray
    words: str = ""

    def brief(self) -> str:
        return f"{len(self.questions):,} questions"  # random ones ask for values of the original

    def guide(self, table: CodedTable, schema: Schema) -> CodedTable:
        """The same codes with weights and widths such that a search keeps what these questions ask for."""
        from amongst.query.steer import steered

        return steered(table, schema, self)

    @classmethod
    def of(cls, sqls: Sequence[str], columns: Sequence[str], weights: Sequence[float] | None = None) -> Workload:
        """A workload of questions in SQL about a table with these columns."""
        questions = [parse_question(sql, columns) for sql in sqls]
        weight = np.ones(len(questions)) if weights is None else np.array(weights, dtype=np.float64)
        return cls(questions, weight, f"{len(questions):,} questions")

    @classmethod
    def from_file(cls, path: str | Path, columns: Sequence[str]) -> Workload:
        """A file of questions: TOML with ``[[query]]`` tables of ``sql`` and ``weight``, or text with one a line."""
        sqls, weights = _read(Path(path))
        if not sqls:
            raise BadInput(f"{Path(path).name} asks nothing.", found="0 questions", fix="write one question a line")
        for i, sql in enumerate(sqls, start=1):
            try:
                parse_question(sql, columns)
            except AmongstError as error:
                what = f"Question {i} of {Path(path).name} cannot be answered."
                raise BadQuestion(what, found=[error.what, *error.found], fix=error.fix) from None
        return replace(cls.of(sqls, columns, weights), words=Path(path).name)

    @classmethod
    def random(cls, table: Any, schema: Schema, n: int = 1000, kind: str = "all", **options: Any) -> Workload:
        """A random workload as in the papers; see ``amongst.query.random_workload``."""
        from amongst.query.random_workload import random_workload

        questions, words = random_workload(open_original(table, schema), schema, n, kind, **options)
        return cls(questions, np.ones(len(questions)), words)


def workload_error(
    published: Any, original: Any, workload: Workload, *, schema: Schema, sanity: float = 1.0
) -> WorkloadError:
    """How far a release's answers are from those of the original.

    Parameters
    ----------
    published : path, table or Release
    original : table
        The table that the release was made of.
    workload : Workload
    schema : Schema
        The schema of the release.
    sanity : float
        Relative errors are shares of the true answer, or of this where the truth is smaller.

    Returns
    -------
    WorkloadError
    """
    release, truth = open_any(published, schema), open_original(original, schema)
    estimate, lower, upper = answers_of(release, workload.questions)
    true = answers_of(truth, workload.questions)[0]
    return WorkloadError(
        words=workload.words,
        weight=workload.weight,
        truth=true,
        estimate=estimate,
        lower=lower,
        upper=upper,
        sanity=sanity,
    )


def answers_of(release: OpenRelease, questions: Sequence[Question]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Estimates and bounds of many questions, each with a single figure; not a number where there is none."""
    wrong = [i for i, one in enumerate(questions, start=1) if len(one.figures) != 1 or one.group_by]
    if wrong:
        raise BadQuestion(
            "A workload is made of questions with one figure.",
            found=f"{len(wrong)} with more, or with GROUP BY; the first is question {wrong[0]}",
            fix="ask for one figure in each",
        )
    release.prepare(sorted({name for question in questions for name in question.columns}))
    found = np.full((3, len(questions)), np.nan)
    parts = [parts_by_column(question) for question in questions]
    if release.grouped is not None:  # its bounds count the values of whole groups
        parts = [None if one is None or release.grouped in one else one for one in parts]
    quick = [i for i, one in enumerate(parts) if one is not None]
    counts = count_many(release, [one for one in parts if one is not None])
    found[:, quick] = counts.estimate, counts.lower, counts.upper
    for i in np.flatnonzero([one is None for one in parts]).tolist():
        answer = ask(release, questions[i]).only
        found[:, i] = _number(answer.estimate), _number(answer.lower), _number(answer.upper)
        if questions[i].figures[0].function == "SUM" and answer.estimate is None:
            found[:, i] = 0.0  # of nothing
    return found[0], found[1], found[2]


def _number(value: Any) -> float:
    if isinstance(value, str):
        raise BadQuestion(
            "A workload is made of questions about numbers.",
            found="a figure that is a date or a name",
            fix="leave MIN and MAX of dates and ordered columns out",
        )
    return np.nan if value is None else float(value)


def _read(path: Path) -> tuple[list[str], list[float]]:
    import tomllib

    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        fix = "check the path; the file is text in UTF-8"
        raise BadInput(f"{path.name} cannot be read.", found="no such file, or no text", fix=fix) from None
    if path.suffix.lower() != ".toml":
        lines = [line.strip().rstrip(";") for line in text.splitlines()]
        sqls = [line for line in lines if line and not line.startswith(("--", "#"))]
        return sqls, [1.0] * len(sqls)
    try:
        tables = tomllib.loads(text)["query"]
        return [str(one["sql"]) for one in tables], [_weight(one.get("weight", 1.0)) for one in tables]
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError, AttributeError):
        raise BadInput(
            f"{path.name} is no workload.",
            found="no TOML with [[query]] tables, each with sql and perhaps a weight above 0",
            fix='write [[query]], sql = "SELECT COUNT(*) ...", weight = 2.0',
        ) from None


def _weight(value: Any) -> float:
    number = float(value)
    if not (np.isfinite(number) and number > 0):
        raise ValueError("not above 0")
    return number
