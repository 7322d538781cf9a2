"""The gauntlet: tables as people have them, from the first look to the evidence, by the command and in Python."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_life import live
from gauntlet_table import GauntletTable
from look_alikes import LOOK_ALIKES
from original_cells import original_cells
from python_life import live_in_python
from real_tables import REAL, THOROUGH
from seen_cells import looked_for, seen, texts_in

MADE = ("job.toml", "out", "out.inside", "pack", "compare.html", "compare.json")
TYPED = [*LOOK_ALIKES, *(REAL if THOROUGH else ())]
"""Real tables have thousands of rows: `make test` walks two of them in Python, `make gauntlet` all by command too."""
PEOPLE = [table for table in TYPED if table.unit]


@pytest.mark.parametrize("table", TYPED, ids=str)
def test_the_whole_life_by_command(table: GauntletTable, tmp_path: Path) -> None:
    _nobody_is_named(table, tmp_path, live(table, tmp_path, people=False, fresh=THOROUGH).told)


@pytest.mark.parametrize("table", PEOPLE, ids=str)
def test_the_whole_life_by_command_with_people_counted(table: GauntletTable, tmp_path: Path) -> None:
    _nobody_is_named(table, tmp_path, live(table, tmp_path, people=True, fresh=THOROUGH).told)


@pytest.mark.parametrize("people", [False, True], ids=["rows", "people"])
@pytest.mark.parametrize("table", [*LOOK_ALIKES, *REAL], ids=str)
def test_the_whole_life_in_python(table: GauntletTable, people: bool, tmp_path: Path) -> None:
    if people and table.unit is None:
        pytest.skip("one row a person")
    shown, refused = live_in_python(table, tmp_path, people)
    assert not refused or table.refused, f"{table}: {refused}"
    _nobody_is_named(table, tmp_path, shown)


def _nobody_is_named(table: GauntletTable, folder: Path, told: list[tuple[str, str]]) -> None:
    if not table.people:
        return
    wanted = looked_for(*original_cells(table, table.place(folder)))
    assert wanted, "the table names people"
    texts = [*told, *(one for made in MADE for one in texts_in(folder / made))]
    found = {where: n for where, text in texts if (n := seen(wanted, text))}
    assert not found, f"{table}: cells that name people, seen in {found}"
