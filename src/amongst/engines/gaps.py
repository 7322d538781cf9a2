"""What an engine does not do, and why: every store declares its gaps, refusals and the docs' one table follow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Gap:
    """Something that an engine does not do.

    Attributes
    ----------
    sort : {"not yet", "upstream", "never"}
        We could and have not; what lies under the engine must first; it makes no sense there.
    why : str
        One sentence for the docs.
    """

    sort: Literal["not yet", "upstream", "never"]
    why: str


FEATURES = {
    "forms": "the forms `labels` and `bounds`, every rule for nulls, weights",
    "structs": "the form `structs`",
    "values": "models of sensitive values (l-diversity, t-closeness and kin)",
    "population": "models of a population (k-map, delta-presence)",
    "target": "a target (`target`)",
    "apply": "a saved recoding (`apply`)",
    "reads": "forms of columns (`reads`)",
    "limits": "limits of columns (`finest`, `top`, `bottom`)",
    "resume": "`resume`",
    "formats": "other formats (`jsonl`, `sqlite`, `xlsx` ...)",
    "shape": "the shape of the input (`shape`)",
    "unit": "people counted, not rows (`unit`)",
    "household": "households (role `household`)",
    "workload": "a workload (`workload`)",
    "suppression": "rows left out by a method of groups (`suppression`)",
    "two tables": "two tables (`anatomy`)",
    "harden": "hardening (`harden`)",
}
"""What can be asked of a release, in the order of the table; a gap names one of these."""

ELSEWHERE = {
    "unit": Gap(
        "not yet", "the verifier is told beside the release whose each row is, by its place, and rows have none"
    ),
    "household": Gap("not yet", "the rows of a household are found where every row is in memory"),
    "workload": Gap("not yet", "the questions are asked of the rows in memory"),
    "two tables": Gap("not yet", "rows are dealt out to groups one by one, in memory"),
}
"""The gaps of every store whose rows are not in memory."""
UNTIL_SAID = {
    **ELSEWHERE,
    "reads": Gap("not yet", "`open` does not take `reads`"),
    "limits": Gap("not yet", "`with_limits` does not carry them out"),
    "resume": Gap("not yet", "`open` does not take `resume`"),
    "formats": Gap("not yet", "`refuse_output` refuses all but Parquet and CSV"),
    "shape": Gap("not yet", "`refuse_shape` refuses it"),
}
"""The gaps of a store that has no more than a store must have."""
OF_PLACES = {name: gap for name, gap in ELSEWHERE.items() if name != "household"}
"""The gaps of our own: all that is published of households comes to memory, and is refused where it does not fit."""
COUNTED_HERE = {name: gap for name, gap in OF_PLACES.items() if name != "unit"}
"""The gaps of files and of PostgreSQL: the distinct rows with whose they are come to memory too."""
