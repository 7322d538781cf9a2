"""What a release does not protect against, and what it takes for granted: it depends on what was asked."""

from __future__ import annotations

from collections.abc import Sequence

from amongst.models import (
    POPULATION,
    SENSITIVE,
    AlphaK,
    BetaLikeness,
    DeltaDisclosure,
    DeltaPresence,
    KMap,
    KOfSubsets,
    LDiversity,
    Model,
    Proximity,
    TCloseness,
)
from amongst.schema.schema import Schema

ONLY_WHO = (
    "k-anonymity hides which row is whose. It does not hide what all rows of a group have in common: if they share "
    "a sensitive value, everybody in the group is known to have it."
)
OF_MODEL: dict[type, str] = {
    LDiversity: "l-diversity leaves about l values open for everybody. It does not see that values may mean nearly the "
    "same (three kinds of cancer are three values), nor that a value may be far more likely in a group than in the "
    "table; and who can rule out some of the values learns more.",
    AlphaK: "(alpha, k)-anonymity bounds how sure one can be of a single value. It does not see that values may mean "
    "nearly the same, nor that a share of alpha may be far above that in the table.",
    TCloseness: "t-closeness bounds what a group tells beyond the whole table, on the whole. A rare value can still be "
    "several times as likely in a group as in the table, and what the table tells about everybody is not hidden.",
    BetaLikeness: "beta-likeness bounds how much more likely a value becomes. It does not bound how much less likely: "
    "that somebody does not have a value may be certain.",
    DeltaDisclosure: "delta-disclosure bounds how far the shares of values differ from those in the table. Where "
    "absent values are ignored, it may be certain that somebody does not have a value.",
    Proximity: "Proximity keeps the numbers of a group apart by a fixed width. It does not bound what a group tells "
    "beyond the whole table.",
    KMap: "k-map counts people of the population, not of the release: somebody can be alone in the release. Who knows "
    "that a person is in the data is not held off.",
    DeltaPresence: "delta-presence hides who is in the data. It does not hide what the rows of a group have in common.",
    KOfSubsets: "k on every few quasi-identifiers assumes that nobody knows more of them about a person.",
}
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
    asked = [model for model in models if isinstance(model, SENSITIVE)]
    protected = {name for model in asked for name in (schema.sensitive if model.column is None else [model.column])}
    open_names = [name for name in schema.sensitive if name not in protected]
    said = [] if asked else [ONLY_WHO]
    said += [OF_MODEL[kind] for kind in dict.fromkeys(map(type, models)) if kind in OF_MODEL]
    if asked and open_names:
        said.append(UNPROTECTED.format(names=", ".join(f"'{name}'" for name in open_names)))
    if len(protected) > 1:
        said.append(MORE_SENSITIVE)
    return (*said, *ALWAYS)


def assumptions(models: Sequence[Model], unit: str | None) -> tuple[str, ...]:
    """What was taken for granted."""
    who = "Every row is about another person." if unit is None else f"The column '{unit}' tells people apart."
    population = [model for model in models if isinstance(model, POPULATION)]
    told = ["The population table holds everybody whom an intruder may think of."] if population else []
    return (who, *told, ROLES)


def caveats_of_target(schema: Schema, target: str | None) -> tuple[str, ...]:
    """What to know where the search was steered by a sensitive column."""
    return (TARGET.format(name=f"'{target}'"),) if target is not None and schema[target].role == "sensitive" else ()
