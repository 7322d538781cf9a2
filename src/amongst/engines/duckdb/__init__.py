"""Tables that are not in memory, on DuckDB: the star schema of Incognito (LeFevre et al., SIGMOD 2005, section 3)."""

from amongst.engines.duckdb.generalize import generalize

__all__ = ["generalize"]
