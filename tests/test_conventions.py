"""What a reader of the source relies on: calls say what they pass, and where an import stands means something."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import amongst

ROOT = Path(amongst.__file__).parent
MOST_BY_PLACE = 6
"""So many arguments a call may pass by their places; the compiled kernels take all of theirs so."""


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


PATHS = {name_of(path): path for path in sorted(ROOT.rglob("*.py"))}


@cache
def tree_of(name: str) -> ast.Module:
    return ast.parse(PATHS[name].read_text(encoding="utf-8"))


@pytest.fixture(scope="module", autouse=True)
def _trees_are_let_go() -> Iterator[None]:
    yield
    tree_of.cache_clear()


def test_no_call_has_seven_arguments_by_place() -> None:
    found = [
        f"{name}:{call.lineno} {ast.unparse(call.func)}"
        for name in PATHS
        for call in ast.walk(tree_of(name))
        if isinstance(call, ast.Call) and len(by_place(call)) > MOST_BY_PLACE and not to_a_kernel(name, call)
    ]
    assert found == [], "pass them by name"


def by_place(call: ast.Call) -> list[ast.expr]:
    return [argument for argument in call.args if not isinstance(argument, ast.Starred)]


def to_a_kernel(name: str, call: ast.Call) -> bool:
    """A call of a compiled module, ``_compiled.mondrian(...)``, or of ``step``, which is compiled or its twin."""
    called = ast.unparse(call.func)
    return name.startswith("amongst.kernels.") and ((called.startswith("_") and "." in called) or called == "step")


def test_an_import_inside_a_function_buys_start_up_time() -> None:
    """Ours stand at the top of a file, unless what they load is not loaded with the file anyway."""
    idle = [
        f"{name}:{line} {target}"
        for name in PATHS
        for target, line in imports(tree_of(name).body, inside=True)
        if target in loaded_with(name)
    ]
    assert idle == [], "import it at the top: it is loaded with the file anyway"


def imports(body: list[ast.stmt], *, inside: bool, here: bool = False) -> Iterator[tuple[str, int]]:
    """What is imported of ourselves, with the line: at the top, or inside functions; nothing that is for types only."""
    for node in body:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.Import | ast.ImportFrom) and here is inside:
            yield from ((target, node.lineno) for target in targets(node))
        for part in ("body", "orelse", "finalbody", "handlers"):
            within = here or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            yield from imports(getattr(node, part, []), inside=inside, here=within)


def targets(node: ast.Import | ast.ImportFrom) -> list[str]:
    if isinstance(node, ast.Import):
        found = [alias.name for alias in node.names]
    else:
        ours = [f"{node.module}.{alias.name}" for alias in node.names]
        found = [one if one in PATHS else str(node.module) for one in ours]
    return [one for one in found if one in PATHS]


@cache
def loaded_with(name: str) -> frozenset[str]:
    """What is loaded when a file is: what it imports at its top, what these do, and the packages they are in."""
    seen, waiting = set[str](), [name]
    while waiting:
        parts = waiting.pop().split(".")
        for module in (".".join(parts[:n]) for n in range(1, len(parts) + 1)):
            if module not in seen:
                seen.add(module)
                waiting += [target for target, _ in imports(tree_of(module).body, inside=False)]
    return frozenset(seen)


def test_the_tests_above_can_fail() -> None:
    call = ast.parse("f(1, 2, 3, 4, 5, 6, 7)").body[0]
    assert isinstance(call, ast.Expr)
    assert isinstance(call.value, ast.Call)
    assert len(by_place(call.value)) == 7
    body = ast.parse("import amongst.errors\ndef f():\n    from amongst.errors import BadOption\n").body
    assert list(imports(body, inside=True)) == [("amongst.errors", 3)]
    assert list(imports(body, inside=False)) == [("amongst.errors", 1)]
    assert "amongst.models.model" in loaded_with("amongst.models")
