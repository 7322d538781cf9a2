"""How many persons have a frequent code: told in steps, beside the tables, where it gives nobody away.

What few persons of a group share is generalized or cut, and nobody can count it in what is left. So a table says for
codes that many have how many that are, between two multiples of 2 k. Lines are told only where of nobody follows from
all of them together that they hide a code; ``_safe`` has the rule, and why it is enough.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from amongst.encode.coded import CodedColumn
from amongst.errors import BadSchema
from amongst.kernels.relations import Grouped
from amongst.relations.forest import Forest
from amongst.relations.persons import persons_of
from amongst.relations.persons_with import COLUMNS, PERSONS_WITH, plain_types
from amongst.relations.publish import labels
from amongst.relations.stored import Stored

if TYPE_CHECKING:
    import pyarrow as pa

STEP = 2
"""Numbers are told between multiples of so many times k."""
HIDDEN = 0.5
"""At most this share of those who may hide a code can have it."""
FREE = 2
"""So many codes of every general label have no line."""
ROWS = (1, 2, 4, 8, 16)
"""So many general rows of a person may be the same code at most; each is tried."""
ROUNDING = 1e-9
"""Parts are sums of fractions; the proof allows more of it."""


def persons_with(forest: Forest, grouped: Grouped, stored: Stored, k: int) -> pa.Table:
    """The codes that many published persons have, each with how many, least and most.

    Guarantees
        Numbers lie between multiples of 2 k, and are of 2 k persons at least. Of the published persons who are not told
        to have the code and have a row that may be it, not more than half can. General rows can be filled in ways that
        agree with all lines and in which somebody does not have a code, whoever and whichever that is. Persons who are
        left out do not count.
    """
    import pyarrow as pa

    if PERSONS_WITH in {name.casefold() for name in (*forest.schema, *forest.schema.lookups)}:
        fix = "rename it, or use prevalence = false, which tells no numbers of persons"
        what = "How many persons have a code is told in a table of its own, and its name is taken."
        raise BadSchema(what, found=f"a table '{PERSONS_WITH}'", fix=fix)
    owner = persons_of(stored.tables, forest.schema).of_row
    stays = np.zeros(stored.tables[forest.names[0]].num_rows, dtype=bool)
    stays[forest.row_of[0][grouped.node_of_row[0] >= 0]] = True
    lines: dict[str, list[object]] = {name: [] for name in COLUMNS}
    for t, name in enumerate(forest.names):
        for c, column in enumerate(forest.columns[t]):
            rule = forest.schema[name].schema[column.name]
            if forest.schema[name].known != "codes" or rule.grid is not None or not forest.tables[t].n_rows:
                continue
            had = _had(forest, stored, t, c, np.where(stays[owner[name]], owner[name], -1))
            least = had // (STEP * k) * STEP * k
            most = least + STEP * k - 1
            shown, rows, covers = _shown_and_hiding(forest, grouped, t, c)
            few = most - shown <= HIDDEN * rows[0]
            told = np.flatnonzero(_safe((least > 0) & few, least, shown, rows, covers))
            ends = told.astype(np.int32)
            texts = labels(column, rule, ends, ends).to_pylist() if len(told) else []
            lines["table"] += [name] * len(told)
            lines["column"] += [column.name] * len(told)
            lines["value"] += texts
            lines["least"] += least[told].tolist()
            lines["most"] += most[told].tolist()
    by_value = [(name, "ascending") for name in ("table", "column", "value")]
    return plain_types(pa.table(lines)).sort_by(by_value)


def _had(forest: Forest, stored: Stored, t: int, c: int, owner: np.ndarray) -> np.ndarray:
    """How many persons have every code, in rows of the original; ``owner`` is -1 where a row does not count."""
    import pyarrow as pa

    column = forest.columns[t][c]
    cells = stored.tables[forest.names[t]].column(column.name)
    if not pa.types.is_dictionary(cells.type):
        cells = cells.dictionary_encode()
    value = cells.combine_chunks().indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    code_of_value = np.full(int(value.max(initial=-1)) + 2, -1, dtype=np.int64)
    code_of_value[value[forest.row_of[t]]] = column.codes
    code_of_value[-1] = -1  # missing
    code = code_of_value[value]
    use = (owner >= 0) & (code >= 0)
    return _persons_a_code(owner[use], code[use], column)


def _persons_a_code(person: np.ndarray, code: np.ndarray, column: CodedColumn) -> np.ndarray:
    """How many different persons every code has, those of its values."""
    n = column.n_codes
    pairs = np.unique(person.astype(np.int64) * max(n, 1) + code)
    return np.bincount(pairs % max(n, 1), minlength=n)[: column.n_values]


def _safe(told: np.ndarray, least: np.ndarray, shown: np.ndarray, rows: np.ndarray, covers: np.ndarray) -> np.ndarray:
    """Which of the lines stay, so that for everybody general rows can be filled without any one code.

    Every row that may be a code, of a person 1, 2, 4 ... at most, is thought to be the same part of it: so large that
    all parts make the least number that is told. The more rows of a person, the smaller the parts; those of nobody may
    make a whole. Parts of the codes of a label must make no more than one row. Rows are dealt out to codes as water
    flows, in whole numbers or in parts; so parts below one are a mixture of fillings, and whoever has less than the
    whole of a code lacks it in one of them. Two codes of every label must have no line: a row can then be one or the
    other, whatever the lines tell. Of the lines in the way those go first that tell of the fewest persons.

    What decides is published, but for the numbers of lines that are not told.
    """
    hidden = np.maximum(least - shown, 0)
    most = np.array(ROWS)[:, None]
    part = np.where(hidden * most < rows, hidden / np.maximum(rows, 1), 1.0).min(axis=0)
    part = np.where(told & (hidden > 0), part, 0.0)
    told = told.copy()
    load, free = part @ covers, (~told).astype(np.int64) @ covers
    while (odd := (load > 1 + ROUNDING) | (free < FREE)).any():
        among = np.flatnonzero(told & covers[:, odd].any(axis=1))
        if not len(among):
            break
        gone = among[::-1][np.argmin(least[among][::-1])]
        told[gone] = False
        load, free = load - part[gone] * covers[gone], free + covers[gone]
    return told


def _shown_and_hiding(forest: Forest, grouped: Grouped, t: int, c: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For every code how many are told to have it, how many rows of others may be it, and what labels are.

    Rows are counted with so many of a person at most as ``ROWS`` says, persons first. The last tells for every code and
    general label whether the label may be the code.
    """
    column, person = forest.columns[t][c], forest.person_of[t]
    lo, hi = grouped.lo[t][:, c].astype(np.int64), grouped.hi[t][:, c].astype(np.int64)
    there = grouped.node_of_row[t] >= 0
    exact = there & (lo == hi)
    shown = _persons_a_code(person[exact], lo[exact], column)
    holders = np.unique(person[exact].astype(np.int64) << 32 | lo[exact])
    general = np.flatnonzero(there & (lo < hi))
    node, of_row = np.unique(lo[general] << 32 | hi[general], return_inverse=True)
    first, last = node >> 32, node & 0xFFFFFFFF
    rows = np.zeros((len(ROWS), column.n_values), dtype=np.int64)
    codes = np.arange(column.n_values)
    covers = (first <= codes[:, None]) & (codes[:, None] <= last)
    for nodes in np.unique(covers, axis=0):
        of_person = np.bincount(person[general[nodes[of_row.reshape(-1)]]], minlength=forest.n_persons)
        same = np.flatnonzero((covers == nodes).all(axis=1))
        for i, at_most in enumerate(ROWS):
            counted = np.minimum(of_person, at_most)
            of_shown = np.bincount(holders & 0xFFFFFFFF, counted[holders >> 32], minlength=column.n_codes)
            rows[i, same] = counted.sum() - of_shown[same]
    return shown, rows, covers
