"""A recoding that outlives its release: found once, saved, and applied to the next file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from amongst.errors import BadOption
from amongst.recode.saved import SavedRecoding, recoding_of

if TYPE_CHECKING:
    from amongst.release import Release


class Recoding(SavedRecoding):
    """What a release does to quasi-identifiers, to be done to other rows of the same kind.

    Attributes
    ----------
    method : str
        What found it.
    columns, classes, nodes
        What is published, as it was published; see ``SavedRecoding``.

    Examples
    --------
    >>> import amongst as am
    >>> patients = am.datasets.load("patients")
    >>> release = am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)])
    >>> again = am.Recoding.from_json(am.Recoding.of(release).to_json())
    >>> again.transform(patients.table, patients.schema, [am.KAnonymity(2)]).table.equals(release.table)
    True
    """

    @classmethod
    def of(cls, release: Release) -> Recoding:
        """The recoding of a release of one table."""
        if release.is_pair:
            raise BadOption(
                "A release of two tables recodes nothing: its quasi-identifiers are as they were.",
                found=f"method = {release.method!r}",
                fix="use a method that publishes one table",
            )
        if release.schema.household is not None:
            raise BadOption(
                "What a household publishes is of its members together, and recodes no other table.",
                found=f"'{release.schema.household}' has the role household",
                fix="anonymize the next table by itself",
            )
        return cls(**recoding_of(release.method, release.coded, release.partition, release.schema))

    def transform(self, data: Any, schema: Any, models: Sequence[Any], **options: Any) -> Release:
        """Publish other rows by this recoding.

        Rows that fit no class widen the one that has to be widened least, classes that do not hold the models are
        joined with those near them, and what comes out is verified like any release. The parameters are those of
        ``am.anonymize``.
        """
        from amongst.anonymize import anonymize

        return anonymize(data, schema, models, "recoding", recoding=self, **options)
