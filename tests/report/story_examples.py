"""Stories for the tests: one with everything, one with only what must be given."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from amongst.report import (
    Axis,
    Check,
    ClassSizes,
    ColumnFacts,
    Distribution,
    Heat,
    PartitionView,
    SensitiveFacts,
    Story,
    Utility,
)

NASTY = (
    "<script>alert(1)</script>",
    "\"&'",
    "a\u202eb\u200fc",
    "\x00\x1b[31m",
    "</svg></style>",
    "\ud800",
    "{{ 7*7 }}",
)


def bare_story(**changes: Any) -> Story:
    check = Check(words="Every row shares its values with 1 other (k = 2).", asked="k = 2", reached="k = 3", ok=True)
    return replace(
        Story(
            title="Patients",
            threshold=2,
            n_rows=6,
            n_columns=4,
            n_published=6,
            n_groups=2,
            smallest=3,
            largest=3,
            checks=(check,),
        ),
        **changes,
    )


def boxes(n_groups: int, heat: bool = False, seed: int = 0) -> PartitionView:
    rng = np.random.default_rng(seed)
    x, y = rng.integers(17, 80, n_groups), rng.integers(0, 5, n_groups)
    wide, high = rng.integers(0, 10, n_groups), rng.integers(0, 5 - y) if n_groups else y
    edges = np.array([10.0, 50.0, 90.0]), np.array([0.0, 2.0, 5.0])
    return PartitionView(
        x=Axis("age", "numeric", step=1),
        y=Axis("school", "categorical", ("none", "primary", "middle", "high", "college")),
        x_lo=x,
        x_hi=x + wide,
        y_lo=y,
        y_hi=y + high,
        size=rng.integers(10, 20, n_groups),
        heat=Heat(*edges, np.array([[500, 9], [10, 400]])) if heat else None,
    )


def full_story(name: str = "age", n_groups: int = 300, **changes: Any) -> Story:
    """Every field is filled; ``name`` stands wherever a user's text can stand."""
    school = ("none", "primary", "middle", "high", name + " school")
    story = Story(
        title=name,
        threshold=10,
        n_rows=4211,
        n_columns=4,
        n_published=4200,
        n_groups=n_groups,
        smallest=10,
        largest=19,
        checks=(Check(words=f"Every {name} is shared (k = 10).", asked=f"k = 10 {name}", reached="k = 10", ok=True),),
        input_name=name + ".csv",
        created="15 November " + name,
        uniques_before=7,
        uniques_after=0,
        asked=(f"Every {name} is shared.",),
        columns=(
            ColumnFacts(
                name=name, role="quasi", kind="numeric", weight=2.0, nulls="own value", hierarchy=None, publish="range"
            ),
            ColumnFacts(
                name="school",
                role="quasi",
                kind="categorical",
                weight=1.0,
                nulls=None,
                hierarchy="tree " + name,
                publish="ancestor",
            ),
            ColumnFacts(name="id " + name, role="identifier"),
            ColumnFacts(name="disease", role="sensitive", kind="categorical"),
        ),
        sensitive=(
            SensitiveFacts(
                "disease " + name,
                "equal",
                {"l_frequency": 1.0, "l_distinct": 1, "t": 0.97, "beta": None, "delta": None},
                {"l_frequency": 2.5, "l_distinct": 3, "l_entropy": 2.7, "t": 0.2, "beta": 1234.5, "delta": 0.5},
            ),
        ),
        unit=name + " id",
        smallest_people=9,
        method="mondrian " + name,
        options={"strict": True, name: name},
        seed=1,
        explanation=(f"The column {name} was cut.",),
        utility=Utility(gcp=0.1234, c_dm=61234.0, c_avg=1.4, lm=0.2, ncp={name: 0.5, "school": 0.03}),
        class_sizes=ClassSizes(np.arange(10, 20), np.arange(10, 0, -1)),
        distributions=(
            Distribution(name, "numeric", np.array([900, 2500, 811]), np.array([1000.0, 2300.0, 900.0]), np.arange(4)),
            Distribution("school", "categorical", np.array([3, 1200, 1500, 1504, 4]), np.full(5, 840.0), None, school),
        ),
        partition=replace(boxes(n_groups), x=Axis(name, "numeric", step=1)),
        check_sql=f'SELECT "{name}"\nFROM release',
        digests={name: "ab" * 32},
        versions={name: "1.0"},
        caveats=(f"Whoever knows {name} knows it.",),
        assumptions=(f"One row is one {name}.",),
    )
    return replace(story, **changes)
