"""What a method says of itself: everything that the rest of the house wants to know without knowing its name."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from amongst.choices import MEASURES, OURS, PAPER
from amongst.errors import BadOption

TOLD_BY_THE_FLOW = ("table", "models", "sets", "ask", "forest", "progress", "report_loss", "row_at")
"""Parameters that are no options."""

EVERY_GROUP = "Detailed: every group for itself"
EVEN = "Even: one level a column, the same in the whole table"
CELLS_OR_TWO_TABLES = "Cell by cell, or two tables"
MANY_TABLES = "Persons with all that hangs on them"
FAMILIES = {
    "mondrian": EVERY_GROUP,
    "clusters": EVERY_GROUP,
    "line": EVERY_GROUP,
    "full_domain": EVEN,
    "trees": EVEN,
    "intervals": EVEN,
    "cells": CELLS_OR_TWO_TABLES,
    "anatomy": CELLS_OR_TWO_TABLES,
}
"""The families, in the order of lists, each a folder, and under which heading people find them."""

MARKINGS = ("all", "direct")
"""Which generalizations of a node that holds are marked: all, or those one level up."""


@dataclass(frozen=True, kw_only=True)
class Option:
    """What an option is called for people, and the values it may have where these are few."""

    words: str = ""
    choices: tuple[str, ...] = ()


OF_MANY = {
    "suppression": Option(words="share that may be suppressed"),
    "rules": Option(words="rules", choices=(OURS, PAPER)),
    "choose": Option(words="choose by", choices=tuple(MEASURES)),
    "marking": Option(choices=MARKINGS),
    "window": Option(words="neighbours looked at"),
    "steps": Option(words="most steps of the search"),
    "most_steps": Option(words="most steps of the search"),
}
"""Options that mean the same wherever a method has them, unless it says otherwise."""


@dataclass(frozen=True, kw_only=True)
class Method:
    """What a method is, needs and gives.

    Attributes
    ----------
    family : str
        One of ``FAMILIES``, or "database" for many tables: the folder where its file is.
    group : callable, optional
        ``group(table, models, **options) -> Partition``; for many tables of a ``forest``, and ``-> Grouped``.
    search : callable, optional
        In its place, for methods that search the lattice of full-domain generalizations:
        ``search(sets, ask, **options) -> (generalizations, number looked at)``, and facts where it has more to tell.
    takes : {"models", "models itself", "monotone models", "k", "l"}
        Every model, where groups that fail are mended or where the method sees to it itself; those that hold for
        every generalization of a release that holds them; k-anonymity of rows; l-diversity.
    words : str
        One sentence for a list.
    recoding : {"global", "local", "none"}
        Whether rows with the same quasi-identifiers always stay together; where they may not, which of them goes
        where does not follow from the order of the input. "none" where they are not recoded.
    paper : str
        Where it is printed; see ``source``.
    place : int
        Where it stands among its family in lists: what is wanted most often first.
    publishes : {"one table", "two tables", "many tables"}
    values_apart : bool
        Of a method for many tables: whether sensitive values are published in tables of their own.
    decides_on : {"rows", "counts"}
        Whether distinct tuples and their counts are enough, or every row is looked at, as codes.
    by_parts : {"", "cuts", "runs", "fast runs", "rings", "fast rings"}
        How it works where not even the distinct rows fit into memory: cuts by counting until the parts fit; groups of
        neighbours on a curve, or in rings around centres, by their loss or by how much of the line they span.
    finds_all : bool
        Of a search: whether it finds every generalization that holds.
    enumerates : bool
        Of a search: whether it has an array of the lattice's shape; another says itself what is too large.
    minimal : {"", "cuts", "levels"}
        What tells an intruder that nothing finer was published: it divides a class as long as some cut along one
        column leaves both parts with everything that was asked; or no finer full-domain recoding holds it.
    tight : bool
        Whether every group publishes the least that holds its rows: both ends of a range occur in it, all members of
        a set, and rows below two children of a node. Who knows the method knows that too.
    looks_at_target : bool
        Whether it sees to a target itself; others get columns weighed by it.
    keeps_all : bool
        Whether no row may be left out of its groups, even where that would pay.
    few_columns : bool
        Of a method that groups by size: whether it loses less where k is asked of every few columns, not of all.
    clocked : dict of str to str
        An option that lets the clock end it, and the one that repeats such a run, whose number is among the facts.
    looks_with : dict of str to object
        Options with which it looks for rows to leave out, where it can do with less than it was asked for.
    any_width : bool
        Whether it groups rows of numbers, however many columns there are, without a hierarchy.
    usual : bool
        Whether it is compared where nobody says which; together of every sort, and none that takes long.
    seconds : float
        What a million rows with nine columns take, from file to proved release, on two cores of 2.x GHz.
    explained : dict of str to Option
        The options of which more is to say than their names and defaults, and than ``OF_MANY`` says.
    listed : bool
        Whether people choose it from lists; it is found by its name all the same.
    prepare : callable, optional
        ``prepare(table, options) -> CodedTable``: the codes that it needs, where the table's own are not enough.
    """

    name: str
    family: str
    words: str
    paper: str
    takes: Literal["models", "models itself", "monotone models", "k", "l"]
    recoding: Literal["global", "local", "none"]
    group: Callable[..., Any] | None = None
    search: Callable[..., Any] | None = None
    place: int = 50
    publishes: Literal["one table", "two tables", "many tables"] = "one table"
    values_apart: bool = False
    decides_on: Literal["rows", "counts"] = "rows"
    by_parts: Literal["", "cuts", "runs", "fast runs", "rings", "fast rings"] = ""
    finds_all: bool = False
    enumerates: bool = True
    minimal: Literal["", "cuts", "levels"] = ""
    tight: bool = False
    looks_at_target: bool = False
    keeps_all: bool = False
    few_columns: bool = False
    clocked: Mapping[str, str] = field(default_factory=dict)
    looks_with: Mapping[str, Any] = field(default_factory=dict)
    any_width: bool = False
    usual: bool = False
    seconds: float = 3.0
    explained: Mapping[str, Option] = field(default_factory=dict)
    listed: bool = True
    prepare: Callable[..., Any] | None = None

    @cached_property
    def run(self) -> Callable[..., Any]:
        """``run(table, models, **options) -> Partition``: the groups hold the models, or the search found none."""
        # What wraps a method knows partitions and kernels; a declaration is read without them.
        if self.search is not None:
            from amongst.partition.full_domain.search import full_domain

            return full_domain(self)
        if self.suppresses:
            from amongst.partition.suppress import with_suppression

            return with_suppression(self._grouped(), self)
        return self._grouped()

    @cached_property
    def suppresses(self) -> bool:
        """Whether rows are left out of its groups where the others then lose so much less that it pays: it gets the
        option ``suppression``. A method that has one of its own sees to it itself."""
        if self.group is None or self.keeps_all or self.publishes != "one table":
            return False
        return "suppression" not in inspect.signature(self.group).parameters

    def _grouped(self) -> Callable[..., Any]:
        """The method with its groups mended."""
        assert self.group is not None, f"{self.name} has neither group nor search"
        if self.publishes == "many tables" or self.takes in ("monotone models", "l"):
            return self.group
        from amongst.partition.mend import mended, only_k

        if self.takes == "k":
            return only_k(self.group, self.name, few_columns=self.few_columns)
        return mended(self.group, native=self.takes == "models itself", together=self.recoding == "global")

    def run_for(self, table: Any, models: Any, options: Mapping[str, Any]) -> Callable[..., Any]:
        """``run``, or the method itself where groups need no more than their size, and no row may be left out."""
        from amongst.partition.conditions import asks_for_rows_only

        plain = self.publishes != "many tables" and "suppression" not in options and asks_for_rows_only(table, models)
        return self.group if plain and self.group is not None else self.run

    @property
    def heading(self) -> str:
        """Under which heading people find it."""
        return FAMILIES.get(self.family, MANY_TABLES if self.publishes == "many tables" else self.family)

    @property
    def options(self) -> dict[str, Any]:
        """The options it takes, with their defaults."""
        parameters = inspect.signature(self.run).parameters
        return {
            name: one.default
            for name, one in parameters.items()
            if name not in TOLD_BY_THE_FLOW and not name.startswith("_")
        }

    @property
    def draws_lots(self) -> bool:
        """Whether a seed has a say in what it makes."""
        return "seed" in inspect.signature(self.run).parameters

    @property
    def reports_loss(self) -> bool:
        """Whether it can tell how its loss falls while it runs."""
        return "report_loss" in inspect.signature(self.run).parameters

    def repeats(self, options: Mapping[str, Any], facts: Mapping[str, Any]) -> dict[str, Any]:
        """The options that repeat a run which the clock ended, beside those it was given."""
        ended = [steps for clock, steps in self.clocked.items() if options.get(clock) is not None and steps in facts]
        return {steps: facts[steps] for steps in ended if options.get(steps) is None}

    def options_to_look(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """The options with which rows to leave out are looked for."""
        if not self.looks_with:
            return dict(options)
        clocked = {*self.clocked, *self.clocked.values()}
        return {name: one for name, one in options.items() if name not in clocked} | dict(self.looks_with)

    @property
    def source(self) -> str:
        """Where it comes from: a method that departs from its paper is called the paper's as printed only."""
        return f'after {self.paper}; as printed with rules = "paper"' if "rules" in self.options else self.paper

    def words_of_option(self, name: str) -> str:
        """What an option is called for people."""
        return self._told_of(name).words or name.replace("_", " ")

    def choices_of_option(self, name: str) -> tuple[str, ...]:
        """The values that an option may have; none where they are not a few words."""
        return self._told_of(name).choices

    def _told_of(self, option: str) -> Option:
        return self.explained.get(option) or OF_MANY.get(option, Option())

    def to_dict(self) -> dict[str, Any]:
        """What people read of it, as plain data."""
        return {
            "name": self.name,
            "family": self.family,
            "words": self.words,
            "recoding": self.recoding,
            "takes": self.takes,
            "publishes": self.publishes,
            "options": self.options,
            "paper": self.source,
        }

    def check_options(self, options: Mapping[str, Any], *, chosen: bool = True) -> None:
        """Raise for an option that the method does not take, and for a seed, which is told beside them. Where nobody
        chose the method, what is not known is no option of any."""
        if "seed" in options:
            raise BadOption(
                "The seed is not among the options of a method: it is told for the whole run.",
                found="an option seed",
                fix="use --seed, seed under [method] in a job file, or am.anonymize(..., seed=)",
            )
        unknown = sorted(set(options) - set(self.options))
        if unknown and not chosen:
            raise BadOption(
                "There is no such setting.",
                found="not known: " + ", ".join(unknown),
                fix="look at the spelling; other models than k go into models, am.LDiversity(3) or am.TCloseness(0.2); "
                "options of a method need its name (method=...)",
            )
        if unknown:
            raise BadOption(
                f"The method {self.name!r} does not take every option given.",
                found="not known: " + ", ".join(unknown),
                fix="options it takes: " + (", ".join(self.options) or "none"),
            )
