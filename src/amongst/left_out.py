"""A release without the table it was made of: what a pickle of it holds."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from amongst.errors import BadOption

if TYPE_CHECKING:
    from amongst.release.release import Release


class LeftOut:
    """Stands for what a pickle leaves out; whoever asks it for something is told so."""

    def __init__(self, **known: Any) -> None:
        self.__dict__.update(known)

    def __repr__(self) -> str:
        return "<left out of the pickle>"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise BadOption(
            "A pickled release holds the published table and its figures, not the original.",
            found=f"asked for {name!r}, which needs the rows it was made of",
            fix="make the release again, or write it to a folder before it is pickled",
        )


def without_rows(release: Release) -> dict[str, Any]:
    """What a pickle of a release holds: the request, the published table, the verdict and the figures."""
    figures: dict[str, Any] = {
        "utility": release.utility,
        "sensitive": release.sensitive,
        "population": release.population,
    }
    if release.store.in_memory:
        figures["verdict"] = release.verdict
    source = release.source
    known = {name: getattr(release.plan, name) for name in ("table", "sensitive", "size_of_class", "others")}
    state: dict[str, Any] = {field.name: LeftOut() for field in fields(release)}
    nothing = source.table.schema.empty_table().replace_schema_metadata(None)
    others = [name for name in known["others"] if name in source.spelled]
    texts = {name: source.spelled[name].only(release.plan.table.column(name)) for name in others}
    formed = dict.fromkeys(source.reads)
    empty = replace(source, table=nothing, sha256=None, spelled=texts, reads=formed, found={}, raw={})
    state |= {
        "request": replace(release.request, seed=None),
        "source": empty,
        "plan": LeftOut(**known),
        "account": release.account,
    }
    state["store"] = release.store.without_rows(empty)
    return {**state, **figures}
