"""Names of tables and columns as a user writes them, and as SQL does."""

from __future__ import annotations

import re
from dataclasses import dataclass

from amongst.errors import BadOption
from amongst.sql_text import quoted

LONGEST = 63
"""Bytes of a name that PostgreSQL keeps, unless it was built otherwise; the rest is cut off silently."""
_PART = r'(?:"((?:[^"]|"")+)"|([^".]+))'
_NAME = re.compile(rf"(?:{_PART}\.)?{_PART}")


@dataclass(frozen=True)
class TableName:
    """A table, with its schema where it was named."""

    namespace: str | None
    name: str

    @property
    def sql(self) -> str:
        parts = [self.name] if self.namespace is None else [self.namespace, self.name]
        return ".".join(map(quoted, parts))

    def __str__(self) -> str:
        return self.name if self.namespace is None else f"{self.namespace}.{self.name}"


def literal(text: str) -> str:
    """A text literal, whatever ``standard_conforming_strings`` says."""
    doubled = text.replace("'", "''")
    return f"'{doubled}'" if "\\" not in text else "E'" + doubled.replace("\\", "\\\\") + "'"


def table_name(text: str) -> TableName:
    """A name such as ``people``, ``public.people`` or ``"my schema"."a.b"``.

    Capitals mean themselves. Quotes are needed only around a part that holds a dot or a quote.

    Examples
    --------
    >>> from amongst.engines.postgresql.names import table_name
    >>> table_name("public.People").sql
    '"public"."People"'
    >>> table_name('"a.b"').name
    'a.b'
    """
    match = _NAME.fullmatch(text)
    if match is None or "\0" in text:
        raise BadOption(
            "This is not the name of a table.",
            found=f"{text!r}",
            fix='write schema.table; put a part with a dot or a quote in it into quotes: public."a.b"',
        )
    parts = [one.replace('""', '"') for one in match.groups() if one is not None]
    _refuse_long(parts)
    return TableName(parts[0] if len(parts) == 2 else None, parts[-1])


def too_long(name: str) -> bool:
    """Whether PostgreSQL would cut the name off."""
    return len(name.encode()) > LONGEST


def _refuse_long(parts: list[str]) -> None:
    if any(map(too_long, parts)):
        raise BadOption(
            "The name of the table is too long for PostgreSQL, which would cut it off.",
            found=f"{max(len(part.encode()) for part in parts)} bytes",
            fix=f"use at most {LONGEST} bytes",
        )
