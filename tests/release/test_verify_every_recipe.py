"""What `run` called verified must verify again from its folder alone: every recipe, way to publish, form and method."""

from __future__ import annotations

import datetime
import itertools

import pyarrow as pa
import pytest
from typer.testing import CliRunner

import amongst as am
from amongst.cli.command import app
from amongst.cli.what_to_verify import what_to_verify, with_doubts
from amongst.errors import BadHierarchy, BadOption, BadSchema, Infeasible

K, BLOCKS = 3, 10
ROWS = [(block, j) for block in range(BLOCKS) for j in range(K)]  # rows of a block are near each other in every column
AGES = [20 + 4 * block + j for block, j in ROWS]
DAYS = [datetime.date(2019, 1, 1) + datetime.timedelta(days=91 * block + 3 * j) for block, j in ROWS]
CITIES = [["Bonn", "Rome", "Oslo", "Lima", "Cusco"][(block // 2 + j % 2) % 5] for block, j in ROWS]
GRADES = [["low", "mid", "high"][min(block // 4 + j % 2, 2)] for block, j in ROWS]
CODES = [["53711", "53712", "53703", "90210", "90211"][(block // 2 + j % 2) % 5] for block, j in ROWS]
NEST = {"Europe": ["Bonn", "Rome", "Oslo"], "Peru": ["Lima", "Cusco"]}
DECADES = {f"in the {tens}s": [str(one) for one in range(tens, tens + 10)] for tens in range(20, 60, 10)}
YEARS = {
    f"year {year}": sorted({str(day) for day in DAYS if day.year == year}) for year in sorted({d.year for d in DAYS})
}

H = am.Hierarchy
COLUMNS = {
    "intervals": (AGES, "numeric", H.intervals([5, 10, 20])),
    "intervals of halves": ([age + 0.5 for age in AGES], "numeric", H.intervals([2.5, 10])),
    "edges": (AGES, "numeric", H.edges([[float("-inf"), 30, 45, float("inf")]])),
    "edges, closed": (AGES, "numeric", H.edges([[20, 30, 45, 60], [20, 45, 60]])),
    "nested numbers": (AGES, "numeric", H.nested(DECADES)),
    "nested categories of numbers": (AGES, "categorical", H.nested(DECADES)),
    "rows of numbers": (AGES, "numeric", H.from_rows([[str(a), "old" if a > 40 else "young"] for a in range(20, 60)])),
    "fanout of numbers": (AGES, "numeric", H.fanout(4)),
    "flat numbers": (AGES, "numeric", H.flat()),
    "no hierarchy, numbers": (AGES, "numeric", None),
    "months": (DAYS, "date", H.dates("month", "year")),
    "weeks": (DAYS, "date", H.dates("week")),
    "quarters": (DAYS, "date", H.dates("day", "quarter", "decade")),
    "months of moments": (
        [datetime.datetime.combine(d, datetime.time(9, 30)) for d in DAYS],
        "date",
        H.dates("day", "month"),
    ),
    "fanout of dates": (DAYS, "date", H.fanout(5)),
    "nested dates": (DAYS, "date", H.nested(YEARS)),
    "flat dates": (DAYS, "date", H.flat()),
    "no hierarchy, dates": (DAYS, "date", None),
    "nested": (CITIES, "categorical", H.nested(NEST)),
    "rows": (CITIES, "categorical", H.from_rows([[leaf, top] for top, leaves in NEST.items() for leaf in leaves])),
    "fanout": (CITIES, "categorical", H.fanout(2)),
    "fanout, own order": (CITIES, "categorical", H.fanout(2, ["Bonn", "Rome", "Oslo", "Lima", "Cusco"])),
    "flat": (CITIES, "categorical", H.flat()),
    "no hierarchy": (CITIES, "categorical", None),
    "digits": (CODES, "categorical", H.digits(5)),
    "digits of numbers": ([int(code) for code in CODES], None, H.digits(5)),
    "digits, numeric": ([int(code) for code in CODES], "numeric", H.digits(5)),
    "prefix": (CODES, "categorical", H.prefix([4, 2])),
    "prefix of unequal lengths": (CITIES, "categorical", H.prefix([2, 1])),
    "ordered": (GRADES, "ordered", None),
    "ordered with fanout": (GRADES, "ordered", H.fanout(2)),
    "ordered, nested": (GRADES, "ordered", H.nested({"passed": ["mid", "high"], "failed": ["low"]})),
}
PUBLISH = (None, "range", "ancestor", "set")
FORMS = ("labels", "bounds", "structs")
FAMILIES = ("mondrian", "hilbert", "incognito", "best", "cell-generalization", "unrestricted", "k-optimize")
WAYS = [
    *itertools.product(PUBLISH, FORMS, FAMILIES[:1]),
    *itertools.product(("ancestor", "set"), FORMS[:1], FAMILIES[1:]),
]
AT_ONCE = 4
TABLES = [list(COLUMNS)[i : i + AT_ONCE] for i in range(0, len(COLUMNS), AT_ONCE)]


def published_as(recipe, publish):
    """The way to publish, where a column of this recipe can be published so."""
    _, kind, hierarchy = COLUMNS[recipe]
    needs = {"range": kind in ("numeric", "date", "ordered"), "ancestor": hierarchy is not None, "set": True}
    return publish if needs.get(publish) else None


def made(recipes, publish, form, method):
    """A release of a table with a column for every recipe; None where amongst refuses the combination."""
    table = {name: COLUMNS[name][0] for name in recipes} | {"disease": ["flu", "cold", "hiv"] * BLOCKS}
    columns = {"disease": am.Column(role="sensitive")}
    for name in recipes:
        _, kind, hierarchy = COLUMNS[name]
        order = ["low", "mid", "high"] if kind == "ordered" else None
        way = published_as(name, publish)
        columns[name] = am.Column(role="quasi", kind=kind, hierarchy=hierarchy, publish=way, order=order)
    try:
        return am.anonymize(
            pa.table(table), am.Schema(columns), [am.KAnonymity(K)], method=method, form=form, bound=False
        )
    except (BadSchema, BadOption, BadHierarchy, Infeasible):  # a clear refusal; that it does not verify is none
        return None


@pytest.mark.parametrize("recipes", TABLES, ids=lambda names: names[0])
def test_the_folder_alone_suffices(recipes, tmp_path):
    """Not one release of the product may fail; one of them through the command itself."""
    n_made, wrong = 0, []
    for i, (publish, form, method) in enumerate(WAYS):
        release = made(recipes, publish, form, method)
        if release is None:
            continue
        n_made += 1
        folder = tmp_path / str(i)
        release.write(folder, format="csv" if i % 2 and form != "structs" else "parquet")
        asked = what_to_verify(folder, None, None, None, {})
        verdict = am.verify(folder, asked.columns, asked.models)
        verdict = with_doubts(verdict, asked, people_counted=False, rows_will_do=False)
        if not verdict.ok:
            wrong.append((publish, form, method, verdict.findings))
    assert n_made >= len(FORMS) * 2
    assert not wrong, f"{len(wrong)} of {n_made}: {wrong}"
    ran = CliRunner().invoke(app, ["verify", str(folder)])
    assert (ran.exit_code, "holds what was asked" in ran.stdout) == (0, True), ran.stdout
