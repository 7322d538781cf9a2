"""amongst: publish tables about people so that every record hides amongst others."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from amongst import datasets, errors
    from amongst.analysis.regression import regression
    from amongst.anonymize import anonymize
    from amongst.attack.attack import attack
    from amongst.compare.compare import compare
    from amongst.compare.many_tables import compare_database
    from amongst.dual import largest_k, largest_l
    from amongst.evidence.gather import evidence
    from amongst.evidence.many_tables import evidence_database
    from amongst.harden.harden import Harden
    from amongst.job.job import Job
    from amongst.lattice.generalize import generalizations
    from amongst.learn.anonymizer import Anonymizer
    from amongst.learn.classification import classification
    from amongst.models import (
        AlphaK,
        BetaLikeness,
        DeltaDisclosure,
        DeltaPresence,
        KAnonymity,
        KMap,
        KOfSubsets,
        LDiversity,
        Proximity,
        TCloseness,
        WeightedK,
    )
    from amongst.partition.lower_bound import lower_bound
    from amongst.partition.methods import methods
    from amongst.pseudonyms import Pseudonyms
    from amongst.query.ask import query
    from amongst.query.fidelity import fidelity
    from amongst.query.workload import Workload, workload_error
    from amongst.recoding import Recoding
    from amongst.relations import (
        Closeness,
        DatabaseRelease,
        DatabaseSchema,
        Diversity,
        KmAnonymity,
        Relation,
        anonymize_database,
        anonymize_lists,
        attack_database,
        database_methods,
        fidelity_database,
        query_database,
        verify_database,
        workload_database,
    )
    from amongst.release import Release
    from amongst.release.against import verify_against
    from amongst.release.register import Register
    from amongst.release.together import verify_together
    from amongst.republish.series import Series
    from amongst.risk.risk import risk
    from amongst.schema import Column, Hierarchy, Schema
    from amongst.verify import verify

__version__ = "0.1.0"

# Names are looked up when they are used: ``import amongst`` costs next to nothing.
_HOME_OF_NAME = {
    "anonymize": "amongst.anonymize",
    "attack": "amongst.attack.attack",
    "Harden": "amongst.harden.harden",
    "generalizations": "amongst.lattice.generalize",
    "largest_k": "amongst.dual",
    "largest_l": "amongst.dual",
    "lower_bound": "amongst.partition.lower_bound",
    "verify": "amongst.verify",
    "methods": "amongst.partition",
    "query": "amongst.query.ask",
    "classification": "amongst.learn.classification",
    "compare": "amongst.compare.compare",
    "compare_database": "amongst.compare.many_tables",
    "evidence_database": "amongst.evidence.many_tables",
    "evidence": "amongst.evidence.gather",
    "fidelity": "amongst.query.fidelity",
    "regression": "amongst.analysis.regression",
    "risk": "amongst.risk.risk",
    "Column": "amongst.schema",
    "Job": "amongst.job.job",
    "Hierarchy": "amongst.schema",
    "Schema": "amongst.schema",
    "Anonymizer": "amongst.learn.anonymizer",
    "Pseudonyms": "amongst.pseudonyms",
    "Series": "amongst.republish.series",
    "Recoding": "amongst.recoding",
    "Register": "amongst.release.register",
    "Release": "amongst.release",
    "DatabaseRelease": "amongst.relations",
    "DatabaseSchema": "amongst.relations",
    "Closeness": "amongst.relations",
    "Diversity": "amongst.relations",
    "KmAnonymity": "amongst.relations",
    "Relation": "amongst.relations",
    "anonymize_database": "amongst.relations",
    "anonymize_lists": "amongst.relations",
    "attack_database": "amongst.relations",
    "database_methods": "amongst.relations",
    "fidelity_database": "amongst.relations",
    "query_database": "amongst.relations",
    "verify_database": "amongst.relations",
    "workload_database": "amongst.relations",
    "verify_against": "amongst.release.against",
    "verify_together": "amongst.release.together",
    "Workload": "amongst.query.workload",
    "workload_error": "amongst.query.workload",
}
_MODULES = ("datasets", "errors")

__all__ = [
    "AlphaK",
    "Anonymizer",
    "BetaLikeness",
    "Closeness",
    "Column",
    "DatabaseRelease",
    "DatabaseSchema",
    "DeltaDisclosure",
    "DeltaPresence",
    "Diversity",
    "Harden",
    "Hierarchy",
    "Job",
    "KAnonymity",
    "KMap",
    "KOfSubsets",
    "KmAnonymity",
    "LDiversity",
    "Proximity",
    "Pseudonyms",
    "Recoding",
    "Register",
    "Relation",
    "Release",
    "Schema",
    "Series",
    "TCloseness",
    "WeightedK",
    "Workload",
    "anonymize",
    "anonymize_database",
    "anonymize_lists",
    "attack",
    "attack_database",
    "classification",
    "compare",
    "compare_database",
    "database_methods",
    "datasets",
    "errors",
    "evidence",
    "evidence_database",
    "fidelity",
    "fidelity_database",
    "generalizations",
    "largest_k",
    "largest_l",
    "lower_bound",
    "methods",
    "query",
    "query_database",
    "regression",
    "risk",
    "verify",
    "verify_against",
    "verify_database",
    "verify_together",
    "workload_database",
    "workload_error",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"amongst.{name}")
    if name in _HOME_OF_NAME:
        value = getattr(importlib.import_module(_HOME_OF_NAME[name]), name)
        globals()[name] = value
        return value
    if name[:1].isupper() and (model := _models().get(name)) is not None:
        return model
    raise AttributeError(f"module 'amongst' has no attribute {name!r}")


def _models() -> dict[str, type]:
    """The privacy models by the names of their classes: those whose files are in the folder."""
    from amongst.models import MODELS

    return {model.__name__: model for model in MODELS.values()}


def __dir__() -> list[str]:
    return sorted({*__all__, *_models(), "__version__"})


class _Package(ModuleType):
    """``am.verify`` and ``am.anonymize`` stay functions when the modules of these names are imported."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _HOME_OF_NAME and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
