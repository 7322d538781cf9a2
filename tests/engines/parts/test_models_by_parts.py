"""Models of sensitive values part by part: the same groups as in memory, or the same refusal."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from parts_runs import by_parts, group_of_row, stored

import amongst as am
from amongst.engines.parts import code_file
from amongst.errors import BadOption, Infeasible
from test_models_flow import MODELS, people

MONOTONE = [name for name, models in MODELS.items() if all(model.monotone for model in models)]


@pytest.mark.parametrize("name", MONOTONE)
@pytest.mark.parametrize("part_rows", [5, 40])
def test_same_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, part_rows: int) -> None:
    monkeypatch.setattr(code_file, "BLOCK", 50)
    for seed in range(4):
        folder = tmp_path / str(seed)
        folder.mkdir()
        table, schema = people(seed)
        path = stored(table, folder)
        expected = am.anonymize(path, schema, MODELS[name], method="mondrian")
        release = by_parts(path, schema, 1, "mondrian", folder=folder, part_rows=part_rows, models=MODELS[name])
        np.testing.assert_array_equal(group_of_row(release), expected.partition.group_of_row)
        assert release.write(folder / "out").ok


@pytest.mark.parametrize("name", sorted(set(MODELS) - set(MONOTONE)))
def test_what_joining_may_break_is_refused(tmp_path: Path, name: str) -> None:
    table, schema = people(1)
    with pytest.raises(BadOption, match="part by part"):
        by_parts(stored(table, tmp_path), schema, 1, "mondrian", folder=tmp_path, models=MODELS[name])


def test_infeasible_is_the_same_error(tmp_path: Path) -> None:
    table, schema = people(1)
    path, models = stored(table, tmp_path), [am.LDiversity(7, column="illness")]
    with pytest.raises(Infeasible) as in_memory:
        am.anonymize(path, schema, models, method="mondrian")
    with pytest.raises(Infeasible) as by_part:
        by_parts(path, schema, 1, "mondrian", folder=tmp_path, models=models)
    assert str(by_part.value) == str(in_memory.value)


@pytest.mark.parametrize(
    ("method", "models"),
    [
        ("hilbert", [am.LDiversity(2, "entropy", column="illness")]),
        ("mondrian-relaxed", [am.KAnonymity(3)]),
        ("top-down", [am.KAnonymity(3)]),
    ],
)
def test_what_cannot_be_done_is_refused(tmp_path: Path, method: str, models: list) -> None:
    table, schema = people(1)
    with pytest.raises(BadOption, match="part by part") as refused:
        by_parts(stored(table, tmp_path), schema, 3, method, folder=tmp_path, models=models)
    assert "allow more memory" in refused.value.fix
