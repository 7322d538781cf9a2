"""Why claims of Incognito's figures do not hold here."""

from __future__ import annotations

from amongst import datasets
from amongst.models import KAnonymity
from benchmarks.papers.experiment import Panel, at
from benchmarks.papers.incognito import BASIC, BINARY, search
from benchmarks.papers.incognito_trees import FIGURE_9, paper_schema
from benchmarks.papers.made import Case, first_rows, some_columns
from benchmarks.papers.reasons.catalogue import Reason


def _trees(scale: str) -> list[Panel]:
    """Figure 10: nodes and times on all nine columns, with the trees that were found and the bundled ones."""
    adult = datasets.load("adult")
    table, n = first_rows(adult.table, at(scale, 1000, 45_222)), at(scale, 4, 9)
    schemas = {
        "trees found": paper_schema(n),
        "bundled trees": some_columns(adult.schema, FIGURE_9[:n]),
    }
    series: dict[str, list[float | None]] = {}
    for schema in schemas.values():
        case = Case(table, schema, [KAnonymity(2)])
        search(case, BASIC)
        for name, words in ((BASIC, "Incognito"), (BINARY, "binary search")):
            found = [search(case, name) for _ in range(at(scale, 1, 3))]
            series.setdefault(f"{words}: nodes", []).append(float(found[0][0].n_searched))
            series.setdefault(f"{words}: CPU seconds", []).append(min(seconds for _, seconds in found))
    return [Panel(f"Adults, k = 2, {n} columns", "", "", list(schemas), series)]


REASONS: dict[str, Reason] = {"incognito-10": _trees}
