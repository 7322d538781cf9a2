"""Many tables about the same persons: entity trees, MiRaCle, and what goes with it."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from amongst.relations.relation import DatabaseSchema, Relation

if TYPE_CHECKING:
    from amongst.relations.anonymize import anonymize_database
    from amongst.relations.attacks.attack_database import attack_database
    from amongst.relations.closeness import Closeness
    from amongst.relations.compared import fidelity_database, workload_database
    from amongst.relations.diversity import Diversity
    from amongst.relations.km_anonymity import KmAnonymity
    from amongst.relations.methods import database_methods
    from amongst.relations.questions import query_database
    from amongst.relations.release import DatabaseRelease
    from amongst.relations.set_valued import anonymize_lists
    from amongst.relations.verify.verify_database import verify_database

_HOME_OF_NAME = {
    "anonymize_database": "amongst.relations.anonymize",
    "fidelity_database": "amongst.relations.compared",
    "query_database": "amongst.relations.questions",
    "workload_database": "amongst.relations.compared",
    "anonymize_lists": "amongst.relations.set_valued",
    "attack_database": "amongst.relations.attacks.attack_database",
    "database_methods": "amongst.relations.methods",
    "verify_database": "amongst.relations.verify",
    "Closeness": "amongst.relations.closeness",
    "Diversity": "amongst.relations.diversity",
    "KmAnonymity": "amongst.relations.km_anonymity",
    "DatabaseRelease": "amongst.relations.release",
}

__all__ = [
    "Closeness",
    "DatabaseRelease",
    "DatabaseSchema",
    "Diversity",
    "KmAnonymity",
    "Relation",
    "anonymize_database",
    "anonymize_lists",
    "attack_database",
    "database_methods",
    "fidelity_database",
    "query_database",
    "verify_database",
    "workload_database",
]


def __getattr__(name: str) -> Any:
    if name in _HOME_OF_NAME:
        return getattr(importlib.import_module(_HOME_OF_NAME[name]), name)
    raise AttributeError(f"module 'amongst.relations' has no attribute {name!r}")
