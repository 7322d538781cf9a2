"""The text of a job file from what it says, and over a text that is there: comments, order and spelling stay."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

import tomlkit
from tomlkit.items import AoT, Comment, InlineTable, Item, Null, Table, Whitespace

from amongst.schema.value_text import text_of

Fields = dict[str, Any]


def toml_text(content: Mapping[str, Any]) -> str:
    """The fields of a job file, or some of them, as text.

    Examples
    --------
    >>> from amongst.job.toml import toml_text
    >>> print(toml_text({"columns": {"zip code": {"role": "quasi", "hierarchy": {"digits": 5}}}}), end="")
    [columns."zip code"]
    role = "quasi"
    hierarchy = { digits = 5 }
    """
    return rewritten("", {}, plain(content))


def rewritten(text: str, before: Fields, after: Fields) -> str:
    """The text with what is another in ``after`` than in ``before``; all else stays as it is written.

    Parameters
    ----------
    text : str
        TOML that says ``before``, though perhaps in other words: a value that is as usual may be left out.
    """
    document = tomlkit.parse(text)
    above: list[tuple[Table, str]] = []
    end = _taken(document, above, "")
    _change(document, before, after, ())
    for table, words in above:  # not before: what is added to a table is indented as the table is
        table.trivia.indent = words + table.trivia.indent
    changed = tomlkit.dumps(document) + end
    return changed if text else changed.lstrip("\n")


def plain(content: Any) -> Any:
    """The same as TOML has it: texts, numbers, truth, dates and times, lists and tables of them."""
    if isinstance(content, Mapping):
        return {str(name): plain(below) for name, below in content.items()}
    if isinstance(content, (list, tuple)):
        return [plain(below) for below in content]
    if isinstance(content, (str, bool, int, float, dt.date, dt.time)):
        return float(content) if isinstance(content, float) else content
    return content.as_posix() if isinstance(content, PurePath) else text_of(content)


def comment(text: str) -> str:
    """A comment on one line, whatever the text holds."""
    words = re.sub(r"[\x00-\x1f\x7f\x85\u2028\u2029]", " ", text)
    return f"# {words}".rstrip()


def _taken(container: Any, above: list[tuple[Table, str]], words: str) -> str:
    """Take out the comments and empty lines above every header: they are about the table that it opens, not about the
    one before it, where the library keeps them. Returns those that are left at the end."""
    waiting: list[int] = []

    def take() -> str:
        taken = "".join(container.body[i][1].as_string() for i in waiting)
        for i in waiting:
            container.body[i] = (None, Null())
        waiting.clear()
        return taken

    for i, (name, item) in enumerate(container.body):
        if isinstance(item, (Whitespace, Comment)):
            waiting.append(i)
        elif isinstance(item, (Table, AoT)) and not name.is_dotted():
            words += take()
            for table in item.body if isinstance(item, AoT) else [item]:
                if not table.is_super_table():
                    above.append((table, words))
                    words = ""
                words = _taken(table.value, above, words)
        else:
            waiting.clear()
    return words + take()


def _change(table: Any, before: Fields, after: Fields, path: tuple[str, ...]) -> None:
    """Bring a table of the document from one to the other."""
    for name in before:
        if name not in after and name in table:
            table.remove(name)
    for name, value in after.items():
        old, place = before.get(name), (*path, name)
        if name in before and repr(old) == repr(value):
            continue
        there = table.get(name)
        if isinstance(there, AoT) and isinstance(old, list) and isinstance(value, list):
            _change_models(there, old, value)
        elif isinstance(old, dict) and isinstance(there, Mapping) and _has_header(place, value):
            _change(there, old, value, place)
        elif place == ("privacy",):
            if value:
                table[name] = tomlkit.aot()
                _change_models(table[name], [], value)
        elif _has_header(place, value) and not isinstance(table, InlineTable):
            table[name] = _table(value, place)
            if table[name].is_super_table():
                table[name].trivia.indent = ""
        else:
            table[name] = _item(value)


def _change_models(models: AoT, before: list[Fields], after: list[Fields]) -> None:
    """The models that are still asked for keep what was written about them."""
    left = dict(enumerate(before))
    kept: dict[int, Fields] = {}
    new = []
    for model in after:
        same = [i for i in left if left[i] == model] or [i for i in left if left[i].get("model") == model.get("model")]
        if same:
            kept[same[0]] = model
            del left[same[0]]
        else:
            new.append(model)
    for i, model in kept.items():
        _change(models[i], before[i], model, ("privacy", ""))
    for i in sorted(left, reverse=True):
        del models[i]
    for model in new:
        models.append(_table(model, ("privacy", "")))


def _table(content: Fields, path: tuple[str, ...]) -> Item:
    headed = [_has_header((*path, name), value) for name, value in content.items()]
    table = tomlkit.table(is_super_table=bool(headed) and all(headed))
    table.trivia.indent = "" if table.is_super_table() else "\n"
    _change(table, {}, content, path)
    return table


def _has_header(path: tuple[str, ...], value: Any) -> bool:
    """Whether a table stands below a line ``[columns.age]`` of its own; others are written within a line."""
    if not isinstance(value, Mapping):
        return False
    if path[0] == "tables" and len(path) > 2:
        path = path[2:]
    match path:
        case [_] | ["columns" | "tables", _] | ["method", "options"] | ["columns", _, "hierarchy", "nested"]:
            return True
        case ["columns", _, "hierarchy"]:
            return "nested" in value
    return False


def _item(value: Any) -> Item:
    """A value within a line."""
    if isinstance(value, Mapping):
        table = tomlkit.inline_table()
        space = [tomlkit.ws(" ")] if value else []
        for name, below in [*((None, one) for one in space), *value.items(), *((None, one) for one in space)]:
            table.append(name, below if name is None else _item(below))
        return table
    if isinstance(value, list):
        array = tomlkit.array()
        for below in value:
            array.append(_item(below))
        return array
    return tomlkit.item(value)
