"""Published figures: numbers beside the table that the table does not give, and means that tell the last value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from amongst.attack.boxes import Boxes
from amongst.attack.declared import Attack
from amongst.attack.finding import Finding, listed
from amongst.attack.intruder import Intruder
from amongst.attack.rate import Rate
from amongst.manifest import UNREADABLE, Manifest
from amongst.schema.schema import Schema
from amongst.verify import verify

TOLD = ("proved", "utility", "sensitive")
"""The parts of a manifest with figures of the release; the rest is what was asked."""


def figures(boxes: Boxes, schema: Schema | None) -> Finding | str:
    """Compute every published figure from the published table; what cannot be computed comes from the original.

    Paper: Dinur, Nissim, *Revealing Information while Preserving Privacy*, PODS 2003: figures are equations about the
    people behind them; Mao, Stevanoski, de Montjoye, *DeSIA*, arXiv 2504.18497, for few and fixed ones, which they
    attack by learning. Here it is asked whether there is anything to attack: a figure that the published table gives
    adds none.
    """
    means = _means(boxes)
    folder = Path(boxes.made.first) if isinstance(boxes.made.first, (str, Path)) else None
    folder = folder if folder is None or folder.is_dir() else folder.parent
    unexplained: list[str] = []
    n_figures = 0
    if folder is not None:
        again = _computed(folder, schema)
        if again is None:
            return "there is no manifest beside it that can be computed again"
        told, computed = again
        n_figures = len(told)
        unexplained = sorted(name for name, value in told.items() if not _same(value, computed.get(name)))
    elif not means:
        return "it lies in no folder, and publishes no means"
    k = boxes.threshold
    people = boxes.n_records if means else 0
    known = Rate("in classes with a published mean", float(people), boxes.n_records, k, sampled=False)
    told_words = []
    if folder is not None:
        told_words.append(
            f"Figures that the published table does not give: {len(unexplained)} of {n_figures}"
            + (f" ({listed(unexplained)})." if unexplained else ".")
        )
    if means:
        told_words.append(
            f"Who knows all but one of a class learns the last value from its mean, in {listed(means)}: {known.words} "
            "people."
        )
    return Finding(
        attack="figures",
        kind="inference",
        title="What published figures give away",
        knows="The release with its manifest; for means, the values of all but one of a class.",
        works="Every figure is computed anew from the published table. What differs was computed from the original, "
        "and says something about it.",
        achieved=tuple(told_words),
        lower="Publish no figure that the table does not give, and no means with a small k.",
        succeeded=bool(unexplained or means),
        rates=(known,),
        figures={"unexplained": unexplained, "figures": n_figures, "means": means},
        paper="Dinur, Nissim, PODS 2003",
    )


def _means(boxes: Boxes) -> list[str]:
    schema = boxes.made.schema
    return [] if schema is None else [name for name in schema.quasi if "mean" in schema[name].statistic]


def _computed(folder: Path, schema: Schema | None) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """The figures that a manifest tells, and the same computed from the table beside it."""
    from amongst.release.folder import release_in
    from amongst.release.public import shown_loss, shown_sizes

    try:
        stored = release_in(folder)
        told = Manifest.read(folder)
    except UNREADABLE:
        return None
    verdict = verify(folder, schema or stored.provable, stored.models)
    sizes = shown_sizes(verdict) | (shown_loss(verdict, stored.threshold) if verdict.loss else {})
    proved = _flat("proved", verdict.to_dict())
    computed = proved | _flat("utility", sizes)
    given: dict[str, Any] = {}
    for part in TOLD[:2]:
        given |= _flat(part, told.get(part, {}))
    return {name: value for name, value in given.items() if not name.startswith("proved.models")}, computed


def _flat(name: str, content: Any) -> dict[str, Any]:
    """The numbers in it by where they stand."""
    if isinstance(content, Mapping):
        return {at: value for key, below in content.items() for at, value in _flat(f"{name}.{key}", below).items()}
    is_number = isinstance(content, (int, float)) and not isinstance(content, bool)
    return {name: content} if is_number else {}


def _same(one: float, other: float | None) -> bool:
    return other is not None and abs(one - other) <= 1e-9 * max(1.0, abs(one))


def _carry_out(intruder: Intruder) -> Iterator[Finding | str]:
    given = intruder.boxes.made.schema if not intruder.boxes.made.closed else None
    yield figures(intruder.boxes, given)


ATTACK = Attack(
    name="figures",
    place=19,
    kind="inference",
    words="Looks for published figures that the table does not give.",
    carry_out=_carry_out,
)
