"""A question to the release: estimate and bounds, and beside them what the original answers."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from amongst.app.figures.plain import plain, short
from amongst.errors import AmongstError
from amongst.query.answer import Answer, Value, shown
from amongst.query.ask import ask, open_any
from amongst.query.open_release import open_original
from amongst.query.question import Figure, Question
from amongst.query.sql import parse_question
from amongst.report.charts.answers import Line, answer_chart

if TYPE_CHECKING:
    from amongst.release.release import Release

MOST_LINES = 60
"""Lines of an answer with GROUP BY that are sent: the first ones."""
NAME = 40
ONE_PERSON = ("MIN", "MAX")
"""Figures that are the value of a single person."""

Truth = dict[tuple[Any, ...], list[tuple[Value, int]]]
"""For every key of GROUP BY and every figure what the original answers, and how many rows that rests on."""


def query_view(release: Release, original: Any, sql: str) -> dict[str, Any]:
    """The answer as plain data; a question that cannot be answered gives ``{"error": ...}``.

    What the original answers is told only where it rests on no row, or on as many as the threshold. MIN and MAX are
    the value of one person: they are not told, but where the release itself leaves no doubt.

    Examples
    --------
    >>> import amongst as am
    >>> from amongst.app.figures import query_view
    >>> patients = am.datasets.load("patients")
    >>> release = am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)], method="mondrian")
    >>> view = query_view(release, patients.table, "SELECT COUNT(*) WHERE Age BETWEEN 25 AND 27")
    >>> answer = view["lines"][0]["answers"][0]
    >>> answer["estimate"], answer["lower"], answer["upper"], answer["truth"]
    (4.5, 3, 6, 5.0)
    """
    try:
        return plain(_answered(release, original, sql))
    except AmongstError as error:
        return plain({"sql": sql, "error": {"what": error.what, "found": error.found, "fix": error.fix}})


def _answered(release: Release, original: Any, sql: str) -> dict[str, Any]:
    opened = open_any(release)
    question = parse_question(sql, opened.columns)
    answers = ask(opened, question)
    truth = true_answers(release, original, question)
    nothing: list[tuple[Value, int]] = [(0 if one.function == "COUNT" else None, 0) for one in question.figures]
    lines = []
    for key, line in list(zip(answers.keys, answers.lines, strict=True))[:MOST_LINES]:
        told = zip(question.figures, line, truth.get(key, nothing), strict=True)
        lines.append(
            {
                "key": ["missing" if one is None else short(one, NAME) for one in key],
                "answers": [_told(figure, answer, *true, release.threshold) for figure, answer, true in told],
            }
        )
    return {
        "sql": sql,
        "by": [short(name) for name in answers.columns],
        "figures": [short(figure.words) for figure in question.figures],
        "lines": lines,
        "drawings": [drawing_of(figure.words, lines, i) for i, figure in enumerate(question.figures)],
        "n_lines": len(answers.lines),
        "notes": answers.notes,
        "n_rows": answers.n_rows,
        "n_suppressed": answers.n_suppressed,
        "threshold": release.threshold,
    }


def drawing_of(figure: str, lines: list[dict[str, Any]], i: int) -> str | None:
    """One figure of all lines; nothing where there is no number to draw."""
    drawn = [
        Line(
            name=", ".join(line["key"]) or short(figure),
            words=f"{one['words']}, true answer: {one['truth_words']}",
            **{name: one[name] if _is_number(one[name]) else None for name in ("lower", "upper", "estimate", "truth")},
        )
        for line in lines
        for one in [line["answers"][i]]
    ]
    if all(one.estimate is None for one in drawn):
        return None
    return answer_chart(drawn, figure, from_zero=figure.startswith("COUNT"), key=f"answer-{i}")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def true_answers(release: Release, original: Any, question: Question) -> Truth:
    """What the original answers to the same question, with the rows that every figure rests on."""
    counts = tuple(Figure("COUNT", figure.column) for figure in question.figures)
    asked = replace(question, figures=(*question.figures, *counts))
    found = ask(open_original(original, release.schema), asked)
    n = len(question.figures)
    return {
        key: [(line[i].estimate, round(float(line[n + i].estimate or 0))) for i in range(n)]
        for key, line in zip(found.keys, found.lines, strict=True)
    }


def _told(figure: Figure, answer: Answer, truth: Value, n_rows: int, threshold: int) -> dict[str, Any]:
    why = _why_hidden(figure, answer, n_rows, threshold)
    truth = None if why else truth
    inside = _inside(answer, truth) if isinstance(truth, int | float) else None
    return {
        "figure": short(figure.words),
        "function": figure.function,
        "estimate": answer.estimate,
        "lower": answer.lower,
        "upper": answer.upper,
        "truth": truth,
        "words": answer.words,
        "truth_words": why or ("no value: no row matches" if truth is None else shown(truth)),
        "told": not why,
        "exact": answer.exact,
        "inside": inside,
    }


def _why_hidden(figure: Figure, answer: Answer, n_rows: int, threshold: int) -> str:
    if answer.exact:  # the release says it already
        return ""
    if 0 < n_rows < threshold:
        return f"not told: fewer than {threshold:,} rows"
    return "not told: it is one person's value" if figure.function in ONE_PERSON and n_rows else ""


def _inside(answer: Answer, truth: float) -> bool:
    """Whether the truth lies within the bounds, as it must; a little is left for what sums of floats round."""
    slack = 1e-9 * max(abs(truth), 1.0)
    above = answer.lower is None or isinstance(answer.lower, str) or answer.lower <= truth + slack
    return above and (answer.upper is None or isinstance(answer.upper, str) or truth - slack <= answer.upper)
