"""Who stands alone in published tables, and who did in the original ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from amongst.relations.draft import with_found_keys
from amongst.relations.times import with_persons_times
from amongst.relations.uniqueness import Alone, uniqueness

if TYPE_CHECKING:
    from amongst.relations.relation import DatabaseSchema
    from amongst.relations.stored import Stored


@dataclass(frozen=True, kw_only=True)
class FoundAlone:
    """Who is alone by every kind of knowledge: in the release, and in the original where it was given."""

    k: int
    after: list[Alone]
    before: list[Alone] | None = None

    def to_dict(self) -> dict[str, Any]:
        """As data, with counts of fewer than k persons left out."""
        told = {"after": self.after} | ({} if self.before is None else {"before": self.before})
        return {when: [self._fact(one) for one in several] for when, several in told.items()}

    def _fact(self, one: Alone) -> dict[str, Any]:
        return {
            name: None if name != "knows" and 0 < found < self.k else found for name, found in one.to_dict().items()
        }


def found_alone(
    published: Stored,
    schema: DatabaseSchema,
    k: int,
    codes: int,
    *,
    original: tuple[Stored, DatabaseSchema] | None = None,
    seed: int = 0,
) -> FoundAlone:
    """Who is alone in published tables; in the original ones too, where they and their schema are given.

    ``seed`` is the run's, with which the times of persons were moved; up to so many ``codes`` are known.
    """
    after = uniqueness(published.tables, published.schema_with_keys(schema), k, codes)
    if original is None:
        return FoundAlone(k=k, after=after)
    stored, own = original
    stored = with_persons_times(stored, own, seed)
    keyed = stored.schema_with_keys(with_found_keys(stored, stored.in_own_letters(own)))
    return FoundAlone(k=k, after=after, before=uniqueness(stored.tables, keyed, k, codes))
