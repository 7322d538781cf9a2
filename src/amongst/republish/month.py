"""One month of a series: its people on the tree of boxes, and the boxes to publish."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from amongst.errors import Infeasible
from amongst.republish.boxes import Boxes
from amongst.republish.cut import Chosen, Earlier, choose, ways_down
from amongst.republish.earlier import Met, Published
from amongst.republish.people import People
from amongst.republish.promise import Promise

MOST_ROUNDS = 12
ROOM = 0.4
"""Boxes should leave so many people in common beyond k, as a share of k: later months need them."""
MOST_DEFERRED = 4
"""So often newcomers are left out before larger boxes are tried."""


class Month:
    """One month on the tree."""

    def __init__(
        self,
        boxes: Boxes,
        people: People,
        loss: np.ndarray,
        published: Sequence[Published],
        promise: Promise,
        n_values: int,
    ) -> None:
        self.people, self.loss, self.published, self.promise = people, loss, published, promise
        self.boxes, self.n_nodes, self.n_values = boxes, boxes.n, n_values
        self.width = 2 * n_values + promise.most_rows if promise.most_rows else n_values
        self.met = [self._met(one) for one in published]
        self.known = np.zeros(people.n, dtype=bool)
        for met in self.met:
            self.known[met.person] = True

    def settle(self) -> tuple[Chosen, np.ndarray]:
        """Choose, leave people out, look whether all holds with the others; else close what does not and repeat."""
        closed: set[int] = set()
        everybody = np.ones(self.people.n, dtype=bool)
        for _ in range(MOST_ROUNDS):
            count, earlier = self._up(everybody), self._all_earlier(everybody)
            room = round(ROOM * self.promise.k)
            chosen = choose(self.boxes.parts, self.loss, count, earlier, self.promise, closed, room=room)
            if chosen is None:
                break
            tried = self._without_exposed(chosen, self._leave_out(chosen, everybody))
            wrong, late = self._broken(chosen, tried)
            for _ in range(MOST_DEFERRED):
                if not late.any():
                    break
                tried = self._without_exposed(chosen, tried & ~late)
                wrong, late = self._broken(chosen, tried)
            if not wrong and not late.any():
                return chosen, tried
            closed |= wrong | set(self.class_of_person(chosen.nodes)[late].tolist())
        raise too_few(self.people.n)

    def class_of_person(self, nodes: Sequence[int]) -> np.ndarray:
        return self.boxes.class_of_node(np.asarray(nodes))[self.people.leaf]

    def counts_at(self, node: np.ndarray, keep: np.ndarray) -> np.ndarray:
        """People, and where somebody has several their rows, by value, at the node that everybody is told to be at."""
        people, n = self.people, self.n_values
        place = [(node * self.width + people.value)[keep]]
        if self.promise.most_rows:
            place.append((node * self.width + 2 * n + people.n_rows - 1)[keep])
            row = np.flatnonzero(people.person_of_row >= 0)
            own = people.person_of_row[row]
            place.append((node[own] * self.width + n + people.value_of_row[row])[keep[own]])
        count = np.bincount(np.concatenate(place), minlength=self.n_nodes * self.width)
        return count.astype(np.int64).reshape(self.n_nodes, self.width)

    def _up(self, keep: np.ndarray) -> np.ndarray:
        """People by value in every node."""
        return self.boxes.summed(self.counts_at(self.people.leaf, keep))

    def _met(self, one: Published) -> Met:
        who = self.people.digest
        at = np.minimum(np.searchsorted(one.digest, who), max(len(one.digest) - 1, 0))
        person = np.flatnonzero(one.digest[at] == who) if len(one.digest) else np.zeros(0, dtype=np.int64)
        at = at[person]
        then = one.leaf[at].astype(np.int64)
        lowest = self.boxes.lowest(self.people.leaf[person], then)
        same = one.content[at] == self.people.content[person]
        return Met(person, at, then, one.n_rows[at].astype(np.int64), lowest, same)

    def _counts_then(self, one: Published) -> np.ndarray:
        """The counts of an earlier release at its classes, laid out as those of this month."""
        found = np.zeros((self.n_nodes, self.width), dtype=np.int64)
        n, width = self.n_values, one.counts.shape[1]
        found[one.classes, :width] = one.counts
        if self.promise.most_rows:
            found[one.classes, n : n + width] = one.rows if one.most_rows else one.counts
            if one.most_rows:
                found[one.classes, 2 * n : 2 * n + one.most_rows] = one.sizes
            else:
                found[one.classes, 2 * n] = one.counts.sum(axis=1)
        return found

    def _all_earlier(self, keep: np.ndarray) -> list[Earlier]:
        return [self._earlier(one, met, keep) for one, met in zip(self.published, self.met, strict=True)]

    def _earlier(self, one: Published, met: Met, keep: np.ndarray) -> Earlier:
        is_class = np.zeros(self.n_nodes, dtype=bool)
        is_class[one.classes] = True
        count = self.boxes.summed(self._counts_then(one))
        n_people = self.boxes.summed(np.bincount(one.leaf, minlength=self.n_nodes).astype(np.int64))
        whole = self.boxes.whole(one.classes, n_people, count)
        place = self.people.leaf.copy()
        own = met.person[met.same & keep[met.person]]
        place[met.person] = met.lowest
        stays = np.zeros(self.people.n, dtype=bool)
        stays[own] = True
        stayed = self.boxes.summed(self.counts_at(place, stays))
        arrived, departed = self._known(one, met, keep)
        left: dict[int, list[int]] = {}
        for c in one.classes[departed[one.classes].any(axis=1)].tolist():
            x = int(self.boxes.parent[c])
            while x >= 0:
                left.setdefault(x, []).append(c)
                x = int(self.boxes.parent[x])
        return Earlier(is_class, whole, count, stayed, arrived=arrived, departed=departed, left=left)

    def _known(self, one: Published, met: Met, keep: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """People by the rows that they have more, or fewer, in every box than in an earlier release."""
        width = max(self.promise.most_rows, 1)
        own = keep[met.person]
        person, lowest = met.person[own], met.lowest[own]
        now_rows, then_rows = self.people.n_rows[person], met.n_rows[own]
        found = []
        for leaf, n_rows, moved, rows, more in (
            (self.people.leaf[keep], self.people.n_rows[keep], lowest, now_rows, now_rows - then_rows),
            (one.leaf.astype(np.int64), one.n_rows.astype(np.int64), lowest, then_rows, then_rows - now_rows),
        ):
            count = np.bincount(leaf * width + n_rows - 1, minlength=self.n_nodes * width).astype(np.int64)
            count -= np.bincount(moved * width + rows - 1, minlength=len(count))
            gain = more > 0
            count += np.bincount(moved[gain] * width + more[gain] - 1, minlength=len(count))
            found.append(self.boxes.summed(count.reshape(self.n_nodes, width)))
        return found[0], found[1]

    def _leave_out(self, chosen: Chosen, keep: np.ndarray) -> np.ndarray:
        """Take people out as was chosen: the newest first, and of these by their digests, which say nothing."""
        keep = keep.copy()
        own = self.class_of_person(chosen.nodes)
        known = np.zeros(self.people.n, dtype=bool)
        if self.met:
            known[self.met[-1].person[self.met[-1].same]] = True
        for node, dropped in zip(chosen.nodes, chosen.dropped, strict=True):
            for value in np.flatnonzero(dropped).tolist():
                rows = np.flatnonzero((own == node) & (self.people.value == value) & keep)
                order = np.lexsort((self.people.digest[rows], known[rows]))
                keep[rows[order[: int(dropped[value])]]] = False
        return keep

    def _without_exposed(self, chosen: Chosen, keep: np.ndarray) -> np.ndarray:
        """Leave out whoever moved and is exposed, until nobody is: each who goes leaves less in common to others."""
        while (exposed := self._exposed_movers(chosen, keep) & keep).any():
            keep = keep & ~exposed
        return keep

    def _exposed_movers(self, chosen: Chosen, keep: np.ndarray) -> np.ndarray:
        """Whoever moved to another box, and of whom all her classes, or the two differences, say too much."""
        exposed = np.zeros(self.people.n, dtype=bool)
        moved = np.zeros(self.people.n, dtype=bool)
        for met in self.met:
            moved[met.person[met.leaf != self.people.leaf[met.person]]] = True
        if not moved.any():
            return exposed
        promise, own = self.promise, self.class_of_person(chosen.nodes)
        number = np.cumsum(moved) - 1
        left = self.counts_at(own, keep)[own[moved]]
        for one, met in zip(self.published, self.met, strict=True):
            class_then = self.boxes.class_of_node(one.classes)
            some = moved[met.person]
            at = number[met.person[some]]
            left[at] = np.minimum(left[at], self._counts_then(one)[class_then[met.leaf[some]]])
        exposed[moved] = promise.breaks_common(left)
        summed = self._up(keep)
        whole_now = self._whole_now(chosen, summed)
        for before, met in zip(self._all_earlier(keep), self.met, strict=True):
            some = (met.leaf != self.people.leaf[met.person]) & keep[met.person]
            person, then = met.person[some], met.leaf[some]
            joint_of = self._joint(before, whole_now)
            here, there = joint_of[self.people.leaf[person]], joint_of[then]
            came, went = self._open(before, np.unique(np.concatenate([here, there])), summed)
            few = promise.n_values(came[here] & went[there]) < promise.newcomers
            exposed[person[(here != there) & few]] = True
        return exposed

    def _open(self, earlier: Earlier, nodes: np.ndarray, summed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """By node, which values can be those of somebody who came into the box, and of somebody who went."""
        promise = self.promise
        stayed = np.minimum(earlier.stayed[nodes], summed[nodes])
        now, then = promise.people(summed[nodes]), promise.people(earlier.count[nodes])
        came, went = now - promise.people(stayed), then - promise.people(stayed)
        hidden = np.minimum(came, went).any(axis=1)[:, None]
        found = np.zeros((2, self.n_nodes, self.n_values), dtype=bool)
        found[0, nodes] = np.where(hidden, now > 0, came > 0)
        found[1, nodes] = np.where(hidden, then > 0, went > 0)
        return found[0], found[1]

    def _whole_now(self, chosen: Chosen, summed: np.ndarray) -> np.ndarray:
        return self.boxes.whole(np.asarray(chosen.nodes), self.promise.people(summed).sum(axis=1), summed.copy())

    def _joint(self, earlier: Earlier, whole_now: np.ndarray) -> np.ndarray:
        """Of every node the lowest above it, or itself, in which both releases are whole."""
        both = earlier.whole & whole_now
        found = np.arange(self.n_nodes)
        for x in range(1, self.n_nodes):
            if not both[x]:
                found[x] = found[self.boxes.parent[x]]
        return found

    def _broken(self, chosen: Chosen, keep: np.ndarray) -> tuple[set[int], np.ndarray]:
        """The boxes in which something does not hold with the people that are left; and newcomers who should wait."""
        promise, summed, earlier = self.promise, self._up(keep), self._all_earlier(keep)
        ways = ways_down(self.boxes.parts, earlier, self.width) if earlier else []
        wrong, late = set(), np.zeros(self.people.n, dtype=bool)
        for x in chosen.nodes:
            left = np.minimum(ways[x], summed[x][None]) if earlier else summed[x][None]
            if promise.breaks_alone(summed[x]) or promise.breaks_common(left).any():
                wrong.add(x)
        whole_now = self._whole_now(chosen, summed)
        class_now = self.boxes.class_of_node(np.asarray(chosen.nodes))
        for one, then, met in zip(earlier, self.published, self.met, strict=True):
            joint_of = self._joint(one, whole_now)
            few = [x for x in np.unique(joint_of[self.boxes.leaves]).tolist() if one.shows_few(x, summed[x], promise)]
            wrong |= {x if class_now[x] < 0 else int(class_now[x]) for x in few}
            came, went = self._moved(then, met, keep, joint_of)
            moved = promise.rows(summed) - promise.rows(one.count)
            own, joint = class_now[self.people.leaf], joint_of[self.people.leaf]
            for x, c in self._cornered(joint[came], own[came], moved, promise.rows(summed)):
                who = came & (joint == x) & (own == c)
                if (who & self.known).any():
                    wrong.add(c)
                else:
                    late |= who
            own, joint = self.boxes.class_of_node(then.classes)[then.leaf], joint_of[then.leaf]
            for x, _ in self._cornered(joint[went], own[went], -moved, promise.rows(one.count)):
                wrong.add(x if class_now[x] < 0 else int(class_now[x]))
        return wrong, late

    def _moved(
        self, then: Published, met: Met, keep: np.ndarray, joint_of: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Who now is where she was not then, and who then was where she is not now, by boxes of both releases."""
        came, went = keep.copy(), np.ones(len(then.leaf), dtype=bool)
        inside = keep[met.person] & (joint_of[self.people.leaf[met.person]] == joint_of[met.leaf])
        came[met.person[inside]] = False
        went[met.place[inside]] = False
        return came, went

    def _cornered(
        self, joint: np.ndarray, own: np.ndarray, more: np.ndarray, rows: np.ndarray
    ) -> list[tuple[int, int]]:
        """The boxes and classes of people who moved of whom the difference shows values that their class lacks; or
        where it leaves too few values for whoever stayed."""
        promise, found = self.promise, []
        pairs, n = np.unique(np.stack([joint, own]), axis=1, return_counts=True)
        n_people = np.bincount(pairs[0], weights=n, minlength=self.n_nodes)
        n_classes = np.bincount(pairs[0], minlength=self.n_nodes)
        for x, c in pairs.T.tolist():
            shown = np.maximum(more[x], 0)
            if n_people[x] != shown.sum():
                continue  # some hide behind others, or some changed and she cannot tell who
            stay = rows[c] - shown
            alone = n_classes[x] == 1 and (stay > 0).any() and promise.n_values(stay) < promise.newcomers
            if alone or promise.n_values(np.minimum(shown, rows[c])) < promise.newcomers:
                found.append((x, c))
        return found


def too_few(n: int) -> Infeasible:
    return Infeasible(
        "No boxes keep the promise beside the earlier releases.",
        found=f"{n:,} people",
        fix="ask for less of a new series, or wait until more people came and went",
    )
