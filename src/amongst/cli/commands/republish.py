"""``amongst republish``: the next release of a series about the same people."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from amongst.cli import options as o
from amongst.cli.voice import VOICE

if TYPE_CHECKING:
    from amongst.job.job import Job
    from amongst.republish.series import Series

ANSWER = {
    "folder": "string: where the release is",
    "release": "integer: its number in the series",
    "ok": "boolean: whether all releases of the series together hold",
    "left_out": "string: about how many rows wait or were left out",
    "counterfeits": "integer: rows of nobody",
    "loss": "number: with everybody left out charged in full",
    "loss_alone": "number: of a release that minds no other",
}


def republish(
    job: o.Job,
    series: Annotated[
        Path, typer.Option("--series", metavar="FILE", help="What is kept from month to month; keep it inside.")
    ],
    person: Annotated[str, typer.Option("--person", metavar="COLUMN", help="What tells people apart.")],
    key: Annotated[Path, typer.Option("--key", metavar="FILE", help="The key under which people are remembered.")],
    new_key: Annotated[bool, typer.Option("--new-key", help="Draw a key and write it to the file first.")] = False,
    input: Annotated[
        Path | None, typer.Option("--input", "-i", metavar="FILE", help="The table, instead of the job's.")
    ] = None,
    newcomers: Annotated[
        int | None,
        typer.Option("--newcomers", min=1, help="Values that are left for whoever came or went; of a new series 2."),
    ] = None,
    crowd: Annotated[
        int | None,
        typer.Option("--crowd", min=1, help="How many must have come, or gone, together; of a new series 1."),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(
            "--method", metavar="boxes|m-invariance", help="How releases are made to fit; of a new series boxes."
        ),
    ] = None,
    counterfeits: Annotated[
        bool | None,
        typer.Option(
            "--counterfeits",
            help="With m-invariance: rows of nobody may fill gaps, and are told.",
            show_default=False,
        ),
    ] = None,
    last: Annotated[
        str | None,
        typer.Option(
            "--last", metavar="published|lost", help="What became of the last release, where a run was killed."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="The folder to make, instead of the job's.", rich_help_panel=o.OUTPUT),
    ] = None,
    engine: o.Engine = None,
    memory: o.Memory = None,
    work: o.Work = None,
    inside: o.Inside = None,
    force: o.Force = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Make the next release of a series, so that all of them together hold."""
    from amongst.anonymize import anonymize
    from amongst.cli.page import Facts
    from amongst.errors import BadOption
    from amongst.job.job import Job
    from amongst.job.run import places
    from amongst.pseudonyms import make_key, read_key
    from amongst.pseudonyms.key import refuse_key_in
    from amongst.republish.two_steps import LAST, only_run, publish_next, settle

    if last is not None and last not in LAST:
        raise BadOption("This cannot have become of a release.", found=f"--last {last}", fix="use published or lost")
    asked = Job.of_one_table(job).but(input=input, folder=out, engine=engine, memory=memory, work=work)
    folder, hidden = places(asked.output.folder, inside, force=force)
    for secret in (key, series):
        refuse_key_in(folder, secret)
    own = make_key(key) if new_key else read_key(key)
    given = {"newcomers": newcomers, "crowd": crowd, "method": method, "counterfeits": counterfeits}
    with only_run(series):
        settle(series, last)
        kept = _series(series, asked, person, own, {name: one for name, one in given.items() if one is not None})
        where = {"engine": asked.engine.name, "memory": asked.engine.memory, "work": asked.engine.work}
        source = kept.rows_of(asked.input.place, **where, **{**asked.input.reading, "table": asked.input.table})
        release = kept.next(source)
        alone = anonymize(source, asked.schema, list(asked.models), unit=release.unit)  # before it is out: it may fail
        write = partial(release.write, folder, format=asked.output.format, force=force, inside=hidden)
        verdict = publish_next(kept, series, folder, write)
    VOICE.has_written(folder)
    told = kept.told[-1]
    loss_alone = float(alone.utility.gcp)
    k = kept.promise.k
    left_out = "none" if not told.n_left_out else f"fewer than {k}" if told.n_left_out < k else f"{told.n_left_out:,}"
    facts = {
        "folder": str(folder),
        "release": len(kept.told),
        "ok": verdict.ok,
        "left_out": left_out,
        "counterfeits": told.n_counterfeits,
        "loss": round(told.loss, 4),
        "loss_alone": round(loss_alone, 4),
    }
    shown = [
        ("release", f"number {len(kept.told)} of the series, in {folder}"),
        ("verdict", "verified; it holds beside all earlier ones"),
        ("left out", f"{left_out} this time"),
        *([("counterfeits", f"{told.n_counterfeits:,} rows are nobody's")] if told.n_counterfeits else []),
        (
            "loss",
            f"{told.loss:.1%}, everybody left out charged in full; alone it would be {loss_alone:.1%} ({alone.method})",
        ),
    ]
    VOICE.result(lambda: facts, lambda: [Facts(shown)])


def _series(path: Path, asked: Job, person: str, key: bytes, given: dict[str, Any]) -> Series:
    """The series in the file, or a new one; what is given must be what it was begun with."""
    from amongst.errors import BadOption
    from amongst.republish.series import Series

    if not path.exists():
        return Series(asked.schema, asked.models, person=person, key=key, **given)
    kept = Series.load(path, asked.schema, list(asked.models), key)
    if kept.person != person:
        found = f"--person {person}, begun with {kept.person}"
        raise BadOption("The series tells people apart by another column.", found=found, fix="give that column")
    kept.refuse_other(given)
    return kept
