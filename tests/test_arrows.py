"""The law of the arrows: a package imports only what stands before it, inside functions too.

Imports inside functions are for start-up time alone. What is imported so is large or seldom needed: the verifier, the
readers of questions, pages, engines, the app.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import amongst

ROOT = Path(amongst.__file__).parent

ORDER = """
errors brief choices sql_text own_files left_out staging new_file signature month_names __version__
kernels models
read schema pseudonyms
encode recode measure
partition
published manifest verify query analysis
report
request engines
lattice release
anonymize acceptable dual recoding republish
risk attack harden review
relations job
compare learn evidence datasets
app cli
""".split()  # noqa: SIM905
"""The packages and modules of ``amongst``, from what needs nothing to what people touch."""

LOW = ("recode", "engines", "encode", "partition", "measure", "kernels")
"""How a release is made; none of it may read what was published, or an error of the writer would be undone."""


def modules() -> list[Path]:
    return sorted(path for path in ROOT.rglob("*.py") if path.name != "__main__.py" and path != ROOT / "__init__.py")


def package_of(path: Path) -> str:
    return path.relative_to(ROOT).with_suffix("").parts[0]


def imported(tree: ast.Module) -> Iterator[tuple[ast.stmt, str]]:
    """Every import of ourselves that runs, with the package that it names."""
    for_types = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if node in for_types:
            continue
        if isinstance(node, ast.Import):
            yield from ((node, one.name.split(".")[1]) for one in node.names if one.name.startswith("amongst."))
        elif isinstance(node, ast.ImportFrom) and node.module == "amongst":
            yield from ((node, one.name) for one in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("amongst."):
            yield node, str(node.module).split(".")[1]


def test_every_package_has_its_place() -> None:
    assert sorted({package_of(path) for path in modules()} | {"__version__"}) == sorted(ORDER)


@pytest.mark.parametrize("package", sorted({package_of(path) for path in modules()}))
def test_arrows_point_one_way(package: str) -> None:
    allowed = {*ORDER[: ORDER.index(package) + 1]}
    for path in modules():
        if package_of(path) == package:
            tree = ast.parse(path.read_text(encoding="utf-8"))
            wrong = {name for _, name in imported(tree)} - allowed
            assert not wrong, f"{path.relative_to(ROOT)} imports {sorted(wrong)}, which stands above it"


def test_no_writer_reads_what_was_published() -> None:
    adapters = {ROOT / "engines" / engine / "published.py" for engine in ("postgresql", "spark")}
    for path in modules():
        if package_of(path) in LOW and path not in adapters:
            names = {name for _, name in imported(ast.parse(path.read_text(encoding="utf-8")))}
            assert "published" not in names, f"{path.relative_to(ROOT)} reads what was published"


def test_the_map_in_the_docs_is_in_the_order_of_the_law() -> None:
    page = (ROOT.parents[1] / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = page[page.index("## The map") : page.index("Two walls")]
    first_cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    assert [name for cell in first_cells for name in re.findall(r"`(\w+)`", cell)] == [
        name for name in ORDER if name != "__version__"
    ]
