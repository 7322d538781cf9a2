"""The lock, the lower bounds and the bill of materials say what they should, and not where files came from."""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import subprocess
import sys
import tomllib
from importlib.machinery import SourceFileLoader
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LOCK = (ROOT / "requirements-dev.lock").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DISTRIBUTION = {"sklearn": "scikit-learn"}
BROUGHT_ALONG = {"pandas", "polars"}
"""Imported only to give back a frame of the kind that a user gave."""
LINE = re.compile(r"([a-z0-9.-]+)==(\S+) --hash=sha256:[0-9a-f]{64}")


def numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text))


def script(name: str) -> object:
    """A file of scripts/ as a module."""
    loader = SourceFileLoader(name, str(ROOT / "scripts" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
    try:
        loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = before
    return module


def test_every_line_of_the_lock_is_a_version_and_a_digest() -> None:
    lines = [line for line in LOCK.splitlines() if not line.startswith("#")]
    assert len(lines) > 20
    assert [line for line in lines if not LINE.fullmatch(line)] == []
    assert lines == sorted(lines)


def test_the_project_holds_what_was_written_here_and_no_packages_of_others() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode:
        pytest.skip("not a checkout of git")
    files = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    packages = {".whl", ".gz", ".zip", ".jar", ".so", ".pyd", ".egg"}
    assert [file.name for file in files if file.suffix in packages] == []
    assert [file.name for file in files if file.exists() and file.stat().st_size > 1_000_000] == []


def test_the_lock_says_nothing_about_where_files_came_from() -> None:
    assert not re.search(r"://|index|\.whl|\.tar|/simple", LOCK)


def test_the_lock_has_everything_that_is_needed_within_its_bounds() -> None:
    locked = dict(LINE.findall(LOCK))
    for requirement in [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dev"]]:
        name, _, oldest = requirement.partition(">=")
        assert name.lower() in locked, f"{name} is not locked: run make lock"
        assert numbers(locked[name.lower()]) >= numbers(oldest.partition(",")[0]), name


def test_every_library_that_the_package_imports_is_declared() -> None:
    groups = [one for name, one in PROJECT["optional-dependencies"].items() if name != "dev"]
    declared = {
        re.split(r"[<>=!~ \[]", one)[0].lower()
        for one in [*PROJECT["dependencies"], *(one for group in groups for one in group)]
    }
    imported = set()
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {one.name.partition(".")[0] for one in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                imported.add(str(node.module).partition(".")[0])
    libraries = imported - set(sys.stdlib_module_names) - {"amongst"} - BROUGHT_ALONG
    assert {DISTRIBUTION.get(name, name.replace("_", "-")) for name in libraries} - declared == set()


def test_the_oldest_versions_are_the_lower_bounds() -> None:
    minimal = script("minimal")
    assert minimal.oldest(["numpy>=1.26", "pyarrow >= 17,<99"]) == ["numpy==1.26", "pyarrow==17"]
    assert all("==" in one for one in minimal.oldest(PROJECT["dependencies"]))
    for part in minimal.PARTS:
        assert (ROOT / "tests" / part).is_dir(), part
    for file in minimal.FEW:
        assert (ROOT / file).is_file(), file


def test_the_bill_of_materials(tmp_path: Path) -> None:
    try:
        own = version("amongst")
    except PackageNotFoundError:
        pytest.skip("amongst is not installed here")
    pytest.importorskip("packaging")
    built = tmp_path / "amongst.whl"
    built.write_bytes(b"wheel")
    texts = []
    for name in ("one.json", "two.json"):
        subprocess.run([sys.executable, ROOT / "scripts" / "sbom", tmp_path / name, built], check=True)
        texts.append((tmp_path / name).read_text(encoding="utf-8"))
    assert texts[0] == texts[1]
    facts = json.loads(texts[0])
    assert (facts["bomFormat"], facts["specVersion"]) == ("CycloneDX", "1.5")
    assert facts["metadata"]["component"]["purl"] == f"pkg:pypi/amongst@{own}"
    names = {one["name"] for one in facts["components"]}
    assert {requirement.partition(">=")[0] for requirement in PROJECT["dependencies"]} <= names
    assert "pytest" not in names
    references = {one["bom-ref"] for one in facts["components"]} | {facts["metadata"]["component"]["bom-ref"]}
    assert {one["ref"] for one in facts["dependencies"]} == references
    assert {to for one in facts["dependencies"] for to in one["dependsOn"]} <= references
    assert "://" not in texts[0]
