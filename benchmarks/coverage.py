"""Do intervals from a release hold the truth? Coverage of nominal 95 % intervals over many draws of a made-up table.

    python benchmarks/coverage.py [--draws 200] [--rows 1000] [--k 5 10] [--methods mondrian best] [--seed 7]

People are drawn from a known model, anonymized, and the model is fitted three ways: to the original, to the release
with ranges as their middles and sets as even shares (what most people do), and to the release by ``am.regression``.
Shown is how often the interval of each coefficient holds the true one, over all coefficients and draws, and the worst
coefficient in brackets.
With N draws a coverage of 0.95 is known to within about 0.43 / sqrt(N).
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from machine import machine

import amongst as am
from amongst.analysis.coarse import Coarse, coarse_table
from amongst.analysis.fit import fit
from amongst.analysis.formula import read_formula
from amongst.analysis.regression import _combined
from amongst.query.ask import open_any

REGIONS = ("north", "east", "south", "west")
TREE = {"*": {"upper": ["north", "east"], "lower": ["south", "west"]}}
TRUTH = {
    "Intercept": -0.5,
    "age": 0.04,
    "school": -0.15,
    "sex[T.m]": 0.5,
    "region[T.north]": 0.3,
    "region[T.south]": 0.8,
    "region[T.west]": -0.4,
}
FORMULA = "y ~ age + school + sex + region"


def people(n: int, family: str, rng: np.random.Generator) -> pa.Table:
    """People of a known model; age and school hang together, as they do."""
    age = np.clip(rng.normal(45, 15, n).round(), 18, 90)
    school = np.clip((8 + 2 * (age < 50) + rng.normal(0, 3, n)).round(), 0, 20)
    sex, region = rng.choice(["f", "m"], n), rng.choice(REGIONS, n, p=[0.3, 0.3, 0.2, 0.2])
    linear = TRUTH["Intercept"] + TRUTH["age"] * age + TRUTH["school"] * school + TRUTH["sex[T.m]"] * (sex == "m")
    for name in REGIONS:
        linear = linear + TRUTH.get(f"region[T.{name}]", 0.0) * (region == name)
    if family == "linear":
        y = (linear + rng.normal(0, 1, n)).round(3)
    else:
        y = (rng.random(n) < 1 / (1 + np.exp(-linear))).astype(np.int64)
    return pa.table(
        {"age": age.astype(np.int64), "school": school.astype(np.int64), "sex": sex, "region": region, "y": y}
    )


def schema_of(publish: str, response: str) -> am.Schema:
    """Ranges and sets, ranges with nodes for categories, or all as nodes; the response kept, or generalized too."""
    if publish in ("ranges", "mixed"):
        numbers = {name: am.Column(role="quasi", kind="numeric") for name in ("age", "school")}
        tree = am.Hierarchy.nested(TREE) if publish == "mixed" else None
        region = am.Column(role="quasi", kind="categorical", hierarchy=tree)
    else:
        ages = am.Hierarchy.intervals([5, 10, 20, 40])
        schools = am.Hierarchy.intervals([2, 4, 8])
        numbers = {"age": ages, "school": schools}
        numbers = {
            n: am.Column(role="quasi", kind="numeric", hierarchy=h, publish="ancestor") for n, h in numbers.items()
        }
        region = am.Column(role="quasi", kind="categorical", hierarchy=am.Hierarchy.nested(TREE))
    sex = am.Column(role="quasi", kind="categorical")
    y = am.Column(role="quasi", kind="numeric") if response == "coarse" else am.Column(role="keep")
    return am.Schema({**numbers, "sex": sex, "region": region, "y": y})


def by_middles(release: Any, schema: am.Schema, family: str) -> dict[str, tuple[float, float]]:
    """What most people do: the middle of a range, even shares of a set."""
    opened = open_any(release, schema)
    formula = read_formula(FORMULA, opened.columns)
    table = coarse_table(opened, formula.columns)
    parts, names = [np.ones((table.n_rows, 1))], ["Intercept"]
    for name in formula.predictors:
        column = table.columns[name]
        if column.names is None:
            parts.append(_middle(column)[:, None])
            names.append(name)
        else:
            parts.append(_shares(column)[:, 1:])
            names += [f"{name}[T.{one}]" for one in column.names[1:]]
    found = _combined([fit(np.hstack(parts), _middle(table.columns["y"]), family)])
    lower, upper = found.interval(0.95)
    return dict(zip(names, zip(lower.tolist(), upper.tolist(), strict=True), strict=True))


def _middle(column: Coarse) -> np.ndarray:
    label = np.repeat(np.arange(len(column.n_pieces)), column.n_pieces)
    mean = np.bincount(label, (column.lo + column.hi) / 2, len(column.n_pieces)) / column.n_pieces
    return mean[column.label_of_row]


def _shares(column: Coarse) -> np.ndarray:
    assert column.names is not None
    label = np.repeat(np.arange(len(column.n_pieces)), column.n_pieces)
    share = np.zeros((len(column.n_pieces), len(column.names)))
    share[label, column.lo.astype(np.int64)] = 1 / column.n_pieces[label]
    return share[column.label_of_row]


@dataclass
class Held:
    """How often the truth was held, by coefficient; and how wide the intervals were."""

    hits: dict[str, list[bool]] = field(default_factory=dict)
    widths: dict[str, list[float]] = field(default_factory=dict)

    def add(self, found: dict[str, tuple[float, float]]) -> None:
        for name, truth in TRUTH.items():
            lower, upper = found.get(name, (np.nan, np.nan))
            self.hits.setdefault(name, []).append(bool(lower <= truth <= upper))
            self.widths.setdefault(name, []).append(upper - lower)

    def told(self) -> dict[str, Any]:
        share = {name: float(np.mean(own)) for name, own in self.hits.items()}
        worst = min(share, key=lambda name: share[name])
        return {"coverage": float(np.mean(list(share.values()))), "worst": worst, "worst_coverage": share[worst]}


def scenario(
    *,
    family: str,
    publish: str,
    response: str,
    method: str,
    k: int,
    rows: int,
    draws: int,
    seed: int,
    n_tables: int = 20,
) -> dict[str, Any]:
    """One line of the table."""
    schema, ways = schema_of(publish, response), {"original": Held(), "middles": Held(), "regression": Held()}
    cpu, loss = 0.0, []
    for draw in range(draws):
        table = people(rows, family, np.random.default_rng([seed, draw]))
        release = am.anonymize(table, schema, [am.KAnonymity(k)], method)
        loss.append(release.utility.gcp)
        began = time.process_time()
        found = am.regression(
            release, FORMULA, schema=schema, original=table, family=family, n_tables=n_tables, seed=draw
        )
        cpu += time.process_time() - began
        lines = [one for one in found.coefficients if one.released is not None]
        ways["regression"].add({one.name: (one.released.lower, one.released.upper) for one in lines if one.released})
        lines = [one for one in found.coefficients if one.original is not None]
        ways["original"].add({one.name: (one.original.lower, one.original.upper) for one in lines if one.original})
        ways["middles"].add(by_middles(release, schema, family))
    asked = {"family": family, "publish": publish, "response": response, "method": method, "k": k, "rows": rows}
    asked |= {"draws": draws, "seed": seed, "gcp": float(np.mean(loss)), "cpu_of_a_fit": cpu / draws}
    wider = np.array([ways["regression"].widths[name] for name in TRUTH]) / [ways["original"].widths[n] for n in TRUTH]
    asked["times_as_wide"] = float(np.nanmedian(wider))
    return {**asked, **{way: held.told() for way, held in ways.items()}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--k", type=int, nargs="+", default=[5, 10])
    parser.add_argument("--methods", nargs="+", default=["mondrian", "best"])
    parser.add_argument("--families", nargs="+", default=["linear", "logistic"])
    parser.add_argument("--publish", nargs="+", default=["ranges", "mixed", "nodes"])
    parser.add_argument("--responses", nargs="+", default=["kept", "coarse"])
    parser.add_argument("--seed", type=int, default=7, help="other seeds draw other people")
    parser.add_argument("--json", type=Path, default=None)
    asked = parser.parse_args()
    lines = []
    print(f"{'model':10}{'published as':13}{'response':9}{'method':10}{'k':>4}{'original':>10}{'middles':>18}", end="")
    print(f"{'am.regression':>18}{'width':>7}{'CPU s':>7}", flush=True)
    for family in asked.families:
        for response in asked.responses:
            for publish in asked.publish:
                if response == "coarse" and (family == "logistic" or publish != "ranges"):
                    continue  # 0 and 1 together say nothing; one way for responses is enough
                for method in asked.methods:
                    for k in asked.k:
                        one = scenario(
                            family=family,
                            publish=publish,
                            response=response,
                            method=method,
                            k=k,
                            rows=asked.rows,
                            draws=asked.draws,
                            seed=asked.seed,
                        )
                        lines.append(one)
                        show(one)
                        if asked.json is not None:
                            asked.json.write_text(json.dumps({**machine(), "lines": lines}, indent=1))


def show(one: dict[str, Any]) -> None:
    text = f"{one['family']:10}{one['publish']:13}{one['response']:9}{one['method']:10}{one['k']:>4}"
    text += f"{one['original']['coverage']:>10.3f}"
    for way in ("middles", "regression"):
        text += f"{one[way]['coverage']:>10.3f} ({one[way]['worst_coverage']:.2f})"
    print(text + f"{one['times_as_wide']:>7.2f}{one['cpu_of_a_fit']:>7.2f}", flush=True)


if __name__ == "__main__":
    main()
