"""The same check as SQL, so that anyone can repeat it without amongst (DuckDB's dialect)."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.errors import BadInput
from amongst.models import Model, of_values, smallest_group
from amongst.schema.column import Column
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    from amongst.published.layout import Key, Layout
    from amongst.published.source import Source


def as_sql(
    schema: Schema | Sequence[str] | None,
    models: Sequence[Model] | Model,
    file: str | os.PathLike[str],
    *,
    name: str | None = None,
    nulls: str | Mapping[str, str] | None = None,
    people: bool = False,
) -> str:
    """A query that counts the classes of a published CSV or Parquet file.

    It gives one row: ``n_rows``, ``n_classes``, ``smallest``, ``classes_below_k``, ``rows_below_k`` and
    ``holds``; each means what it means in a ``Verdict``. Models of sensitive values that SQL says plainly are part
    of ``holds``, and each has a column of its own before it. What the query does not check is said in comments at
    its top.

    Parameters
    ----------
    schema, models, nulls
        As for ``verify``.
    file : path
        The published file; its header says in which form a quasi-identifier is there.
    name : str, optional
        What the query calls the file, when that is not the path given here.
    people : bool
        The models speak of people, of whom the file says nothing: only rows can be counted.

    Notes
    -----
    DuckDB believes the statistics in a Parquet file, and these leave out what is not a number (NaN): where
    a file has both, and nulls match anything, its count can be too low. Releases of amongst have neither.

    Examples
    --------
    >>> import amongst as am, tempfile, pathlib
    >>> from amongst.verify.sql import as_sql
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "release.csv"
    >>> _ = path.write_text("age,disease\\n[20-29],flu\\n")
    >>> print(as_sql(["age"], am.KAnonymity(2), path, name="release.csv").splitlines()[1])
      SELECT "age" AS q1, count(*) AS n
    """
    from amongst.published.layout import lay_out
    from amongst.published.open_published import open_published
    from amongst.verify.proofs import provable

    models = provable(models)
    k = smallest_group(models)
    source = open_published(file)
    layout = lay_out(source, schema, nulls)
    table = _table(source, os.fspath(file) if name is None else name)
    wild = any(key.nulls == "match anything" for key in layout.keys)
    parts = [_classes(layout, table), *([_compatible(layout, source)] if wild else [])]
    more, tests, unchecked = ([], [], models) if wild or people else _sensitive(models, layout, source, table)
    unchecked = [model for model in unchecked if model.counts != "rows"]
    notes = ["people cannot be counted from the file: these are rows"] if people else []
    notes += [f"not checked here: {model.words()}" for model in unchecked]
    comments = "".join(f"-- {' '.join(note.split())}\n" for note in notes)
    return (
        comments + "WITH " + ",\n".join(parts + more) + "\n" + _outcome("compatible" if wild else "classes", k, tests)
    )


def _sensitive(
    models: Sequence[Any], layout: Layout, source: Source, table: str
) -> tuple[list[str], list[tuple[str, str]], list[Any]]:
    """Parts of the query, its tests with their names, and the models that remain unchecked."""
    parts: list[str] = []
    tests: list[tuple[str, str]] = []
    unchecked = [model for model in models if model.counts != "values"]
    by_column: dict[str, dict[str, str]] = {}
    respelled = _respelled(models, layout, source)
    for model in of_values(models):
        for column in model.columns_in(layout.schema):
            plain = column in layout.others and column not in respelled
            test = _condition(model, _distance(model, layout, source, column)) if plain else None
            if test is None:
                unchecked += [] if model in unchecked else [model]
                continue
            of_column = by_column.setdefault(column, {})
            of_column[f"t{len(of_column) + 1}"] = test
            place = f"FROM tests{list(by_column).index(column) + 1}"
            asked = f"(SELECT coalesce(bool_and(t{len(of_column)}), true) {place})"
            tests.append((f"{model.name} {len(tests) + 1}", asked))
    for number, (column, of_column) in enumerate(by_column.items(), start=1):
        parts += _entries(number, _cells(layout), table, _value(column, source), of_column)
    return parts, tests, unchecked


def _condition(model: Model, distance: str) -> str | None:
    """What must hold in a class, over its entries; None where SQL cannot say it plainly."""
    from amongst.verify.proofs import proof_of

    say = getattr(proof_of(model.name), "sql", None)
    return None if say is None else say(model, distance)


def _entries(number: int, cells: list[str], table: str, value: str, tests: dict[str, str]) -> list[str]:
    """The parts of the query for one sensitive column: its entries, and the tests on every class.

    Of every class and value there is an entry with ``c`` rows; ``n`` are the rows of the class and ``p`` is the share
    of the value in the table, which has ``n_values`` of them.
    """
    shown = "".join(f"{cell} AS q{i}, " for i, cell in enumerate(cells, start=1))
    keys = ", ".join(f"q{i}" for i in range(1, len(cells) + 1))
    by_class = f"PARTITION BY {keys}" if keys else ""
    grouped = f"\n  GROUP BY {keys}" if keys else "\n  HAVING count(*) > 0"
    asked = ",\n    ".join(f"{test} AS {name}" for name, test in tests.items())
    return [
        f"counts{number} AS (\n  SELECT {shown}{value} AS v, count(*) AS c\n  FROM {table}\n  GROUP BY ALL\n)",
        f"entries{number} AS (\n  SELECT *, sum(c) OVER ({by_class}) AS n,\n"
        f"    sum(c) OVER (PARTITION BY v) / sum(c) OVER () AS p,\n"
        f"    (SELECT count(*) FROM (SELECT DISTINCT v FROM counts{number})) AS n_values\n  FROM counts{number}\n)",
        f"tests{number} AS (\n  SELECT {asked}\n  FROM entries{number}{grouped}\n)",
    ]


def _respelled(models: Sequence[Any], layout: Layout, source: Source) -> set[str]:
    """Sensitive columns with several spellings of one value: SQL would count them apart, and claim more."""
    from amongst.published.layout import Leaf
    from amongst.published.sensitive_values import number_values
    from amongst.published.tally import tally

    named = {name for model in of_values(models) for name in model.columns_in(layout.schema)}
    found = set()
    for name in named & set(layout.others):
        described = layout.schema[name] if name in layout.schema else Column(role="sensitive")
        values, _ = number_values(
            tally(source, [Leaf(name)]).columns[Leaf(name)], described, source.separator is not None
        )
        found |= {name} if values.n_joined else set()
    return found


def _distance(model: Any, layout: Layout, source: Source, column: str) -> str:
    """The distance of t-closeness, as far as the schema and the file's types say it."""
    import pyarrow as pa

    of = source.schema.field(column).type
    described = layout.schema.get(column)
    plain = described is None or (described.hierarchy is None and described.kind in (None, "categorical"))
    numbers = pa.types.is_integer(of) or pa.types.is_floating(of) or pa.types.is_decimal(of) or pa.types.is_temporal(of)
    untold = described is None or described.kind is None
    is_equal = plain and not (untold and (numbers or source.separator is not None))
    return model.distance or ("equal" if is_equal else "another")


def _value(column: str, source: Source) -> str:
    """A sensitive cell; what is not a number is missing."""
    import pyarrow as pa

    cell, of = _quoted(column), source.schema.field(column).type
    return f"CASE WHEN isnan({cell}) THEN NULL ELSE {cell} END" if pa.types.is_floating(of) else cell


def _cells(layout: Layout) -> list[str]:
    leaves = [leaf for key in layout.keys for leaf in key.leaves]
    return [
        _quoted(leaf.column) if leaf.field is None else f"struct_extract({_quoted(leaf.column)}, {_text(leaf.field)})"
        for leaf in leaves
    ]


def _classes(layout: Layout, table: str) -> str:
    cells = _cells(layout)
    shown = "".join(f"{cell} AS q{i}, " for i, cell in enumerate(cells, start=1))
    places = ", ".join(str(i) for i in range(1, len(cells) + 1))
    grouped = f"GROUP BY {places}" if cells else "HAVING count(*) > 0"
    return f"classes AS (\n  SELECT {shown}count(*) AS n\n  FROM {table}\n  {grouped}\n)"


def _compatible(layout: Layout, source: Source) -> str:
    """Every class with the rows that fit it, where a null fits everything."""
    cells_of_key = _cells_of_key(layout)
    conditions = []
    for key, cells in cells_of_key.items():
        equal = " AND ".join(f"a.{cell} IS NOT DISTINCT FROM b.{cell}" for cell in cells)
        if key.nulls != "match anything":
            conditions.append(f"({equal})")
            continue
        wild = [_missing(side, _beside(key, cells_of_key), source) for side in ("a", "b")]
        conditions.append(f"(({equal}) OR {wild[0]} OR {wild[1]})")
    condition = "\n    AND ".join(conditions)
    return (
        "numbered AS (SELECT row_number() OVER () AS id, * FROM classes),\n"
        "compatible AS (\n  SELECT a.n AS members, sum(b.n) AS n\n  FROM numbered a JOIN numbered b\n"
        f"    ON {condition}\n  GROUP BY a.id, a.n\n)"
    )


def _cells_of_key(layout: Layout) -> dict[Key, list[str]]:
    cells_of_key, i = {}, 0
    for key in layout.keys:
        cells_of_key[key] = [f"q{i + j}" for j in range(1, len(key.leaves) + 1)]
        i += len(key.leaves)
    return cells_of_key


def _beside(key: Key, cells_of_key: dict[Key, list[str]]) -> dict[Key, list[str]]:
    """What must be missing for a key to match anything; for a statistic its label or bounds as well."""
    if key.form != "statistic":
        return {key: cells_of_key[key]}
    label = {k: cells for k, cells in cells_of_key.items() if k.quasi == key.quasi and k.form != "statistic"}
    return {key: cells_of_key[key], **label}


def _missing(side: str, cells_of_key: dict[Key, list[str]], source: Source) -> str:
    import pyarrow as pa

    conditions = []
    for key, cells in cells_of_key.items():
        for leaf, cell in zip(key.leaves, cells, strict=True):
            of = source.schema.field(leaf.column).type
            of = of if leaf.field is None else of.field(leaf.field).type
            of = of.value_type if pa.types.is_dictionary(of) else of
            not_a_number = f" OR isnan({side}.{cell})" if pa.types.is_floating(of) else ""
            conditions.append(f"({side}.{cell} IS NULL{not_a_number})")
    return "(" + " AND ".join(conditions) + ")"


def _outcome(classes: str, k: int, tests: Sequence[tuple[str, str]]) -> str:
    members = "members" if classes == "compatible" else "n"
    all_hold = "".join(f"\n    AND {test}" for _, test in tests)
    each = "".join(f"  {test} AS {_quoted(name)},\n" for name, test in tests)
    return (
        f"SELECT coalesce(sum({members}), 0) AS n_rows, count(*) AS n_classes,\n"
        f"  coalesce(min(n), 0) AS smallest,\n"
        f"  count(*) FILTER (WHERE n < {k}) AS classes_below_k,\n"
        f"  coalesce(sum({members}) FILTER (WHERE n < {k}), 0) AS rows_below_k,\n"
        f"{each}  count(*) FILTER (WHERE n < {k}) = 0{all_hold} AS holds\n"
        f"FROM {classes};"
    )


def _table(source: Source, name: str) -> str:
    lower = str(source.path or "").lower()
    if lower.endswith((".parquet", ".pq")):
        return f"read_parquet({_file(name, source)})"
    if source.separator is not None:
        text = f"all_varchar = true, delim = {_text(source.separator)}, quote = '\"', escape = '\"'"
        nulls = "nullstr = '', allow_quoted_nulls = false"
        if source.n_joined is not None:
            raise BadInput(
                "There is no SQL for a file with metadata.", found=source.name, fix="write it as CSV or Parquet first"
            )
        return f"read_csv({_file(name, source)}, header = true, {text}, {nulls})"
    raise BadInput("There is no SQL for this kind of table.", found=source.name, fix="write it as CSV or Parquet first")


def _file(name: str, source: Source) -> str:
    if source.path is not None and os.path.isdir(name) and Path(name) != source.path:
        name = str(Path(name) / source.path.name)
    # In DuckDB's file names these characters are patterns, unless in brackets.
    plain = "".join(f"[{character}]" if character in "*?[" else character for character in name)
    return _text(plain if source.parts in ((), (source.path,)) else f"{plain}/*")


def _quoted(identifier: str) -> str:
    return '"' + identifier.replace('"', '""') + '"'


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
