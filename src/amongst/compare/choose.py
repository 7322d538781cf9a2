"""The privacy-loss front, and which candidate to take."""

from __future__ import annotations

from collections.abc import Sequence

from amongst.compare.candidate import Outcome
from amongst.report.wording import percent

SMALL_PRICE = 0.10
"""A larger k is taken as long as it loses at most this much more, as a share of what the smallest k loses,"""
SMALL_STEP = 0.01
"""or at most this much more of all there is to lose: of next to nothing a tenth is next to nothing."""
ALIKE = 0.02
"""Losses within this share of each other count as alike: then the faster one is worth knowing."""
FASTER = 3.0


def front(outcomes: Sequence[Outcome]) -> list[int]:
    """The places of those that no other beats: none has a k as large with less loss, or the loss with a larger k."""
    good = [(i, one) for i, one in enumerate(outcomes) if one.comparable]
    return [i for i, one in good if not any(_beats(other, one) for _, other in good)]


def _beats(one: Outcome, other: Outcome) -> bool:
    as_good = one.candidate.k >= other.candidate.k and one.loss <= other.loss
    return as_good and (one.candidate.k > other.candidate.k or one.loss < other.loss)


def recommend(outcomes: Sequence[Outcome], front: Sequence[int], asked: int = 1) -> tuple[int | None, list[str]]:
    """One of the front with at least the k that was asked for, and the reasons in sentences."""
    ks = sorted({outcomes[i].candidate.k for i in front if outcomes[i].candidate.k >= asked})
    if not ks:
        enough = f" with k = {asked:,}, which was asked for, or more" if front else ""
        nothing = f"Nothing that can be weighed{enough} was made and verified, so nothing is recommended."
        return None, [nothing, *_not_weighed(outcomes)]
    least = {k: _best(outcomes, front, k) for k in ks}
    base = outcomes[least[ks[0]]].loss
    chosen_k = max(k for k in ks if outcomes[least[k]].loss <= max(base * (1 + SMALL_PRICE), base + SMALL_STEP))
    chosen = least[chosen_k]
    return chosen, [
        *_why_method(outcomes, chosen),
        *_why_k(outcomes, least, chosen_k),
        *_less_than_asked(outcomes, asked),
        *_suppressed(outcomes[chosen]),
        *_faster(outcomes, chosen),
        *_not_weighed(outcomes),
    ]


def _best(outcomes: Sequence[Outcome], front: Sequence[int], k: int) -> int:
    return min(
        (i for i in front if outcomes[i].candidate.k == k), key=lambda i: (outcomes[i].loss, outcomes[i].seconds)
    )


def _name(outcome: Outcome) -> str:
    return f"{outcome.candidate.name} with k = {outcome.candidate.k:,}"


def _loss(outcome: Outcome) -> str:
    if outcome.error is not None:
        return f"{percent(outcome.error)} mean error over the questions"
    return f"{outcome.measure} {percent(outcome.gcp)}"


def _why_method(outcomes: Sequence[Outcome], chosen: int) -> list[str]:
    one = outcomes[chosen]
    others = [
        other
        for i, other in enumerate(outcomes)
        if i != chosen and other.comparable and other.candidate.models == one.candidate.models
    ]
    if not others:
        return [f"{_name(one)} is the only one that was made and verified with this k: {_loss(one)}."]
    second = min(others, key=lambda other: other.loss)
    next_best = f"the next best, {second.candidate.name}, {_loss(second)}"
    return [f"{_name(one)} loses least of the {len(others) + 1} that hold: {_loss(one)}; {next_best}."]


def _why_k(outcomes: Sequence[Outcome], least: dict[int, int], k: int) -> list[str]:
    said = []
    first = min(least)
    base = outcomes[least[first]].loss
    if k != first:
        costs = _loss(outcomes[least[k]])
        said.append(f"k = {k:,} protects more than k = {first:,} and costs little more: {costs}, not {percent(base)}.")
    larger = [other for other in least if other > k]
    if larger:
        costs = _loss(outcomes[least[larger[0]]])
        said.append(f"k = {larger[0]:,} would lose more ({costs}): take it if that is worth it to you.")
    return said


def _less_than_asked(outcomes: Sequence[Outcome], asked: int) -> list[str]:
    if all(one.candidate.k >= asked for one in outcomes):
        return []
    return [f"Less than k = {asked:,}, which was asked for, is shown and never recommended."]


def _suppressed(one: Outcome) -> list[str]:
    n = int(one.figures.get("n_suppressed", 0))
    if not n:
        return ["It suppresses no rows."]
    if n < one.candidate.k:
        return [f"It suppresses fewer than {one.candidate.k:,} rows; they count as lost."]
    share = n / max(n + int(one.figures.get("n_published", 0)), 1)
    return [f"It suppresses {percent(share)} of the rows; they count as lost."]


def _faster(outcomes: Sequence[Outcome], chosen: int) -> list[str]:
    one = outcomes[chosen]
    near = [
        other
        for other in outcomes
        if other.comparable
        and other.candidate.models == one.candidate.models
        and other.loss <= one.loss * (1 + ALIKE)
        and other.seconds * FASTER < one.seconds
    ]
    if not near:
        return []
    quick = min(near, key=lambda other: other.seconds)
    told = f"{quick.candidate.name} loses about as much ({_loss(quick)})"
    return [f"{told} in {quick.seconds:.1f} s, not {one.seconds:.1f} s."]


def _not_weighed(outcomes: Sequence[Outcome]) -> list[str]:
    names = dict.fromkeys(one.candidate.name for one in outcomes if one.state == "verified" and not one.comparable)
    if not names:
        return []
    return [f"{', '.join(names)} generalizes nothing, so GCP does not measure it: questions do (a workload)."]
