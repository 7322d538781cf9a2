"""Questions to a release of many tables: how many rows of a table, or persons, with an estimate and hard bounds."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.errors import BadQuestion, refuse_unknown_word
from amongst.manifest import Manifest, column_of, is_closed
from amongst.published.layout import Layout, lay_out
from amongst.published.open_published import open_published
from amongst.query.answer import Answer, Answers
from amongst.query.ask import ask
from amongst.query.figures import Asking
from amongst.query.open_release import OpenRelease, Rows
from amongst.query.question import Question, columns_of
from amongst.query.sql import parse_question, table_asked
from amongst.query.told import Told
from amongst.relations.check_keys import check_keys
from amongst.relations.hidden_codes import parted, value_asked, with_hidden, with_told
from amongst.relations.km_anonymity import KmAnonymity, codes_asked
from amongst.relations.persons import Persons, persons_of
from amongst.relations.persons_with import PERSONS_WITH, told_persons
from amongst.relations.relation import DatabaseSchema
from amongst.relations.schema_file import database_schema_from_manifest
from amongst.relations.stored import Stored
from amongst.relations.stores import read_database
from amongst.relations.verify.one_column_keys import with_one_column_keys
from amongst.schema.column import Column
from amongst.schema.schema import Schema
from amongst.verify.verdict import refuse_unproved

if TYPE_CHECKING:
    import pyarrow as pa

COUNTS = ("rows", "persons")


@dataclass(frozen=True, eq=False)
class OpenTables:
    """Published tables, and what is known beside them.

    Attributes
    ----------
    schema : DatabaseSchema
        Hierarchies as far as they are known.
    closed : dict of str to frozenset of str
        For every table the columns with a hierarchy that is not known here.
    cut : dict of str to int or None
        How many rows of every table are not published at most; None where that is not told.
    fewest_cut : dict of str to int
        How many at least.
    withheld : bool
        Whether sensitive values may be missing because they would have told too much.
    k : int
        Codes that fewer persons of a group have are not told; 0 where all codes are.
    told : dict of (str, str, str) to (int, int)
        Between which numbers of persons have a value of a column of a table, where that is told.
    """

    tables: Mapping[str, pa.Table]
    schema: DatabaseSchema
    closed: Mapping[str, frozenset[str]]
    cut: Mapping[str, int | None]
    fewest_cut: Mapping[str, int]
    withheld: bool
    k: int = 0
    told: Mapping[tuple[str, str, str], tuple[int, int]] = field(default_factory=dict)

    @property
    def persons(self) -> Persons:
        return persons_of({name: self.tables[name] for name in self.schema}, self.schema)


def query_database(published: Any, sql: str, *, count: str = "rows", schema: DatabaseSchema | None = None) -> Answers:
    """Ask a release of many tables a question in SQL.

    The answer is about the original tables: an estimate, and bounds that the true answer cannot leave. What is
    published is true, so no count can be lower; how high it can be follows from labels, and from what was cut.

    Parameters
    ----------
    published : path or DatabaseRelease
        A release folder, or a release in memory.
    sql : str
        As ``am.query`` takes it. ``FROM`` names a table; its columns and those of the tables it hangs on can be asked,
        these as ``table_column`` where two have one name. Without ``FROM`` the persons are asked.
    count : {"rows", "persons"}
        What ``COUNT(*)`` counts: rows of the table, or persons who have such a row.
    schema : DatabaseSchema, optional
        The schema the release was made with: manifests do not tell hierarchies that name values.

    Examples
    --------
    >>> import amongst as am
    >>> made = am.datasets.load_database("transcripts")
    >>> release = am.anonymize_database(made.tables, made.schema, [am.KAnonymity(2)])
    >>> am.query_database(release, "SELECT COUNT(*) FROM courses WHERE Course = 'Physics'").only.words
    'about 3.067, between 2 and 6'
    """
    opened = open_tables(published, schema)
    table = _table_named(table_asked(sql), opened.schema)
    persons = opened.persons
    release, person = _open_table(opened, persons, table)
    question = parse_question(sql, [name for name in release.columns if name != person])
    if opened.withheld:
        _refuse_withheld(question, release.layout.schema)
    if count == "rows" or (table == opened.schema.person and count in COUNTS):
        return _with_notes(_of_the_original(ask(release, question), opened.cut.get(table)), opened, table)
    refuse_unknown_word("It is not clear what to count.", "count", count, COUNTS, error=BadQuestion)
    return _with_notes(_persons(opened, release, question, person, table), opened, table)


def open_tables(published: Any, schema: DatabaseSchema | None = None) -> OpenTables:
    """Open a release folder of many tables, or a release in memory, which is verified first."""
    if not isinstance(published, (str, os.PathLike)):
        refuse_unproved(published.verdict)
        own: DatabaseSchema = published.schema
        cut: dict[str, int | None] = {name: one.suppressed for name, one in published.utility.tables.items()}
        withheld = own.bounded and any(model.counts != "rows" for model in published.models)
        fewest = {name: one.suppressed for name, one in published.utility.tables.items()}
        about = codes_asked(published.models)
        told = _told_by(Stored(tables=published.arrow, keys={}, kind="frames", name=""), own)
        return OpenTables(published.arrow, own, {}, cut, fewest, withheld, k=0 if about is None else about.k, told=told)
    manifest = Manifest.read(Path(published))
    if manifest.kind != "database":
        found, fix = "a release of one table", "use am.query, or amongst query"
        raise BadQuestion("This is no release of many tables.", found=found, fix=fix)
    facts = database_schema_from_manifest(manifest)
    relations, closed = {}, {}
    for name, relation in facts.items():
        fields = manifest["tables"][name]["columns"]
        columns = {column: column_of(one) for column, one in fields.items()}
        closed[name] = frozenset(column for column, one in fields.items() if is_closed(one))
        if schema is not None and name in schema:
            known = {c: r for c, r in schema[name].schema.items() if c in columns and r.role == columns[c].role}
            columns |= {c: replace(columns[c], hierarchy=r.hierarchy, order=r.order) for c, r in known.items()}
            closed[name] -= set(known)
        relations[name] = replace(relation, columns=Schema(columns))
    own = facts.of(relations)
    stored = read_database(published, tables=[*own, PERSONS_WITH])
    suppressed = {name: manifest["utility"]["tables"][name]["suppressed"] for name in own}
    suppressed[own.person] = manifest["output"]["suppressed"]
    cut = {name: _most_cut(one) for name, one in suppressed.items()}
    fewest = {name: one if isinstance(one, int) else int(one["least"]) for name, one in suppressed.items()}
    withheld = own.bounded and any(fields["model"] in ("l-diversity", "t-closeness") for fields in manifest["privacy"])
    k = max((int(fields["k"]) for fields in manifest["privacy"] if fields["model"] == KmAnonymity.name), default=0)
    return OpenTables(stored.tables, own, closed, cut, fewest, withheld, k=k, told=_told_by(stored, own))


def _told_by(stored: Stored, schema: DatabaseSchema) -> dict[tuple[str, str, str], tuple[int, int]]:
    """Between which numbers of persons have every code of which that is told."""
    made = None if PERSONS_WITH in schema else told_persons(stored)
    lines = [] if made is None else made.to_pylist()
    return {(one["table"], one["column"], one["value"]): (one["least"], one["most"]) for one in lines}


def _most_cut(told: Any) -> int | None:
    """How many rows were left out at most: all of them where it is told, none where it says so."""
    if isinstance(told, int):
        return told
    return 0 if told["least"] == 0 else told.get("most")


def _table_named(name: str | None, schema: DatabaseSchema) -> str:
    if name is None:
        return schema.person
    alike = [one for one in schema if one.casefold() == name.casefold()]
    if not alike:
        found, fix = f"FROM {name}", "use one of: " + ", ".join(schema)
        raise BadQuestion("The release has no such table.", found=found, fix=fix)
    return alike[0]


def _open_table(opened: OpenTables, persons: Persons, table: str) -> tuple[OpenRelease, str]:
    """One table with the columns of those it hangs on, and the name of the column that says whose a row is."""
    import pyarrow as pa

    made, rules, closed = flat_table(opened, table)
    person = "person"
    while person in rules:
        person += "_"
    made = made.append_column(person, pa.array(persons.of_row[table]))
    source = open_published(made)
    cut, n_rows = opened.cut.get(table), opened.tables[table].num_rows
    n_input = None if cut is None else n_rows + cut
    schema = Schema({**rules, person: Column(role="keep")})
    told = Told(schema, closed, n_input, n_rows + opened.fewest_cut[table], frozenset())
    layout = lay_out(source, told.schema) if rules.quasi else Layout(told.schema, False, [], source.names)
    return OpenRelease(source, layout, told), person


def open_table(opened: OpenTables, table: str) -> OpenRelease:
    """One table with the columns of those it hangs on, to be asked."""
    return _open_table(opened, opened.persons, table)[0]


def flat_table(opened: OpenTables, table: str) -> tuple[pa.Table, Schema, frozenset[str]]:
    """One table with the columns of those it hangs on, their rules, and those with a hierarchy that is not known."""
    import pyarrow as pa

    columns: dict[str, Any] = {}
    rules: dict[str, Column] = {}
    closed: set[str] = set()
    rows, at = np.arange(opened.tables[table].num_rows), table
    while True:
        relation = opened.schema[at]
        for column, rule in relation.schema.items():
            if column in opened.tables[at].column_names:
                name = column if column not in columns else f"{at}_{column}"
                columns[name] = opened.tables[at].column(column).take(pa.array(rows))
                rules[name] = rule
                closed |= {name} if column in opened.closed.get(at, ()) else set()
        if relation.parent is None:
            return pa.table(columns), Schema(rules), frozenset(closed)
        rows, at = _rows_above(opened, at)[rows], relation.parent


def _rows_above(opened: OpenTables, table: str) -> np.ndarray:
    """For every row of a table the row of its parent."""
    narrow, tables = with_one_column_keys(opened.schema.complete(), {n: opened.tables[n] for n in opened.schema})
    return check_keys(narrow, Stored(tables=tables, keys={}, kind="frames", name=""))[table]


def _refuse_withheld(question: Question, rules: Schema) -> None:
    asked = [name for name in question.columns if name in rules and rules[name].role == "sensitive"]
    if asked:
        what = "Some sensitive values were withheld, and nobody can say which of the missing ones."
        raise BadQuestion(what, found="asked of: " + ", ".join(asked), fix="ask of other columns")


def _persons(opened: OpenTables, release: OpenRelease, question: Question, person: str, table: str) -> Answers:
    """How many persons have a row of the table that matches."""
    if question.group_by or any(one.function != "COUNT" or one.column is not None for one in question.figures):
        found, fix = "GROUP BY, or figures other than COUNT(*)", "ask COUNT(*) alone, or count rows"
        raise BadQuestion("Persons are counted, and nothing else is asked of them.", found=found, fix=fix)
    names = [*question.columns, person]
    rows = release.rows(names)
    asking = Asking(release, question.where, names, rows)
    matched, n = asking.matched(), asking.n_published
    who = rows.label_of_row[person][:n]
    # A person has none of the rows with the chance that no row of theirs matches.
    without = np.ones(int(who.max(initial=-1)) + 1)
    np.multiply.at(without, who, (1 - matched.share[:n]) ** rows.size[:n])
    lower = len(np.unique(who[matched.must[:n]]))
    can = len(np.unique(who[matched.can[:n]]))
    n_persons, gone = opened.tables[opened.schema.person].num_rows, opened.cut.get(opened.schema.person)
    cut = opened.cut.get(table)
    most = n_persons if cut is None else min(can + cut, n_persons)
    of_codes = _of_codes(opened, release, question, rows, person, table)
    expected = float((1 - without).sum())
    if of_codes is not None:
        expected, lower, most = of_codes.expected, max(lower, of_codes.least), min(most, of_codes.most)
    upper = None if gone is None else most + gone
    estimate = min(max(expected, lower), upper if upper is not None else n_persons)
    answer = Answer("COUNT(persons)", estimate, lower, upper, n_expected=estimate)
    return Answers((), [()], [[answer for _ in question.figures]], release.notes, n_persons, gone)


@dataclass(frozen=True)
class OfCodes:
    """How many published persons have a code (and match what else is asked): expected, at least and at most."""

    expected: float
    least: int
    most: int


def _of_codes(
    opened: OpenTables, release: OpenRelease, question: Question, rows: Rows, person: str, table: str
) -> OfCodes | None:
    """What is known of a code by where it is told, and by how many have it; None where that is not how it is."""
    relation = opened.schema[table]
    parts = parted(question.where, relation.schema.quasi) if opened.k and relation.known == "codes" else None
    if parts is None:
        return None
    names = [*question.columns, person]
    about, rest = (Asking(release, part, names, rows).matched() for part in parts)
    who = rows.label_of_row[person][: len(rows.size) - bool(release.n_suppressed)]
    n = len(who)
    group = opened.persons.group
    of_kind = group[np.array([int(one) for one in release.cells_of(person)], dtype=np.int64)[who]]
    n_groups = int(group.max(initial=-1)) + 1

    def persons(which: np.ndarray) -> np.ndarray:
        pairs = np.unique(np.stack([of_kind[which], who[which]]), axis=1)
        return np.bincount(pairs[0], minlength=n_groups).astype(np.float64)

    size = np.bincount(group, minlength=n_groups)
    without = np.ones(int(who.max(initial=-1)) + 1)
    np.multiply.at(without, who, (1 - about.share[:n]) ** rows.size[:n])
    group_of = np.zeros(len(without), dtype=np.int64)
    group_of[who] = of_kind
    spread = np.bincount(group_of, 1 - without, n_groups)
    must, can = about.must[:n], about.can[:n]
    sure, hiding = persons(must), persons(can & ~must)
    found = with_hidden(sure, hiding, spread, size, opened.k)
    told = opened.told.get((table, *value_asked(parts[0])))
    least, most = 0, opened.persons.n
    if told is not None:
        found = with_told(found, sure, persons(can) - sure, size, told)
        least, most = told if not parts[1].parts else (0, told[1])
        if columns_of(parts[1]) <= _columns_of_persons(opened, table):  # else a row that is not published may match
            shown = persons(must & rest.can[:n]).sum()
            most = min(most, int(shown + max(told[1] - sure.sum(), 0)))
    if found is None:
        return None
    share = np.bincount(of_kind, rest.share[:n], n_groups) / np.maximum(np.bincount(of_kind, minlength=n_groups), 1)
    return OfCodes(float(found @ share), least, most)


def _columns_of_persons(opened: OpenTables, table: str) -> set[str]:
    """What the columns of the persons are called beside those of a table."""
    person, taken, at = opened.schema.person, set[str](), table
    while at != person:
        taken |= set(opened.schema[at].schema)
        at = str(opened.schema[at].parent)
    own = opened.schema[person].schema
    return {f"{person}_{column}" if column in taken else column for column in own}


def _of_the_original(answers: Answers, cut: int | None) -> Answers:
    """The answers without bounds that hold for published rows alone, where it is not told how many were left out."""
    if cut is not None:
        return answers
    lines = [
        [replace(one, lower=one.lower if one.figure.startswith("COUNT") else None, upper=None) for one in line]
        for line in answers.lines
    ]
    return replace(answers, lines=lines)


def _with_notes(answers: Answers, opened: OpenTables, table: str) -> Answers:
    notes: Sequence[str] = answers.notes
    if opened.cut.get(table) != 0:
        more = f"Rows of '{table}' were left out, the rarer ones first: estimates of rare codes are too low."
        notes = [*notes, more]
    times = [f"{table}.{column}" for column in opened.schema[table].times]
    if times:
        notes = [*notes, "As the persons see them, and not as dates, are told: " + ", ".join(times) + "."]
    return replace(answers, notes=list(notes))
