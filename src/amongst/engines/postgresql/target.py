"""Where the release goes: a new name, or the name of a release that is replaced at the very end."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from amongst.engines.postgresql.connection import Connection
from amongst.engines.postgresql.names import TableName, literal
from amongst.errors import BadOutput
from amongst.sql_text import quoted

MARK = "release of amongst"
"""How the comment of a release begins; no other table is ever replaced."""


@dataclass(frozen=True)
class Target:
    """The name of the release, and the name under which it is written."""

    connection: Connection
    name: TableName
    staged: TableName

    @property
    def replaces(self) -> bool:
        return self.name != self.staged

    @classmethod
    def find(
        cls, connection: Connection, asked: TableName, namespace: str | None, source: TableName, *, force: bool
    ) -> Target:
        """Raise where the name is taken, unless by a release that may be replaced."""
        if asked.namespace is None and namespace is None:
            raise BadOutput(
                "The table needs a schema.",
                found=f"{asked}, and no schema is in this user's search_path",
                fix="write schema.table",
            )
        name = TableName(asked.namespace or namespace, asked.name)
        if name == source:
            raise BadOutput("A table cannot be its own release.", found=f"{name}", fix="choose another name")
        _refuse_without_rights(connection, name)
        there = connection.find(name)
        if there is None:
            return cls(connection, name, name)
        _refuse_taken(connection, there, force)
        return cls(connection, name, TableName(name.namespace, f"amongst {secrets.token_hex(8)}"))

    def settle(self, note: str) -> None:
        """The last steps before the commit: the former release goes, the new one takes its name."""
        if self.replaces:
            self.connection.execute(f"DROP TABLE {self.name.sql}")
            self.connection.execute(f"ALTER TABLE {self.staged.sql} RENAME TO {quoted(self.name.name)}")
        self.connection.execute(f"COMMENT ON TABLE {self.name.sql} IS {literal(f'{MARK}: {note}')}")


def _refuse_without_rights(connection: Connection, name: TableName) -> None:
    """Raise where the table could not be made in the end."""
    [(temporary, create, read_only)] = connection.rows(
        "SELECT has_database_privilege(current_database(), 'TEMPORARY'), has_schema_privilege($1, 'CREATE'), "
        "current_setting('transaction_read_only') = 'on'",
        name.namespace,
    )
    if read_only:
        fix = "connect to the primary server, or turn default_transaction_read_only off for this user"
        raise BadOutput("The server takes no changes.", found=f"a read-only transaction, to write {name}", fix=fix)
    lacking = [] if create else [f"CREATE on the schema {name.namespace}"]
    lacking += [] if temporary else ["TEMPORARY on the database"]
    if lacking:
        found = f"the server denies this user to write {name}"
        raise BadOutput("The database user lacks a right.", found=found, fix=f"grant {' and '.join(lacking)}")


def _refuse_taken(connection: Connection, there: tuple[int, TableName, str], force: bool) -> None:
    number, name, kind = there
    [(comment,)] = connection.rows("SELECT obj_description($1::oid, 'pg_class')", number)
    ours = kind == "r" and str(comment or "").startswith(MARK)
    if ours and force:
        return
    fix = "choose another name, or use force to replace it" if ours else "choose another name, or drop it yourself"
    what = "There is a release of this name already." if ours else "There is something of this name already."
    raise BadOutput(what, found=f"{name}" + ("" if ours else ", not a release of amongst"), fix=fix)
