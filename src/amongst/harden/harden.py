"""Search, attack, repair, attack again, until what was promised holds or the best reachable value is named."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.attack.rate import Z
from amongst.engines.rows_here import rows_here
from amongst.errors import BadOption, Infeasible
from amongst.harden.attacked import ONE_TABLE, Attacked
from amongst.harden.certificate import Certificate, Kept, Round
from amongst.harden.promises import PROMISES, Broken, Promise
from amongst.harden.setting import Setting
from amongst.release.register import Register, is_register

if TYPE_CHECKING:
    from amongst.attack.finding import Findings
    from amongst.engines.store import Store
    from amongst.release import Release
    from amongst.request import Request

Place = str | os.PathLike[str]
GLANCE, CLOSE = 1.0, 0.15
"""How wide half of the interval of membership is, beside what is promised: at a first look, and before a promise is
said to be kept. A small table is divided so often that it is no wider: where chance alone can reach what is promised,
one of several rounds will, and the next attack shows it."""
LEAST_DIVISIONS = {GLANCE: 3, CLOSE: 16}
CLOSER_LOOKS = 2
"""With so many lots one after the other a promise must hold: what chose the setting does not judge it, and what judged
it well by luck is found out by the next."""
CLOSE_SEED = 1 << 20
FINEST = 0.02
"""A smaller advantage than this is not looked at more closely."""


@dataclass(frozen=True, kw_only=True)
class Harden:
    """What no attack may achieve; for ``am.anonymize(..., harden=am.Harden())``.

    Parameters
    ----------
    certain : bool
        Nobody's sensitive value is certain.
    likelier : float, optional
        No sensitive value is more than so many times as likely for anybody as in the whole release.
    narrowed : bool
        No cell can be narrowed by knowing the method.
    membership : float, optional
        People in the data are told from others at most so much more often than by a coin: the upper end of the interval
        of the advantage, against people held out of the data. None promises nothing.
    alone : bool
        Of many tables: nobody is found among fewer than k persons by all her rows, or by a few codes. One table holds k
        by itself.
    beside : sequence of paths
        Earlier releases of the same people, or registers of them: read together with them nobody is pinned down who was
        not before.
    drawn : float
        In what share of the small regions lots decide, 0 to 1, where models look at values: so the method does not tell
        why a class is as it is, and no way to deal out the values of the classes can be ruled out. The seed stays
        inside; where none is told it is drawn. With 0 there are no lots, and only what can be read off is promised.
    rounds : int
        Of attacks and repairs, at the most.

    Examples
    --------
    >>> import amongst as am
    >>> adult = am.datasets.load("adult")
    >>> table = adult.table.slice(0, 4000)
    >>> promised = am.Harden(membership=None)
    >>> release = am.anonymize(table, adult.schema, [am.KAnonymity(10)], harden=promised)
    >>> print(*release.certificate.words, sep="\\n")  # doctest: +ELLIPSIS
    Hardened in 2 rounds of attacks and repairs.
    Nobody's sensitive value is certain. Reached: none.
    No cell can be narrowed by knowing the method. Reached: none.
    Loss: 0...; without hardening 0...
    """

    certain: bool = True
    likelier: float | None = None
    narrowed: bool = True
    membership: float | None = 0.02
    alone: bool = True
    beside: Sequence[Place] = ()
    drawn: float = 0.1
    rounds: int = 20

    def __post_init__(self) -> None:
        object.__setattr__(self, "beside", tuple(self.beside))
        wrong = [f"{name} = {getattr(self, name)!r}" for name, fits in _FITS.items() if not fits(getattr(self, name))]
        if wrong:
            raise BadOption(
                "This cannot be promised.",
                found=wrong,
                fix="use certain, narrowed and alone as true or false, likelier above 1, membership and drawn from 0 "
                "to 1, rounds of at least 1",
            )

    def to_dict(self) -> dict[str, Any]:
        """The fields of ``[harden]`` in a job file, without what is as usual."""
        usual = Harden()
        told = {one.name: getattr(self, one.name) for one in fields(self)}
        told = {name: value for name, value in told.items() if value != getattr(usual, name)}
        if "membership" in told and told["membership"] is None:
            told["membership"] = 1.0  # of an advantage of 1 nothing is promised; TOML has no null
        return told | ({"beside": [os.fspath(one) for one in self.beside]} if self.beside else {})

    def asked_of(self, promises: Sequence[Promise]) -> list[tuple[Promise, Any]]:
        """The promises, each with what is asked."""
        given = [(one, getattr(self, one.name)) for one in promises]
        return [
            (one, asked) for one, asked in given if asked not in (None, False, ()) and not _asks_nothing(one, asked)
        ]

    def make_of(
        self, kind: Attacked, request: Request, publish: Callable[[Request], Release]
    ) -> tuple[Release, Request]:
        """The release of a kind that keeps the promises, and the request that makes it; ``publish`` makes one."""
        known = {one.name for one in kind.promises}
        unknown = [one.name for one, _ in self.asked_of(PROMISES) if one.name not in known]
        usual = Harden()
        unknown = [name for name in unknown if getattr(self, name) != getattr(usual, name)]
        if unknown:
            raise BadOption(
                f"This cannot be promised of {kind.what}.",
                found=", ".join(unknown),
                fix="promise " + ", ".join(one.name for one in kind.promises) + "; the others have no attack there",
            )
        return _Loop(self, kind, self.asked_of(kind.promises)).run(Setting(request), publish)

    def make(self, request: Request, store: Store, publish: Callable[..., Release]) -> Release:
        """The release that keeps the promises, with its certificate; raises where they cannot be kept.

        Parameters
        ----------
        request : Request
        store : Store
            The table. Where its rows are not in memory, those that are published come here to be attacked; what was
            found is then carried out where they are.
        publish : callable
            Makes a release of a request, of a ``Source`` in the place of the table where one is given.
        """
        if self.drawn and not request.seed:
            request = replace(request, seed=secrets.randbelow(1 << 53))
        if store.in_memory:
            return self.make_of(ONE_TABLE, request, publish)[0]
        try:
            named = [name for name in request.schema if request.schema[name].role != "identifier"]
            columns = [*named, *([request.unit] if request.unit is not None else [])]
            source = rows_here(store, request.schema, columns, what="attack what is made of them")
        finally:
            store.close()
        here, found = self.make_of(ONE_TABLE, request, lambda asked: publish(asked, source))
        there = publish(found)
        if there.plan.n_classes != here.plan.n_classes or there.utility.gcp != here.utility.gcp:
            raise AssertionError("the release is another one where its rows are")
        return replace(there, certificate=here.certificate)

    def others_beside(self, release: Release) -> list[Place] | None:
        """The earlier releases: folders as they were named, and those of registers that can be compared."""
        if not self.beside:
            return None
        own, found = set(release.schema.quasi), list[Place]()
        for place in self.beside:
            if not is_register(Path(place)):
                found.append(place)
                continue
            known = [entry.release for entry in Register(place).entries()]
            found += [one.folder for one in known if own & set(one.schema.quasi)]
        return found


@dataclass(frozen=True, eq=False)
class _Loop:
    """Search, attack, repair, attack again."""

    harden: Harden
    kind: Attacked
    asked: list[tuple[Promise, Any]]

    def run(self, setting: Setting, publish: Callable[[Request], Release]) -> tuple[Release, Request]:
        """The release with its certificate, and the request that makes it."""
        rounds: list[Round] = []
        n_looks = 0
        while True:
            try:
                release = publish(setting.request)
            except Infeasible as error:
                if not rounds:
                    raise
                lacking = next(pair for pair in self.asked if pair[0].name in rounds[-1].broken)
                raise _unreachable(*lacking, rounds) from error  # what was asked more of it cannot be
            found = self._attacked(release, seed=len(rounds), within=GLANCE)
            reached, broken = self._judged(found, release)
            looks: list[Findings] = []
            while not broken and len(looks) < CLOSER_LOOKS:
                n_looks += 1
                looks.append(self._attacked(release, seed=CLOSE_SEED + n_looks, within=CLOSE))
                reached, broken = self._judged(looks[-1], release, n_looks, reached if len(looks) > 1 else {})
            unseen = [why for name, why in found.skipped if name == "membership" and self.harden.membership]
            loss, n_classes = self.kind.cost(release)
            rounds.append(Round(setting.changes, loss, n_classes, reached, tuple(one.name for one, _ in broken)))
            if unseen:
                raise _not_shown(unseen[0])
            if not broken:
                certificate = Certificate(self._kept(reached, looks, n_looks), tuple(rounds), self.kind.not_tried)
                return replace(release, certificate=certificate), setting.request
            setting = self._repaired(setting, release, broken, rounds)

    def _attacked(self, release: Release, seed: int, within: float) -> Findings:
        attacks = [name for one, _ in self.asked for name in one.attacks]
        width = max(self.harden.membership or 1.0, FINEST) * within
        people = (Z / width) ** 2 / 2  # of each kind: then half of the interval of a difference is no wider
        wanted = -(-2 * people // max(self.kind.n_people(release), 1))
        divisions = int(min(max(wanted, LEAST_DIVISIONS[within]), self.kind.most_divisions))
        against = self.harden.others_beside(release)
        return self.kind.attack(release, attacks=attacks, against=against, seed=seed, divisions=divisions)

    def _judged(
        self, found: Findings, release: Release, look: int | None = None, before: Mapping[str, float | None] = {}
    ) -> tuple[dict[str, float | None], list[tuple[Promise, Any]]]:
        """What attacks reached of every promise, at a first or a closer look, and the promises that do not hold; of
        several looks in a row the worst."""
        reached = {one.name: _worst(before.get(one.name), one.measure(found, look)) for one, _ in self.asked}
        held = {
            one.name: one.holds(reached[one.name], asked) and one.stands(found, release, self.harden.drawn)
            for one, asked in self.asked
        }
        return reached, [(one, asked) for one, asked in self.asked if not held[one.name]]

    def _repaired(
        self, setting: Setting, release: Release, broken: list[tuple[Promise, Any]], rounds: list[Round]
    ) -> Setting:
        remade = False
        for one, asked in broken:
            # What is published is changed once a round, as it may serve several promises: the attacks will tell.
            if remade and one.changes_what_is_published:
                continue
            reached = rounds[-1].reached[one.name] or 0.0
            case = Broken(setting=setting, release=release, asked=asked, reached=reached, drawn=self.harden.drawn)
            better = one.repair(case)
            if better is None or len(rounds) >= self.harden.rounds:
                raise _unreachable(one, asked, rounds)
            remade |= one.changes_what_is_published or better.follows_no_row != setting.follows_no_row
            setting = better
        return setting

    def _kept(self, reached: Mapping[str, float | None], looks: Sequence[Findings], n_looks: int) -> tuple[Kept, ...]:
        first = n_looks - len(looks) + 1
        seen = {
            one.name: tuple(
                interval for i, found in enumerate(looks) if (interval := one.interval(found, first + i)) is not None
            )
            for one, _ in self.asked
        }
        return tuple(
            Kept(one.name, one.words(asked), _plain(asked), reached[one.name], one.recomputable, seen[one.name])
            for one, asked in self.asked
        )


def _worst(one: float | None, other: float | None) -> float | None:
    return max((value for value in (one, other) if value is not None), default=None)


def _asks_nothing(one: Promise, asked: Any) -> bool:
    return one.name == "membership" and asked >= 1


def _plain(asked: Any) -> Any:
    """What was asked as plain data; of earlier releases the names, not where they lie."""
    return [Path(one).name for one in asked] if isinstance(asked, tuple) else asked


def _not_shown(why: str) -> Infeasible:
    return Infeasible(
        "Who is in the data could not be attacked, so nothing is promised of it.",
        found=why,
        fix="promise nothing of membership (membership = 1), or ask for a smaller k",
    )


def _unreachable(one: Promise, asked: Any, rounds: list[Round]) -> Infeasible:
    values = [(value, again) for again in rounds if (value := again.reached[one.name]) is not None]
    best, where = min(values, key=lambda pair: pair[0])
    loss = "" if where.loss is None else f", at a loss of {where.loss:.3f}"
    return Infeasible(
        f"This promise cannot be kept: {one.words(asked)}",
        found=f"the best that {len(rounds)} rounds of attacks and repairs reached is {best:.4g}{loss}",
        fix=f"ask for no less than that ({one.name}), or leave the promise out",
        promise=one.name,
        best=best,
    )


def _is_number(value: Any, low: float, high: float) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and low <= value <= high


_FITS: dict[str, Callable[[Any], bool]] = {
    "certain": lambda value: isinstance(value, bool),
    "narrowed": lambda value: isinstance(value, bool),
    "alone": lambda value: isinstance(value, bool),
    "likelier": lambda value: value is None or (_is_number(value, 1, float("inf")) and value > 1),
    "membership": lambda value: value is None or (_is_number(value, 0, 1) and value > 0),
    "drawn": lambda value: _is_number(value, 0, 1),
    "rounds": lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= 1,
}
