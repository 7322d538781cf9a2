"""Many methods and parameters side by side."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.brief import page_part
from amongst.compare.candidate import Candidate, Outcome, asked_k, candidates, usual_methods
from amongst.compare.choose import front, recommend
from amongst.compare.run import Progress, run_all
from amongst.errors import BadOption
from amongst.models import Model
from amongst.read import Source, read
from amongst.schema.check import check
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    from amongst.query.workload import Workload


@dataclass(frozen=True, eq=False, kw_only=True)
class Comparison:
    """What ``compare`` gives.

    Attributes
    ----------
    title : str
        What the table is called.
    outcomes : list of Outcome
        One a candidate.
    front : list of int
        The places of those that no other beats in both k and loss.
    recommended : int or None
        The place of the one to take.
    reasons : list of str
        Why.
    measure : str
        What loss means here.
    seconds, budget : float
        How long it took, and could have taken.
    n_rows : int
    columns : list of str
        The quasi-identifiers.
    formulas : tuple of str
        The models of which every outcome tells how much is kept.
    """

    title: str
    outcomes: list[Outcome]
    front: list[int]
    recommended: int | None
    reasons: list[str]
    measure: str
    seconds: float
    budget: float | None
    n_rows: int
    columns: list[str]
    formulas: tuple[str, ...] = ()

    @property
    def best(self) -> Outcome:
        """The outcome of the recommended candidate."""
        if self.recommended is None:
            raise BadOption("Nothing is recommended.", found="no candidate was verified", fix="see .outcomes for why")
        return self.outcomes[self.recommended]

    def _repr_html_(self) -> str:
        rows = [
            (
                "→" if place == self.recommended else "",
                one.candidate.name,
                one.state,
                f"{one.loss:.4f}" if one.comparable else "",
                f"{one.seconds:.1f} s",
            )
            for place, one in enumerate(self.outcomes)
        ]
        title = f"{self.title}: {len(rows)} candidates, {self.measure}"
        return page_part(title, rows, headings=["", "candidate", "", "loss", "took"], notes=self.reasons)

    def to_dict(self) -> dict[str, Any]:
        return {
            "document": "inside",
            "table": self.title,
            "rows": self.n_rows,
            "measure": self.measure,
            "formulas": list(self.formulas),
            "seconds": round(self.seconds, 2),
            "budget": self.budget,
            "recommended": self.recommended,
            "reasons": self.reasons,
            "front": self.front,
            "candidates": [outcome.to_dict() for outcome in self.outcomes],
        }

    def to_html(self) -> str:
        """The comparison as one HTML page that needs nothing else."""
        from amongst.compare.page import render_comparison

        return render_comparison(self)

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False, default=str) + "\n"

    def write(self, path: str | Path) -> None:
        """Write the page, and beside it the same as JSON; both are for their owner alone."""
        from amongst.staging import staged_file

        for target, text in ((Path(path), self.to_html()), (Path(path).with_suffix(".json"), self.to_json())):
            with staged_file(target) as part:
                part.write_text(text, encoding="utf-8", newline="\n")
                part.chmod(0o600)  # losses are measured on the original


def compare(
    data: Any,
    schema: Schema,
    models: Sequence[Model],
    methods: Sequence[str | tuple[str, Mapping[str, Any]]] | None = None,
    *,
    ks: Sequence[int] | None = None,
    workload: Workload | None = None,
    budget: float | None = None,
    processes: int | None = None,
    form: str = "labels",
    seed: int = 0,
    formulas: str | Sequence[str] = (),
    progress: Progress | None = None,
) -> Comparison:
    """Run many methods with many parameters side by side, and say which one to take.

    Parameters
    ----------
    data : path, pandas, polars or pyarrow table
    schema : Schema
    models : sequence of privacy models
        What every candidate must hold.
    methods : sequence of str, or of (str, dict), optional
        Methods, or methods with options; the usual ones if left out.
    ks : sequence of int, optional
        Every method runs with each of these in place of the models' k. Of several, less than the models ask for is
        shown and never recommended.
    workload : Workload, optional
        Weigh candidates by their mean relative error over these questions, not by GCP.
    budget : float, optional
        Seconds; what is not done by then is ended.
    processes : int, optional
        How many run at a time; as many as there are processors if left out.
    form, seed
        As for ``anonymize``.
    formulas : str or sequence of str, optional
        Models that readers will fit: of every candidate it is told how much of them is kept (``Outcome.kept``). They
        do not decide.
    progress : callable, optional
        Told (done, total, seconds left or None).

    Returns
    -------
    Comparison

    Examples
    --------
    >>> import amongst as am
    >>> patients = am.datasets.load("patients")
    >>> methods = ["mondrian", "incognito"]
    >>> found = am.compare(patients.table, patients.schema, [am.KAnonymity(2)], methods, processes=1)
    >>> found.best.candidate.method, [outcome.state for outcome in found.outcomes]
    ('incognito', ['verified', 'verified'])
    """
    made = candidates(usual_methods() if methods is None else methods, models, ks)
    refuse_budget(budget)
    source = data if isinstance(data, Source) else read(data)
    checked = check(schema, source.table, form=form)
    asked = (formulas,) if isinstance(formulas, str) else tuple(formulas)
    if asked:
        from amongst.analysis.own_models import refuse_formulas

        refuse_formulas(asked, source.table, checked)
    # Workers get the table as pyarrow: what kind of frame came in plays no part for the figures.
    plain = Source(source.table, "pyarrow", source.name)
    task = {"source": plain, "schema": checked, "workload": workload, "form": form, "seed": seed, "formulas": asked}
    return side_by_side(
        made,
        task,
        title=source.name,
        measure="GCP" if workload is None else "mean relative error over the questions",
        least_k=asked_k(models, ks),
        budget=budget,
        processes=processes,
        progress=progress,
        n_rows=source.table.num_rows,
        columns=checked.quasi,
        formulas=asked,
    )


def refuse_budget(budget: float | None) -> None:
    """Raise for a budget in which nothing can be done."""
    if budget is not None and not budget > 0:
        raise BadOption(
            "The time budget must be above 0.", found=f"{budget!r} seconds", fix="use budget=60 or the like"
        )


def side_by_side(
    made: Sequence[Candidate],
    task: dict[str, Any],
    *,
    least_k: int,
    budget: float | None,
    processes: int | None,
    progress: Progress | None,
    **about: Any,
) -> Comparison:
    """Run all candidates, and say which one to take; ``about`` is what the comparison tells of its table."""
    start = time.monotonic()
    outcomes = run_all(made, task, budget, processes, progress or (lambda done, total, left: None))
    best = front(outcomes)
    chosen, reasons = recommend(outcomes, best, least_k)
    return Comparison(
        outcomes=outcomes,
        front=best,
        recommended=chosen,
        reasons=reasons,
        seconds=time.monotonic() - start,
        budget=budget,
        **about,
    )
