"""Local anonymization: every table anonymized by itself. It does not protect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from amongst.relations.check_keys import check_keys
from amongst.relations.check_tables import check_tables
from amongst.relations.relation import DatabaseSchema
from amongst.relations.row_labels import row_labels
from amongst.relations.stores import read_database
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa


def local(
    data: Any, schema: DatabaseSchema, k: int, method: str = "mondrian"
) -> tuple[dict[str, pa.Table], DatabaseSchema]:
    """Each table with every combination of its quasi-identifiers in at least k of its rows: a baseline that fails.

    Joined again, the tables tell persons apart, since each table grouped its rows without the others (see
    ``attack.candidates``). Nothing that this gives should be published.

    Paper
        Nergiz, Clifton, Nergiz: MultiRelational k-Anonymity, TKDE 2009, section 3.2.
    """
    stored = read_database(data)
    schema = check_tables(schema, stored)
    check_keys(schema, stored)
    made = {}
    for name, relation in schema.items():
        table = stored.tables[name].select([*relation.keys, *relation.schema.published])
        quasi = relation.schema.quasi
        if quasi and table.num_rows:
            rules = Schema({column: relation.schema[column] for column in quasi})
            for column, cells in row_labels(table.select(quasi), rules, k, method).items():
                table = table.set_column(table.column_names.index(column), column, cells)
        made[name] = table
    return made, schema
