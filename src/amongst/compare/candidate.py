"""What is compared: a method with its options and privacy models, and what became of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from amongst.errors import BadOption
from amongst.models import KAnonymity, Model, smallest_group
from amongst.partition.method import Method
from amongst.partition.methods import METHODS, find_method

TELL_SUPPRESSED = ("n_published", "n_suppressed", "c_dm", "c_avg")
"""Figures from which, with the rows of the input, the number of suppressed rows follows."""


@dataclass(frozen=True)
class Candidate:
    """A release that could be made."""

    method: str
    options: Mapping[str, Any]
    models: tuple[Model, ...]

    @property
    def k(self) -> int:
        return smallest_group(self.models)

    @property
    def name(self) -> str:
        """The method, with its options where it has some."""
        options = ", ".join(f"{key}={value}" for key, value in self.options.items())
        return f"{self.method} ({options})" if options else self.method


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of a candidate.

    Attributes
    ----------
    state : {"verified", "refused", "unfinished"}
        Refused: it cannot be made, or does not hold; unfinished: the time was over.
    why : str
        What stood in the way.
    seconds : float
        How long it took to group, publish and verify.
    gcp : float
        What it loses; of many tables LM.
    ncp : dict of str to float
        What every column loses; of many tables every table.
    figures : dict
        Classes, suppressed rows and the other measures.
    error : float or None
        The mean relative error over the workload, where there is one.
    kept : float or None
        How much of the user's own models is kept: the mean overlap of their intervals before and after.
    measure : str
        What ``gcp`` is called.
    """

    candidate: Candidate
    state: str
    why: str = ""
    seconds: float = 0.0
    gcp: float = 1.0
    ncp: Mapping[str, float] = field(default_factory=dict)
    figures: Mapping[str, Any] = field(default_factory=dict)
    error: float | None = None
    kept: float | None = None
    measure: str = "GCP"

    @property
    def loss(self) -> float:
        """What candidates are weighed by: the error over a workload, or else GCP."""
        return self.gcp if self.error is None else self.error

    @property
    def comparable(self) -> bool:
        """Made, verified, and measured by something that it can be weighed by."""
        # A method that hides the sensitive value instead generalizes nothing: its GCP of 0 says nothing.
        method = METHODS.get(self.candidate.method)
        hides = method is not None and method.publishes == "two tables"
        return self.state == "verified" and (not hides or self.error is not None)

    def to_dict(self) -> dict[str, Any]:
        return {
            "method": self.candidate.method,
            "options": dict(self.candidate.options),
            "privacy": [model.to_dict() for model in self.candidate.models],
            "state": self.state,
            "why": self.why,
            "seconds": round(self.seconds, 3),
            "gcp": self.gcp if self.state == "verified" else None,
            "ncp": dict(self.ncp),
            "workload_error": self.error,
            "analysis_kept": self.kept,
            **self._told(),
        }

    def _told(self) -> dict[str, Any]:
        """The figures; of fewer than k suppressed rows neither how many they are, nor what would tell it."""
        gone = int(self.figures.get("n_suppressed", 0))
        if not 0 < gone < self.candidate.k:
            return dict(self.figures)
        told = {name: figure for name, figure in self.figures.items() if name not in TELL_SUPPRESSED}
        return {**told, "n_suppressed": f"fewer than {self.candidate.k}"}


def usual_methods() -> tuple[str, ...]:
    """Methods of every sort, none of which takes long."""
    return METHODS.names(lambda method: method.usual)


def candidates(
    methods: Sequence[str | tuple[str, Mapping[str, Any]]],
    models: Sequence[Model],
    ks: Sequence[int] | None,
    *,
    find: Callable[[str], Method] = find_method,
) -> list[Candidate]:
    """Every method with every k, the smallest k first; ``find`` knows the methods."""
    made = []
    named = [(one, {}) if isinstance(one, str) else (one[0], dict(one[1])) for one in methods]
    for name, options in named:
        find(name).check_options(options)
    for k in sorted(set(ks)) if ks else [None]:
        made += [Candidate(name, options, with_k(models, k)) for name, options in named]
    if not made:
        raise BadOption("There is nothing to compare.", found="0 methods", fix="name some of `amongst methods`")
    return list({(one.name, one.models): one for one in made}.values())


def asked_k(models: Sequence[Model], ks: Sequence[int] | None) -> int:
    """The least k that may be recommended: that of the models; where one other k is named, that."""
    named = sorted(set(ks or ()))
    return smallest_group(with_k(models, named[0])) if len(named) == 1 else smallest_group(models)


def _with_own_k(model: Model, k: int) -> Model:
    """Codes of many tables are shared by as many persons as are alike."""
    return model.with_fields(k=k) if model.many_tables and hasattr(model, "k") else model


def with_k(models: Sequence[Model], k: int | None) -> tuple[Model, ...]:
    """The models with another k; one is added where none asks for k."""
    if k is None:
        return tuple(models)
    found = tuple(KAnonymity(k) if model.counts == "rows" else _with_own_k(model, k) for model in models)
    return found if any(model.counts == "rows" for model in found) else (KAnonymity(k), *found)
