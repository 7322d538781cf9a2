"""A register of releases: a folder with the manifest of each. No data is copied; digests tell if it is still there.

One file an entry, named by the digest of its manifest, and written whole or not at all: two who add at the same time do
not disturb each other, and a release that is added again stays one entry, with what is told of it now.
"""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.errors import BadInput, BadOption, BadOutput
from amongst.release.folder import ReleaseFolder, damaged, release_in, release_of_manifest
from amongst.schema.digest import digest_of
from amongst.staging import staged_file

FORMAT = 1
KEY_MARK = "\0whose key this is"
"""What no person is called: its digest tells keys apart."""
MARK = "amongst-register.json"
"""The file that says that a folder is a register."""


if TYPE_CHECKING:
    from amongst.pseudonyms import Pseudonyms


@dataclass(frozen=True, eq=False)
class Entry:
    """One release of a register.

    Attributes
    ----------
    number : int
        Entries are counted in the order in which they were added.
    name : str
        The name of its folder.
    people : str
        Whom it is about: releases of the same people are held against each other.
    added : str
        The day.
    window : tuple of str, or None
        From when to when the table tells of people, as it was declared.
    who : ndarray of uint64, or None
        Digests of its people under a key that is not in the register.
    key_mark : str or None
        The same for all digests under one key.
    release : ReleaseFolder
        Its manifest, and where its files were when it was added.
    """

    number: int
    name: str
    people: str
    added: str
    release: ReleaseFolder
    input: dict[str, Any] = field(default_factory=dict, repr=False)
    window: tuple[str, str] | None = None
    who: np.ndarray | None = field(default=None, repr=False)
    key_mark: str | None = field(default=None, repr=False)

    def to_dict(self) -> dict[str, Any]:
        manifest = self.release.manifest
        return {
            "number": self.number,
            "name": self.name,
            "people": self.people,
            "added": self.added,
            "window": self.window,
            "knows_people": self.who is not None,
            "threshold": self.release.threshold,
            "method": manifest.method,
            "rows": manifest.rows,
            "sha256": self.release.sha256,
            "there": not self.release.changed_files() if self.release.sha256 else None,
        }


def is_register(folder: Path) -> bool:
    """Whether a folder is a register."""
    return (folder / MARK).is_file()


class Register:
    """A folder of manifests.

    Parameters
    ----------
    folder : path
        It is made when the first release is added.

    Examples
    --------
    >>> import amongst as am
    >>> patients = am.datasets.load("patients")
    >>> _ = am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)]).write("january")
    >>> register = am.Register("register")
    >>> _ = register.add("january", people="patients")
    >>> [(entry.name, entry.people) for entry in register.entries()]
    [('january', 'patients')]
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)

    def add(
        self,
        release: str | os.PathLike[str],
        *,
        people: str | None = None,
        window: tuple[str, str] | None = None,
        persons: Any = None,
        under: Pseudonyms | None = None,
    ) -> Entry:
        """Enter a release; of one that is entered already, take what is told now.

        Parameters
        ----------
        release : path
            A release folder, with its files as they were written.
        people : str, optional
            Whom it is about, the declared population; left out, what the input was called.
        window : (str, str), optional
            From when to when the table tells of people, such as ``("2024-01-01", "2024-01-31")``.
        persons, under : column and Pseudonyms, optional
            The column that tells people apart, and the key under which they are remembered as digests. With these the
            register knows which releases are about the same people without the originals; the key is not kept.
        """
        import datetime

        if (persons is None) != (under is None):
            fix = "give both, or none"
            raise BadOption("People are remembered by digests under a key.", found="one of both", fix=fix)
        stored = release_in(Path(release), many=True)
        if stored.changed_files():
            raise BadInput(
                "The release is not as it was written, so it is not entered.",
                found=", ".join(stored.changed_files()) + ": gone, or another digest",
                fix="enter the folder that amongst wrote",
            )
        self._make()
        digest = digest_of(json.dumps(stored.manifest, sort_keys=True))
        known = [one for one in self.entries() if digest_of(json.dumps(one.release.manifest, sort_keys=True)) == digest]
        told = {
            "people": people or None,
            "window": None if window is None else list(window),
            "key_mark": None if under is None else str(under.digests([KEY_MARK])[0]),
        }
        number = known[0].number if known else max((entry.number for entry in self.entries()), default=0) + 1
        path = self.folder / f"{number:04d}-{digest[:12]}.json"
        if known:
            facts = json.loads(path.read_text(encoding="utf-8"))
            _refuse_another_key(known[0], told["key_mark"])
        else:
            facts = {
                "format": FORMAT,
                "number": number,
                "name": stored.folder.resolve().name,
                "people": str(stored.full.input.get("name") or "people"),
                "added": datetime.datetime.now(datetime.UTC).date().isoformat(),
                "place": os.path.relpath(stored.folder.resolve(), self.folder.resolve()),
                "manifest": stored.manifest,
                "input": {key: stored.full.input.get(key) for key in ("name", "sha256")},
                "window": None,
                "key_mark": None,
            }
        new = {key: one for key, one in told.items() if one is not None}
        if under is not None:
            _write_digests(path.with_suffix(".people"), under.digests(persons))
        if new or not known:
            _write_whole(path, json.dumps(facts | new, indent=2, ensure_ascii=False) + "\n")
        return self._read(path)

    def entries(self) -> list[Entry]:
        """All releases, the first one first."""
        self._refuse_other_folder()
        paths = [path for path in self.folder.glob("*.json") if path.name != MARK]
        return sorted((self._read(path) for path in paths), key=lambda entry: (entry.number, entry.name))

    def earlier_than(self, release: ReleaseFolder, people: str | None = None) -> list[Entry]:
        """The entries of the same people that a release is to be held against: all but itself."""
        entries = self.entries()
        own = digest_of(json.dumps(release.manifest, sort_keys=True))
        others = [one for one in entries if digest_of(json.dumps(one.release.manifest, sort_keys=True)) != own]
        whom = {people} if people is not None else self._people_of(release, entries)
        found = [entry for entry in others if entry.people in whom]
        if not found and people is not None:
            known = sorted({entry.people for entry in entries})
            raise BadOption(
                "The register has no other release of these people.",
                found="it knows " + (", ".join(known) or "nobody"),
                fix="name one of them",
            )
        return found

    def _people_of(self, release: ReleaseFolder, entries: list[Entry]) -> set[str]:
        """The people of entries with the same input, by its digest or its name; or else with most of the same columns.

        Next month's table has another name and other rows: rather too many entries than none.
        """
        own = release.full.input
        same = [entry for entry in entries if _same_input(entry.input, own)]
        known = {entry.people for entry in same} | {str(own.get("name"))}
        if any(entry.people in known and entry.release.sha256 != release.sha256 for entry in entries):
            return known
        return known | {entry.people for entry in entries if _same_columns(entry.release, release)}

    def _make(self) -> None:
        self._refuse_other_folder()
        try:
            self.folder.mkdir(exist_ok=True)
            if not is_register(self.folder):
                _write_whole(self.folder / MARK, json.dumps({"format": FORMAT, "kind": "register"}) + "\n")
        except OSError as error:
            raise BadOutput(
                "The register cannot be written.",
                found=error.strerror or "an error of the system",
                fix="choose another folder",
            ) from None

    def _refuse_other_folder(self) -> None:
        if not self.folder.exists() or is_register(self.folder):
            return
        if not self.folder.is_dir() or any(self.folder.iterdir()):
            raise BadInput(
                f"{self.folder.name} is no register.",
                found="something else is there",
                fix="name a register, or a folder that is not there yet",
            )

    def _read(self, path: Path) -> Entry:
        try:
            facts = json.loads(path.read_text(encoding="utf-8"))
            place = (self.folder.resolve() / facts["place"]).resolve()
            release = release_of_manifest(facts["manifest"], place)
            about = dict(facts.get("input") or release.manifest.input)
            window = facts.get("window")
            mark = facts.get("key_mark")
            who = None if mark is None else np.fromfile(path.with_suffix(".people"), dtype="<u8")
            return Entry(
                number=int(facts["number"]),
                name=str(facts["name"]),
                people=str(facts["people"]),
                added=str(facts["added"]),
                release=release,
                input=about,
                window=None if window is None else (str(window[0]), str(window[1])),
                who=who,
                key_mark=mark,
            )
        except (OSError, ValueError, KeyError, TypeError):
            raise damaged(path.name) from None


def _refuse_another_key(entry: Entry, mark: Any) -> None:
    if mark is not None and entry.key_mark not in (None, mark):
        raise BadOption(
            "The people of this release are remembered under another key.",
            found=f"release {entry.number} of the register, and a key that is not the one of before",
            fix="give the key of before: digests under two keys cannot be compared",
        )


def _write_digests(path: Path, who: np.ndarray) -> None:
    """The digests of people, sorted: not even the order of the table is kept."""
    with staged_file(path) as part:
        np.unique(np.asarray(who, dtype="<u8")).tofile(part)
        part.chmod(0o600)


def _same_input(one: dict[str, Any], other: dict[str, Any]) -> bool:
    digests = one.get("sha256"), other.get("sha256")
    return None not in digests and digests[0] == digests[1]


def _same_columns(one: ReleaseFolder, other: ReleaseFolder) -> bool:
    """Whether at least half of the columns of one of the two are published by both."""
    names = [{name for name, column in each.schema.items() if column.role != "identifier"} for each in (one, other)]
    return 2 * len(names[0] & names[1]) >= max(min(len(names[0]), len(names[1])), 1)


def _write_whole(path: Path, text: str) -> None:
    """Write a file that appears complete or not at all."""
    try:
        handle, name = tempfile.mkstemp(prefix=".amongst-", dir=path.parent)
        part = Path(name)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            part.chmod(0o600)
            os.replace(part, path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise BadOutput(
            "The register could not be written.",
            found=error.strerror or "an error of the system",
            fix="choose another folder",
        ) from None
