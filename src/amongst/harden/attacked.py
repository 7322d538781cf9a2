"""What is hardened: how releases of one table, or of many, are attacked and measured."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from amongst.attack.attack import attack
from amongst.harden.promises import PROMISES, Promise

if TYPE_CHECKING:
    from amongst.attack.finding import Findings


@dataclass(frozen=True, kw_only=True)
class Attacked:
    """Releases of one kind.

    Attributes
    ----------
    what : str
        In words.
    promises : sequence of Promise
        What can be promised of them, in the order in which it is looked at.
    attack : callable
        From a release, and ``attacks``, ``against``, ``seed`` and ``divisions``, to what came of it.
    cost : callable
        From a release to its loss, None where there is none, and how many classes or groups it has.
    n_people : callable
        From a release to how many there were to divide.
    most_divisions : int
        So often the people are divided at the most.
    not_tried : tuple of str
        What no attack looks at, in sentences for the certificate.
    """

    what: str
    promises: Sequence[Promise]
    attack: Callable[..., Findings]
    cost: Callable[[Any], tuple[float | None, int]]
    n_people: Callable[[Any], int]
    most_divisions: int
    not_tried: tuple[str, ...] = ()


def _cost(release: Any) -> tuple[float | None, int]:
    return None if release.is_pair else release.utility.gcp, release.plan.n_classes


ONE_TABLE = Attacked(
    what="one table",
    promises=PROMISES,
    attack=attack,
    cost=_cost,
    n_people=lambda release: release.coded.n_input,
    most_divisions=60,
)
