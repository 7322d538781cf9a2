"""All attacks on many tables: who is asked, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from amongst.attack.attack import carry_out
from amongst.attack.declared import Attacks
from amongst.attack.finding import Findings
from amongst.relations.attacks.intruder import MOST, open_tables
from amongst.relations.relation import DatabaseSchema

ATTACKS = Attacks("amongst.relations.attacks", on=" on many tables")
"""Every attack on many tables, in the order in which they are carried out."""


def attack_database(
    published: Any,
    schema: DatabaseSchema | None = None,
    *,
    original: Any = None,
    namespace: str | None = None,
    attacks: Sequence[str] | None = None,
    k: int | None = None,
    most: int = MOST,
    seed: int = 0,
    split: bool = True,
    divisions: int = 1,
) -> Findings:
    """Attack many published tables as somebody would who knows a person, her rows and what hangs on them.

    Parameters
    ----------
    published : path, address, mapping of tables, or Release
    schema : DatabaseSchema, optional
        That of the release, with its hierarchies; left out, that of the release in memory, or what a manifest tells.
    original : path, address or mapping of tables, optional
        What the release was made of; a release in memory knows its own.
    namespace : str, optional
        The schema inside a database.
    attacks : sequence of str, optional
        Some of ``re-identification``, ``few codes``, ``membership``, ``homogeneity`` and ``order of codes``; left out,
        all.
    k : int, optional
        Counts of persons below it are not shown; left out, that of the release.
    most : int
        Of more persons than this a sample is tried.
    seed : int
        Of the lots.
    split : bool
        Whether half of the persons may be published anew, to tell members from others.
    divisions : int
        How often that is done, each time with other lots.

    Examples
    --------
    >>> import amongst as am
    >>> made = am.datasets.load_database("transcripts")
    >>> release = am.anonymize_database(made.tables, made.schema, [am.KAnonymity(2)])
    >>> found = am.attack_database(release)
    >>> found["re-identification"].succeeded
    False
    """
    intruder = open_tables(published, schema, original, namespace, k)
    intruder.most, intruder.seed, intruder.split, intruder.divisions = most, seed, split, divisions
    return carry_out(ATTACKS, intruder, ATTACKS.asked(attacks))
