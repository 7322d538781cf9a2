"""The verifier finds what is wrong with published tables, and shares nothing with the search."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.relations.store import plain_tables

MADE = am.datasets.load_database("students", n_persons=40, least_books=1, most_books=2)
RELEASE = am.anonymize_database(MADE.tables, MADE.schema, [am.KAnonymity(4)])
Tables = dict[str, pa.Table]


def changed(table: pa.Table, row: int, column: str, value: object) -> pa.Table:
    cells = table[column].to_pylist()
    cells[row] = value
    return table.set_column(table.column_names.index(column), column, pa.array(cells))


def generalized_less(tables: Tables) -> str:
    tables["courses"] = changed(tables["courses"], 0, "course", "Algorithms!")
    return "k-anonymity"


def row_lost(tables: Tables) -> str:
    kept = np.setdiff1d(np.arange(tables["courses"].num_rows), [0])
    gone = tables["courses"]["enrolment"][0].as_py()
    tables["courses"] = tables["courses"].take(kept)
    books = tables["books"]
    tables["books"] = books.filter(pa.array([one != gone for one in books["enrolment"].to_pylist()]))
    return "k-anonymity"


def row_added(tables: Tables) -> str:
    tables["books"] = pa.concat_tables([tables["books"], tables["books"].slice(0, 1)])
    return "k-anonymity"


def orphan(tables: Tables) -> str:
    tables["books"] = changed(tables["books"], 0, "enrolment", 10**6)
    return "orphan"


def doubled(tables: Tables) -> str:
    tables["students"] = changed(tables["students"], 0, "student", tables["students"]["student"][1].as_py())
    return "doubled-key"


def no_key(tables: Tables) -> str:
    tables["courses"] = changed(tables["courses"], 0, "enrolment", None)
    return "null-key"


def extra(tables: Tables) -> str:
    tables["students"] = tables["students"].append_column("name", pa.array(["x"] * tables["students"].num_rows))
    return "extra-column"


def missing(tables: Tables) -> str:
    del tables["books"]
    return "missing-table"


def moved_to_another(tables: Tables) -> str:
    """A course changes hands: two people look otherwise than before."""
    tables["courses"] = changed(tables["courses"], 0, "student", tables["courses"]["student"][1].as_py())
    return "k-anonymity"


def widened_for_one(tables: Tables) -> str:
    tables["courses"] = changed(tables["courses"], 0, "course", "*")
    return "k-anonymity"


def null_for_one(tables: Tables) -> str:
    tables["courses"] = changed(tables["courses"], 0, "course", None)
    return "k-anonymity"


def person_lost(tables: Tables) -> str:
    """One of a group with all that hangs on it."""
    gone = tables["students"]["student"][0].as_py()
    enrolments = {row["enrolment"] for row in tables["courses"].to_pylist() if row["student"] == gone}
    for name, column, values in (
        ("students", "student", {gone}),
        ("courses", "student", {gone}),
        ("books", "enrolment", enrolments),
    ):
        keep = pa.array([one not in values for one in tables[name][column].to_pylist()])
        tables[name] = tables[name].filter(keep)
    return "k-anonymity"


def column_missing(tables: Tables) -> str:
    tables["courses"] = tables["courses"].drop_columns(["course"])
    return "missing-column"


HARMS = [
    generalized_less,
    widened_for_one,
    null_for_one,
    moved_to_another,
    person_lost,
    row_lost,
    row_added,
    orphan,
    doubled,
    no_key,
    extra,
    column_missing,
    missing,
]


@pytest.mark.parametrize("harm", HARMS)
def test_harm_is_found(harm: Callable[[Tables], str]) -> None:
    tables = plain_tables(RELEASE.arrow)
    assert am.verify_database(tables, MADE.schema, [am.KAnonymity(4)]).ok
    code = harm(tables)
    verdict = am.verify_database(tables, MADE.schema, [am.KAnonymity(4)])
    assert not verdict
    assert code in [finding.code for finding in verdict.findings]
    assert "NOT verified" in verdict.words()


def compared(tables: Tables) -> am.verify.Verdict:
    return am.verify_database(
        tables, RELEASE.schema, [am.KAnonymity(1)], original=MADE.tables, input_row=RELEASE.plan.input_row
    )


@pytest.mark.parametrize(("table", "column", "value"), [("courses", "grade", "Z"), ("students", "average", 99.0)])
def test_a_sensitive_value_that_is_not_so_is_found(table: str, column: str, value: object) -> None:
    tables = plain_tables(RELEASE.arrow)
    assert compared(tables).ok
    tables[table] = changed(tables[table], 0, column, value)
    assert [finding.code for finding in compared(tables).findings] == ["not-true"]


def test_a_label_that_does_not_hold_the_value_is_found() -> None:
    tables = plain_tables(RELEASE.arrow)
    labels = tables["courses"]["course"].to_pylist()
    row = next(i for i, label in enumerate(labels) if label == "Technical")
    tables["courses"] = changed(tables["courses"], row, "course", "Nontechnical")
    assert [finding.code for finding in compared(tables).findings] == ["not-true"]


def test_a_row_that_hangs_on_another_is_found() -> None:
    tables = plain_tables(RELEASE.arrow)
    other = next(
        one for one in tables["courses"]["student"].to_pylist() if one != tables["courses"]["student"][0].as_py()
    )
    tables["courses"] = changed(tables["courses"], 0, "student", other)
    assert "not-true" in [finding.code for finding in compared(tables).findings]


def test_it_shares_nothing_with_the_search() -> None:
    program = """
import sys, pyarrow as pa
from amongst.relations.relation import DatabaseSchema, Relation
from amongst.relations.verify import verify_database
from amongst.models import KAnonymity
from amongst.schema import Column
tables = {"p": pa.table({"k": [1, 2], "q": ["x", "x"]}), "c": pa.table({"k": [1, 2], "q": ["y", "y"], "s": [1, 2]})}
schema = DatabaseSchema({"p": Relation({"q": Column(role="quasi")}, key="k"),
    "c": Relation({"q": Column(role="quasi"), "s": Column(role="sensitive")}, parent="p", foreign_key="k")})
assert verify_database(tables, schema, [KAnonymity(2)]).ok
print(*[name for name in sys.modules if name.startswith("amongst.")])
"""
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    parts = {name.split(".")[1] for name in loaded}
    assert not parts & {"kernels", "partition", "encode", "recode", "measure", "release", "anonymize"}
    inside = {name.split(".")[2] for name in loaded if name.startswith("amongst.relations.")}
    assert inside == {
        "relation",
        "stored",
        "stores",
        "diversity",
        "closeness",
        "km_anonymity",
        "persons_with",
        "verify",
    }


def test_diversity_counts_persons_as_well_as_rows() -> None:
    """Both persons have an x among their two rows: by rows half of them, by persons all."""
    tables = {"p": pa.table({"k": [1, 2]}), "c": pa.table({"k": [1, 1, 2, 2], "q": ["a"] * 4, "s": list("xyyx")})}
    schema = am.DatabaseSchema(
        {
            "p": am.Relation(key="k"),
            "c": am.Relation(
                {"q": am.Column(role="quasi"), "s": am.Column(role="sensitive")}, parent="p", foreign_key="k"
            ),
        }
    )
    reached = am.verify_database(tables, schema, [am.Diversity(2, "frequency")]).models[0]
    assert (reached.reached, reached.ok) == (1.0, False)
    assert am.verify_database(tables, schema, [am.Diversity(2, "frequency", count="rows")]).models[0].ok
    assert am.verify_database(tables, schema, [am.Diversity(2, "distinct")]).models[0].ok
