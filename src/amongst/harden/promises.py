"""What can be promised of attacks: how it is measured, and what is done where it does not hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from amongst.attack.finding import Findings
from amongst.attack.membership import FEWEST_DIVISIONS
from amongst.attack.rate import Z, student
from amongst.harden.setting import FOLLOWS_NO_ROW, Setting
from amongst.models import BetaLikeness, LDiversity, smallest_group

if TYPE_CHECKING:
    from amongst.release import Release

LEAST_GROWTH, MOST_GROWTH = 1.25, 3.0
"""By how much regions grow from one round to the next."""

ERROR = 0.05
"""The chance that a promise of membership is said to be kept and is not, over the lots that divide the people."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Broken:
    """A promise that does not hold: how the release was made, what is asked, and what an attack reached."""

    setting: Setting
    release: Release
    asked: Any
    reached: float
    drawn: float


@dataclass(frozen=True, kw_only=True)
class Promise:
    """One promise.

    Attributes
    ----------
    name : str
    words : callable
        From what is asked to a sentence.
    attacks : tuple of str
        Which must be carried out.
    measure : callable
        From the findings, and the number of the closer look (None: a first one), to what an attack achieved at most;
        None where there is nothing to attack.
    repair : callable
        From what is broken to a stronger setting; None where there is none.
    recomputable : bool
        Whether everybody who has the release can measure it: then it is told in public.
    stands : callable
        From the findings, the release and ``Harden.drawn`` to whether it holds for more reasons than that the attack
        failed.
    changes_what_is_published : bool
        Whether its repair is another way to publish, and not one more model.
    interval : callable
        From the findings and the number of the closer look to the figure and both ends of its interval; None of
        figures that are no estimate.
    """

    name: str
    words: Callable[[Any], str]
    attacks: tuple[str, ...]
    measure: Callable[[Findings, int | None], float | None]
    repair: Callable[[Broken], Setting | None]
    recomputable: bool
    stands: Callable[[Findings, Release, float], bool] = lambda found, release, drawn: True
    changes_what_is_published: bool = True
    interval: Callable[[Findings, int], tuple[float, float, float] | None] = lambda found, look: None

    def holds(self, reached: float | None, asked: Any) -> bool:
        most = 0.0 if asked is True or not isinstance(asked, (int, float)) else float(asked)
        return reached is None or reached <= most + 1e-9


def most_of(found: Findings, attack: str, figure: Callable[[Any], float]) -> float | None:
    """The largest figure of the findings of an attack."""
    return max((figure(one) for one in found.of(attack)), default=None)


def _diverse(broken: Broken) -> Setting | None:
    if broken.reached == 0:
        return _loose(broken)
    there = any(model.name == LDiversity.name for model in broken.setting.request.models)
    return None if there else broken.setting.asks(LDiversity(2, "distinct"))


def _alike(broken: Broken) -> Setting | None:
    if broken.reached <= float(broken.asked) + 1e-9:
        return _loose(broken)
    there = any(model.name == BetaLikeness.name for model in broken.setting.request.models)
    return None if there else broken.setting.asks(BetaLikeness(float(broken.asked) - 1))


def _loose(broken: Broken) -> Setting | None:
    setting = broken.setting
    return None if setting.follows_no_row else setting.without_tight_ranges(broken.release, broken.drawn)


def _larger(broken: Broken) -> Setting | None:
    """Larger regions: what a count tells of one among n people falls with the root of n."""
    setting = broken.setting
    if not setting.follows_no_row:
        return _loose(broken)
    now = max(setting.least, smallest_group(setting.request.models))
    times = (broken.reached / broken.asked) ** 2 if isinstance(broken.asked, float) else 2.0
    least = int(now * min(max(times, LEAST_GROWTH), MOST_GROWTH)) + 1
    return setting.with_least(least) if 2 * least <= broken.release.coded.n_rows else None


def _rules_nothing_out(found: Findings, release: Release, drawn: float) -> bool:
    """Whether who knows the method and everybody's quasi-identifiers can rule out no way to deal out the values of the
    classes: the method looks at no values, or lots decide about some regions; where none are wanted, the classes are
    read and nothing else."""
    if not drawn or not release.coded.sensitive:
        return True
    return release.request.method == FOLLOWS_NO_ROW and bool(release.request.options.get("drawn"))


def _follows_no_row(found: Findings, release: Release, drawn: float) -> bool:
    """Whether nothing is generalized, or boxes follow no row: of others more is known of how they are made than what
    the attack tries."""
    generalized = sum(one.rates[0].n for one in found.of("downcoding"))
    return generalized == 0 or release.request.method == FOLLOWS_NO_ROW


def _advantage(figures: Mapping[str, Any], look: int | None) -> float:
    """The advantage at a first look; at a closer one the upper end of its interval.

    That the upper end lies below what it is of must happen with a chance of at most 5 % in all looks together: the
    first one may err with 2.5 %, every other one with half of the one before.
    """
    if look is None:
        return float(figures["advantage"])
    n, upper = int(figures["divisions"]), float(figures["interval"][1])
    if n < FEWEST_DIVISIONS:
        return upper
    z = NormalDist().inv_cdf(1 - ERROR / 2**look)
    wide = max(student(z, n - 1) * figures["spread"] / (n - 1) ** 0.5, (upper - figures["advantage"]) * z / Z)
    return float(figures["advantage"] + wide)


def furthest(found: Findings, look: int | None) -> float | None:
    """What the attack on membership reached at most."""
    return most_of(found, "membership", lambda one: _advantage(one.figures, look))


def with_ends(found: Findings, look: int) -> tuple[float, float, float] | None:
    """The advantage of the attack that went furthest, and its interval, as wide below as above."""
    looks = [(_advantage(one.figures, look), float(one.figures["advantage"])) for one in found.of("membership")]
    if not looks:
        return None
    upper, middle = max(looks)
    return middle, 2 * middle - upper, upper


def _together(found: Findings, look: int | None) -> float | None:
    tried = [one for name in ("composition", "newcomers", "presence") for one in found.of(name)]
    return float(sum(one.succeeded for one in tried)) if tried else None


PROMISES: Sequence[Promise] = (
    Promise(
        name="certain",
        words=lambda asked: "Nobody's sensitive value is certain.",
        attacks=("homogeneity",),
        measure=lambda found, look: most_of(found, "homogeneity", lambda one: one.rates[0].value),
        repair=_diverse,
        recomputable=True,
        stands=_rules_nothing_out,
        changes_what_is_published=False,
    ),
    Promise(
        name="likelier",
        words=lambda asked: f"No sensitive value is more than {asked:g} times as likely for anybody as in the release.",
        attacks=("skewness",),
        measure=lambda found, look: most_of(found, "skewness", lambda one: one.figures["largest_gain"]),
        repair=_alike,
        recomputable=True,
        stands=_rules_nothing_out,
        changes_what_is_published=False,
    ),
    Promise(
        name="narrowed",
        words=lambda asked: "No cell can be narrowed by knowing the method.",
        attacks=("downcoding",),
        measure=lambda found, look: most_of(found, "downcoding", lambda one: one.rates[0].value),
        stands=_follows_no_row,
        repair=_loose,
        recomputable=True,
    ),
    Promise(
        name="membership",
        words=lambda asked: f"People in the data are told from others at most {asked:.2%} more often than by a coin.",
        attacks=("membership",),
        measure=furthest,
        interval=with_ends,
        repair=_larger,
        recomputable=False,
    ),
    Promise(
        name="beside",
        words=lambda asked: "Nobody is pinned down who was not before, read together with earlier releases.",
        attacks=("composition", "newcomers", "presence"),
        measure=_together,
        repair=_larger,
        recomputable=False,
    ),
)
"""In the order in which they are looked at."""
