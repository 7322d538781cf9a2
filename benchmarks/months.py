"""A simulated year: what releases that hold together lose, beside releases that are made independently.

    python benchmarks/months.py [--persons 20000] [--curve] [--signatures] [--others] [--at-size]

Loss is the weighted GCP with everybody left out charged in full. Ratios are against twelve independent releases of the
same months by three methods. ``--curve`` adds other promises, ``--signatures`` m-invariance; ``--others`` looks at
years with other seeds and other shares of people who come, leave and change instead, beside mondrian alone.
``--at-size`` publishes a month of 1,020,000 rows from a Parquet file beside twelve releases of 1,000,000 that are out.
"""

from __future__ import annotations

import argparse
import itertools
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

import amongst as am

MODELS = [am.KAnonymity(10), am.LDiversity(3, "distinct")]
CURVE = {
    "k and l in common": {"newcomers": 1},
    "and no newcomer certain": {"newcomers": 2},
    "and three values for newcomers": {"newcomers": 3},
    "and five newcomers at once": {"newcomers": 2, "crowd": 5, "start": 30},
    "and ten newcomers at once": {"newcomers": 2, "crowd": 10, "start": 60},
}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--persons", type=int, default=20_000)
    parser.add_argument("--curve", action="store_true")
    parser.add_argument("--signatures", action="store_true")
    parser.add_argument("--others", action="store_true")
    parser.add_argument("--at-size", action="store_true")
    asked = parser.parse_args()
    if asked.at_size:
        at_size(1_000_000)
        return
    if asked.others:
        other_years(asked.persons)
        return
    year = am.datasets.hospital_year(n_persons=asked.persons)
    alone = {method: independent(year, method) for method in ("mondrian", "gain-split", "best")}
    print("independent", {method: round(loss, 4) for method, loss in alone.items()}, flush=True)
    if asked.signatures:
        signatures(year, alone)
    names = list(CURVE) if asked.curve else ["and no newcomer certain"]
    for name in names:
        start = time.process_time()
        series = am.Series(year[0].schema, MODELS, person="person", key=b"key of the benchmark", **CURVE[name])
        with tempfile.TemporaryDirectory() as folder:
            places = []
            for number, month in enumerate(year):
                places.append(Path(folder) / f"{number + 1:02d}")
                series.next(month.table).write(places[-1])
            held = am.verify_together(places, schema=year[0].schema)
            pairs = [am.verify_against(b, a, schema=year[0].schema)[0] for a, b in itertools.combinations(places, 2)]
        loss = float(np.mean([one.loss for one in series.told]))
        left_out = sum(one.n_left_out for one in series.told) / sum(one.n_rows for one in series.told)
        broken = sum(any(f.code.startswith("composition") for f in pair.findings) for pair in pairs)
        ratios = ", ".join(f"{loss / other:.2f} x {method}" for method, other in alone.items())
        print(
            f"{name}: loss {loss:.4f} ({ratios}); left out {left_out:.2%}; together {held.ok}, least "
            f"{held.least_rows} rows, {held.least_values} values; pairs below k or l: {broken} of {len(pairs)}; "
            f"by month {[round(one.loss, 3) for one in series.told]}; {time.process_time() - start:.0f} s of CPU",
            flush=True,
        )


def other_years(n_persons: int) -> None:
    """Whether the price is that of one year only."""
    rates = [{"seed": seed} for seed in range(1, 6)]
    rates += [{"come": 0.02, "leave": 0.02, "change": 0.05}, {"come": 0.1, "leave": 0.06, "change": 0.2}]
    for rate in rates:
        year = am.datasets.hospital_year(n_persons=n_persons, **rate)
        series = am.Series(year[0].schema, MODELS, person="person", key=b"key of the benchmark")
        for month in year:
            series.next(month.table)
        loss, alone = float(np.mean([one.loss for one in series.told])), independent(year, "mondrian")
        print(f"{rate}: loss {loss:.4f}, {loss / alone:.2f} x mondrian ({alone:.4f})", flush=True)


def signatures(year: list, alone: dict[str, float]) -> None:
    """m-invariance with m = 3, with classes of ten and of three."""
    for k, counterfeits in ((10, False), (3, False), (3, True)):
        models, options = [am.KAnonymity(k), am.LDiversity(3)], {"method": "m-invariance", "counterfeits": counterfeits}
        series = am.Series(year[0].schema, models, person="person", key=b"key of the benchmark", **options)
        for month in year:
            series.next(month.table)
        loss, n = float(np.mean([one.loss for one in series.told])), sum(one.n_rows for one in series.told)
        left_out = sum(one.n_left_out for one in series.told) / n
        fakes = sum(one.n_counterfeits for one in series.told)
        ratios = ", ".join(f"{loss / other:.2f} x {method}" for method, other in alone.items())
        print(f"m-invariance, k = {k}, counterfeits {counterfeits} ({fakes}): {loss:.4f} ({ratios}); {left_out:.2%}")


def at_size(n_persons: int) -> None:
    """The next month beside twelve that are out: of the same people, so as many rows as twelve months have."""
    year = am.datasets.hospital_year(n_persons=n_persons, n_months=2)
    schema, key = year[0].schema, b"key of the benchmark"
    series = am.Series(schema, MODELS, person="person", key=key)
    series.next(year[0].table)
    series.published, series.told = series.published * 12, series.told * 12
    with tempfile.TemporaryDirectory() as folder:
        pq.write_table(year[1].table, Path(folder) / "month.parquet")
        series.save(Path(folder) / "series")
        del year
        start = time.process_time()
        series = am.Series.load(Path(folder) / "series", schema, MODELS, key)
        series.next(Path(folder) / "month.parquet", engine="duckdb", memory="3GB")
        spent = time.process_time() - start
        print(f"{series.told[-1]} {spent:.1f} s of CPU, series {(Path(folder) / 'series').stat().st_size // 10**6} MB")


def independent(year: list, method: str) -> float:
    return float(np.mean([am.anonymize(month.table, month.schema, MODELS, method).utility.gcp for month in year]))


if __name__ == "__main__":
    main()
