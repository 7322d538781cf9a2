"""``amongst plan``: what a job would take, before it is run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from amongst.cli import options as o

if TYPE_CHECKING:
    from amongst.cli.page import Shown
    from amongst.engines.plan import Plan

ANSWER = {
    "engine": "string: where it would run",
    "steps": "[string]: what it would do",
    "passes": "integer: how often the rows are read",
    "n_rows": "integer?: rows, where they are known",
    "n_distinct": "integer?: different rows, where they are known",
    "memory": "integer: bytes at the peak, about",
    "seconds": "number: time, about",
    "why": "[string]: reasons",
}


def plan(
    job: o.Job,
    engine: o.Engine = None,
    memory: o.Memory = None,
    work: o.Work = None,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Say which engine a job would use, how often it reads the rows, how much memory and time it takes, and why."""
    from amongst.cli.of_many_tables import refuse_given
    from amongst.cli.voice import VOICE
    from amongst.engines import plan as plans
    from amongst.job.job import Job

    asked = Job.from_file(job)
    if asked.many:
        from amongst.job.many_tables import plan_of

        refuse_given({"--engine": engine, "--memory": memory, "--work": work})
        found = plan_of(asked)
    else:
        found = plans.plan(asked.but(engine=engine, memory=memory, work=work))
    VOICE.result(found.to_dict, lambda: _page(found))


def _page(found: Plan) -> list[Shown]:
    from amongst.cli.page import Facts
    from amongst.engines.memory import words
    from amongst.job.steps import duration

    facts: list[tuple[str, ...]] = [("engine", found.engine, "name")]
    facts += [("why" if i == 0 else "", sentence) for i, sentence in enumerate(found.why)]
    facts += [("steps" if i == 0 else "", f"{i + 1}. {step}") for i, step in enumerate(found.steps)]
    facts.append(("passes", f"the rows are read {found.passes} time{'s' if found.passes > 1 else ''}"))
    facts.append(("memory", f"about {words(found.memory)} at the peak"))
    facts.append(("time", "not known" if found.seconds is None else f"about {duration(found.seconds)}"))
    return [Facts(facts)]
