"""Are tables that are published unchanged about codes, and not about people?"""

from __future__ import annotations

from amongst.errors import BadSchema
from amongst.relations.find_persons import speaks_of_people
from amongst.relations.key_values import key_names
from amongst.relations.loose_keys import tables_about_persons
from amongst.relations.relation import DatabaseSchema, columns_of
from amongst.relations.stored import Keys, Stored
from amongst.schema.problem import Problem, raise_all


def refuse_telling_lookups(schema: DatabaseSchema, stored: Stored) -> None:
    """Raise for lookup tables whose rows belong to persons, or that speak of people themselves."""
    about = tables_about_persons(schema, stored)
    named = {name for other, one in schema.items() for key in columns_of(one.key) for name in key_names(other, key)}
    problems = []
    for name in schema.lookups:
        keys, fix = stored.keys.get(name, Keys()), "leave it out, or hang it on the persons"
        reasons = speaks_of_people(name, stored.tables[name], keys)
        if name in schema or name in schema.leave_out:
            reasons = ["it is among the other tables as well"]
        elif name.casefold() in about:
            reasons = ["the database says that its rows refer to persons, or to what belongs to them"]
        else:
            references = [c for c in stored.tables[name].column_names if c.casefold() in named]
            reasons += [f"'{column}' is called as a key of a table about persons" for column in references]
        if reasons:
            text = f"lookup table '{name}': {'; '.join(reasons)}"
            problems.append(Problem(text, fix, {"problem": "lookup", "table": name}))
    raise_all(BadSchema, "Lookup tables are published unchanged, and must tell nothing of people.", problems)
