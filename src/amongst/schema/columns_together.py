"""What columns tell about each other: which one tells people apart, which follow from others.

Choices: a column tells people apart where it has several rows for most of its values and what does not change in a life
(sex, origin, birth) is the same in these rows, far more often than by chance. Where there is nothing of the kind, its
name must say so. A column follows from another where equal values there are equal values here, in one stretch each of
the other's order: ``age_group`` of ``age``, ``log_wage`` of ``wage``. Where hardly a value comes twice,
the order itself must be the same, or the reverse.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from amongst.schema.name_evidence import COUNTING, words_of
from amongst.schema.profile import Profile

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

FIRST_ROWS = 100_000
COMPARED_ROWS = 5_000
MOST_COLUMNS = 80
FEWEST_PEOPLE = 20
FEWEST_REPEATED = 10
FEWEST_MET = 4
"""Rows that two answers would share by chance: that none does says that they are answers to one question."""
LASTING = ("sex or gender", "origin", "a date or place of birth")
OF_A_PERSON = ("id", "pid", "uid", "person", "patient", "subject", "participant", "respondent", "proband")


@dataclass(frozen=True)
class Together:
    """What columns tell about each other.

    Attributes
    ----------
    person : str or None
        The column that tells people apart, where a person has several rows.
    rows_of_person : float
        How many rows a person has, on average.
    follows : dict of column to column
        Columns that follow from another, which has as many values or more.
    alike : tuple of columns
        Columns that have another value for every person, and the same in all rows of one.
    one_of : dict of column to columns
        Columns of 0 and 1 that are one question in several columns, of which no row has two.
    """

    person: str | None
    rows_of_person: float
    follows: dict[str, str]
    alike: tuple[str, ...] = ()
    one_of: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def look_together(table: pa.Table, about: Mapping[str, Profile]) -> Together:
    """What the columns of a table tell about each other."""
    person = find_person(table, about)
    rows = 0.0 if person is None else table.num_rows / max(about[person].n_distinct, 1)
    return Together(
        person,
        rows,
        find_following(table, about),
        _keys_beside(table, about, person),
        {name: block for block in find_one_of(table, about) for name in block},
    )


def _keys_beside(table: pa.Table, about: Mapping[str, Profile], person: str | None) -> tuple[str, ...]:
    """Columns that tell the same people apart as the one that does."""
    import numpy as np

    if person is None:
        return ()
    head = table.slice(0, FIRST_ROWS)
    of_person = _codes(head.column(person))
    n_people = len(np.unique(of_person))
    found = []
    for name, one in about.items():
        if name != person and (one.text or one.integral) and one.n_distinct == about[person].n_distinct:
            own = _codes(head.column(name))
            if (own >= 0).all() and len(np.unique(own)) == n_people == len(np.unique(_combined([of_person, own]))):
                found.append(name)
    return tuple(found)


def find_person(table: pa.Table, about: Mapping[str, Profile]) -> str | None:
    """The column that tells people apart, where a person has several rows; else None."""
    if any(_names_people_by_key(one) and one.all_different for one in about.values()):
        return None
    candidates = [name for name, one in about.items() if _may_be_person(one)]
    if not candidates:
        return None
    head = table.slice(0, FIRST_ROWS)
    fixed = [_codes(head.column(name)) for name, one in about.items() if _lasts(one)]
    ranked = sorted(candidates, key=lambda name: -_speaks_of_people(about[name]))
    if not fixed:
        named = [name for name in ranked if _is_called_key(about[name]) and about[name].distinct_share < 2 / 3]
        return named[0] if len(named) == 1 else None
    lasting = _combined(fixed)
    for name in ranked:
        asked = 0.9 if _speaks_of_people(about[name]) else 0.97
        if _is_lasting_within(_codes(head.column(name)), lasting, asked):
            return name
    return None


def _may_be_person(about: Profile) -> bool:
    keys = about.integral or about.text
    several = about.n_distinct >= FEWEST_PEOPLE and about.distinct_share <= 0.95
    found = about.by_name
    of_else = found is not None and (found.names_people or not (found.weak or found.role == "identifier"))
    named = about.by_value is not None or of_else
    return keys and several and not named and not _lasts(about) and about.by_words is None and not about.years


def _lasts(about: Profile) -> bool:
    """What does not change in a life, as far as the name or the words in its cells say."""
    subject = about.by_words or (about.by_name.subject if about.by_name is not None else None)
    return subject in LASTING and about.n_distinct >= 2 and about.kind is not None and not about.nearly_all_different


def _speaks_of_people(about: Profile) -> int:
    """How much a name says that it is a key of people: 2, 1 or 0."""
    found = about.by_name
    if found is None or found.role != "identifier":
        return 0
    if found.subject == "a personal number":
        return 2
    counted = words_of(about.name)[0] in COUNTING and len(words_of(about.name)) > 1
    return 1 if found.subject in ("an identifier", "a person") and not counted else 0


def _is_called_key(about: Profile) -> bool:
    words = words_of(about.name)
    alone = len(words) == 1 or about.distinct_share >= 0.1  # of a longer name few may be places: "district_id"
    return _speaks_of_people(about) == 2 or (words[-1] in OF_A_PERSON and alone)


def _names_people_by_key(about: Profile) -> bool:
    words = words_of(about.name)
    return bool(words) and (words in [[word] for word in OF_A_PERSON] or "".join(words) in _person_keys())


def _person_keys() -> set[str]:
    return {f"{word}{key}" for word in OF_A_PERSON[3:] for key in ("id", "nr", "no", "number", "key")}


def _codes(column: pa.ChunkedArray) -> np.ndarray:
    import numpy as np
    import pyarrow as pa

    plain = column.combine_chunks()
    if isinstance(plain, pa.ChunkedArray):
        plain = pa.concat_arrays(plain.chunks) if plain.num_chunks else pa.array([], plain.type)
    if pa.types.is_dictionary(plain.type):
        plain = plain.cast(plain.type.value_type)
    found = plain.dictionary_encode().indices
    return found.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)


def _combined(codes: list[np.ndarray]) -> np.ndarray:
    import numpy as np

    result = codes[0]
    for more in codes[1:]:
        pair = result * (more.max(initial=0) + 2) + more + 1
        result = np.unique(pair, return_inverse=True)[1]
    return np.unique(result, return_inverse=True)[1]


def _is_lasting_within(key: np.ndarray, lasting: np.ndarray, asked: float) -> bool:
    """Whether what lasts is the same in all rows of most keys, and would not be by chance."""
    import numpy as np

    known = key >= 0
    key, lasting = np.unique(key[known], return_inverse=True)[1], lasting[known]
    size = np.bincount(key)
    several = size > 1
    if several.sum() < FEWEST_REPEATED:
        return False
    n_values = lasting.max() + 1
    kinds = np.bincount(np.unique(key * n_values + lasting) // n_values, minlength=len(size))
    same = float((kinds[several] == 1).mean())
    share = np.bincount(lasting) / len(lasting)
    sizes, many = np.unique(np.minimum(size[several], 50), return_counts=True)
    by_chance = float(sum((share**n).sum() * m for n, m in zip(sizes, many, strict=True)) / many.sum())
    return same >= asked and by_chance < 0.7


def find_following(table: pa.Table, about: Mapping[str, Profile]) -> dict[str, str]:
    """Columns that follow from another: the other one by column."""
    import numpy as np

    step = max(table.num_rows // COMPARED_ROWS, 1)
    names = [name for name, one in about.items() if _can_follow(one)][:MOST_COLUMNS]
    if table.num_rows < 50 or len(names) < 2:
        return {}
    some = table.select(names).take(np.arange(0, table.num_rows, step))
    ranks = {name: _ranks(some.column(name)) for name in names}
    n_values = {name: int(codes.max(initial=-1)) + 1 for name, codes in ranks.items()}
    follows: dict[str, str] = {}
    for source in sorted(
        (name for name in names if about[name].kind in ("numeric", "date")), key=lambda n: -n_values[n]
    ):
        if n_values[source] < 10:
            continue
        order = np.argsort(ranks[source], kind="stable")
        along = ranks[source][order]
        for name in names:
            if name == source or name in follows or not 2 <= n_values[name] <= n_values[source]:
                continue
            if follows.get(source) == name:
                continue
            if _in_stretches(ranks[name][order], along, n_values[name]):
                follows[name] = source
    return follows


def find_one_of(table: pa.Table, about: Mapping[str, Profile]) -> list[tuple[str, ...]]:
    """Columns of 0 and 1 side by side, as regions or trades are coded, of which no row has two although by chance some
    would."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    blocks: list[list[str]] = []
    head = table.slice(0, FIRST_ROWS)
    taken = np.zeros(head.num_rows, dtype=bool)
    for name in about:
        one = about[name]
        coded = pa.types.is_boolean(one.type) or (one.yes_or_no and one.kind == "numeric" and one.smallest == 0)
        if not coded:
            blocks.append([])
            continue
        here = pc.fill_null(pc.equal(head.column(name).cast(pa.int8(), safe=False), 1), False).to_numpy()
        by_chance = here.mean() * taken.sum()
        if not blocks or not blocks[-1] or (here & taken).any() or by_chance < FEWEST_MET:
            blocks.append([name])
            taken = here.copy()
            continue
        blocks[-1].append(name)
        taken |= here
    return [tuple(block) for block in blocks if len(block) > 1]


def _can_follow(about: Profile) -> bool:
    if about.kind is None or about.n_distinct < 2:
        return False
    return about.kind in ("numeric", "date") or 2 <= about.n_distinct <= 30


def _ranks(column: pa.ChunkedArray) -> np.ndarray:
    """The place of every value among the different values; -1 where it is missing."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    plain = pa.concat_arrays(column.chunks) if column.num_chunks != 1 else column.chunk(0)
    if pa.types.is_dictionary(plain.type):
        plain = plain.cast(plain.type.value_type)
    if pa.types.is_boolean(plain.type):
        plain = plain.cast("int8")
    ranks = pc.rank(plain, tiebreaker="dense").to_numpy(zero_copy_only=False).astype(np.int64) - 1
    return np.where(pc.is_null(plain, nan_is_null=True).to_numpy(zero_copy_only=False), -1, ranks)


def _in_stretches(here: np.ndarray, along: np.ndarray, n_values: int) -> bool:
    """Whether equal values of the other are equal here, and every value here is one stretch of the other's order."""
    import numpy as np

    known = (here >= 0) & (along >= 0)
    here, along = here[known], along[known]
    if len(here) < 50:
        return False
    changes = here[1:] != here[:-1]
    smallest = int(np.bincount(here)[np.unique(here)].min())
    if changes.sum() != len(np.unique(here)) - 1 or (n_values == 2 and smallest < 5):
        return False
    if 2 * (changes.sum() + 1) > len(here):  # hardly a value comes twice: that each is one stretch says nothing
        steps = np.diff(here)
        if not ((steps >= 0).all() or (steps <= 0).all()):
            return False
    return not (changes & (along[1:] == along[:-1])).any()
