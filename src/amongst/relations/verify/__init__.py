"""Re-derives the groups of persons from the published tables alone, and says whether they hold what was asked.

Nothing here is shared with the search: signatures of trees are made by SQL, in DuckDB.
"""

from amongst.relations.verify.verify_database import verify_database

__all__ = ["verify_database"]
