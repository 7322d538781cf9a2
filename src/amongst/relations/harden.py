"""Many tables that withstand the attacks: what can be promised of them, and what is done where it does not hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from amongst.errors import BadOption
from amongst.harden.attacked import Attacked
from amongst.harden.promises import LEAST_GROWTH, MOST_GROWTH, Broken, Promise, furthest, most_of, with_ends
from amongst.harden.setting import Setting
from amongst.models import KAnonymity
from amongst.relations.attacks.attack_database import attack_database
from amongst.relations.diversity import Diversity, database_models
from amongst.relations.km_anonymity import KmAnonymity, asks_codes

if TYPE_CHECKING:
    from amongst.attack.finding import Findings

SPREAD = (1.25, 1.5, 2.0)
"""No value is that of more than one in so many persons whose rows look alike: what is asked first where a value is
certain, and what then."""
MOST_TRIED = 500
"""Of more persons a sample is tried in every division."""
MOST_DIVISIONS = 24


def _larger(broken: Broken) -> Setting | None:
    """Larger groups: their trees say less, and fit more who are not in the data."""
    release = broken.release
    now = release.request.threshold
    times = broken.reached / broken.asked if isinstance(broken.asked, float) else 2.0
    k = int(now * min(max(times, LEAST_GROWTH), MOST_GROWTH)) + 1
    if 4 * k > _n_persons(release):  # half of the persons are published anew, in two groups at least
        return None
    setting = broken.setting
    models = [one for one in setting.request.models if not isinstance(one, KAnonymity)]
    return setting.with_models([KAnonymity(k), *models], f"asks: {KAnonymity(k).words(people=True)}")


def _diverse(broken: Broken) -> Setting | None:
    """Values spread over the persons whose rows look alike, and over those who share codes; where that is not enough,
    larger groups."""
    if _can_share_codes(broken):
        return _not_alone(broken)
    asked = [one.l for one in database_models(broken.setting.request.models)[1] if one.column is None]
    more = next((least for least in SPREAD if least > max(asked, default=0.0)), None)
    return _larger(broken) if more is None else broken.setting.asks(Diversity(more, count="persons"))


def _not_alone(broken: Broken) -> Setting | None:
    """Codes that several persons share, where tables of codes are known; else larger groups."""
    if _can_share_codes(broken):
        return broken.setting.asks(KmAnonymity(broken.setting.request.threshold))
    return _larger(broken)


def _can_share_codes(broken: Broken) -> bool:
    """Whether some codes of a table are known, and nothing is asked of them yet."""
    schema: Any = broken.release.schema
    known = any(one.known == "codes" for one in schema.values())
    return known and not any(asks_codes(one) for one in broken.setting.request.models)


def _fewer_than_k(found: Findings, look: int | None) -> float | None:
    tried = [most_of(found, name, lambda one: one.rates[1].value) for name in ("re-identification", "few codes")]
    return max((one for one in tried if one is not None), default=None)


PROMISES: Sequence[Promise] = (
    Promise(
        name="certain",
        words=lambda asked: (
            "No sensitive value can be read off for sure: none is that of all persons of a group, or of all of it who "
            "have the same few codes."
        ),
        attacks=("homogeneity",),
        measure=lambda found, look: most_of(found, "homogeneity", lambda one: one.rates[0].value),
        repair=_diverse,
        recomputable=True,
        changes_what_is_published=False,
    ),
    Promise(
        name="alone",
        words=lambda asked: "Nobody is found among fewer than k persons, by all her rows or by a few codes.",
        attacks=("re-identification", "few codes"),
        measure=_fewer_than_k,
        repair=_not_alone,
        recomputable=False,
    ),
    Promise(
        name="membership",
        words=lambda asked: (
            f"By whether a published tree fits them, people in the data are told from others at most "
            f"{asked:.2%} more often than by a coin."
        ),
        attacks=("membership",),
        measure=furthest,
        interval=with_ends,
        repair=_larger,
        recomputable=False,
    ),
)
"""In the order in which they are looked at."""


def _attack(release: Any, *, attacks: Sequence[str], against: Any, seed: int, divisions: int) -> Findings:
    if release.request.chosen.values_apart:
        found = f"{release.method}, which publishes values in tables of their own, and all else as it is"
        fix = "use another method, or leave harden out: the diversity that is asked for is proved all the same"
        raise BadOption("Only tables whose attacks read their values are hardened.", found=found, fix=fix)
    return attack_database(release, attacks=attacks, seed=seed, divisions=divisions, most=MOST_TRIED)


def _n_persons(release: Any) -> int:
    return int(release.coded.n_input[0])


MANY_TABLES = Attacked(
    what="many tables",
    promises=PROMISES,
    attack=_attack,
    cost=lambda release: (release.utility.lm, release.utility.groups),
    n_people=_n_persons,
    most_divisions=MOST_DIVISIONS,
    not_tried=(
        "Not tried on many tables: narrowing cells by knowing the method, dealing out the values in all ways, and "
        "reading them together with earlier releases.",
    ),
)
