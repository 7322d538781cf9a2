"""What is asked of a table: checked once, and the same wherever its rows live."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from amongst.errors import BadOption
from amongst.models import Model, group_size, is_known, of_population
from amongst.partition.applied.given_groups import GivenGroups
from amongst.partition.methods import Method, find_method
from amongst.partition.requested import sensitive_columns
from amongst.partition.usual_method import method_for_size
from amongst.recode.published import refuse_unknown_form
from amongst.recode.saved import SavedRecoding
from amongst.schema.named_roles import with_rest
from amongst.schema.schema import Schema, as_schema

if TYPE_CHECKING:
    from amongst.encode.coded import CodedTable
    from amongst.job.job import Job
    from amongst.query.workload import Workload


@dataclass(frozen=True, eq=False, kw_only=True)
class Request:
    """What is asked: for whom, by which method, in which form.

    Attributes
    ----------
    schema : Schema
        As it was given; once the table was looked at, with everything filled in that follows from it.
    models : list of privacy models
    method : str
    options : dict
        Of the method.
    form : {"labels", "bounds", "structs"}
    seed : int, or None
        For methods that draw lots; None in a pickle.
    unit : str or None
        The column that tells people apart, where people are counted and not rows.
    target, workload
        What it is made for, if that was told.
    bound : bool or None
        Whether reports tell the lower bound of the loss; None: where it takes no time worth speaking of.
    formulas : tuple of str
        Models of the user's own, fitted to the release and to what it was made of; told inside.
    rest : {"drop", "keep"}, optional
        What becomes of columns without a role, which only the store knows.
    named : bool
        Whether somebody chose the method; else a large table has another than a small one.
    """

    schema: Schema
    models: Sequence[Model]
    method: str = "mondrian"
    options: dict[str, Any] = field(default_factory=dict)
    form: str = "labels"
    seed: int | None = 0
    unit: str | None = None
    target: str | None = None
    workload: Workload | Any = None
    bound: bool | None = None
    formulas: Sequence[str] = ()
    rest: str | None = None
    named: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "formulas", _texts(self.formulas))
        object.__setattr__(self, "models", _some_models(self.models))
        object.__setattr__(self, "schema", as_schema(self.schema))
        self.chosen.check_options(self.options, chosen=self.named)
        refuse_unknown_form(self.form)

    @classmethod
    def of_job(cls, job: Job, **more: Any) -> Request:
        """What a job file asks."""
        method, options = job.method_of()
        return cls(
            schema=job.schema,
            models=job.models,
            method=method,
            options=options,
            form=job.output.form,
            seed=job.seed,
            target=job.target,
            **more,
        )

    def of_columns(self, names: Sequence[str]) -> Request:
        """The same with a role for every column of the table, where it was said what becomes of the rest."""
        return self if self.rest is None else replace(self, schema=with_rest(self.schema, names, self.rest), rest=None)

    def of_size(self, coded: CodedTable) -> Request:
        """The same with the usual method for a table of this size, where none was named."""
        if self.named:
            return self
        method, options = method_for_size((self.method, self.options), coded, self.models)
        return self if method == self.method else replace(self, method=method, options=options)

    @property
    def chosen(self) -> Method:
        """The method, with what it declares."""
        return find_method(self.method)

    @property
    def threshold(self) -> int:
        """Counts of people below this are not shown."""
        return group_size(self.models)

    @property
    def on_tuples(self) -> bool:
        """Whether the method decides on tuples and their counts."""
        mended = of_population(self.models) or not all(model.monotone for model in self.models)
        return self.chosen.decides_on == "counts" and not mended and self.target is None and not self.row_by_row

    @property
    def row_by_row(self) -> bool:
        """Whether rows that are alike may still go different ways: people are counted, households grouped, or a method
        of groups leaves rows out."""
        whose = self.unit is not None or self.schema.household is not None
        return whose or bool(self.chosen.suppresses and self.options.get("suppression"))

    @property
    def counted(self) -> list[str]:
        """The columns by which rows are told apart: those that the method looks at, and whose rows they are."""
        names = [*self.schema.quasi, *sensitive_columns(self.schema, self.models)]
        beside = [name for name in (self.target, self.unit) if name is not None]
        beside += self.others if self.schema.household is not None else []  # in whose order they are numbered
        return [*dict.fromkeys([*names, *beside])]

    @property
    def others(self) -> list[str]:
        """The columns that are published as they are."""
        return [name for name in self.schema.published if self.schema[name].role != "quasi"]

    @property
    def told_options(self) -> dict[str, Any]:
        """The options of the method as reports tell them, with the target and in words the workload."""
        words = None if self.workload is None else self.workload.words or f"{len(self.workload.questions):,} questions"
        guides = {"target": self.target, "workload": words}
        options = {name: _told(one) for name, one in self.options.items()}
        return {**options, **{name: guide for name, guide in guides.items() if guide is not None}}


def _told(option: Any) -> Any:
    """An option in a word where it is no plain value: a recoding, groups, or a function of the user's."""
    if callable(option):
        return "a function of one's own"
    return str(option) if isinstance(option, (SavedRecoding, GivenGroups)) else option


def _texts(formulas: Any) -> tuple[str, ...]:
    """Formulas that were given: one alone, or many."""
    given = (formulas,) if isinstance(formulas, str) else tuple(formulas or ())
    wrong = [one for one in given if not isinstance(one, str)]
    if wrong:
        found = f"one of type {type(wrong[0]).__name__}"
        raise BadOption("A formula is a text.", found=found, fix='write formulas=["cost ~ age + sex"]')
    return given


def _some_models(models: Sequence[Model]) -> list[Model]:
    models = list(models) if isinstance(models, (list, tuple)) else [models]  # type: ignore[list-item]
    wrong = [model for model in models if not is_known(model)]
    if wrong or not models:
        found = f"{len(wrong)} of {len(models)} are none" if wrong else "0 given"
        raise BadOption("A privacy model is needed.", found=found, fix="give a list such as [am.KAnonymity(10)]")
    return models
