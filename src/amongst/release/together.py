"""Several releases held together, from their folders."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from amongst.errors import BadInput
from amongst.release.against import part_of
from amongst.release.folder import release_in
from amongst.release.register import Register, is_register
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    from amongst.verify.together.all_releases import Together


def verify_together(
    releases: Iterable[str | os.PathLike[str]], *, schema: Schema | None = None, people: str | None = None
) -> Together:
    """Say what all of some releases tell together, from the published files alone.

    Parameters
    ----------
    releases : paths
        Release folders; of a register all releases of ``people``.
    schema : Schema, optional
        For hierarchies that manifests do not tell.
    people : str, optional
        Whose releases of a register; left out, of all its people.

    Examples
    --------
    >>> import amongst as am
    >>> patients = am.datasets.load("patients")
    >>> for name in ("a", "b", "c"):
    ...     _ = am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)]).write(name)
    >>> am.verify_together(["a", "b", "c"]).ok
    True
    """
    from amongst.verify.together.all_releases import together

    stored = []
    for place in map(Path, releases):
        if is_register(place):
            found = [one for one in Register(place).entries() if people is None or one.people == people]
            stored += [one.release for one in found]
        else:
            stored.append(release_in(place))
    changed = [name for one in stored for name in one.changed_files()]
    if changed or not stored:
        raise BadInput(
            "A published file is gone, or not as it was written, so nothing can be said." if changed else "No release.",
            found=", ".join(changed) or "none given",
            fix="give the folders that were written",
        )
    for one in stored:  # of a register
        one.manifest.refuse_many_tables(one.folder)
    k = max(min(one.threshold for one in stored), 1)
    models = stored[-1].models
    several = any(one.unit is not None for one in stored)
    names = [one.folder.name for one in stored]
    return together([part_of(one, schema) for one in stored], models, k, names, several=several)
