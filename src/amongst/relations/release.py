"""A release of many tables: the account it gives of itself, where that of one table would not do."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.brief import page_part
from amongst.errors import BadOption
from amongst.relations.manifest import database_manifest
from amongst.relations.measure import measure_database
from amongst.release import Release
from amongst.release.account import Account
from amongst.verify.verdict import refuse_unproved

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.engines.store import Written
    from amongst.kernels.relations import Grouped
    from amongst.relations.forest import Forest
    from amongst.relations.measure import DatabaseUtility
    from amongst.relations.publish import PublishedTables
    from amongst.relations.relation import DatabaseSchema
    from amongst.relations.stored import Stored
    from amongst.verify import Verdict

    class DatabaseRelease(Release):
        """A release of many tables is a ``Release``; this tells type checkers what its parts are then."""

        schema: DatabaseSchema  # type: ignore[assignment]
        source: Stored  # type: ignore[assignment]
        coded: Forest  # type: ignore[assignment]
        partition: Grouped  # type: ignore[assignment]
        plan: PublishedTables  # type: ignore[assignment]
        utility: DatabaseUtility  # type: ignore[assignment]
        arrow: dict[str, pa.Table]
else:
    DatabaseRelease = Release


class ManyTables(Account):
    """Tables that hang on one table of persons."""

    def verdict(self, release: Any) -> Verdict:
        """What the verifier says, also whether every cell is true of its original."""
        known = {"original": release.source.tables, "input_row": release.plan.input_row}
        return _verified(release, release.arrow, **known)

    def prove(self, release: Any, published: tuple[Any, ...]) -> Verdict:
        refuse_unproved(release.verdict)  # it has seen the original, which files cannot be held against
        return _verified(release, published[0])

    def arrow(self, release: Any) -> dict[str, pa.Table]:
        return dict(release.plan.tables)

    def utility(self, release: Any) -> DatabaseUtility:
        return measure_database(release.coded, release.partition)

    def tables(self, release: Any) -> dict[str, Any]:
        return dict(release.store.frames(release.plan, release.schema))

    def group_of_person(self, release: Any) -> np.ndarray:
        """The group of every row of the table of persons, -1 where it was suppressed."""
        groups = np.full(release.coded.n_input[0], -1, dtype=np.int32)
        groups[release.coded.row_of[0]] = release.partition.group_of_person
        return groups

    def page(self, release: Any, verdict: Any, *, public: bool) -> str:
        from amongst.relations.report import render_database

        return render_database(release, verdict, public=public)

    def write_documents(self, release: Any, written: Written, verdict: Any, public: Path, inside: Path) -> bytes:
        from amongst.relations.public import public_database_manifest

        facts = database_manifest(release, written.sha256, verdict)
        facts.write(inside, release.report(verdict))
        return public_database_manifest(facts, release, verdict).write(public, release.report(verdict, public=True))

    def write_postgresql(self, release: Any, address: str, namespace: str) -> Verdict:
        """See ``Release.write_postgresql``."""
        from amongst.relations.stores.postgresql import write_postgresql

        refuse_unproved(release.verdict)
        seen: list[Verdict] = []

        def prove(tables: Mapping[str, pa.Table]) -> None:
            seen.append(_verified(release, tables))
            refuse_unproved(seen[0])

        write_postgresql(release.arrow, release.schema, address, namespace, prove)
        return seen[0]

    def brief(self, release: Any) -> str:
        sizes = ", ".join(f"{name}: {table.num_rows:,} rows" for name, table in release.arrow.items())
        return f"{sizes}; by {release.method}"

    def notebook(self, release: Any) -> str:
        rows = [(name, f"{table.num_rows:,}") for name, table in release.arrow.items()]
        return page_part(f"{len(rows)} tables published by {release.method}", rows, headings=["table", "rows"])

    def pickled(self, release: Any) -> dict[str, Any]:
        from dataclasses import fields, replace

        from amongst.left_out import LeftOut
        from amongst.relations.store import plain_tables

        state: dict[str, Any] = {field.name: LeftOut() for field in fields(release)}
        state |= {"request": replace(release.request, seed=None), "account": self}
        state |= {"verdict": release.verdict, "utility": release.utility, "tables": plain_tables(release.arrow)}
        state["certificate"] = release.certificate
        return {**state, "plan": LeftOut(tables=release.arrow)}

    def refuse(self, what: str) -> None:
        if what not in ("group_of_person", "write_postgresql"):
            raise BadOption(
                "This release is of many tables, and there is no such thing for them together.",
                found=f"asked for {what}",
                fix="take one of release.tables, or anonymize one table",
            )


def _verified(release: Any, published: Any, **known: Any) -> Verdict:
    from amongst.relations.verify import verify_database

    return verify_database(published, release.schema, release.models, **known)
