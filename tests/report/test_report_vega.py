"""The specs are plain data that a Vega-Lite renderer accepts, and hide what the page hides."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest
from story_examples import NASTY, bare_story, full_story

from amongst.errors import BadOption
from amongst.report import Axis, Distribution, PartitionView
from amongst.report.vega import CHARTS, spec


@pytest.mark.parametrize("name", CHARTS)
@pytest.mark.parametrize("text", ["age", NASTY[0], NASTY[1]])
def test_spec_is_valid(name: str, text: str) -> None:
    altair = pytest.importorskip("altair")
    drawn = spec(full_story(text, n_groups=30), name)
    json.dumps(drawn, allow_nan=False)
    altair.Chart.from_dict(drawn)


def test_dates_become_milliseconds() -> None:
    day = PartitionView(x=Axis("day", "date", step=1), y=Axis("y"), x_lo=[0], x_hi=[9], y_lo=[0], y_hi=[1], size=[10])
    (box,) = spec(full_story(partition=day), "partition")["data"]["values"]
    assert (box["x_lo"], box["x_hi"]) == (0, 10 * 86_400_000)
    born = Distribution("born", "date", np.array([50, 60]), np.array([55.0, 55.0]), np.array([0, 1, 3]))
    (panel,) = spec(full_story(distributions=(born,)), "distributions")["concat"]
    assert panel["data"]["values"][1]["place"] == 86_400_000


def test_small_counts_are_hidden() -> None:
    town = Distribution(
        "town", "categorical", [3, 500, 9, 500], [5, 500, 5, 500], labels=("secret", "a", "secret", "b")
    )
    drawn = json.dumps(spec(full_story(distributions=(town,)), "distributions"))
    assert "secret" not in drawn
    assert "2 others" in drawn


def test_labels_are_quoted() -> None:
    axis = Axis("x", "categorical", ("it's", "back\\slash"))
    view = PartitionView(x=axis, y=axis, x_lo=[0], x_hi=[1], y_lo=[0], y_hi=[1], size=[10])
    drawn = spec(full_story(partition=view), "partition")
    assert drawn["encoding"]["x"]["axis"]["labelExpr"].startswith(r"['it\'s','back\\slash']")


def test_unknown_and_missing_charts_are_errors() -> None:
    with pytest.raises(BadOption, match="no chart 'pie'"):
        spec(full_story(), "pie")
    with pytest.raises(BadOption, match="nothing to draw"):
        spec(bare_story(), "class-sizes")


def test_nothing_is_imported_for_it() -> None:
    code = "import sys, amongst.report.vega; sys.exit('altair' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": ":".join(sys.path)}, check=True)
