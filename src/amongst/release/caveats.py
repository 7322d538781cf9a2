"""What a release does not protect against, and what it takes for granted: it depends on what was asked."""

from __future__ import annotations

from collections.abc import Sequence

from amongst.models import Model, of_population, of_values
from amongst.schema.schema import Schema

ONLY_WHO = (
    "k-anonymity hides which row is whose. It does not hide what all rows of a group have in common: if they share "
    "a sensitive value, everybody in the group is known to have it."
)
MORE_SENSITIVE = (
    "Every sensitive column is protected for itself. Who knows somebody's value in one of them may learn the others "
    "from it."
)
TARGET = (
    "Groups were made to tell as much about {name} as the models allow, and it is sensitive: what is not "
    "forbidden by a model of its values, a group may tell."
)
UNPROTECTED = "No model was asked for on {names}: groups may share these values."
ALWAYS = (
    "It assumes that the quasi-identifiers are all that an intruder can know. A kept or sensitive column that "
    "somebody knows from elsewhere can single people out.",
    "Two releases about the same people can tell together what each of them hides.",
    "Ranges are the smallest that hold the group, so each bound is the value of somebody in the group "
    "(publish on a grid to avoid it).",
)
ROLES = (
    "The roles of the columns are right: identifiers, quasi-identifiers and sensitive columns were told by the user."
)


def caveats(models: Sequence[Model], schema: Schema) -> tuple[str, ...]:
    """What these models leave open."""
    asked = of_values(models)
    protected = {name for model in asked for name in model.columns_in(schema)}
    open_names = [name for name in schema.sensitive if name not in protected]
    said = [] if asked else [ONLY_WHO]
    said += [caveat for caveat in dict.fromkeys(model.caveat for model in models) if caveat]
    if asked and open_names:
        said.append(UNPROTECTED.format(names=", ".join(f"'{name}'" for name in open_names)))
    if len(protected) > 1:
        said.append(MORE_SENSITIVE)
    return (*said, *ALWAYS)


def assumptions(models: Sequence[Model], unit: str | None) -> tuple[str, ...]:
    """What was taken for granted."""
    who = "Every row is about another person." if unit is None else f"The column '{unit}' tells people apart."
    told = ["The population table holds everybody whom an intruder may think of."] if of_population(models) else []
    return (who, *told, ROLES)


def caveats_of_target(schema: Schema, target: str | None) -> tuple[str, ...]:
    """What to know where the search was steered by a sensitive column."""
    return (TARGET.format(name=f"'{target}'"),) if target is not None and schema[target].role == "sensitive" else ()
