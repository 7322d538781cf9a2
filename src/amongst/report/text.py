"""The report in a few aligned lines, for a terminal."""

from __future__ import annotations

from amongst.report.story import SensitiveFacts, Story
from amongst.report.wording import count, figure, hidden_count, percent, told, visible

VERDICTS = {
    "holds": "verified: everything that was asked for holds",
    "fails": "NOT verified: not everything that was asked for holds",
    "unchecked": "not verified: nothing was asked, so nothing was checked",
}


_SENSITIVE = (("l", "l_frequency"), ("t", "t"))


def summary(story: Story) -> str:
    """What was asked, reached and lost, one fact a line.

    Examples
    --------
    >>> from amongst.report import Check, Story, summary
    >>> words = "Every row shares its values with 1 other (k = 2)."
    >>> check = Check(words=words, asked="k = 2", reached="k = 3", ok=True)
    >>> facts = {"n_rows": 6, "n_columns": 4, "n_published": 6, "n_groups": 2, "smallest": 3, "largest": 3}
    >>> story = Story(title="Patients", threshold=2, checks=(check,), **facts)
    >>> print(summary(story))
    verdict   verified: everything that was asked for holds
    checked   k = 2 asked, k = 3 reached
    rows      6 published of 6, none suppressed
    groups    2 of 3 rows, mean 3
    """
    facts = [
        ("verdict", [VERDICTS[story.verdict]]),
        ("checked", [_check(story, i) for i in range(len(story.checks))]),
        ("rows", [_rows(story)]),
        ("groups", [_groups(story)]),
        ("unique", _uniques(story)),
        ("sensitive", _sensitive(story)),
        ("loss", _loss(story)),
        ("bound", _bound(story)),
        ("analysis", [f"{one.formula}: {one.words}" for one in story.analyses]),
        ("columns", _columns(story)),
        ("method", [story.method + _options(story)] if story.method else []),
        ("sha256", [f"{digest}  {name}" for name, digest in story.digests.items()]),
    ]
    lines = []
    for name, values in facts:
        for i, value in enumerate(values):
            lines.append(f"{name if i == 0 else '':<9} {visible(value)}")
    return "\n".join(lines)


def _check(story: Story, i: int) -> str:
    check = story.checks[i]
    return f"{check.asked} asked, {check.reached} reached" + ("" if check.ok else "  FAILS")


def _rows(story: Story) -> str:
    if not story.n_rows or 0 < story.suppressed < story.threshold:  # a difference would tell how many
        few = story.suppressed_words if not story.n_rows else f"fewer than {count(story.threshold)} suppressed"
        return f"{count(story.n_published)} published, {few}"
    return f"{count(story.n_published)} published of {count(story.n_rows)}, {story.suppressed_words}"


def _groups(story: Story) -> str:
    if not story.n_groups:
        return "none"
    one_size = story.smallest == story.largest
    sizes = count(story.smallest) if one_size else f"{count(story.smallest)} to {count(story.largest)}"
    return f"{count(story.n_groups)} of {sizes} rows, mean {figure(story.mean_size)}"


def _uniques(story: Story) -> list[str]:
    if story.uniques_before is None or story.uniques_after is None:
        return []
    before = hidden_count(story.uniques_before, story.threshold)
    return [f"{before} rows before, {count(story.uniques_after)} after"]


def _sensitive(story: Story) -> list[str]:
    """The worst group of every sensitive column."""
    width = max((len(visible(one.column)) for one in story.sensitive), default=0)
    lines = []
    for one in story.sensitive:
        shown = [f"{symbol} = {told(one.after, key)}{_before(one, key)}" for symbol, key in _SENSITIVE]
        lines.append(f"{visible(one.column):<{width}}  {', '.join(shown)}")
    return lines


def _before(one: SensitiveFacts, key: str) -> str:
    return "" if not one.before else f" ({told(one.before, key)} before)"


def _loss(story: Story) -> list[str]:
    measured = story.utility
    shares = [("GCP", measured.gcp), ("LM", measured.lm), ("CM", measured.cm)]
    c_dm = None if 0 < story.suppressed < story.threshold else measured.c_dm  # it tells how many were suppressed
    figures = [("C_DM", c_dm), ("C_AVG", measured.c_avg)]
    words = [f"{name} {percent(value)}" for name, value in shares if value is not None]
    words += [f"{name} {figure(value)}" for name, value in figures if value is not None]
    return [", ".join(words)] if words else []


def _bound(story: Story) -> list[str]:
    """The loss that no grouping can go below, and how far from it the release is."""
    measured = story.utility
    if measured.least_gcp is None:
        return []
    about = "" if measured.least_is_exact else "about "
    times = "" if measured.times_least is None else f"; this one loses {measured.times_least:.1f} times that"
    return [f"no grouping loses less than GCP {about}{percent(measured.least_gcp)}{times}"]


def _columns(story: Story) -> list[str]:
    """Loss of every column, the largest first, with the figures under each other."""
    falling = sorted(story.utility.ncp.items(), key=lambda pair: -pair[1])
    width = max((len(visible(name)) for name, _ in falling), default=0)
    return [f"{visible(name):<{width}}  {percent(loss):>6}" for name, loss in falling]


def _options(story: Story) -> str:
    shown = dict(story.options)
    if story.seed is not None:
        shown["seed"] = story.seed
    return f" ({', '.join(f'{name} = {value}' for name, value in shown.items())})" if shown else ""
