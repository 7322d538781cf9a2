"""Cells and column names that mean harm, or would do some where somebody is careless."""

from __future__ import annotations

import pyarrow as pa

import amongst as am

CELLS = [
    "=cmd|' /C calc'!A0",
    '=HYPERLINK("http://example.org/?x="&A1,"click")',
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "+1+cmd|' /C calc'!A0",
    "-1+cmd|' /C calc'!A0",
    "\t=1+1",
    "<script>document.title='ran'</script>",
    "<img src=x onerror=\"document.title='ran'\">",
    "</style></script><svg onload=document.title='ran'>",
    "{{ 7*7 }}{% raw %}",
    "javascript:document.title='ran'",
    "'; DROP TABLE people; --",
    'x" OR "1"="1',
    "\\'; \\copy (select 1) to '/x'; --",
    "\x1b[31mred\x1b[0m\x07",
    "\x01\x02\x08\x0b\x7f",
    "\u202egnp.exe\u202c",
    "a\u200bb\u2066c\u2069",
    "line one\nline two\r\nline three",
    'comma, semicolon; pipe| tab\t quote"',
    "",
    " ",
    "NULL",
    "NaN",
    "*",
    "[1-2]",
    "{a,b}",
    "🧑‍🤝‍🧑 👩🏽‍⚕️ ﷽",
    "e\u0301 vs é",
    "x" * 100_000,
    "\ufeffbom",
    "\ud7ff\ue000\U0010ffff",
    "%s %d %n {0} ${HOME} $(id) `id`",
    "../../etc/passwd",
]
NUL = "before\x00after"
"""Apart from the others: PostgreSQL text cannot hold it."""

NAMES = [
    "=1+1",
    "<script>document.title='ran'</script>",
    "<b onmouseover=alert(1)>x</b>",
    'a"; DROP TABLE t; --',
    "it's",
    "{{ 7*7 }}",
    "\u202eeman",
    "\x1b[31mred",
    "two\nlines",
    "[bold]markup[/bold]",
    "🧑‍🤝‍🧑",
    "select",
    "dots.in.names",
    "%s{0}",
]


def hostile_table(cells: list[str], role_of_cells: str) -> tuple[pa.Table, am.Schema]:
    """Every hostile cell twice, as a quasi-identifier, a sensitive or a kept column."""
    n = 2 * len(cells)
    table = pa.table({"age": [20 + i % 3 for i in range(n)], "word": cells * 2, "pay": list(range(n))})
    roles = {
        "age": am.Column(role="quasi", kind="numeric"),
        "word": am.Column(role=role_of_cells, kind="categorical"),  # type: ignore[arg-type]
        "pay": am.Column(role="sensitive"),
    }
    return table, am.Schema(roles)


def hostile_names() -> tuple[pa.Table, am.Schema]:
    """Columns with every hostile name, with all roles in turn."""
    roles = ["quasi", "sensitive", "keep", "identifier"]
    columns = {name: [f"v{(i * j) % 3}" for i in range(12)] for j, name in enumerate(NAMES)}
    schema = {name: am.Column(role=roles[j % 4]) for j, name in enumerate(NAMES)}  # type: ignore[arg-type]
    return pa.table(columns), am.Schema(schema)
