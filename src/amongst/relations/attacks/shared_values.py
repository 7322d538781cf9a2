"""Homogeneity: values that all persons of a group have, or all of it who have a few codes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from amongst.attack.declared import Attack
from amongst.attack.finding import Finding
from amongst.attack.rate import Rate
from amongst.published.spellings import folded
from amongst.relations.attacks.few_codes import rows_said
from amongst.relations.attacks.intruder import DatabaseIntruder
from amongst.relations.persons import Persons


def shared_values(intruder: DatabaseIntruder) -> Iterator[Finding | str]:
    """Count the persons of groups in which everybody has a row with the same sensitive value; where codes are known,
    also of those of a group who have the same few codes."""
    shown = intruder.shown
    group = pa.table({"person": np.arange(shown.n), "grp": shown.group})
    codes, m = _codes(shown), intruder.m
    n_columns = 0
    for name, relation in shown.schema.items():
        for column in relation.schema.sensitive:
            n_columns += 1
            if column not in shown.tables[name].column_names:
                yield f"the values of '{name}.{column}' stand in a table of their own, where the verifier counts them"
                continue
            person, value = _values(shown, name, column)
            told = pa.table({"person": person, "value": value})
            constant = not value.any() and len(person) == shown.n  # the value of everybody: a group tells no more
            yield _finding(intruder, f"{name}.{column}", 0 if constant else _n_certain(group, codes, told, 0), 0)
            if codes is not None:
                n_certain = 0 if constant else _n_certain(group, codes, told, m)
                yield _finding(intruder, f"{name}.{column}", n_certain, m)
    if not n_columns:
        yield "there is no sensitive column"


def _finding(intruder: DatabaseIntruder, column: str, n_certain: int, m: int) -> Finding:
    """What is certain of a column by the group, and by up to m codes."""
    table, few = column.split(".", 1)[0], "1 code" if m == 1 else f"up to {m} codes"
    words = f"in groups that share a value{f', with {few}' if m else ''}"
    rate = Rate(words, float(n_certain), intruder.shown.n, intruder.k, sampled=False)
    by_codes = f" Persons of a group who have the same {few} are tried as well."
    return Finding(
        attack="homogeneity",
        kind="inference",
        title=f"What all of a group{' with a few codes' if m else ''} have in '{table}'",
        knows=f"That somebody is in the data, and enough to find the group{f', and {few} of hers' if m else ''}.",
        works="A value that everybody of the group has in some row is hers too, whichever person she is."
        + (by_codes if m else ""),
        achieved=(f"Some value known for sure: {rate.words} persons.",),
        lower="Diversity of the column, counted in persons" + (f", with KmAnonymity of m = {m}." if m else "."),
        succeeded=n_certain > 0,
        rates=(rate,),
        column=column,
        paper="Machanavajjhala et al.: l-Diversity, ICDE 2006",
    )


def _values(shown: Persons, table: str, column: str) -> tuple[np.ndarray, np.ndarray]:
    """Every person with every value she has, once; spellings of a value are that value."""
    cells = shown.tables[table].column(column).combine_chunks().cast(pa.string()).dictionary_encode()
    number: dict[str, int] = {}
    of_code = [number.setdefault(folded(text), len(number)) for text in cells.dictionary.to_pylist()]
    code, person = cells.indices.fill_null(-1).to_numpy().astype(np.int64), shown.of_row[table]
    there = (code >= 0) & (person >= 0)
    value = np.array([*of_code, -1], dtype=np.int64)[code[there]]
    n_values = max(len(number), 1)
    pair = np.unique(person[there] * n_values + value)
    return pair // n_values, pair % n_values


def _codes(shown: Persons) -> pa.Table | None:
    """Every person with every code that is published of her, once; None where no table has codes."""
    person, item, n_items = [], [], 0
    for name, relation in shown.schema.items():
        if relation.known == "codes" and relation.schema.quasi:
            said = rows_said(shown, name)[1] + n_items
            n_items = int(said.max(initial=n_items - 1)) + 1
            own = shown.of_row[name]
            person.append(own[own >= 0])
            item.append(said[own >= 0])
    if not person:
        return None
    pairs = np.unique(np.stack([np.concatenate(person), np.concatenate(item)]), axis=1)
    return pa.table({"person": pairs[0], "item": pairs[1]})


def _n_certain(group: pa.Table, codes: pa.Table | None, told: pa.Table, m: int) -> int:
    """How many persons are in a group, or have up to m codes in a group, where all have some value."""
    import duckdb

    found = [np.zeros(0, dtype=np.int64)]
    with duckdb.connect() as database:
        for name, table in {"grouped": group, "codes": codes, "told": told}.items():
            if table is not None:
                database.register(name, table)
        for size in range(m + 1):
            joins = "".join(
                f" JOIN codes c{i} ON c{i}.person = g.person" + (f" AND c{i}.item > c{i - 1}.item" if i else "")
                for i in range(size)
            )
            alike = ", ".join(["grp", *(f"i{i}" for i in range(size))])
            items = "".join(f", c{i}.item AS i{i}" for i in range(size))
            sets = f"sets AS (SELECT g.person, g.grp{items} FROM grouped g{joins})"
            sizes = f"sizes AS (SELECT {alike}, count(*) AS n FROM sets GROUP BY {alike})"
            counts = f"SELECT {alike}, value, count(*) AS n FROM sets JOIN told USING (person) GROUP BY {alike}, value"
            same = f"SELECT DISTINCT {alike} FROM ({counts}) JOIN sizes USING ({alike}, n)"
            asked = f"WITH {sets}, {sizes} SELECT DISTINCT person FROM sets JOIN ({same}) USING ({alike})"
            found.append(database.execute(asked).fetchnumpy()["person"])
    return len(np.unique(np.concatenate(found)))


ATTACK = Attack(
    name="homogeneity",
    place=3,
    kind="inference",
    words="Reads off values that all persons of a group have, or all of it who have a few codes.",
    carry_out=shared_values,
)
