"""What a control group (a container, a job of a cluster) leaves is what a run takes."""

from __future__ import annotations

from pathlib import Path

import pytest

from amongst.engines import memory
from amongst.engines.control_group import room_in_group
from amongst.errors import Infeasible

MB = 10**6
FIRST = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
SECOND = ("memory.max", "memory.current", "inactive_file")


def group(folder: Path, names: tuple[str, str, str], limit: object, taken: int, cached: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / names[0]).write_text(f"{limit}\n")
    (folder / names[1]).write_text(f"{taken}\n")
    (folder / "memory.stat").write_text(f"anon 5\n{names[2]} {cached}\n")


def own(folder: Path, text: str) -> Path:
    (folder / "own").write_text(text)
    return folder / "own"


@pytest.mark.parametrize(
    ("names", "told", "top"), [(SECOND, "0::/a/b\n", ""), (FIRST, "4:cpu,memory:/a/b\n", "memory")]
)
def test_the_narrowest_group_around_counts(tmp_path: Path, names: tuple[str, str, str], told: str, top: str) -> None:
    group(tmp_path / top / "a" / "b", names, 900 * MB, 300 * MB, 50 * MB)
    assert room_in_group(tmp_path, own(tmp_path, told)) == 650 * MB
    group(tmp_path / top / "a", names, 500 * MB, 400 * MB, 0)
    assert room_in_group(tmp_path, own(tmp_path, told)) == 100 * MB
    group(tmp_path / top / "a", names, 500 * MB, 501 * MB, 0)
    assert room_in_group(tmp_path, own(tmp_path, told)) == 0


def test_no_limit_and_no_group(tmp_path: Path) -> None:
    assert room_in_group(tmp_path, tmp_path / "nothing") is None
    assert room_in_group(tmp_path, own(tmp_path, "0::/\n7:pids:/x\n")) is None
    group(tmp_path, SECOND, "max", 5, 0)
    group(tmp_path / "memory", FIRST, 9223372036854771712, 5, 0)
    assert room_in_group(tmp_path, own(tmp_path, "0::/\n4:memory:/\n")) is None


def test_a_path_that_only_the_host_has_falls_back_to_what_is_mounted(tmp_path: Path) -> None:
    group(tmp_path, SECOND, 700 * MB, 100 * MB, 0)
    assert room_in_group(tmp_path, own(tmp_path, "0::/host/only\n")) == 600 * MB


def test_a_run_takes_no_more_than_the_group_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "room_in_group", lambda: 900 * MB)
    assert memory.budget("40GB").free <= 900 * MB
    assert memory.budget("40GB").limit < 40 * 10**9
    assert memory.free_memory() == 900 * MB
    asked = memory.resident() + 400 * MB
    assert memory.budget(asked).limit == asked
    monkeypatch.setattr(memory, "room_in_group", lambda: 100 * MB)
    with pytest.raises(Infeasible, match="too small"):
        memory.budget("4GB")
