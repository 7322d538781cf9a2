"""Diversity of sensitive values in many tables, counted in persons as well as in rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from amongst.errors import BadOption, refuse_unknown_word
from amongst.models import Model, model_from_dict
from amongst.relations.closeness import Closeness, as_closeness, asked_closeness
from amongst.relations.km_anonymity import KmAnonymity, asks_codes

SENSES = ("frequency", "distinct", "entropy", "recursive")
COUNTS = ("both", "rows", "persons")
WORDS = {
    "frequency": "no value makes up more than 1/{l:g} of them",
    "distinct": "at least {l:g} different values occur among them",
    "entropy": "their entropy is at least that of {l:g} values that are equally frequent",
    "recursive": "the most frequent one is rarer than {c:g} times all from the {l:g}. on together",
}


@dataclass(frozen=True)
class Diversity(Model):
    """The sensitive values of rows that cannot be told apart are spread (MultiRelational k-Anonymity, definition 10).

    Rows cannot be told apart when their persons are in one group, and they and all they hang on and all that hangs
    on them are published alike. What is asked must hold when such rows are counted, as the paper has it: then nobody
    can say what the value of a row is. It must also hold when the persons are counted that have a value in at least
    one of their rows: then nobody can say who has that value at all. Where persons have many rows that look alike,
    the second asks for much more.

    Parameters
    ----------
    l : float
        How diverse.
    sense : {"frequency", "distinct", "entropy", "recursive"}
    c : float
        For the recursive sense.
    table, column : str, optional
        Of one sensitive column; left out, of all.
    count : {"both", "rows", "persons"}
        What is counted.

    Examples
    --------
    >>> import amongst as am
    >>> am.Diversity(2, "entropy", table="courses", column="grade").to_dict()["sense"]
    'entropy'
    """

    l: float  # noqa: E741
    sense: str = "frequency"
    c: float = 1.0
    table: str | None = None
    column: str | None = None
    count: str = "both"
    name = "l-diversity"
    symbol = "l"
    counts = "values"
    many_tables = True

    def __post_init__(self) -> None:
        if not isinstance(self.l, (int, float)) or isinstance(self.l, bool) or not self.l >= 1:
            raise BadOption("l must be a number of at least 1.", found=f"l = {self.l!r}", fix="use l = 2 or more")
        refuse_unknown_word(f"There is no sense {self.sense!r}.", "sense", self.sense, SENSES)
        refuse_unknown_word(f"Diversity cannot count {self.count!r}.", "count", self.count, COUNTS)
        if self.sense in ("distinct", "recursive") and self.l != int(self.l):
            raise BadOption("l must be a whole number here.", found=f"l = {self.l!r}", fix="use l = 2 or more")
        if not isinstance(self.c, (int, float)) or not self.c > 0:
            raise BadOption("c must be a number above 0.", found=f"c = {self.c!r}", fix="use c = 1, or more")

    def words(self, people: bool = False) -> str:
        """What the model asks for, in a sentence: of rows, of persons, or of both, as ``count`` has it."""
        where = "all sensitive columns"
        if self.column is not None:
            where = self.column if self.table is None else f"{self.table}.{self.column}"
        asked = WORDS[self.sense].format(l=self.l, c=self.c)
        of = {"both": "rows that look alike, and of the persons who have them", "rows": "rows that look alike"}
        who = of.get(self.count, "the persons who have rows that look alike")
        return f"Of {who}, {asked} ({self.l:g}-diversity, {self.sense}; {where})."

    def to_dict(self) -> dict[str, object]:
        names = ("l", "sense", "c", "table", "column", "count")
        fields = {name: getattr(self, name) for name in names}
        usual = {"c": 1.0, "table": None, "column": None, "count": "both"}
        return {"model": self.name, **{key: value for key, value in fields.items() if usual.get(key, ...) != value}}

    def concerns(self, table: str, column: str) -> bool:
        """Whether it is asked of this sensitive column."""
        return self.table in (None, table) and self.column in (None, column)


def database_models(models: Any) -> tuple[int, list[Diversity]]:
    """The k of all the models (2 where only diversity is asked, as in algorithm 6), and what is asked of diversity."""
    models = list(models) if isinstance(models, (list, tuple)) else [models]
    asked = [one for one in (_diversity(model) for model in models) if one is not None]
    ks = [model.smallest_group for model in models if is_of_persons(model)]
    n_others = len(models) - len(ks) - len(asked) - len(asked_closeness(models))
    if not models or n_others:
        raise BadOption(
            "Many tables need privacy models that they know.",
            found=f"{n_others} of {len(models)} are none",
            fix="give a list such as [am.KAnonymity(10), am.Diversity(3)]",
        )
    return max(ks, default=2), asked


def is_of_persons(model: Any) -> bool:
    """Whether a model asks how many persons are alike, or share codes, and for nothing else."""
    return isinstance(model, Model) and model.counts == "rows"


def _diversity(model: Any) -> Diversity | None:
    """A model of diversity, also one that was made for single tables."""
    if isinstance(model, Diversity):
        return model
    if getattr(model, "name", "") != "l-diversity" or isinstance(model, type):
        return None
    sense: Any = getattr(model, "sense", "frequency")
    c = getattr(model, "c", 1.0)
    if isinstance(sense, (tuple, list)):
        sense, c = sense
    sense = "frequency" if sense == "probabilistic" else sense
    return Diversity(model.l, sense, 1.0 if c is None else c, column=getattr(model, "column", None))


def model_from_fields(fields: dict[str, Any]) -> Any:
    """A model from the fields of a job file or manifest."""
    if fields.get("model") == KmAnonymity.name:
        return _from_fields(KmAnonymity, fields, "k and m")
    if fields.get("model") == Closeness.name:
        return _from_fields(Closeness, fields, "t, table, column and distance")
    if fields.get("model") != Diversity.name:
        model = model_from_dict(fields)
        if not model.many_tables:
            raise BadOption(
                f"Many tables do not know the model {model.name!r}.",
                found=f"model = {model.name!r}",
                fix="use k-anonymity, l-diversity, t-closeness and km-anonymity",
            )
        return model
    return _from_fields(Diversity, fields, "l, sense, c, table, column and count")


def _from_fields(kind: type, fields: dict[str, Any], known: str) -> Any:
    rest = {key: value for key, value in fields.items() if key != "model"}
    try:
        return kind(**rest)
    except TypeError:
        raise BadOption(
            f"The fields do not fit the model '{fields['model']}'.",
            found="fields: " + ", ".join(sorted(rest)),
            fix=f"write {known}",
        ) from None


def words_of(models: Sequence[Any], bounded: bool = False, apart: bool = False) -> list[str]:
    """Every model in a sentence, persons counted; ``bounded`` where less than all is known of some table.

    ``apart`` where sensitive values stand in tables of their own: rows are of one class then, and do not look alike.
    """
    if apart:
        return [one.replace("rows that look alike", "rows of a class") for one in words_of(models, bounded)]
    return [
        _words(model.smallest_group, bounded)
        if is_of_persons(model) and not asks_codes(model)
        else (_diversity(model) or as_closeness(model) or model).words()
        for model in models
    ]


def _words(k: int, bounded: bool = False) -> str:
    others = "1 other" if k == 2 else f"{k - 1} others"
    what = "All that may be known whole of a person" if bounded else "Every person's whole tree of rows"
    return f"{what} is published exactly as that of at least {others} (k = {k})."
