"""Many tables about the same persons: entity trees, MiRaCle, and what goes with it."""

from __future__ import annotations

from amongst.relations.relation import DatabaseSchema, Relation

__all__ = ["DatabaseSchema", "Relation"]
