"""The whole life of a release as a person types it: real processes, exit codes, what is printed and written."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from gauntlet_table import GauntletTable

from typed_commands import typed

RULE = '# nulls = "own value"'
INTERNAL = ("Traceback (most recent call last)", "defect in amongst", "Error: This is a defect")


@dataclass
class Life:
    """What happened: the words of every command, and the folders that were made."""

    table: GauntletTable
    folder: Path
    fresh: bool
    told: list[tuple[str, str]] = field(default_factory=list)
    refused_at: str = ""

    def run(self, *arguments: object, may_refuse: bool = False) -> int:
        """One command; its exit code, which is one that was expected."""
        line = [str(one) for one in arguments]
        ended = typed(line, self.folder, self.fresh)
        words = ended.stdout + ended.stderr
        self.told.append((line[0], words))
        shown = f"{self.table}: amongst {' '.join(line)} ended with {ended.returncode}\n{words[-3000:]}"
        assert not any(sign in words for sign in INTERNAL), shown
        assert ended.returncode in ((0, 1, 2) if may_refuse else (0,)), shown
        if ended.returncode in (1, 2) and may_refuse:
            assert "Error" in ended.stderr, f"a refusal says why\n{shown}"
            self.refused_at = line[0]
        return ended.returncode


def live(table: GauntletTable, folder: Path, people: bool, fresh: bool) -> Life:
    """inspect, run, verify, risk, attack, evidence, query, compare; with people counted if asked."""
    life = Life(table, folder, fresh)
    path = table.place(folder)
    job = folder / "job.toml"
    may = table.refused.split(":")[0]
    if life.run("inspect", path, "--write", job, *_reading(table), may_refuse=may == "inspect"):
        return life
    people = _edit(job, table, people)
    life.run("plan", job, may_refuse=bool(may))
    ended = life.run("run", job, "--out", "out", may_refuse=True)
    if ended and job_decided(job):
        life.refused_at = ""
        ended = life.run("run", job, "--out", "out", may_refuse=may == "run")
    if ended:
        assert may == "run", f"{table}: refused at run\n{life.told[-1][1]}"
        assert not (folder / "out").exists(), "a refused run leaves no release"
        return life
    life.run("verify", "out")
    alone = folder / "elsewhere" / "public"
    shutil.copytree(folder / "out", alone)
    life.run("verify", alone, *(["--rows"] if people else []))  # who is who lies inside: rows can be counted by anybody
    life.run("risk", "out")
    life.run("risk", "out", "--original", job)
    life.run("attack", "out")
    life.run("attack", "out", "--original", job, "--most", "200")
    life.run("evidence", "out", "--original", job, "--out", "pack")
    life.run("query", "out", "SELECT COUNT(*)")
    life.run("query", "out", _question(folder))
    life.run("compare", job, "-m", "mondrian,hilbert", "-k", str(table.k), "--processes", "1", "--out", "compare.html")
    return life


def _reading(table: GauntletTable) -> list[str]:
    given = []
    for key, value in (table.reading or {}).items():
        given += ["--no-header"] if key == "header" else [f"--{key}", value]
    return given


def _edit(job: Path, table: GauntletTable, people: bool) -> bool:
    """The table's k, and people counted if asked; whether they are, since the draft may have found them by itself."""
    text = job.read_text(encoding="utf-8").replace("k = 10", f"k = {table.k}")
    found = re.search(r"^unit = ", text, flags=re.MULTILINE) is not None
    if people and not found:
        text = text.replace("[input]", f"[input]\nunit = {json.dumps(table.unit)}", 1)
    job.write_text(text, encoding="utf-8")
    return people or found


def job_decided(job: Path) -> bool:
    """Take the "#" away from the first rule for nulls of every column that asks for one; whether any did."""
    text = job.read_text(encoding="utf-8")
    decided = re.sub(f"^{re.escape(RULE)}", RULE[2:], text, flags=re.MULTILINE)
    job.write_text(decided, encoding="utf-8")
    return decided != text


def _question(folder: Path) -> str:
    """Something that any table can be asked, of its first published column; whatever the release is written as."""
    manifest = json.loads((folder / "out" / "manifest.json").read_text(encoding="utf-8"))
    quoted = '"' + next(iter(manifest["output"]["columns"])).replace('"', '""') + '"'
    return f"SELECT COUNT(*) WHERE {quoted} IS NOT NULL"
