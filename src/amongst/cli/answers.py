"""What commands answer with ``--json``: every command declares its keys in ``ANSWER``, here they become a JSON schema.

A key is declared as ``"type: words"``. Types are those of JSON, ``[object]`` for a list of objects; a question mark
after the type means that it can be null, one after the key that it can be absent. Keys may be added under the same
number of the format; one that goes or changes its meaning raises it.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

FORMAT = 1
"""The number of the format of all answers."""

ERROR = {
    "error": "string: the code of the error",
    "what": "string: what cannot be done",
    "found": "[string]: what was found, never a cell",
    "fix": "string: what would mend it",
    "problems?": "[object]: of a job file, every problem with its place",
    "largest_k?": "integer: where k is too large, the largest that can be asked for",
    "hint?": "[string]: what else may help",
}
RELEASE = {
    "folder": "string: where the release is",
    "report": "string?: its page for people",
    "format": "integer: the number of the manifest's format",
    "document": "string: public",
    "input": "object: what may be told of the input",
    "privacy": "[object]: the models that were asked, each with its numbers",
    "method": "object: name and options",
    "output": "object: files with their digests, columns, rows, and about how many rows were left out",
    "proved": "object: what the verifier found in the written files: ok, models, rows, classes, loss",
    "utility": "object: losses of the published table",
    "versions": "object: of amongst and what it uses",
    "hardened?": "object: of a hardened release, the promises and what everybody can measure of them",
    "warnings?": "[string]: what one should know and is dangerous; for the owner only",
    "notes?": "[string]: what else one should know; for the owner only",
}
ONE_TABLE = RELEASE | {
    "schema": "object: role, kind and way to publish of every column",
    "sensitive": "[object]: how far from the whole",
}
MANY_TABLES = RELEASE | {
    "kind": "string: database",
    "tables": "object: of every table its key, parent and columns",
    "left_out": "[string]: tables that are not published",
}


def answer_schema(command: str) -> dict[str, Any]:
    """The JSON schema of what a command answers; ``error`` for what any of them answers instead."""
    if command == "error":
        return _schema("Any command that cannot do what was asked", ERROR)
    ways = _declared()[command]
    if len(ways) == 1:
        return _schema(f"amongst {command}", ways[0])
    shapes = [_schema(f"amongst {command}", way) for way in ways]
    together: dict[str, Any] = {}
    for shape in shapes:
        together |= shape["properties"]
    return {
        "title": f"amongst {command}",
        "type": "object",
        "properties": together,
        "anyOf": [{"required": s["required"]} for s in shapes],
    }


def all_answers() -> dict[str, Any]:
    """One JSON schema with a definition for every command."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Answers of amongst with --json, format {FORMAT}",
        "$defs": {name: answer_schema(name) for name in [*commands_with_answers(), "error"]},
    }


def commands_with_answers() -> list[str]:
    """All commands that answer."""
    return sorted(_declared())


def _declared() -> dict[str, tuple[dict[str, str], ...]]:
    from amongst.cli import commands

    declared = {}
    for found in pkgutil.iter_modules(commands.__path__, f"{commands.__name__}."):
        answer = getattr(importlib.import_module(found.name), "ANSWER", None)
        if answer is not None:
            name = found.name.rpartition(".")[2].replace("_", "-")
            declared[name] = answer if isinstance(answer, tuple) else (answer,)
    return declared


def _schema(title: str, keys: dict[str, str]) -> dict[str, Any]:
    return {
        "title": title,
        "type": "object",
        "properties": {key.removesuffix("?"): _key(said) for key, said in keys.items()},
        "required": [key for key in keys if not key.endswith("?")],
    }


def _key(said: str) -> dict[str, Any]:
    kind, _, words = said.partition(": ")
    may_be_null, kind = kind.endswith("?"), kind.removesuffix("?")
    of = kind.removeprefix("[").removesuffix("]")
    if of == kind:
        return {"type": [kind, "null"] if may_be_null else kind, "description": words}
    return {"type": ["array", "null"] if may_be_null else "array", "items": {"type": of}, "description": words}
