"""Linkage: joining a release with a public table, by boxes and not only by equal labels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from amongst.attack.boxes import Boxes
from amongst.attack.declared import Attack
from amongst.attack.finding import Finding, at_least, listed
from amongst.attack.fits import count_people, count_records
from amongst.attack.intruder import Intruder
from amongst.attack.people import People, comparable
from amongst.attack.rate import Rate


def linkage(boxes: Boxes, outside: People, *, rows: bool = False) -> Finding:
    """Count the records that everybody of an outside table fits, and the outside people that every record fits.

    Paper: the joining attack of Sweeney's governor, as figure 1 of LeFevre, DeWitt, Ramakrishnan, *Mondrian* (ICDE
    2006) and of *Incognito* (SIGMOD 2005) draws it. There labels are values; here a label also stands for what lies in
    it.
    """
    names = comparable(outside, boxes, "The outside table")
    k = boxes.threshold
    fitting = count_records(boxes, outside, names)
    reverse = count_people(boxes, outside, names)
    there = fitting > 0
    one, few = fitting == 1, there & (fitting < k)
    lone = int(boxes.size[reverse == 1].sum())
    rates = (
        Rate("fit no record", float((~there).sum()), outside.n, k, sampled=False),
        Rate("fit one record alone", float(one.sum()), outside.n, k, sampled=False),
        Rate(f"fit fewer than {k} records", float(few.sum()), outside.n, k, sampled=False),
        Rate("records that fit one outside person alone", float(lone), boxes.n_records, k, sampled=False),
    )
    hits = np.flatnonzero(one if one.any() else few)
    return Finding(
        attack="linkage",
        kind="singling out",
        title="Linkage with an outside table",
        knows=f"A table of {outside.n:,} people with names, and of each {listed(names)}.",
        works="Every outside person is compared with every record: it is a candidate if each of its ranges, sets and "
        "nodes can stand for the person's value.",
        achieved=tuple(_achieved(rates, fitting[there], k)),
        lower="A larger k, fewer or coarser quasi-identifiers; and records that many outside people fit: k-map.",
        succeeded=bool(few.any() or one.any()),
        rates=rates,
        figures=_figures(fitting[there], k),
        rows=tuple(outside.row[hits].tolist()) if rows else None,
        paper="LeFevre, DeWitt, Ramakrishnan: Mondrian, ICDE 2006, figure 1; Incognito, SIGMOD 2005, figure 1",
    )


def _achieved(rates: tuple[Rate, ...], fitting: np.ndarray, k: int) -> list[str]:
    nobody, one, few, lone = rates
    told = [f"Fit one record alone: {one.words} outside people."]
    if k > 1:
        told.append(f"Fit fewer than {k:,} records: {few.words}.")
    if len(fitting):
        told.append(
            f"Those who fit any record fit {at_least(np.median(fitting), k)} in the middle; picking one of them by lot "
            f"is right at most once in {1 / np.mean(1 / fitting):,.1f} tries."
        )
    told.append(f"Fit no record, so are known not to be published: {nobody.words}.")
    told.append(f"Records that only one of the outside people fits: {lone.words}.")
    return told


def _figures(fitting: np.ndarray, k: int) -> dict[str, float | int | None]:
    if not len(fitting):
        return {"smallest_candidates": None, "median_candidates": None, "chance_of_right_guess": 0.0}
    smallest = int(fitting.min())
    return {
        "smallest_candidates": smallest if smallest >= k else None,
        "median_candidates": int(np.median(fitting)) if np.median(fitting) >= k else None,
        "chance_of_right_guess": round(float(np.mean(1 / fitting)), 6),
    }


def _carry_out(intruder: Intruder) -> Iterator[Finding | str]:
    if intruder.outside is None:
        yield "no outside table was given"
    else:
        yield linkage(intruder.boxes, intruder.outside, rows=intruder.rows)


ATTACK = Attack(
    name="linkage",
    place=0,
    kind="singling out",
    words="Joins the release with a public table.",
    needs="an outside table",
    carry_out=_carry_out,
)
