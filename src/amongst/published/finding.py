"""One thing that was seen in what was published."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """One thing that was seen: what, found, fix. It names columns and counts, never a cell value."""

    code: str
    what: str
    found: str = ""
    fix: str = ""

    def to_dict(self) -> dict[str, str]:
        return {"code": self.code, "what": self.what, "found": self.found, "fix": self.fix}

    def words(self) -> str:
        lines = [self.what]
        lines += [f"  found: {self.found}"] if self.found else []
        lines += [f"  fix:   {self.fix}"] if self.fix else []
        return "\n".join(lines)


def counted(number: int, noun: str, threshold: int = 0) -> str:
    """``1 row``, ``3 rows``; ``fewer than 10 rows`` where the count lies below the threshold."""
    if 0 < number < threshold:
        return f"fewer than {threshold:,} {noun}s"
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
