"""Membership: telling who is in the data from who is not, also for the few about whom the intruder is surest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from amongst.attack.boxes import Boxes
from amongst.attack.declared import Attack
from amongst.attack.finding import Finding, listed
from amongst.attack.fits import candidates
from amongst.attack.intruder import Intruder
from amongst.attack.people import People, comparable
from amongst.attack.rate import Rate, Risk, Z, apart, share, student

MOST_PEOPLE = 40_000
ENOUGH = 50_000
"""Where fewer people than this are told for every division that is wanted, the table is divided as often as wanted."""
FALSE_ALARMS = (0.01, 0.001)
FEWEST_DIVISIONS = 4
"""Of fewer, how they differ says too little."""


@dataclass(frozen=True, eq=False)
class Scores:
    """How much speaks for each being in the data, by one way to score: of members and of others."""

    members: np.ndarray
    others: np.ndarray


def membership(tries: Sequence[tuple[Boxes, People, People]], rng: np.random.Generator) -> Finding | str:
    """Score people who are in the data and people who are not, and count how often the threshold is right.

    Paper: Homer et al., PLoS Genetics 2008, for the question; Carlini et al., *Membership Inference Attacks From First
    Principles*, IEEE S&P 2022, for asking it at low false-positive rates. Of boxes as tight as the data one who is
    not in it often lies in none.

    Choices: two scores. *Fits*: how many records somebody fits. *Crowd*: for every box that somebody lies in, its
    records beside the people of a reference group who lie in it; a box made around its members has more records than
    the population promises. Members and others are dealt into two halves. The others of one half are the reference of
    the other; score and threshold are chosen on one half and counted on the other, so that nothing is chosen by what
    it is judged by. The advantage is the share of members above the threshold minus the share of others, and has
    Newcombe's interval; where the table was divided several times the wider of that and of what the divisions differ
    by, as people of one box are right or wrong together.

    Parameters
    ----------
    tries : sequence of (Boxes, People, People)
        A release, who is in it, and who is not; several where the table is small and was divided more than once.
    """
    boxes, original, _ = tries[0]
    names = comparable(original, boxes, "The original")
    if min(people.n for one in tries for people in one[1:]) < 4:
        return "there are too few people to tell members from others"
    counted = [_counted(*one, names, rng) for one in tries]
    n_members, n_others = sum(one.n_members for one in counted), sum(one.n_others for one in counted)
    hit, low = (np.sum([getattr(one, part) for one in counted], axis=0) for part in ("hit", "low"))
    k = boxes.threshold
    true = Rate("members taken for members", float(hit[0]), n_members, k)
    false = Rate("others taken for members", float(hit[1]), n_others, k)
    advantage, ends = apart(true, false)
    ends = with_spread(advantage, ends, [one.advantage for one in counted])
    rates, told = [true, false], [f"Taken for members: {true.words} of the people in the data."]
    told.append(f"Taken for members though they are not in the data: {false.words}.")
    told.append(
        f"Advantage, the difference of both: {advantage:.2%} (95% interval {ends[0]:.2%} to {ends[1]:.2%}); a coin "
        "has 0."
    )
    for alarms, found in zip(FALSE_ALARMS, low, strict=True):
        rates += [
            Rate(f"members found at {alarms:.1%} false alarms", float(found[0]), n_members, k),
            Rate(f"false alarms where {alarms:.1%} were meant", float(found[1]), n_others, k),
        ]
        told.append(
            f"Where at most {share(alarms)} of the others are to be taken for members: {rates[-2].words} members, "
            f"{rates[-1].words} others."
        )
    return Finding(
        attack="membership",
        kind="singling out",
        title="Who is in the data",
        knows=f"Of somebody {listed(names)}, the release, and people like those in the data as a reference.",
        works="Somebody in many records, or in boxes with more records than the reference promises, is taken for a "
        "member; score and threshold are chosen on one half of the people and counted on the other. Tried for "
        f"{n_members:,} people in the data and {n_others:,} who are not"
        + (f", the table being divided {len(tries)} times." if len(tries) > 1 else "."),
        achieved=tuple(told),
        lower="A larger k; and boxes that do not follow the data and leave no gaps between them, in which those lie "
        "who are not in it: nodes of a hierarchy or a grid.",
        succeeded=ends[0] > 0,
        rates=tuple(rates),
        risk=Risk(true, false),
        figures={
            "advantage": round(advantage, 6),
            "interval": [round(end, 6) for end in ends],
            "members": n_members,
            "others": n_others,
            "divisions": len(counted),
            "spread": round(float(np.std([one.advantage for one in counted])), 6),
        },
        paper="Carlini et al.: Membership Inference Attacks From First Principles, IEEE S&P 2022",
    )


@dataclass(frozen=True, eq=False)
class Counted:
    """Members and others that were taken for members: at the best threshold, and at few false alarms."""

    n_members: int
    n_others: int
    hit: np.ndarray
    low: np.ndarray

    @property
    def advantage(self) -> float:
        return float(self.hit[0] / self.n_members - self.hit[1] / self.n_others)


def with_spread(advantage: float, ends: tuple[float, float], of_division: Sequence[float]) -> tuple[float, float]:
    """The interval, no narrower than Student's of the divisions; of fewer than four that would say nothing."""
    n = len(of_division)
    if n < FEWEST_DIVISIONS:
        return ends
    half = student(Z, n - 1) * float(np.std(of_division, ddof=1)) / n**0.5
    return max(min(ends[0], advantage - half), -1.0), min(max(ends[1], advantage + half), 1.0)


def _counted(
    boxes: Boxes, original: People, control: People, names: Sequence[str], rng: np.random.Generator
) -> Counted:
    members, others = original.sample(MOST_PEOPLE, rng), control.sample(MOST_PEOPLE, rng)
    half_of_member, half_of_other = (rng.permutation(one.n) % 2 for one in (members, others))
    halves = [
        _scored(
            boxes,
            members,
            half_of_member=half_of_member,
            others=others,
            half_of_other=half_of_other,
            half=half,
            names=names,
        )
        for half in (0, 1)
    ]
    hit, low = np.zeros(2), np.zeros((len(FALSE_ALARMS), 2))
    for judged, chosen_on in ((0, 1), (1, 0)):
        name, least = _best(halves[chosen_on])
        hit += _above(halves[judged][name], least)
        low += [_at_false_alarms(halves[chosen_on], halves[judged], alarms) for alarms in FALSE_ALARMS]
    return Counted(members.n, others.n, hit, low)


def _scored(
    boxes: Boxes,
    members: People,
    half_of_member: np.ndarray,
    others: People,
    half_of_other: np.ndarray,
    half: int,
    names: Sequence[str],
) -> dict[str, Scores]:
    """The scores of one half; the others of the other half are the reference."""
    reference = np.zeros(boxes.n_boxes)
    for box, _ in candidates(boxes, others.take(np.flatnonzero(half_of_other != half)), names):
        reference += np.bincount(box, minlength=boxes.n_boxes)
    weights = {"fits": boxes.size.astype(np.float64), "crowd": boxes.size / (reference + 1)}
    own = members.take(np.flatnonzero(half_of_member == half)), others.take(np.flatnonzero(half_of_other == half))
    found = [_sums(boxes, people, names, weights) for people in own]
    return {name: Scores(found[0][name], found[1][name]) for name in weights}


def _sums(boxes: Boxes, people: People, names: Sequence[str], weights: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """For everybody the weights of the boxes they lie in, added up."""
    sorts, sort = people.sorts(names)
    total = {name: np.zeros(sorts.n) for name in weights}
    for box, person in candidates(boxes, sorts, names):
        for name, weight in weights.items():
            total[name] += np.bincount(person, weight[box], sorts.n)
    return {name: one[sort] for name, one in total.items()}


def _best(scores: dict[str, Scores]) -> tuple[str, float]:
    """The score and the threshold that tell members from others best."""
    best = max(((*_threshold(one), name) for name, one in scores.items()), key=lambda found: found[0])
    return best[2], best[1]


def _threshold(scores: Scores) -> tuple[float, float]:
    """The largest difference of the shares at or above a threshold, and the threshold."""
    at = np.unique(np.concatenate([scores.members, scores.others]))
    if len(at) == 0:  # of one person there is no half to choose by
        return 0.0, np.inf
    shares = [
        1 - np.searchsorted(np.sort(one), at, "left") / max(len(one), 1) for one in (scores.members, scores.others)
    ]
    gain = shares[0] - shares[1]
    best = int(np.argmax(gain))
    return float(gain[best]), float(at[best])


def _above(scores: Scores, least: float) -> np.ndarray:
    return np.array([(scores.members >= least).sum(), (scores.others >= least).sum()], dtype=np.float64)


def _at_false_alarms(chosen_on: dict[str, Scores], judged: dict[str, Scores], alarms: float) -> np.ndarray:
    """Members and others above the threshold that leaves so many false alarms, by the score that then finds most."""
    best, name, least = -1.0, "", np.inf
    for one, scores in chosen_on.items():
        allowed = int(alarms * len(scores.others))
        worst = np.sort(scores.others)[::-1]
        # Above the value of the first one who must not be taken for a member.
        limit = float(np.nextafter(worst[allowed], np.inf)) if allowed < len(worst) else -np.inf
        found = float((scores.members >= limit).mean()) if len(scores.members) else 0.0
        if found > best:
            best, name, least = found, one, limit
    return _above(judged[name], least)


def _carry_out(intruder: Intruder) -> Iterator[Finding | str]:
    given = intruder.measured()
    if isinstance(given, str):
        yield given
        return
    boxes, original, control = given
    if control is None:
        yield "there is no control group of people who are not in the data"
        return
    wanted = intruder.divisions
    times = min(wanted, max(1, ENOUGH * wanted // (original.n + control.n)))
    yield membership([(boxes, original, control), *intruder.divided_again(times - 1)], intruder.rng)


ATTACK = Attack(
    name="membership",
    place=14,
    kind="singling out",
    words="Tells who is in the data from who is not.",
    needs="the original",
    carry_out=_carry_out,
)
