"""Write docs/papers.md and its figures from a run of ``amongst papers run all --out FOLDER``.

Figures that the folder does not have stay on the page as they are, but for why a claim does not hold. The tables
below a reason are those of ``reasons.json``, what the figures took at full size is in ``full.json``.

python -m benchmarks.papers.write_docs out/papers
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

from benchmarks.papers import PAPERS, experiments
from benchmarks.papers.full import kept as full_kept
from benchmarks.papers.page import told
from benchmarks.papers.reasons import kept as reasons_kept

ROOT = Path(__file__).parents[2]
HEAD = Path(__file__).with_name("head.md").read_text(encoding="utf-8")
WHY = "The reason in figures"
FULL = """## At full size

Figures run once with `--full`, the paper's size where the usual scale has less, each in a process
of its own: `python -m benchmarks.papers.full FOLDER`. CPU seconds are of both versions together, memory is
the most that the process had, with the interpreter and the library.{missing}
"""
BEFORE = (
    " Not in the table are {names}: they were run there once before, 1 to 370 s of CPU and 110 to 250 MB each{never}."
)
NEVER = ("incognito-11",)
"""Never run at full size as a whole, as long as the table lacks them."""
IN_PART = """
Of incognito-10 and -11 the orders were run at full size in part, 4,591,581 rows, k = 2 (incognito-10 was
stopped when bottom-up search still kept the sets of a whole height, 16 GB and more). Seven columns: bottom-up
search with rollup 203 s of CPU for 4,431 nodes, and 777 MB in the whole process; Incognito 16 s, 922 nodes; the
same 398 generalizations hold. Six columns: bottom-up search 32 s, binary search 43 s, Incognito 5.1 s, with
super-roots 4.2, with the cube 4.3, and at most 667 MB. By k, six columns, Incognito: 5.7 s with k = 2, then
6.0, 5.7, 4.7, and 4.6 with k = 50; with super-roots 4.8 to 2.9, with the cube 4.4 to 2.7. Not run: binary
search with seven columns and more, bottom-up search with eight, and incognito-10 with k = 10."""
MARK = {
    "holds": "holds",
    "holds for ours": "holds for ours",
    "holds but for": "holds but for",
    "does not hold": "**does not hold**",
}


def page(results: dict[str, dict[str, Any]], pictures: set[str], before: str = "") -> str:
    kept, rows = _kept(before)
    shown = reasons_kept()
    parts = [HEAD.rstrip(), summary(results, rows)]
    for paper, title in PAPERS.items():
        parts.append(f"## {paper.capitalize()}\n\n{title}.")
        for one in experiments(paper):
            if one.name in results:
                parts.append(section(results[one.name], one.name in pictures))
            elif one.name in kept:
                parts.append(_with_reason(kept[one.name], one.why))
            else:
                continue
            if one.name in shown:
                parts.append(reason(one.name, shown[one.name]))
    return "\n\n".join([*parts, full_runs()]) + "\n"


def reason(name: str, found: dict[str, Any]) -> str:
    """The tables that show why."""
    head = f"{WHY} (`amongst papers why {name}`, {found['cpu_seconds']:.0f} s of CPU):"
    return "\n\n".join([head, *(table(panel) for panel in found["panels"])])


def full_runs() -> str:
    """What the figures took at full size, and what was found."""
    rows = []
    for name, one in full_kept().items():
        stopped = one.get("stopped_after")
        told = [f"stopped after {stopped:,} s", "", ""] if stopped else []
        seconds = f"{one['cpu_seconds']:,.{0 if one['cpu_seconds'] >= 1 else 1}f}" if not stopped else ""
        rows.append([name, *(told or [MARK[one["outcome"]], seconds, f"{one['peak_mb']:,}"])])
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(
        [
            FULL.format(missing=_not_run(set(full_kept()))) + IN_PART + "\n",
            "| figure | the paper's claim | CPU seconds | memory, MB |",
            "|---|---|---:|---:|",
            *lines,
        ]
    )


def _not_run(known: set[str]) -> str:
    """Which figures the table lacks, in words."""
    left = [one.name for one in experiments() if one.name not in known]
    once, never = ([name for name in left if (name in NEVER) == is_never] for is_never in (False, True))
    if not once:
        return ""
    told = f"; {' and '.join(never)} {'was' if len(never) == 1 else 'were'} not, as a whole" if never else ""
    return BEFORE.format(names=", ".join(once), never=told)


def _kept(before: str) -> tuple[dict[str, str], dict[str, str]]:
    """The sections and the lines of the table that a page has, by their figures."""
    parts = [part.split("\n## ")[0].split(f"\n{WHY} (")[0].rstrip() for part in before.split("\n### ")[1:]]
    rows = [line for line in before.splitlines() if line.startswith("| [")]
    return (
        {part.split("\n", 1)[0]: f"### {part}" for part in parts},
        {row.split("](#")[1].split(")")[0]: row for row in rows},
    )


def _with_reason(text: str, why: str) -> str:
    lines = [line for line in text.split("\n") if not line.startswith("- Why: ")]
    if why:
        lines.insert(next(i for i, line in enumerate(lines) if line.startswith("- Here: ")) + 1, f"- Why: {why}")
    return "\n".join(lines)


def summary(results: dict[str, dict[str, Any]], before: dict[str, str]) -> str:
    rows = before | {
        name: f"| [{name}](#{name}) | {one['shows']} | {MARK[one['outcome']]} |" for name, one in results.items()
    }
    known = [rows[one.name] for one in experiments() if one.name in rows]
    return "\n".join(["| figure | what it shows | the paper's claim |", "|---|---|---|", *known])


def section(one: dict[str, Any], drawn: bool) -> str:
    lines = [
        f"### {one['name']}",
        f"{one['shows']}. {one['data'][:1].upper()}{one['data'][1:]}; {one['scale']} scale, "
        f"{one['cpu_seconds']:.0f} s of CPU.",
        f"- The paper: {one['claim']}\n- Here: {one['words']}." + (f"\n- Why: {one['why']}" if one.get("why") else ""),
    ]
    if drawn:
        lines.append(f"![{one['shows']}](papers/{one['name']}.svg)")
    two = bool(one.get("ours"))
    tables = [(p, ", as printed" if two else "") for p in one["panels"]] + [(p, ", ours") for p in one.get("ours", [])]
    lines += [table({**panel, "title": panel["title"] + words}) for panel, words in tables if panel["form"] == "table"]
    return "\n\n".join([*lines, *([one["note"]] if one["note"] else [])])


def table(panel: dict[str, Any]) -> str:
    names = list(panel["series"])
    rows = [
        "| "
        + " | ".join([x if isinstance(x, str) else f"{x:,}", *(told(panel["series"][name][i]) for name in names)])
        + " |"
        for i, x in enumerate(panel["xs"])
    ]
    head = f"| {': '.join(part for part in (panel['title'], panel['x']) if part)} | " + " | ".join(names) + " |"
    return "\n".join([head, "|" + "---:|" * (len(names) + 1), *rows])


def _place(x: float | str) -> str:
    return x if isinstance(x, str) else f"{x:,}"


def main() -> None:
    folder = Path(sys.argv[1])
    found = {one.name: folder / f"{one.name}.json" for one in experiments()}
    results = {name: json.loads(path.read_text(encoding="utf-8")) for name, path in found.items() if path.exists()}
    for one in experiments():  # words may have changed since the run, numbers not
        if one.name in results:
            results[one.name] |= {"shows": one.shows, "claim": one.claim, "note": one.note, "why": one.why}
    pictures = {name for name in results if (folder / f"{name}.svg").exists()}
    target = ROOT / "docs" / "papers"
    target.mkdir(exist_ok=True)
    for name in pictures:
        shutil.copy(folder / f"{name}.svg", target / f"{name}.svg")
    written = ROOT / "docs" / "papers.md"
    before = written.read_text(encoding="utf-8") if written.exists() else ""
    written.write_text(page(results, pictures, before), encoding="utf-8")


if __name__ == "__main__":
    main()
