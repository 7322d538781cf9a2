"""Made-up people with pay that hangs on age, sex and town: for tests of regressions."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

import amongst as am

ROLES = {"age": "quasi", "sex": "quasi", "town": "quasi", "pay": "keep"}
SCHEMA = am.Schema({name: am.Column(role=role) for name, role in ROLES.items()})


def people(n: int, seed: int = 0) -> pa.Table:
    rng = np.random.default_rng(seed)
    age, sex = rng.integers(20, 70, n), rng.choice(["f", "m"], n)
    town = rng.choice(["a", "b", "c"], n, p=[0.5, 0.3, 0.2])
    pay = 1 + 0.05 * age + 0.7 * (sex == "m") - 0.6 * (town == "c") + rng.normal(0, 1, n)
    return pa.table({"age": age, "sex": sex, "town": town, "pay": pay.round(3)})
