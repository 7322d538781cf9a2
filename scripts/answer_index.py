"""Write the keys of all ``--json`` answers into ``docs/json.md``, from what the commands declare."""

from __future__ import annotations

from pathlib import Path

from amongst.cli.answers import answer_schema, commands_with_answers

PAGE = Path(__file__).parents[1] / "docs" / "json.md"
BEGIN, END = "<!-- the list: written by `make answers` -->", "<!-- end of the list -->"


def index() -> str:
    """A table of keys for every command."""
    return "\n\n".join(_table(name) for name in ["error", *commands_with_answers()])


def _table(name: str) -> str:
    schema = answer_schema(name)
    always = set.intersection(*(set(way["required"]) for way in schema.get("anyOf", [schema])))
    rows = [f"## {'Errors' if name == 'error' else f'`amongst {name}`'}", "", "| key | | |", "|---|---|---|"]
    for key, value in schema["properties"].items():
        kind, can_be_null = value["type"], isinstance(value["type"], list)
        kind = kind[0] if can_be_null else kind
        kind = f"list of {value['items']['type']}s" if kind == "array" else kind
        kind += " or null" * can_be_null + ("" if key in always else ", not always")
        rows.append(f"| `{key}` | {kind} | {value['description']} |")
    return "\n".join(rows)


def written() -> str:
    """The page with its list as it is now."""
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    return f"{before}{BEGIN}\n{index()}\n{END}{rest.split(END)[1]}"


if __name__ == "__main__":
    PAGE.write_text(written(), encoding="utf-8")
