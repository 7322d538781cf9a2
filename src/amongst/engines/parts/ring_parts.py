"""Rings around centres as a line of rows that do not fit into memory."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from amongst import kernels
from amongst.encode.frequency import frequency_set
from amongst.engines.parts.curve_parts import Columns, Curve, Stretches, columns_of, curve_of, cut_curve
from amongst.engines.parts.encode_rows import EncodedRows
from amongst.engines.parts.parts import Parts, deal_out
from amongst.kernels.one_dimensional import nearest, sort_keys
from amongst.kernels.price import Prices
from amongst.partition.line.idistance import CENTRES, LEAST_DRAWN, drawn_places, middles_of, number_of_centres, ring_of

WORD = 64


@dataclass(frozen=True)
class Rings:
    """Where rows lie by their nearest centre and the ring around it, and within a ring on the curve.

    Attributes
    ----------
    curve : Curve
    centres : list of ndarray
        A dimension each.
    n_rings : int
        Of the centre with the most.
    """

    curve: Curve
    centres: list[np.ndarray]
    n_rings: int

    @property
    def bits(self) -> int:
        """So many leading bits of a key say centre and ring."""
        return max(1, (len(self.centres[0]) * self.n_rings - 1).bit_length())

    def keys(self, columns: Columns) -> np.ndarray:
        """Centre, ring and the first bits of the curve in a word, and then the whole key of the curve."""
        on_curve = self.curve.keys(columns)
        centre, square = nearest(self.curve.places, columns, self.centres)
        place = centre.astype(np.uint64) * np.uint64(self.n_rings) + ring_of(square)
        leading = place << np.uint64(WORD - self.bits) | on_curve[:, 0] >> np.uint64(self.bits)
        return np.column_stack([leading, on_curve])

    def words(self, block: np.ndarray) -> np.ndarray:
        """The leading words of the keys of some records."""
        return np.ascontiguousarray(self.keys(columns_of(block, len(self.curve.places)))[:, 0])

    def positions(self, words: np.ndarray, stretches: Stretches, k: int) -> np.ndarray:
        """Centre and ring as a number: the extent is counted in rings."""
        return (words >> np.uint64(WORD - self.bits)).astype(np.int64)


def rings_of(rows: EncodedRows, prices: Prices, most_rows: int, folder: Path, centres: int | None, seed: int) -> Rings:
    """The rings that ``partition.line.idistance`` finds in the whole table.

    Rows are dealt out along the curve, each part is sorted and its distinct tuples are counted; the sample is drawn
    from all of them, as in memory, and brought together in a second look at the parts. One more pass finds the
    outermost ring.
    """
    n_centres = number_of_centres(CENTRES if centres is None else centres)
    curve = curve_of(rows.table, rows.counts, prices)
    stretches = cut_curve(rows.codes, curve, most_rows)
    own = folder / "along_the_curve"
    own.mkdir()
    parts = deal_out(rows.codes, lambda block: stretches.part_of(curve.words(block)), len(stretches.first), own)
    codes, count = _sample(parts, curve, rows.table.n_qi, n_centres, seed)
    if parts.part_of_row is not None:
        for file in (*parts.files, parts.part_of_row):
            file.path.unlink()
    own.rmdir()
    middles = middles_of(curve.places, codes, count, n_centres)
    outermost = 0
    for block in rows.codes.blocks():
        _centre, square = nearest(curve.places, columns_of(block, rows.table.n_qi), middles)
        outermost = max(outermost, int(ring_of(square).max()))
    return Rings(curve, middles, outermost + 1)


def _sample(parts: Parts, curve: Curve, n_qi: int, n_centres: int, seed: int) -> tuple[list[np.ndarray], np.ndarray]:
    """The drawn tuples in the order of the curve, and how many rows each has."""
    n_of_part = [_tuples(file.columns()[:n_qi])[1].size if file.n_rows else 0 for file in parts.files]
    first = np.concatenate([[0], np.cumsum(n_of_part)])
    drawn = drawn_places(int(first[-1]), n_centres, LEAST_DRAWN, seed)
    found: list[list[np.ndarray]] = []
    for number, file in enumerate(parts.files):
        here = drawn[np.searchsorted(drawn, first[number]) : np.searchsorted(drawn, first[number + 1])] - first[number]
        if not len(here):
            continue
        codes, count = _tuples(file.columns()[:n_qi])
        at = sort_keys(curve.keys(codes))[here]
        found.append([kernels.gather(column, at) for column in codes] + [count[at]])
    *columns, count = (np.concatenate(part) for part in zip(*found, strict=True))
    return columns, count


def _tuples(columns: list[np.ndarray]) -> tuple[list[np.ndarray], np.ndarray]:
    """Distinct rows and how many there are of each."""
    tuples = frequency_set(columns)
    return list(tuples.codes), tuples.count
