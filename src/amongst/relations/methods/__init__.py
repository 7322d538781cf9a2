"""Methods for many tables, one a file, and their register."""

from __future__ import annotations

from typing import Any

from amongst.partition.methods import Register

DATABASE_METHODS = Register("amongst.relations.methods", words=" for many tables")
"""Every method for many tables."""

find_database_method = DATABASE_METHODS.find


def database_methods() -> list[dict[str, Any]]:
    """What there is for many tables, as plain data.

    Examples
    --------
    >>> import amongst as am
    >>> [method["name"] for method in am.database_methods()]
    ['miracle', 'miracle-x', 'd-miracle', 'bitmap', 'codes', 'anatomization']
    """
    return [method.to_dict() for method in DATABASE_METHODS.values()]
