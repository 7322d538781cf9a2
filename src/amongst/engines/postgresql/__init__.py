"""A table in PostgreSQL, anonymized where it is."""

from amongst.engines.postgresql.store import PostgresqlStore

__all__ = ["PostgresqlStore"]
