"""Every number in the code that switches what happens: constants of modules, and defaults of parameters."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import amongst

ROOT = Path(amongst.__file__).parent
Number = int | float
A_NUMBER = re.compile(r"=\s*[-+~(]*\d")
"""A file without this has no limit; most have none and need not be parsed."""


@dataclass(frozen=True)
class Limit:
    """A number with a name: ``module:NAME``, or ``module:function(parameter)``."""

    module: str
    name: str
    function: str = ""
    value: Number = 0

    def __str__(self) -> str:
        module = self.module.removeprefix("amongst.")
        return f"{module}:{self.function}({self.name})" if self.function else f"{module}:{self.name}"


@cache
def limits() -> list[Limit]:
    """All of them, in the order of the files."""
    return [limit for path in sorted(ROOT.rglob("*.py")) for limit in _limits_of(path)]


@cache
def users() -> dict[str, set[tuple[str, str]]]:
    """For every limit the functions (file, name) that read it: where it was written, and where it was imported to."""
    found: dict[str, set[tuple[str, str]]] = {}
    known = {(limit.module, limit.name): str(limit) for limit in limits() if not limit.function}
    for path in sorted(ROOT.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        here = {name: key for (module, name), key in known.items() if module == module_of(path)}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    if (key := known.get((node.module, alias.name))) is not None:
                        here[alias.asname or alias.name] = key
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                for node in ast.walk(function):
                    if isinstance(node, ast.Name) and node.id in here:
                        found.setdefault(here[node.id], set()).add((str(path), function.name))
    for limit in limits():
        if limit.function:
            found.setdefault(str(limit), set()).add((str(path_of(limit.module)), limit.function))
    return found


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def path_of(module: str) -> Path:
    path = ROOT.parent / Path(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def _limits_of(path: Path) -> list[Limit]:
    module, found, text = module_of(path), list[Limit](), path.read_text(encoding="utf-8")
    if not A_NUMBER.search(text):
        return found
    tree = ast.parse(text)
    for node in tree.body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        value = getattr(node, "value", None)
        if isinstance(target, ast.Name) and value is not None and (number := _number(value)) is not None:
            found.append(Limit(module, target.id, value=number))
    for node in _statements(tree.body):
        if isinstance(node, ast.FunctionDef):
            found += [Limit(module, name, node.name, value) for name, value in _defaults(node)]
    return found


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements, inner ones too; no expressions."""
    for node in body:
        yield node
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            yield from _statements(getattr(node, part, []))


def _defaults(function: ast.FunctionDef) -> list[tuple[str, Number]]:
    """Parameters whose default is a number other than 0, 1 and -1 (which say "none" or "as it is")."""
    given = function.args
    placed = [*given.posonlyargs, *given.args]
    pairs = list(zip(placed[len(placed) - len(given.defaults) :], given.defaults, strict=True))
    pairs += [(one, value) for one, value in zip(given.kwonlyargs, given.kw_defaults, strict=True) if value is not None]
    found = [(one.arg, _number(value)) for one, value in pairs]
    return [(name, number) for name, number in found if number is not None and abs(number) not in (0, 1)]


def _number(node: ast.expr) -> Number | None:
    """The value of an expression of numbers, or None where it is anything else."""
    if not all(
        isinstance(part, ast.Constant | ast.BinOp | ast.UnaryOp | ast.operator | ast.unaryop) for part in ast.walk(node)
    ):
        return None
    try:
        value = eval(compile(ast.Expression(node), "", "eval"), {"__builtins__": {}})
    except TypeError:
        return None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None
