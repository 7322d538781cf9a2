"""Many tables in the workbench: what a release of them comes to, rows before and after, and questions to it."""

from __future__ import annotations

from typing import Any

import numpy as np

from amongst.app.figures.explain import value_counts
from amongst.app.figures.plain import plain, short
from amongst.app.figures.plain_question import columns_of_tables
from amongst.app.figures.query import MOST_LINES, drawing_of
from amongst.app.figures.rows import MOST_COLUMNS, MOST_ROWS, texts
from amongst.errors import AmongstError
from amongst.query.in_sql import quoted
from amongst.relations.questions import query_database
from amongst.report.wording import count, hidden_count


def told_of(release: Any) -> dict[str, Any]:
    """What is told of a release as soon as it is made."""
    return {
        "gauges": gauges_of_tables(release),
        "groups": release.verdict.n_groups,  # as they are published: two that were found apart may look alike
        "questions": _questions(release),
        "columns": columns_of_tables(release),
    }


def gauges_of_tables(release: Any) -> dict[str, Any]:
    """The figures of the gauges; cheap enough to be worked out while a slider is dragged."""
    utility = release.utility
    learned, column = _learned(release)
    n_published = utility.persons - utility.suppressed_persons
    shares = {f"{t}.{name}": share for t, one in utility.tables.items() for name, share in one.columns.items()}
    return {
        "found": 1 / utility.smallest if utility.smallest else None,
        "found_mean": utility.groups / max(n_published, 1),
        "learned": learned,
        "learned_column": column,
        "lost": utility.lm,
        "kept": None,
        "kept_words": "not measured of many tables",
        "loss_of_column": shares,
        "groups": utility.groups,
        "published": n_published,
        "suppressed": hidden_count(utility.suppressed_persons, release.threshold),
        "threshold": release.threshold,
        "smallest": utility.smallest,
    }


def _learned(release: Any) -> tuple[float | None, str]:
    """The largest share of rows of which all that look alike have one value of a sensitive column."""
    forest, grouped = release.coded, release.partition
    found: list[tuple[float, str]] = []
    for t, name in enumerate(forest.names):
        kept = np.flatnonzero(grouped.node_of_row[t] >= 0)
        alike = np.stack([grouped.group_of_person[forest.person_of[t][kept]], grouped.node_of_row[t][kept]])
        _, cell, size = np.unique(alike, axis=1, return_inverse=True, return_counts=True)
        original = release.source.tables[name]
        for column in forest.schema[name].schema.sensitive if len(kept) else ():
            values = original.column(column).combine_chunks().dictionary_encode().indices.fill_null(-1)
            code = values.to_numpy(zero_copy_only=False)[forest.row_of[t][kept]]
            n_values = np.bincount(np.unique(np.stack([cell.ravel(), code]), axis=1)[0], minlength=len(size))
            found.append((float(size[n_values == 1].sum() / len(kept)), f"{name}.{column}"))
    return max(found, default=(None, ""))


def _questions(release: Any) -> list[str]:
    """A question about every table, and one by a column of it."""
    asked = []
    for name, relation in release.schema.items():
        asked.append(f"SELECT COUNT(*) FROM {quoted(name)}")
        words = [column for column in relation.schema.quasi if relation.schema[column].hierarchy is not None]
        asked += [f"SELECT {quoted(c)}, COUNT(*) FROM {quoted(name)} GROUP BY {quoted(c)}" for c in words[:1]]
    return asked


def rows_of_table(release: Any, original: Any, name: str, first: int, n: int, order: str) -> dict[str, Any]:
    """Rows of one table before and after; keys are dealt anew."""
    table, published = original.tables[name], release.arrow[name]
    after = np.full(table.num_rows, -1, dtype=np.int64)
    after[release.plan.input_row[name]] = np.arange(published.num_rows)
    places = np.flatnonzero(after < 0) if order == "left out" else np.arange(table.num_rows)
    first = max(0, min(first, (max(len(places) - 1, 0) // n) * n))
    shown = places[first : first + min(n, MOST_ROWS)]
    schema = release.schema[name].schema
    rank = {"quasi": 0, "sensitive": 1, "keep": 2, "key": 3, "identifier": 4}
    role = {c: str(schema[c].role) if c in schema else "key" for c in table.column_names}
    names = sorted(table.column_names, key=lambda column: rank.get(role[column], 2))[:MOST_COLUMNS]
    gone = after[shown] < 0
    now_at = published.take(np.maximum(after[shown], 0)) if published.num_rows else None
    olds, news = [], []
    for column in names:
        olds.append(texts(table.column(column).take(shown)))
        told = now_at is not None and column in now_at.column_names
        cells = texts(now_at.column(column)) if told and now_at is not None else [None] * len(shown)
        news.append([None if out else cell for out, cell in zip(gone.tolist(), cells, strict=True)])
        if not told:
            role[column] = "identifier"
    before = [list(row) for row in zip(*olds, strict=True)]
    now = [list(row) for row in zip(*news, strict=True)]
    return {
        "columns": [{"name": short(column), "role": role[column]} for column in names],
        "rows": shown.tolist(),
        "before": before,
        "after": now,
        "changed": [
            [role[c] == "identifier" or one != other for c, one, other in zip(names, was, own, strict=True)]
            for was, own in zip(before, now, strict=True)
        ],
        "gone": gone.tolist(),
        "first": first,
        "n": len(places),
        "n_rows": table.num_rows,
        "n_columns": table.num_columns,
        "order": order,
    }


def explain_row(release: Any, original: Any, name: str, row: int) -> dict[str, Any]:
    """Whose row it is told with, and what became of every cell."""
    forest, grouped = release.coded, release.partition
    told: dict[str, Any] = {"row": row, "gone": "", "cells": [], "size": 0, "sensitive": []}
    t = forest.names.index(name)
    place = np.flatnonzero(forest.row_of[t] == row)
    if not len(place) or grouped.node_of_row[t][place[0]] < 0:
        person = grouped.group_of_person[forest.person_of[t][place[0]]] if len(place) else -1
        why = "Not all persons of its group have a row that is like it." if person >= 0 else "Its person is left out."
        return {**told, "gone": why}
    group, node = grouped.group_of_person[forest.person_of[t][place[0]]], grouped.node_of_row[t][place[0]]
    alike = (grouped.group_of_person[forest.person_of[t]] == group) & (grouped.node_of_row[t] == node)
    members = forest.row_of[t][alike]
    shown = rows_of_table(release, original, name, row, 1, "as read")
    table = original.tables[name]
    for c, column in enumerate(shown["columns"]):
        if column["role"] != "quasi":
            continue
        was, now = shown["before"][0][c], shown["after"][0][c]
        values = value_counts(texts(table.column(column["name"]).take(members)))
        why = f"It must be true of {count(len(members))} rows, one of every person of its group."
        told["cells"].append(
            {"name": column["name"], "value": was, "label": now, "changed": was != now, "why": why, "values": values}
        )
    sensitive = release.schema[name].schema.sensitive
    told["sensitive"] = [{"name": c, "values": value_counts(texts(table.column(c).take(members)))} for c in sensitive]
    return {**told, "size": len(members)}


def ask_tables(release: Any, sql: str) -> dict[str, Any]:
    """The answer to a question about one of the tables, as ``query_view`` tells it; the truth is not looked up."""
    try:
        answers = query_database(release, sql)
    except AmongstError as error:
        return {"sql": sql, "error": {"what": error.what, "found": error.found, "fix": error.fix}}
    lines = [
        {
            "key": ["missing" if one is None else short(one) for one in key],
            "answers": [
                {
                    "figure": one.figure,
                    **{end: getattr(one, end) for end in ("estimate", "lower", "upper", "words", "exact")},
                    "truth": None,
                    "truth_words": "not looked up",
                }
                for one in line
            ],
        }
        for key, line in list(zip(answers.keys, answers.lines, strict=True))[:MOST_LINES]
    ]
    return plain(
        {
            "sql": sql,
            "by": [short(name) for name in answers.columns],
            "figures": [one.figure for one in answers.lines[0]] if answers.lines else [],
            "lines": lines,
            "drawings": [drawing_of(one.figure, lines, i) for i, one in enumerate(answers.lines[0] if lines else [])],
            "n_lines": len(answers.lines),
            "notes": answers.notes,
            "n_rows": answers.n_rows,
            "n_suppressed": answers.n_suppressed or 0,
            "threshold": release.threshold,
        }
    )
