"""The register of methods: a plain dict that one can grep."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

from amongst.errors import BadOption

if TYPE_CHECKING:
    from amongst.partition.partition import Partition

HIDDEN = ("table", "models", "progress", "report_loss", "row_at")


@dataclass(frozen=True)
class Method:
    """What a method is, needs and gives.

    Attributes
    ----------
    home : str or callable
        Where it is: the file of this folder and the name in it, imported when it is used; or the function itself.
    takes : {"models", "models itself", "monotone models", "k", "l"}
        Every model, where groups that fail are mended or where the method sees to it itself; those that hold for
        every generalization of a release that holds them; k-anonymity of rows; l-diversity.
    words : str
        One sentence for a list.
    recoding : {"global", "local", "none"}
        Whether rows with the same quasi-identifiers always stay together; "none" where they are not recoded, and
        two tables are published.
    paper : str
    """

    name: str
    home: str | Callable[..., Partition]
    takes: str
    words: str
    recoding: str
    paper: str

    @cached_property
    def run(self) -> Callable[..., Partition]:
        """``run(table, models, **options) -> Partition``"""
        found: Any = self.home
        if isinstance(self.home, str):
            file, name = self.home.split(":")
            found = getattr(import_module(f"amongst.partition.{file}"), name)
        if "sets" in inspect.signature(found).parameters:  # a search over the lattice
            from amongst.partition.full_domain import full_domain

            return full_domain(found)
        if self.takes in ("monotone models", "l"):
            return found
        from amongst.partition.mend import mended, only_k

        return (
            only_k(found, self.name)
            if self.takes == "k"
            else mended(found, native=self.takes == "models itself", together=self.recoding == "global")
        )

    @property
    def options(self) -> dict[str, Any]:
        """The options it takes, with their defaults."""
        parameters = inspect.signature(self.run).parameters
        return {name: p.default for name, p in parameters.items() if name not in HIDDEN}

    @property
    def draws_lots(self) -> bool:
        """Whether a seed has a say in what it makes."""
        return "seed" in inspect.signature(self.run).parameters

    @property
    def reports_loss(self) -> bool:
        """Whether it can tell how its loss falls while it runs."""
        return "report_loss" in inspect.signature(self.run).parameters

    def check_options(self, options: Mapping[str, Any]) -> None:
        """Raise for an option that the method does not take, and for a seed, which is told beside them."""
        if "seed" in options:
            raise BadOption(
                "The seed is not among the options of a method: it is told for the whole run.",
                found="an option seed",
                fix="use --seed, seed under [method] in a job file, or am.anonymize(..., seed=)",
            )
        unknown = sorted(set(options) - set(self.options))
        if unknown:
            raise BadOption(
                f"The method {self.name!r} does not take every option given.",
                found="not known: " + ", ".join(unknown),
                fix="options it takes: " + (", ".join(self.options) or "none"),
            )


INCOGNITO = "LeFevre, DeWitt, Ramakrishnan: Incognito: Efficient Full-Domain K-Anonymity, SIGMOD 2005"

UTILITY = "Xu, Wang, Pei, Wang, Shi, Fu: Utility-Based Anonymization Using Local Recoding, KDD 2006"

ONE_DIMENSIONAL = "Ghinita, Karras, Kalnis, Mamoulis: Fast Data Anonymization with Low Information Loss, VLDB 2007"

METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method(
            "mondrian",
            "mondrian:mondrian",
            "models itself",
            "Cuts the widest column at its median again and again; equal rows stay together.",
            "global",
            "LeFevre, DeWitt, Ramakrishnan: Mondrian Multidimensional K-Anonymity, ICDE 2006, section 4",
        ),
        Method(
            "mondrian-relaxed",
            "mondrian:mondrian_relaxed",
            "models itself",
            "As mondrian, but rows at the median value are divided, so no group reaches 2k.",
            "local",
            "LeFevre, DeWitt, Ramakrishnan: Mondrian Multidimensional K-Anonymity, ICDE 2006, section 3",
        ),
        Method(
            "single-dimensional",
            "single_dimensional:single_dimensional",
            "k",
            "One set of intervals per column for the whole table, cut greedily.",
            "global",
            "LeFevre, DeWitt, Ramakrishnan: Mondrian Multidimensional K-Anonymity, ICDE 2006, section 2.4",
        ),
        Method(
            "incognito",
            "incognito:incognito",
            "monotone models",
            "One level per column for the whole table: finds all that hold, takes the one with the least loss.",
            "global",
            f"{INCOGNITO}, section 3.1",
        ),
        Method(
            "incognito-superroots",
            "incognito_superroots:incognito_superroots",
            "monotone models",
            "As incognito, with one scan of the table per set of columns.",
            "global",
            f"{INCOGNITO}, section 3.3.1",
        ),
        Method(
            "incognito-cube",
            "incognito_cube:incognito_cube",
            "monotone models",
            "As incognito, with the frequency sets of all sets of columns worked out first.",
            "global",
            f"{INCOGNITO}, section 3.3.2",
        ),
        Method(
            "full-domain-optimum",
            "full_domain_optimum:full_domain_optimum",
            "monotone models",
            "One level per column: what incognito would publish, found by branch and bound without finding all.",
            "global",
            f"after {INCOGNITO}, section 2.1",
        ),
        Method(
            "samarati",
            "samarati:samarati",
            "monotone models",
            "One level per column: the least height that holds, by binary search.",
            "global",
            f"{INCOGNITO}, section 2.2",
        ),
        Method(
            "bottom-up-search",
            "bottom_up_search:bottom_up_search",
            "monotone models",
            "One level per column: finds all that hold by looking at the lattice from the bottom.",
            "global",
            f"{INCOGNITO}, section 2.2",
        ),
        Method(
            "datafly",
            "datafly:datafly",
            "monotone models",
            "One level per column: climbs one path, the column with the most values first.",
            "global",
            f"Sweeney's Datafly, as cited in {INCOGNITO}, section 6",
        ),
        Method(
            "attribute-suppression",
            "attribute_suppression:attribute_suppression",
            "monotone models",
            "Every column is kept as it is or dropped to * for the whole table: the set that loses least.",
            "global",
            f"{INCOGNITO}, section 5.1.1",
        ),
        Method(
            "full-subtree",
            "full_subtree:full_subtree",
            "k",
            "One cut through every hierarchy for the whole table, some branches finer than others: the best there is.",
            "global",
            f"{INCOGNITO}, section 5.1.1",
        ),
        Method(
            "k-optimize",
            "k_optimize:k_optimize",
            "k",
            "One set of intervals per column for the whole table: the best there is, or the best found with a bound.",
            "global",
            "Bayardo, Agrawal: Data Privacy through Optimal k-Anonymization, ICDE 2005",
        ),
        Method(
            "unrestricted",
            "unrestricted_single:unrestricted",
            "k",
            "Every value of a column becomes itself or any node above it (or any set), the same in the whole table.",
            "global",
            f"{INCOGNITO}, section 5.1.1",
        ),
        Method(
            "full-subgraph",
            "full_subgraph:full_subgraph",
            "k",
            "Disjoint combinations of hierarchy nodes, split into children again and again.",
            "global",
            f"{INCOGNITO}, section 5.1.3",
        ),
        Method(
            "cell-suppression",
            "cell_suppression:cell_suppression",
            "k",
            "Single cells become *, all others stay as they are.",
            "global",
            f"{INCOGNITO}, section 5.2",
        ),
        Method(
            "cell-generalization",
            "cell_generalization:cell_generalization",
            "k",
            "Single cells are replaced by ancestors in their hierarchies, no more than their group needs.",
            "global",
            f"{INCOGNITO}, section 5.2",
        ),
        Method(
            "hilbert",
            "hilbert:hilbert",
            "models",
            "Rows in the order of the Hilbert curve, divided into the best groups of neighbours.",
            "local",
            f"{ONE_DIMENSIONAL}, section 5",
        ),
        Method(
            "hilbert-fast",
            "hilbert:hilbert_fast",
            "models",
            "As hilbert, but groups are chosen by how much of the curve they span.",
            "local",
            f"{ONE_DIMENSIONAL}, section 5.1",
        ),
        Method(
            "idistance",
            "idistance:idistance",
            "models",
            "Rows in the order of their nearest centre and distance, divided into the best groups of neighbours.",
            "local",
            f"{ONE_DIMENSIONAL}, section 5",
        ),
        Method(
            "idistance-fast",
            "idistance:idistance_fast",
            "models",
            "As idistance, but groups are chosen by how far their ends are apart in that order.",
            "local",
            f"{ONE_DIMENSIONAL}, section 5.1",
        ),
        Method(
            "top-down",
            "top_down:top_down",
            "models",
            "Rows gather around two that are far apart, again and again; small parts are joined. No group reaches 2k.",
            "local",
            f"{UTILITY}, section 4.2",
        ),
        Method(
            "bottom-up",
            "bottom_up:bottom_up",
            "models",
            "Every row begins alone, and the smallest groups join the nearest. No group reaches 2k.",
            "local",
            f"{UTILITY}, section 4.1",
        ),
        Method(
            "gain-split",
            "gain_split:gain_split",
            "models itself",
            "Cuts where it lowers the loss most; equal rows stay together. Fast.",
            "global",
            "after LeFevre, DeWitt, Ramakrishnan: Mondrian, ICDE 2006, section 4, with the NCP of Xu et al., KDD 2006",
        ),
        Method(
            "sweep",
            "sweep:sweep",
            "models",
            "From the finest generalization to the coarsest, rows that are alike and enough become groups.",
            "local",
            "after LeFevre, DeWitt, Ramakrishnan: Incognito, SIGMOD 2005, section 2, with NCP of Xu et al., KDD 2006",
        ),
        Method(
            "best",
            "best:best",
            "models itself",
            "Runs what is worthwhile for the effort, refines it, and keeps the grouping with the least loss.",
            "local",
            "see sweep and gain-split",
        ),
    )
}

TWO_TABLES: dict[str, Method] = {
    method.name: method
    for method in (
        Method(
            "anatomy",
            "anatomy:anatomy",
            "l",
            "Quasi-identifiers as they are in one table, sensitive values in another; a group number links them.",
            "none",
            "Xiao, Tao: Anatomy: Simple and Effective Privacy Preservation, VLDB 2006",
        ),
    )
}
"""Methods that do not generalize: they break the link to the sensitive values."""


def find_method(name: str) -> Method:
    """The method of this name, or an error that lists those there are."""
    known = METHODS | TWO_TABLES
    if name in known:
        return known[name]
    near = difflib.get_close_matches(str(name), known, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    raise BadOption(
        f"There is no method {name!r}.", found=f"method = {name!r}", fix=hint + "use one of: " + ", ".join(known)
    )


def methods() -> list[dict[str, Any]]:
    """What methods there are, what each does, takes and gives.

    Examples
    --------
    >>> import amongst as am
    >>> [method["name"] for method in am.methods()][0]
    'mondrian'
    """
    return [
        {
            "name": m.name,
            "words": m.words,
            "recoding": m.recoding,
            "takes": m.takes,
            "options": m.options,
            "paper": m.paper,
        }
        for m in (METHODS | TWO_TABLES).values()
    ]
