"""docs/verifier-mutations.md: which broken releases the verifier catches, from running it on all of them."""

from __future__ import annotations

import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
PAGE = TESTS.parent / "docs" / "verifier-mutations.md"
sys.path[:0] = [str(TESTS / "support"), str(TESTS / "verify"), str(TESTS / "relations")]

import test_broken_files as files  # noqa: E402
import test_pair as pairs  # noqa: E402
import test_verify_database as databases  # noqa: E402
from broken_releases import BREAKS, MODELS, SCHEMA, good_rows, still_holds, table_of  # noqa: E402

import amongst as am  # noqa: E402
from amongst.relations.store import plain_tables  # noqa: E402
from amongst.verify import verify  # noqa: E402
from amongst.verify.pair.pair import verify_pair  # noqa: E402

CAUGHT, HOLDS, WRONG = "✗", "·", "**WRONG**"
HEAD = """# What the verifier catches

A verifier is worth what it catches. Here a release that holds every model just so is broken in {n_breaks} ways, and
each is held against {n_models} models. A judge in plain Python, who knows the published rows and the definitions, says
whether the guarantee is still there; the verifier must agree every time. `make verifier-mutations` writes this page by
running it. The tests run the same on tables in memory, Parquet and CSV files.

{caught} marks what the verifier caught, {holds} what it let through because the guarantee still holds: a label narrowed
in a whole class, say, leaves every class as large as it was. Verifier and judge agree in {n_agree} of {n_cells} cases.

The release has 4 classes of 6 rows, with every illness twice in every class and the same six pays.
"""
SHORT = {
    "l frequency": "l", "l distinct": "l dist.", "l entropy": "l entr.", "l recursive": "l rec.", "t equal": "t eq.",
    "t ordered": "t ord.", "t hierarchical": "t tree", "alpha-k": "α,k", "beta": "β", "beta enhanced": "β enh.",
    "delta": "δ", "delta counted": "δ all", "proximity": "prox.", "presence": "pres.", "k of subsets": "k of m",
}  # fmt: skip


def page() -> str:
    lines, n_agree = [], 0
    for what, broken in BREAKS.items():
        rows = broken.change(good_rows())
        marks = []
        for model in MODELS.values():
            verdict = verify(table_of(rows), SCHEMA, [model])
            expected = not broken.structure and still_holds(model, rows)
            n_agree += verdict.ok == expected
            marks.append(WRONG if verdict.ok != expected else HOLDS if verdict.ok else CAUGHT)
        lines.append(f"| {what} | {' | '.join(marks)} | {broken.structure} |")
    facts = {"n_breaks": len(BREAKS), "n_models": len(MODELS), "caught": CAUGHT, "holds": HOLDS}
    head = HEAD.format(**facts, n_cells=len(BREAKS) * len(MODELS), n_agree=n_agree)
    names = [SHORT.get(name, name) for name in MODELS]
    table = [
        f"| what was done | {' | '.join(names)} | whatever is asked |",
        "|---|" + "---|" * (len(names) + 1),
        *lines,
    ]
    parts = [head, "## One table, for every model\n", *table, "", *_bounds(), *_pairs(), *_databases(), CANNOT]
    return "\n".join(parts)


def _bounds() -> list[str]:
    found = [
        "## Bounds instead of labels\n",
        "| what was done to `_lower` and `_upper` | k = 6 | found |",
        "|---|---|---|",
    ]
    for what, (change, _) in files.BOUNDS.items():
        verdict = verify(change(files.with_bounds(good_rows())), SCHEMA, [am.KAnonymity(6)])
        found.append(f"| {what} | {HOLDS if verdict.ok else CAUGHT} | {_codes(verdict.findings)} |")
    return [*found, ""]


def _pairs() -> list[str]:
    found = ["## Two tables (anatomy)\n", "| what was done | l = 3 | found |", "|---|---|---|"]
    for mutate in pairs.MUTATIONS:
        verdict = verify_pair(*mutate(*pairs.pair()), pairs.SCHEMA, [am.LDiversity(3)])
        name = mutate.__name__.replace("_", " ")
        found.append(f"| {name} | {HOLDS if verdict.ok else CAUGHT} | {_codes(verdict.findings)} |")
    return [*found, ""]


def _databases() -> list[str]:
    found = ["## Many tables\n", "| what was done | k = 4 | found |", "|---|---|---|"]
    for harm in databases.HARMS:
        tables = plain_tables(databases.RELEASE.arrow)
        harm(tables)
        verdict = am.verify_database(tables, databases.MADE.schema, [am.KAnonymity(4)])
        name = harm.__name__.replace("_", " ")
        found.append(f"| {name} | {HOLDS if verdict.ok else CAUGHT} | {_codes(verdict.findings)} |")
    return [*found, ""]


def _codes(findings: object) -> str:
    return ", ".join(dict.fromkeys(f"`{finding.code}`" for finding in findings))  # type: ignore[attr-defined]


CANNOT = """## Beside the cells

| what was done | outcome |
|---|---|
| a value in the stored dictionary of any column that no row has | caught: `unused-values`, in memory and in Parquet |
| smallest and largest values stored in a Parquet file that no row has | told as a note |
| metadata left in the file | told as a note: it is not checked |
| a kept column that numbers the rows | told as a note |
| another file than the manifest's digest says | `amongst verify` says that it was changed (`unchanged: false`) |

## What no verifier can see from the table alone

- The order of the rows. That they lie in the order of the input can be known only to who has the input. amongst sorts
  what it publishes, so that the order says nothing ([decision 1](decisions/0001-sorted-rows.md)).
- A label or a sensitive value that is not true. Where the input is at hand, `am.verify_database(..., original=...)`
  compares.
- Columns whose role is wrong: a kept column that others know is a quasi-identifier, whatever the schema says.
"""

if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"docs/{PAGE.name}: {len(BREAKS)} ways to break a release, {len(MODELS)} models")
