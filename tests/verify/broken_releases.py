"""A release that holds every model just so, ways to break it, and a naive judge of what is left of the guarantee.

The judge knows nothing but the published rows: lists, dicts and the definitions. Where a change leaves the guarantee
whole it says so, and the verifier must agree; everything else the verifier must catch.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import pyarrow as pa

import amongst as am
import judges

Row = dict[str, Any]
Rows = list[Row]

LANDS = {"Europe": ["Italy", "France"], "America": ["Canada", "Peru"]}
ILLNESS = {"lungs": ["flu", "cold"], "gut": ["ulcer", "colic"]}
SCHEMA = am.Schema(
    {
        "name": am.Column(role="identifier"),
        "age": am.Column(role="quasi", kind="numeric", nulls="own value"),
        "zip": am.Column(role="quasi", kind="categorical", hierarchy=am.Hierarchy.digits(5), nulls="suppress"),
        "land": am.Column(role="quasi", hierarchy=am.Hierarchy.nested(LANDS), kind="categorical", nulls="own value"),
        "illness": am.Column(role="sensitive", kind="categorical", hierarchy=am.Hierarchy.nested(ILLNESS)),
        "pay": am.Column(role="sensitive", kind="numeric"),
    }
)
QUASI = ["age", "zip", "land"]
PATHS = {leaf: (leaf, group, "*") for group, leaves in ILLNESS.items() for leaf in leaves}
CLASSES = [("[20-29]", "5371*", "Europe"), ("[20-29]", "5372*", "America"), ("[30-39]", "5371*", "America"),
           ("[30-39]", "5372*", "Europe")]  # fmt: skip
ILLNESSES = ["flu", "flu", "cold", "cold", "ulcer", "ulcer"]
PAY = [10, 20, 30, 40, 50, 60]


def good_rows() -> Rows:
    """Four classes of six rows; every class has every illness twice and the same six pays."""
    values = list(zip(ILLNESSES, PAY, strict=True))
    return [dict(zip([*QUASI, "illness", "pay"], (*c, *v), strict=True)) for c in CLASSES for v in values]


def everybody() -> pa.Table:
    """A population: three people for every combination of one age, two zips and a land in a class."""
    ages = {"[20-29]": [20, 29], "[30-39]": [30, 39]}
    zips = {"5371*": ["53711", "53712"], "5372*": ["53721", "53722"]}
    cells = [cell for c in CLASSES for cell in product(ages[c[0]], zips[c[1]], LANDS[c[2]])]
    return pa.table(dict(zip(QUASI, map(list, zip(*(cells * 3), strict=True)), strict=True)))


MODELS: dict[str, Any] = {
    "k": am.KAnonymity(6),
    "l frequency": am.LDiversity(3, column="illness"),
    "l distinct": am.LDiversity(3, "distinct", "illness"),
    "l entropy": am.LDiversity(3, "entropy", "illness"),
    "l recursive": am.LDiversity(3, ("recursive", 1.5), "illness"),
    "t equal": am.TCloseness(0.02, "equal", "illness"),
    "t ordered": am.TCloseness(0.001, "ordered", "pay"),
    "t hierarchical": am.TCloseness(0.001, "hierarchical", "illness"),
    "alpha-k": am.AlphaK(1 / 3, 6, "illness"),
    "beta": am.BetaLikeness(0.05, column="illness"),
    "beta enhanced": am.BetaLikeness(0.05, enhanced=True, column="illness"),
    "delta": am.DeltaDisclosure(0.05, column="illness"),
    "delta counted": am.DeltaDisclosure(0.05, "counted", "illness"),
    "proximity": am.Proximity(3, width=10, column="pay"),
    "k-map": am.KMap(24, everybody()),
    "presence": am.DeltaPresence(0.25, 0.25, everybody()),
    "k of subsets": am.KOfSubsets(12, 1),
}


@dataclass(frozen=True)
class Break:
    """One way to change a release.

    Attributes
    ----------
    change : callable
        From good rows to changed ones.
    structure : str
        The finding that must be there whatever is asked: the table itself is not one that this schema may publish.
    """

    change: Callable[[Rows], Rows]
    structure: str = ""


def cell(name: str, value: Any, at: int = 0) -> Callable[[Rows], Rows]:
    return lambda rows: [row | {name: value} if i == at else row for i, row in enumerate(rows)]


def whole_class(name: str, value: Any) -> Callable[[Rows], Rows]:
    return lambda rows: [row | {name: value} if i < 6 else row for i, row in enumerate(rows)]


def everywhere(name: str, value: Callable[[int], Any]) -> Callable[[Rows], Rows]:
    return lambda rows: [row | {name: value(i)} for i, row in enumerate(rows)]


def without(*names: str) -> Callable[[Rows], Rows]:
    return lambda rows: [{key: value for key, value in row.items() if key not in names} for row in rows]


def moved(rows: Rows) -> Rows:
    return [{**row, **{name: rows[6][name] for name in QUASI}} if i == 0 else row for i, row in enumerate(rows)]


def merged(rows: Rows) -> Rows:
    """Three of the four classes become one; the fourth keeps its own labels."""
    wide = {"age": "[20-39]", "zip": "537**", "land": "*"}
    return [row | wide if i < 18 else row for i, row in enumerate(rows)]


def no_duplicates(rows: Rows) -> Rows:
    seen: dict[tuple[Any, ...], Row] = {}
    for row in rows:
        seen.setdefault(tuple(row[name] for name in [*QUASI, "illness"]), row)
    return list(seen.values())


def swapped_values(rows: Rows) -> Rows:
    """A flu of the first class for a cold of the second."""
    changed = [dict(row) for row in rows]
    changed[0]["illness"], changed[8]["illness"] = changed[8]["illness"], changed[0]["illness"]
    return changed


def one_of_all(rows: Rows) -> Rows:
    return [row for i, row in enumerate(rows) if i not in (1, 2, 3, 4, 5)]


BREAKS: dict[str, Break] = {
    "nothing changed": Break(list),
    "one row moved to another class": Break(moved),
    "a label narrowed in one row": Break(cell("age", "[20-28]")),
    "a label narrowed in a whole class": Break(whole_class("age", "[21-28]")),
    "a label widened in one row": Break(cell("age", "[20-39]")),
    "a label widened in a whole class": Break(whole_class("age", "[20-39]")),
    "a node replaced by its parent in one row": Break(cell("land", "*")),
    "a leaf left in one row": Break(cell("land", "Italy")),
    "an outlier's own value left in one cell": Break(cell("age", "25")),
    "an own value left in a whole class": Break(whole_class("zip", "53711")),
    "a blank after a label": Break(cell("age", "[20-29] "), "label-not-understood"),
    "a zero-width space in a label": Break(cell("age", "[20-29]\u200b"), "label-not-understood"),
    "another spelling of the same range": Break(cell("age", "[20 - 29]")),
    "capitals in a label": Break(cell("land", "EUROPE"), "label-not-understood"),
    "a label that no tree knows": Break(whole_class("land", "Atlantis"), "label-not-understood"),
    "a range upside down": Break(whole_class("age", "[29-20]"), "label-not-understood"),
    "a row removed": Break(lambda rows: rows[1:]),
    "all rows of a class but one removed": Break(one_of_all),
    "a whole class removed": Break(lambda rows: rows[6:]),
    "rows alike removed": Break(no_duplicates),
    "a row doubled": Break(lambda rows: [rows[0], *rows]),
    "all rows doubled": Break(lambda rows: rows * 2),
    "a sensitive value shared by one more": Break(cell("illness", "cold")),
    "a sensitive value shared by the whole class": Break(whole_class("illness", "flu")),
    "a rare sensitive value": Break(cell("illness", "colic")),
    "sensitive values swapped between classes": Break(swapped_values),
    "a sensitive number close to another": Break(cell("pay", 21)),
    "a sensitive value gone": Break(cell("illness", None)),
    "all sensitive values of a class gone": Break(whole_class("illness", None)),
    "the sensitive columns gone": Break(without("illness", "pay")),
    "an identifier left in": Break(everywhere("name", lambda i: f"person {i}"), "identifier"),
    "a group number left in": Break(everywhere("group_id", lambda i: i // 6), "unexpected-column"),
    "a row number left in": Break(everywhere("row", lambda i: i), "unexpected-column"),
    "a mean that nobody asked for": Break(everywhere("age_mean", lambda i: 25.0 + i // 6), "unexpected-column"),
    "the exact ages beside the labels": Break(everywhere("age_median", lambda i: float(i)), "unexpected-column"),
    "a quasi-identifier gone": Break(without("zip"), "missing-column"),
    "a null in one row": Break(cell("age", None)),
    "a null in a whole class": Break(whole_class("age", None)),
    "a null where they are suppressed": Break(whole_class("zip", None), "null-published"),
    "classes merged": Break(merged),
    "rows in the order of the input": Break(lambda rows: sorted(rows, key=lambda row: row["pay"])),
    "rows in reverse": Break(lambda rows: rows[::-1]),
    "no rows": Break(lambda rows: [], "nothing-published"),
}


def table_of(rows: Rows) -> pa.Table:
    if not rows:
        return table_of(good_rows()).slice(0, 0)
    return pa.table({name: [row[name] for row in rows] for name in rows[0]})


def told_apart_by(rows: Rows) -> list[str]:
    """The published columns that stand for quasi-identifiers, statistics of them among these."""
    return [name for name in rows[0] if name in QUASI or name.startswith("age_")] if rows else []


def still_holds(model: Any, rows: Rows) -> bool:
    """Whether the published rows hold the model, by its definition."""
    if not rows:
        return True
    quasi = told_apart_by(rows)
    if isinstance(model, am.KOfSubsets):
        # Statistics of a column go with it: who knows the column's value may know them.
        subsets = [[name for name in quasi if name.split("_")[0] in chosen] for chosen in combinations(QUASI, model.m)]
        return all(judges.holds(am.KAnonymity(model.k), rows, subset) for subset in subsets)
    return judges.holds(model, rows, quasi, distances={"illness": PATHS}, fits=fits)


def fits(label: Any, value: Any) -> bool:
    """Whether a published label of these releases can stand for a value."""
    if label is None:
        return value is None
    label = str(label).strip() if str(label)[:1] == "[" else str(label)
    if label.strip("*") == "":
        return True
    if isinstance(value, int):
        low, _, high = label.strip("[] \u200b").replace(" ", "").partition("-")
        return int(low) <= value <= int(high or low)
    if label in LANDS:
        return value in LANDS[label]
    return value == label or (label.endswith("*") and str(value).startswith(label.rstrip("*")))
