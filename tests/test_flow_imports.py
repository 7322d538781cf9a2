"""What importing costs, and who knows whom: heavy libraries where they are used, one for frames at a time."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import amongst

SOURCE = Path(amongst.__file__).parent
HEAVY = ("pyarrow", "pandas", "polars", "duckdb", "narwhals", "altair", "jinja2")
FLOW = """
import amongst as am
schema = am.Schema({"a": am.Column(role="quasi"), "s": am.Column(role="sensitive")})
release = am.anonymize(data, schema, [am.KAnonymity(2)])
assert release.verdict.ok
out = release.table
release.write(folder + "/release")
"""
HIDE = """
from importlib.machinery import PathFinder
real = PathFinder.find_spec
PathFinder.find_spec = lambda name, *rest: None if name.split(".")[0] in blocked else real(name, *rest)
"""


def run(code: str, *arguments: str) -> str:
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def loaded_after(code: str) -> set[str]:
    return set(run(f"{code}\nimport sys; print(*sys.modules)").split())


def test_importing_amongst_imports_nothing_heavy() -> None:
    loaded = loaded_after("import amongst")
    assert not loaded & {*HEAVY, "numpy", "typer", "rich"}


@pytest.mark.parametrize(
    "code",
    [
        "import amongst as am; am.anonymize, am.verify, am.methods, am.Schema, am.KAnonymity, am.Release",
        "import amongst as am; am.methods()",
        "import amongst.read, amongst.encode, amongst.recode, amongst.measure, amongst.partition",
    ],
)
def test_looking_around_imports_nothing_heavy(code: str) -> None:
    assert not loaded_after(code) & set(HEAVY)


def test_verifying_shares_nothing_with_the_search() -> None:
    code = """
import amongst as am, pyarrow as pa
from amongst.models import KAnonymity
assert am.verify(pa.table({"a": ["1"] * 3}), ["a"], [KAnonymity(3)]).ok
"""
    loaded = loaded_after(code)
    for part in (
        "anonymize",
        "partition",
        "encode",
        "recode",
        "kernels",
        "measure",
        "read",
        "release",
        "report",
    ):
        assert not [name for name in loaded if name.startswith(f"amongst.{part}")], part


FRAMES = {
    "pandas": "import pandas; data = pandas.DataFrame({'a': [1, 2, 3, 4], 's': list('xyxy')})",
    "polars": "import polars; data = polars.DataFrame({'a': [1, 2, 3, 4], 's': list('xyxy')})",
    "pyarrow": "import pyarrow; data = pyarrow.table({'a': [1, 2, 3, 4], 's': list('xyxy')})",
    "csv": "data = folder + '/x.csv'; open(data, 'w').write('a,s\\n1,x\\n2,y\\n3,x\\n4,y\\n')",
}


@pytest.mark.parametrize("kind", FRAMES)
def test_one_frame_library_does_without_the_others(kind: str, tmp_path: Path) -> None:
    """The others cannot even be imported: as if they were not installed."""
    blocked = {"pandas", "polars", "duckdb", "altair"} - {kind}
    head = f"import sys; folder = sys.argv[1]; blocked = {blocked!r}\n{HIDE}"
    module = run(f"{head}\n{FRAMES[kind]}\n{FLOW}\nprint(type(out).__module__)", str(tmp_path))
    assert module.split(".")[0].strip() == ("pyarrow" if kind == "csv" else kind)


@pytest.mark.parametrize("kind", FRAMES)
def test_using_one_frame_library_never_imports_another(kind: str, tmp_path: Path) -> None:
    """But for pyarrow, which looks for pandas by itself when it makes its first array."""
    code = f"folder = {str(tmp_path)!r}\n{FRAMES[kind]}\n{FLOW}"
    others = {"pandas", "polars", "duckdb", "altair"} - {kind, "pandas"}
    assert not loaded_after(code) & others


def test_frame_libraries_are_imported_inside_functions_only() -> None:
    """And pandas and polars only where frames are read; all others take what narwhals gives."""
    at_top = re.compile(r"^(?:import|from) (?:pandas|polars|narwhals|altair|duckdb)\b", re.MULTILINE)
    anywhere = re.compile(r"^\s*import (?:pandas|polars)\b", re.MULTILINE)
    reading = ("read", "published", "verify", "analysis")
    texts = {path.relative_to(SOURCE): path.read_text(encoding="utf-8") for path in sorted(SOURCE.rglob("*.py"))}
    assert [str(path) for path, text in texts.items() if at_top.search(text)] == []
    assert [str(path) for path, text in texts.items() if path.parts[0] not in reading and anywhere.search(text)] == []
    assert any(anywhere.search(text) for text in texts.values())


def test_the_table_of_the_names_that_others_rely_on() -> None:
    for name in amongst.__all__:
        assert getattr(amongst, name) is not None
    assert callable(amongst.verify)
    assert callable(amongst.anonymize)
    with pytest.raises(AttributeError):
        _ = amongst.no_such_name
