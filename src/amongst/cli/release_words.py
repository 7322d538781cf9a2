"""What the command tells of a release of one table that was written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from amongst.job.run import Finished
from amongst.manifest import Manifest
from amongst.release import Release
from amongst.report import summary
from amongst.schema.doubts import doubts_of_release
from amongst.schema.problem import count


def facts_of(done: Finished) -> dict[str, Any]:
    """As JSON."""
    folder = done.folder
    manifest = Manifest.read(folder)
    warned = list(doubts_of_release(done.release, _data_file(folder)))
    known = [one for one in done.release.worth_knowing if one.words not in done.release.doubts]
    told = {"warnings": [*warned, *(one.words for one in known if one.danger)]}
    told |= {"notes": [*(one.words for one in known if not one.danger), *_gone(done.release, folder)]}
    return {"folder": str(folder), "report": str(folder / "report.html"), **manifest, **told}


def words_of(job: Any, done: Finished) -> list[tuple[str, ...]]:
    """For people."""
    folder, release, verdict = done.folder, done.release, done.verdict
    lines = summary(release.story(verdict=verdict)).splitlines()
    told: list[tuple[str, ...]] = [(line[:9].strip(), line[10:]) for line in lines]
    told[0] = (*told[0], "warn" if verdict.asked_nothing else "good")
    names = ", ".join(sorted(path.name for path in folder.iterdir() if path.suffix != ".html"))
    told += [] if release.population is None else [("in people", release.population.words)]
    told += _worth_knowing(release, folder)
    told += [("note", words, "warn") for words in _gone(release, folder)]
    told += [("note", words, "warn") for words in getattr(release.source, "notes", ())]
    told += [("note", words, "warn") for words in (_formulas(release) if (folder / "release.csv").exists() else ())]
    spelled = [note for note in verdict.notes if note.code == "spellings"]
    told += [("note", f"{note.what} Found: {note.found}.", "warn") for note in spelled]
    if release.certificate is not None:
        told += [("hardened" if i == 0 else "", words) for i, words in enumerate(release.certificate.words)]
    table = getattr(release.store, "target_name", None)
    told += [] if table is None else [("table", str(table), "name")]
    hidden = ("inside", f"{done.inside}: not to be published, figures before and after", "name")
    return [*told, ("written", f"{folder}: {names}"), hidden, ("report", str(folder / "report.html"), "name")]


def _worth_knowing(release: Release, folder: Path) -> list[tuple[str, ...]]:
    """What to know before it goes out: the dangerous first, and marked."""
    doubts = [("WARNING", words, "bad") for words in doubts_of_release(release, _data_file(folder))]
    known = [one for one in release.worth_knowing if one.words not in release.doubts]
    marks = {True: ("WARNING", "bad"), False: ("note", "warn")}
    return [*doubts, *((marks[one.danger][0], one.words, marks[one.danger][1]) for one in known)]


def _gone(release: Release, folder: Path) -> list[str]:
    """Which columns that are published as they are have lost texts that mean missing: only text files keep them."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not release.store.in_memory:
        return []
    written = _data_file(folder)
    told = []
    for name, reads in release.source.reads.items():
        missing = [text.strip() for text in getattr(reads, "missing", ()) if isinstance(text, str)]
        if name not in release.plan.texts or written is None or written.suffix == f".{reads.format}" or not missing:
            continue
        if release.source.layout is None and release.schema[name].role == "keep":  # of files with types they stay texts
            continue
        texts = pc.utf8_trim_whitespace(release.plan.texts[name].cast(pa.string()))
        n = pc.sum(pc.is_in(texts, pa.array(missing, pa.string()))).as_py() or 0
        if n:
            words = (
                f"{count(n, 'cell')} with limits or words for missing {'is' if n == 1 else 'are'} empty in the release"
            )
            told.append(f"'{name}': {words}; a {reads.format} file has them as they were written")
    return told


def _data_file(folder: Path) -> Path | None:
    return next(iter(sorted(folder.glob("release.*"))), None)


def _formulas(release: Release) -> tuple[str, ...]:
    """What to know before the CSV files are opened in a spreadsheet."""
    from amongst.release.formulas import caveats_of_csv

    if not release.store.in_memory:  # the rows were written where they live, and are not here
        return ()
    return caveats_of_csv(release.arrow, *([release.sensitive_arrow] if release.is_pair else []))
