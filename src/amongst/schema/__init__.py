"""What the table is: roles, kinds, hierarchies, null rules, weights."""

from amongst.schema.column import Column
from amongst.schema.hierarchy import Hierarchy
from amongst.schema.schema import Schema
from amongst.schema.tree import Tree

__all__ = ["Column", "Hierarchy", "Schema", "Tree"]
