"""Every type that Arrow has, in every role it may have: looked at, published, proved, attacked, put into evidence."""

from __future__ import annotations

import datetime as dt
import decimal
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.errors import BadInput, BadSchema

N = 120  # of fewer rows not all is told that there is to know
I = np.arange(N)  # noqa: E741
DAY = dt.datetime(2001, 2, 3, 4)
COLUMNS = {
    **{f"int{bits}": pa.array(I % 7, getattr(pa, f"int{bits}")()) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": pa.array(I % 7, getattr(pa, f"uint{bits}")()) for bits in (8, 16, 32, 64)},
    "huge": pa.array([2**64 - 1 - i % 5 for i in range(N)], pa.uint64()),
    "half": pa.array((I % 5).astype(np.float16)),
    "float": pa.array((I % 5 / 3).astype(np.float32)),
    "double": pa.array(np.random.default_rng(0).normal(size=N)),
    "decimal": pa.array([decimal.Decimal(i % 5) / 4 for i in range(N)]),
    "wide decimal": pa.array([decimal.Decimal(10) ** 40 + i % 3 for i in range(N)], pa.decimal256(60, 2)),
    "bool": pa.array([(True, False, None)[i % 3] for i in range(N)]),
    "text": pa.array(["abc"[i % 3] for i in range(N)]),
    "large text": pa.array(["abc"[i % 3] for i in range(N)], pa.large_string()),
    "view": pa.array(["abc"[i % 3] for i in range(N)], pa.string_view()),
    "category": pa.array(["abc"[i % 3] for i in range(N)]).dictionary_encode(),
    "category of numbers": pa.DictionaryArray.from_arrays(pa.array(I % 3), pa.array([1.5, None, 2.5])),
    "runs": pa.RunEndEncodedArray.from_arrays(pa.array([60, N], pa.int32()), pa.array(["x", "y"])),
    "day": pa.array([(DAY + dt.timedelta(i % 9)).date() for i in range(N)]),
    "day64": pa.array([(DAY + dt.timedelta(i % 9)).date() for i in range(N)], pa.date64()),
    **{unit: pa.array([DAY + dt.timedelta(i % 9) for i in range(N)], pa.timestamp(unit)) for unit in ("s", "ms", "ns")},
    "zone": pa.array([DAY + dt.timedelta(i % 9) for i in range(N)], pa.timestamp("us", "Europe/Berlin")),
    "time": pa.array([dt.time(i % 5) for i in range(N)]),
    "duration": pa.array([dt.timedelta(i % 5) for i in range(N)]),
    "bytes": pa.array([bytes([i % 5]) for i in range(N)]),
    "list": pa.array([[i % 5] for i in range(N)]),
    "struct": pa.array([{"a": i % 5} for i in range(N)]),
    "map": pa.array([[("a", i % 5)] for i in range(N)], pa.map_(pa.string(), pa.int64())),
    "nothing": pa.nulls(N),
    "uuid": pa.ExtensionArray.from_storage(pa.uuid(), pa.array([bytes([i] * 16) for i in range(N)], pa.binary(16))),
}  # fmt: skip
ALL = pa.table(COLUMNS)


def test_a_table_of_all_types_is_looked_at() -> None:
    assert set(am.Schema.suggest(ALL)) == set(COLUMNS)


@pytest.mark.parametrize("role", ["quasi", "sensitive", "keep"])
def test_all_types_in_a_role(role: str, tmp_path: Path) -> None:
    """What cannot have the role is refused in words and left out: all others live their whole life."""
    roles = {name: am.Column(role=role, nulls="own value" if role == "quasi" else None) for name in COLUMNS}
    roles["int64"] = am.Column(role="quasi")
    with pytest.raises((BadSchema, BadInput)) as refused:
        am.anonymize(ALL, am.Schema(roles), [am.KAnonymity(4)], method="mondrian")
    wrong = {name for name in COLUMNS if f"'{name}'" in str(refused.value)} | {"uuid"}
    assert len(wrong) < len(COLUMNS) // 2
    roles |= {name: am.Column(role="identifier") for name in wrong}
    release = am.anonymize(ALL, am.Schema(roles), [am.KAnonymity(4)], method="mondrian")
    release.write(tmp_path / "out")
    assert all("'" in one.words for one in release.worth_knowing)
    assert am.verify(tmp_path / "out" / "release.parquet", release.schema, [am.KAnonymity(4)]).ok
    am.risk(release).to_html()
    am.attack(release, most=10, split=False).to_html()


def test_evidence_reads_the_original_as_it_was_given(tmp_path: Path) -> None:
    given = ALL.select(["view", "half", "runs", "category", "int8"])
    release = am.anonymize(
        given, am.Schema(dict.fromkeys(given.column_names, "quasi")), [am.KAnonymity(4)], method="mondrian"
    )
    release.write(tmp_path / "out")
    assert am.evidence(tmp_path / "out", original=given).ok
