"""A table whose names and cells try to become code."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

import amongst as am

EVIL = "<script>window.hurt=1</script>"
NAMES = (
    ":formatter",
    f"a{EVIL}",
    '"><img src=x onerror="window.hurt=1">',
    "{b} {a|x}",
    "</textarea></style>‮\x1b[31m",
)
CELLS = (
    EVIL,
    '<img src=x onerror="window.hurt=1">',
    ":(() => { window.hurt = 1 })()",
    "{b}{c}",
    "'); window.hurt=1; //",
    "\u2028\x00",
)


def hostile_table(n: int = 400) -> tuple[pa.Table, am.Schema]:
    """Every name and every cell is hostile; there is a number so that boxes and bins are drawn."""
    draw = np.random.default_rng(0)
    columns: dict[str, object] = {
        name: np.array(CELLS, dtype=object)[draw.integers(0, len(CELLS), n)] for name in NAMES
    }
    columns = {name: pa.array(list(values), pa.string()) for name, values in columns.items()}  # type: ignore[call-overload]
    table = pa.table({"<b>age</b>": draw.integers(0, 90, n), **columns})
    roles = {"<b>age</b>": am.Column(role="quasi", kind="numeric")}
    roles |= {name: am.Column(role="quasi") for name in NAMES[:-1]}
    return table, am.Schema({**roles, NAMES[-1]: am.Column(role="sensitive")})
