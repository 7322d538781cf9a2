"""The register: manifests only, whole or not at all, the same release once."""

import json
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.errors import BadOption

SCHEMA = am.Schema(
    {
        "age": am.Column(role="quasi", kind="numeric"),
        "town": am.Column(role="quasi"),
        "disease": am.Column(role="sensitive"),
    }
)
SECRET = "Zanzibari-4711"


def table(seed=0, n=60):
    rng = np.random.default_rng(seed)
    return pa.table(
        {
            "age": rng.integers(0, 20, n),
            "town": rng.choice(["x", "y"], n),
            "disease": [f"{SECRET}-{i}" for i in rng.integers(0, 6, n)],
        }
    )


def write(folder, k=4, method="mondrian", data=None, **options):
    am.anonymize(table() if data is None else data, SCHEMA, [am.KAnonymity(k)], method=method).write(folder, **options)
    return folder


def test_entries_hold_the_manifest_and_no_data(tmp_path):
    release = write(tmp_path / "january")
    register = am.Register(tmp_path / "register")
    entry = register.add(release, people="patients")
    assert (entry.number, entry.name, entry.people) == (1, "january", "patients")
    assert entry.release.manifest == json.loads((release / "manifest.json").read_text())
    for path in (tmp_path / "register").iterdir():
        assert path.suffix == ".json"
        assert SECRET not in path.read_text()
        assert str(tmp_path) not in path.read_text()  # where it lies is told from the register on
    assert register.entries()[0].to_dict()["there"]


def test_the_same_release_is_entered_once(tmp_path):
    register = am.Register(tmp_path / "register")
    write(tmp_path / "one")
    write(tmp_path / "two", k=5)
    register.add(tmp_path / "one")
    register.add(tmp_path / "two")
    assert register.add(tmp_path / "one").number == 1
    assert [entry.name for entry in register.entries()] == ["one", "two"]


def test_what_is_told_of_an_entered_release_is_taken(tmp_path):
    from amongst.pseudonyms import Pseudonyms

    register = am.Register(tmp_path / "register")
    write(tmp_path / "one")
    first = register.add(tmp_path / "one")
    register.add(tmp_path / "one", people="patients")
    register.add(tmp_path / "one", window=("2024-01-01", "2024-01-31"))
    under = Pseudonyms(b"k" * 32, "register")
    told = register.add(tmp_path / "one", persons=["anna", "bert"], under=under)
    assert (told.number, told.added, told.people) == (1, first.added, "patients")
    assert told.window == ("2024-01-01", "2024-01-31")
    assert len(told.who) == 2
    assert len(register.entries()) == 1
    with pytest.raises(BadOption, match="another key"):
        register.add(tmp_path / "one", persons=["anna"], under=Pseudonyms(b"x" * 32, "register"))
    assert len(register.entries()[0].who) == 2


def test_the_whole_folder_can_move(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    write(home / "one")
    am.Register(home / "register").add(home / "one")
    home.rename(tmp_path / "elsewhere")
    assert am.Register(tmp_path / "elsewhere" / "register").entries()[0].to_dict()["there"]


def test_what_is_not_as_it_was_written_is_not_entered(tmp_path):
    release = write(tmp_path / "one", format="csv")
    (release / "release.csv").write_text((release / "release.csv").read_text() + "\n")
    with pytest.raises(am.errors.BadInput, match="not as it was written"):
        am.Register(tmp_path / "register").add(release)
    assert not (tmp_path / "register").exists()


@pytest.mark.parametrize("content", ["", "{}", "[1]", '{"number": 1}', '{"manifest": {}, "place": "x"}', "\x00"])
def test_a_damaged_entry_is_told_in_words(tmp_path, content):
    am.Register(tmp_path / "register").add(write(tmp_path / "one"))
    (tmp_path / "register" / "0002-x.json").write_text(content)
    with pytest.raises(am.errors.BadInput, match="damaged"):
        am.Register(tmp_path / "register").entries()


def test_another_folder_is_no_register(tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.txt").write_text("mine")
    with pytest.raises(am.errors.BadInput, match="no register"):
        am.Register(tmp_path / "other").add(write(tmp_path / "one"))
    with pytest.raises(am.errors.BadInput, match="no release folder"):
        am.Register(tmp_path / "register").add(tmp_path / "nowhere")


def test_nothing_half_written_is_left(tmp_path, monkeypatch):
    import os

    release = write(tmp_path / "one")
    register = am.Register(tmp_path / "register")
    register.add(release)
    write(tmp_path / "two", k=6)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(am.errors.BadOutput):
        register.add(tmp_path / "two")
    monkeypatch.undo()
    assert [entry.name for entry in register.entries()] == ["one"]
    assert not [path for path in (tmp_path / "register").iterdir() if path.name.startswith(".amongst-")]


def test_a_release_against_the_register(tmp_path):
    register = am.Register(tmp_path / "register")
    register.add(write(tmp_path / "one"), people="patients")
    register.add(write(tmp_path / "strangers", data=table(seed=5)), people="strangers")
    later = write(tmp_path / "two", method="hilbert")
    (found,) = am.verify_against(later, tmp_path / "register", people="patients")
    assert found.earlier == "one"
    assert not found.ok
    assert am.verify_against(later, [tmp_path / "one"])[0].to_dict() == found.to_dict()
    with pytest.raises(am.errors.BadOption, match="no other release of these people"):
        am.verify_against(later, tmp_path / "register", people="nobody")


def test_the_same_file_tells_nothing_new(tmp_path):
    (found,) = am.verify_against(write(tmp_path / "two"), write(tmp_path / "one"))
    assert found.ok
    assert found.same_file
    assert found.same_schema


def test_other_roles_are_told(tmp_path):
    schema = SCHEMA.with_columns(town=am.Column(role="keep"))
    am.anonymize(table(), schema, [am.KAnonymity(4)], method="mondrian").write(tmp_path / "two")
    (found,) = am.verify_against(tmp_path / "two", write(tmp_path / "one"))
    codes = [note.code for note in found.notes]
    assert "other-roles" in codes
    assert "published-elsewhere" in codes
    assert not found.same_schema


def test_an_earlier_release_that_is_gone_is_not_passed_over(tmp_path):
    register = am.Register(tmp_path / "register")
    register.add(write(tmp_path / "one"), people="patients")
    (tmp_path / "one" / "release.parquet").unlink()
    later = write(tmp_path / "two", method="hilbert")
    (found,) = am.verify_against(later, tmp_path / "register", people="patients")
    assert not found.ok
    assert found.findings[0].code == "composition-unproved"
    assert not register.entries()[0].to_dict()["there"]


def groups_of(folder):
    """The sensitive values of every group, and the groups of everybody with the same quasi-identifiers."""
    import pyarrow.parquet as pq

    values = {}
    for row in pq.read_table(folder / "sensitive.parquet").to_pylist():
        values.setdefault(row["group"], Counter())[row["disease"]] += row["count"]
    groups = {}
    for row in pq.read_table(folder / "release.parquet").to_pylist():
        groups.setdefault((row["age"], row["town"]), set()).add(row["group"])
    return values, groups


def test_two_releases_of_two_tables_leave_the_values_that_both_groups_have(tmp_path):
    for seed, name in enumerate(("one", "two")):
        am.anonymize(table(), SCHEMA, [am.LDiversity(3, "distinct")], method="anatomy", seed=seed).write(
            tmp_path / name
        )
    (found,) = am.verify_against(tmp_path / "two", tmp_path / "one")
    (values, groups), (earlier, earlier_groups) = (groups_of(tmp_path / name) for name in ("two", "one"))
    left = [len(values[g] & earlier[e]) for who in groups for g in groups[who] for e in earlier_groups[who]]
    assert found.n_cells == sum(n > 0 for n in left)
    low = sum(0 < n < 3 for n in left)
    assert low
    assert found.findings[0].code == "composition-diversity"
    assert f"in {low:,} of {found.n_cells:,} pairs" in found.findings[0].found


def test_two_tables_beside_one(tmp_path):
    """Who is in a class of one release has a value of the group in the other: fewer rows of the class are left."""
    am.anonymize(table(), SCHEMA, [am.LDiversity(3)], method="anatomy").write(tmp_path / "pair")
    (found,) = am.verify_against(write(tmp_path / "one"), tmp_path / "pair")
    assert found.k == 4
    assert found.findings[0].code == "composition-possible"
    (turned,) = am.verify_against(tmp_path / "pair", tmp_path / "one")
    assert turned.n_cells == found.n_cells
    assert turned.n_exposed == found.n_exposed


def test_a_coarser_release_of_the_same_classes_still_holds(tmp_path):
    """Full-domain recodings of which one generalizes the other: its classes are whole classes of the other."""
    schema = SCHEMA.with_columns(
        age=am.Column(role="quasi", kind="numeric", hierarchy=am.Hierarchy.intervals([5, 10])),
        town=am.Column(role="quasi", hierarchy=am.Hierarchy.flat()),
    )
    data = table(n=300)
    for name, k in (("fine", 5), ("coarse", 60)):
        am.anonymize(data, schema, [am.KAnonymity(k)], method="incognito").write(tmp_path / name)
    (found,) = am.verify_against(tmp_path / "coarse", tmp_path / "fine", schema=schema)
    assert found.ok, found.findings
    assert found.k == 5
