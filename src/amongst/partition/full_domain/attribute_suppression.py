"""Attribute suppression: every quasi-identifier is kept as it is, or dropped to ``*`` for the whole table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from amongst.encode.coded import CodedTable
from amongst.errors import BadOption
from amongst.measure.at_levels import BOUNDED
from amongst.models import Model
from amongst.partition.flat_table import flat_table
from amongst.partition.full_domain.full_domain_optimum import METHOD as FULL_DOMAIN_OPTIMUM
from amongst.partition.full_domain.incognito import METHOD as INCOGNITO_SEARCH
from amongst.partition.full_domain.search import full_domain
from amongst.partition.method import Method
from amongst.partition.papers import INCOGNITO
from amongst.partition.partition import Partition


def attribute_suppression(
    table: CodedTable,
    models: Sequence[Model],
    *,
    suppression: float = 0.0,
    choose: str = "gcp",
    keep: Sequence[str] = (),
    progress: Callable[[int, int], None] | None = None,
) -> Partition:
    """The set of columns to drop that loses least.

    Paper
        LeFevre, DeWitt, Ramakrishnan, *Incognito*, SIGMOD 2005, section 5.1.1: a special case of full-domain
        generalization, due to Meyerson and Williams (PODS 2004).
    Guarantees
        Every class has at least k rows, and a column is either published as it is or as ``*`` everywhere. Of
        all 2^d sets of columns that hold, the one with the least loss is taken (``choose`` as in the
        full-domain methods; with equal weights, gcp drops the fewest columns). Columns in ``keep`` are not
        dropped.
    Choices
        The branch and bound of ``full_domain_optimum`` on a lattice of height 1 in every column, Incognito for the
        measures that cannot be bounded; ties as there.
    Departures
        Rows may be suppressed beside columns (``suppression``). Nulls that match anything stay null in a
        column that is dropped.
    Cost
        At most 2^d frequency sets; finding the fewest columns is NP-hard.
    """
    if isinstance(keep, str) or not all(isinstance(name, str) for name in keep):
        raise BadOption(
            "The columns to keep must be a list of names.",
            found=f"keep = {keep!r}",
            fix="use a list such as ['sex']",
        )
    search = full_domain(FULL_DOMAIN_OPTIMUM if choose in BOUNDED else INCOGNITO_SEARCH)
    limits = dict.fromkeys(keep, 0)
    found = search(flat_table(table), models, suppression=suppression, choose=choose, limits=limits, progress=progress)
    return replace(found, level_of_column=None, nodes="flat")


METHOD = Method(
    name="attribute-suppression",
    family="full_domain",
    place=60,
    group=attribute_suppression,
    takes="monotone models",
    recoding="global",
    words="Every column is kept as it is or dropped to * for the whole table: the set that loses least.",
    paper=f"{INCOGNITO}, section 5.1.1",
    decides_on="counts",
)
