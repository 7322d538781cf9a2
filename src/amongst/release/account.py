"""The account that a release gives of itself: how one table, two tables or many are proved, measured and told."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.brief import page_part
from amongst.encode.target import has_classes
from amongst.errors import BadOption
from amongst.measure import measure, measure_groups
from amongst.measure.utility import cm_of
from amongst.release.documents import write_documents, write_people
from amongst.release.manifest import manifest_of
from amongst.release.public import public_story
from amongst.verify import verify

if TYPE_CHECKING:
    from amongst.engines.store import Written
    from amongst.release.release import Release
    from amongst.report import Story


class Account:
    """What differs between releases of one table, of two and of many; all else stands in ``Release`` once."""

    pair = False

    def verdict(self, release: Release) -> Any:
        """What the verifier says of what is published, before it is written anywhere."""
        return self.prove(release, release.store.unwritten(release.plan))

    def prove(self, release: Release, published: tuple[Any, ...]) -> Any:
        """What the verifier says of what was written: files, tables, or counts that a database makes."""
        raise NotImplementedError

    def arrow(self, release: Release) -> Any:
        """What is published as pyarrow, not yet verified."""
        return release.plan.table

    def utility(self, release: Release) -> Any:
        """What was kept and lost."""
        raise NotImplementedError

    def tables(self, release: Release) -> dict[str, Any]:
        """The published tables by their names, frames in the kind that came in."""
        raise NotImplementedError

    def page(self, release: Release, verdict: Any, *, public: bool) -> str:
        """The report as the text of one HTML file."""
        raise NotImplementedError

    def write_documents(self, release: Release, written: Written, verdict: Any, public: Path, inside: Path) -> bytes:
        """Write manifest and report, for the inside and for the public; the bytes of the public manifest."""
        raise NotImplementedError

    def brief(self, release: Release) -> str:
        """A few facts without a cell."""
        raise NotImplementedError

    def notebook(self, release: Release) -> str:
        """The same as a notebook shows it."""
        return page_part(self.brief(release), [])

    def pickled(self, release: Release) -> dict[str, Any]:
        """What a pickle holds: what is published, and figures."""
        raise NotImplementedError

    def refuse(self, what: str) -> None:
        """Raise where a release of so many tables has no such thing."""


class OneTable(Account):
    """One table: the usual case."""

    def refuse(self, what: str) -> None:
        if what in ("group_of_person", "write_postgresql"):
            raise BadOption(
                "This release is not of many tables.",
                found=f"asked for {what}",
                fix="use group_of_row, and write(folder, table=...) where the rows are in PostgreSQL",
            )

    def prove(self, release: Release, published: tuple[Any, ...]) -> Any:
        return verify(published[0], release.schema, release.models, units=release.person_of_row)

    def utility(self, release: Release) -> Any:
        target = release.coded.target
        cm = None if target is None or not has_classes(target) else cm_of(release.coded, release.plan, target)
        sizes = release.plan.size_of_class
        return measure(release.coded, release.schema, release.partition, sizes, release.models, cm)

    def tables(self, release: Release) -> dict[str, Any]:
        return {"release": release.table}

    def story(self, release: Release, **details: Any) -> Story:
        """What a report tells of the release."""
        from amongst.release.story import tell

        return tell(release, **details)

    def page(self, release: Release, verdict: Any, *, public: bool) -> str:
        story = self.story(release, verdict=verdict)
        return (public_story(story, verdict) if public else story).page()

    def write_documents(self, release: Release, written: Written, verdict: Any, public: Path, inside: Path) -> bytes:
        digests = {path.name: written.sha256[path.name] for path in written.files}
        if written.table is not None and "rows_sha256" in written.table:
            digests = {written.table["name"]: written.table["rows_sha256"]}
        story = self.story(release, verdict=verdict, files=written.files, digests=digests)
        facts = write_documents(public, inside, story, manifest_of(release, written, verdict), verdict)
        write_people(inside, release.person_of_row)
        return facts

    def brief(self, release: Release) -> str:
        sizes, models = release.plan.size_of_class, ", ".join(model.name for model in release.models)
        return f"{sizes.sum():,} rows published in {len(sizes):,} classes by {release.method} for {models}"

    def notebook(self, release: Release) -> str:
        rows = [(name, column.role, column.kind or "") for name, column in release.schema.items()]
        said = [
            *(one.words for one in release.worth_knowing),
            "The rows are sorted by what they publish: their order says nothing about the input.",
        ]
        return page_part(self.brief(release), rows, headings=["column", "role", "kind"], notes=said)

    def pickled(self, release: Release) -> dict[str, Any]:
        from amongst.left_out import without_rows

        return without_rows(release)


class TwoTables(OneTable):
    """Two tables that only a group number links: nothing is generalized, so there is nothing to lose by it."""

    pair = True

    def prove(self, release: Release, published: tuple[Any, ...]) -> Any:
        from amongst.verify.pair.pair import verify_pair

        first, second = published
        return verify_pair(first, second, release.schema, release.models)

    def utility(self, release: Release) -> Any:
        sizes = release.plan.size_of_class
        return measure_groups(release.coded, release.schema, release.partition, sizes, release.models)

    def tables(self, release: Release) -> dict[str, Any]:
        return {"release": release.table, "sensitive": release.sensitive_table}

    def story(self, release: Release, **details: Any) -> Story:
        from amongst.release.anatomy_story import tell_anatomy

        return tell_anatomy(release, **details)

    def refuse(self, what: str) -> None:
        super().refuse(what)
        if what in ("lower_bound", "least_loss"):
            raise BadOption(
                "Anatomy generalizes nothing, so there is no least loss to compare with.",
                found='method = "anatomy"',
                fix=f"use {what} with a method that generalizes",
            )


ONE_TABLE, TWO_TABLES = OneTable(), TwoTables()
