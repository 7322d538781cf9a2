"""A process that makes one candidate after another, and tells what each loses.

The parent sends the table and the settings, then candidates, as length-prefixed pickles over a pipe; the table never
touches the disk. A process of its own can be ended when the time is over, whatever it computes.
"""

from __future__ import annotations

import pickle
import struct
import sys
import time
from typing import Any, BinaryIO

from amongst.compare.candidate import Candidate, Outcome
from amongst.errors import AmongstError

HEAD = struct.Struct("<Q")
FIGURES = ("weighted_gcp", "lm", "c_dm", "c_avg", "n_classes", "smallest", "largest", "n_published", "n_suppressed")


def send(pipe: BinaryIO, message: Any) -> None:
    """Write one message."""
    content = pickle.dumps(message, protocol=5)
    pipe.write(HEAD.pack(len(content)))
    pipe.write(content)
    pipe.flush()


def receive(pipe: BinaryIO) -> Any:
    """Read one message; None when the other side is gone."""
    head = pipe.read(HEAD.size)
    if len(head) < HEAD.size:
        return None
    (size,) = HEAD.unpack(head)
    content = pipe.read(size)
    return pickle.loads(content) if len(content) == size else None


def main() -> None:
    """Answer candidates until the parent closes the pipe."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to stop
    inbox, outbox = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    task = receive(inbox)
    while task is not None and (candidate := receive(inbox)) is not None:
        send(outbox, make(candidate, **task))


def make(
    candidate: Candidate, source: Any, schema: Any, workload: Any, form: str, seed: int, formulas: Any = ()
) -> Outcome:
    """Make one candidate, verify and measure it."""
    start = time.perf_counter()
    try:
        release = _release(candidate, source, schema, form, seed)
        verdict = release.verdict
        seconds = time.perf_counter() - start
        if not verdict.ok:
            why = "; ".join(finding.what for finding in verdict.findings)
            return Outcome(candidate=candidate, state="refused", why=why, seconds=seconds)
        error = None if workload is None else release.workload_error(workload).mean_relative
        share = _kept(release, source, formulas) if formulas else None
        measured = _measured(release)
    except AmongstError as problem:
        why = " ".join([problem.what, *problem.found])
        return Outcome(candidate=candidate, state="refused", why=why, seconds=time.perf_counter() - start)
    except MemoryError:
        why = "There was not enough memory."
        return Outcome(candidate=candidate, state="refused", why=why, seconds=time.perf_counter() - start)
    except Exception as problem:  # one method that breaks must not take the others with it
        why = f"A defect in amongst: {type(problem).__name__}."
        return Outcome(candidate=candidate, state="refused", why=why, seconds=time.perf_counter() - start)
    return Outcome(candidate=candidate, state="verified", seconds=seconds, error=error, kept=share, **measured)


def _release(candidate: Candidate, source: Any, schema: Any, form: str, seed: int) -> Any:
    from amongst.anonymize import anonymize
    from amongst.relations.anonymize import anonymize_database
    from amongst.schema.schema import Schema

    options: dict[str, Any] = {"seed": seed, **candidate.options}
    if isinstance(schema, Schema):
        return anonymize(source, schema, candidate.models, candidate.method, form=form, **options)
    return anonymize_database(source, schema, candidate.models, candidate.method, **options)


def _measured(release: Any) -> dict[str, Any]:
    """What a release loses, with the figures of one table, or of many."""
    utility = release.utility
    if not hasattr(utility, "tables"):
        figures = {name: getattr(utility, name) for name in FIGURES}
        return {"gcp": utility.gcp, "ncp": utility.ncp, "figures": figures}
    gone, rows = (sum(getattr(one, what) for one in utility.tables.values()) for what in ("suppressed", "rows"))
    figures = {"dm": utility.dm, "n_classes": utility.groups, "smallest": utility.smallest}
    figures |= {"n_published": rows - gone, "n_suppressed": gone}
    tables = {name: one.lm or 0.0 for name, one in utility.tables.items()}
    return {"gcp": utility.lm, "ncp": tables, "figures": figures, "measure": "LM"}


def _kept(release: Any, source: Any, formulas: Any) -> float | None:
    from amongst.analysis.own_models import fit_all, kept

    return kept(fit_all(release, source.table, release.schema, formulas))
