"""What an intruder with all releases of a simulated year learns month by month, and what they lose; drawn.

    python -m benchmarks.months_intruder [--persons 20000] [--write docs/months]

The intruder knows of everybody who is there in all months, and did not change, in which class they are in every month.
She keeps the values that all classes have in common.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from markupsafe import Markup

import amongst as am
from benchmarks.months import MODELS
from benchmarks.papers.curves import HEIGHT, WIDTH, curve_chart
from benchmarks.papers.page import style_of


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--persons", type=int, default=20_000)
    parser.add_argument("--write", type=Path)
    asked = parser.parse_args()
    year = am.datasets.hospital_year(n_persons=asked.persons)
    series = am.Series(year[0].schema, MODELS, person="person", key=b"key of the benchmark")
    alone = [am.anonymize(month.table, month.schema, MODELS, "mondrian") for month in year]
    kept = [series.next(month.table) for month in year]
    known = {"independent": learned(year, alone), "series": learned(year, kept)}
    loss = {"independent": [one.utility.gcp for one in alone], "series": [one.loss for one in series.told]}
    for name, one in known.items():
        for what, figures in zip(("certain", "fewer than k rows", "guessed right"), one, strict=True):
            print(name, what, [round(x, 3) for x in figures])
    if asked.write is not None:
        asked.write.mkdir(exist_ok=True)
        months = list(range(1, len(year) + 1))
        few = {name: one[1] for name, one in known.items()}
        for name, title, axis, lines in (
            ("learned", "People with fewer than ten candidates left", "share", few),
            ("loss", "Loss, everybody left out charged in full", "GCP", loss),
        ):
            chart = curve_chart(title, "month", axis, months, lines, key=name)
            (asked.write / f"{name}.svg").write_text(standing_alone(chart), encoding="utf-8")


def learned(year: list, releases: list) -> tuple[list[float], list[float], list[float]]:
    """After every month the share of people with one value left, with fewer than k rows in common, and of whom the
    value that is most likely by all classes together is right."""
    left: dict[int, np.ndarray] = {}
    before: dict[int, tuple] = {}
    values = sorted({value for month in year for value in month.table.column("diagnosis").to_pylist()})
    certain, few, right = [], [], []
    weight: dict[int, np.ndarray] = {}
    for number, (month, release) in enumerate(zip(year, releases, strict=True)):
        rows = month.table.to_pylist()
        published = release.source.table.column("person").to_pylist()
        class_of = dict(zip(published, release.plan.class_of_row.tolist(), strict=True))
        counts = np.zeros((release.plan.n_classes, len(values)), dtype=np.int64)
        code = {value: place for place, value in enumerate(values)}
        own = {row["person"]: (*[row[name] for name in month.schema.quasi], row["diagnosis"]) for row in rows}
        for person, cls in class_of.items():
            counts[cls, code[own[person][-1]]] += 1
        now = {
            person: counts[cls] if number == 0 else np.minimum(left[person], counts[cls])
            for person, cls in class_of.items()
            if number == 0 or (person in left and before[person] == own[person])
        }
        shares = np.log(np.maximum(counts, 1e-9) / counts.sum(axis=1, keepdims=True))
        weight = {person: weight.get(person, 0) + shares[class_of[person]] for person in now}
        left, before = now, own
        right.append(float(np.mean([code[own[person][-1]] == int(np.argmax(one)) for person, one in weight.items()])))
        certain.append(float(np.mean([(one > 0).sum() == 1 for one in left.values()])))
        few.append(float(np.mean([one.sum() < 10 for one in left.values()])))
    return certain, few, right


def standing_alone(chart: Markup) -> str:
    """The chart as a file, with the look of the house."""
    size = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    ground = f'<rect x="0" y="0" width="{WIDTH}" height="{HEIGHT}" class="paper"></rect>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}><style>{style_of(str(chart))}</style>{ground}{chart}</svg>\n'
    )


if __name__ == "__main__":
    main()
