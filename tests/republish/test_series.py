"""A series of releases, held against an intruder who has all of them, written in lists and loops."""

from __future__ import annotations

import datetime as dt
from collections import Counter

import pyarrow as pa
import pytest

import amongst as am
from amongst.datasets.hospital_year import WORK
from amongst.errors import BadInput, BadOption, BadSchema

KEY = b"a key for the tests only"
MODELS = [am.KAnonymity(5), am.LDiversity(2, "distinct")]


def year_of(n: int, n_months: int, seed: int = 0) -> list:
    return am.datasets.hospital_year(n_persons=n, n_months=n_months, seed=seed)


def run(year: list, models: list = MODELS, **options: object) -> tuple[am.Series, list[am.Release]]:
    series = am.Series(year[0].schema, models, person="person", key=KEY, **options)
    return series, [series.next(month.table) for month in year]


def classes(release: am.Release) -> dict[tuple, Counter]:
    """Of every published class the rows by value."""
    found: dict[tuple, Counter] = {}
    for row in release.arrow.to_pylist():
        found.setdefault((row["born"], row["sex"], row["zip"], row["work"]), Counter())[row["diagnosis"]] += 1
    return found


def fits(label: str, value: object, column: str) -> bool:
    if label in ("*", str(value)):
        return True
    if column == "born":
        ends = [int(end) for end in label.strip("[]").split("-")]
        return ends[0] <= int(str(value)) <= ends[-1]
    if column == "zip":
        return str(value).startswith(label.rstrip("*"))
    if column == "work":
        return str(value) in WORK.get(label, ())
    return False


def class_of(person: dict, release: dict[tuple, Counter]) -> tuple | None:
    found = [
        one
        for one in release
        if all(fits(label, person[name], name) for label, name in zip(one, ("born", "sex", "zip", "work"), strict=True))
    ]
    assert len(found) <= 1  # boxes of one tree lie apart
    return found[0] if found else None


@pytest.mark.parametrize("seed", [0])
def test_what_all_releases_of_a_person_have_in_common_is_k_rows_and_l_values(seed: int) -> None:
    year = year_of(400, 4, seed)
    _, releases = run(year)
    published = [classes(one) for one in releases]
    people = [{row["person"]: row for row in month.table.to_pylist()} for month in year]
    checked = 0
    for who in people[-1]:
        left: Counter | None = None
        for month in range(len(year) - 1, -1, -1):
            if who not in people[month] or people[month][who]["diagnosis"] != people[-1][who]["diagnosis"]:
                break
            own = class_of(people[month][who], published[month])
            if own is None:
                break
            left = published[month][own] if left is None else left & published[month][own]
        moved = len({str({**one[who], "diagnosis": ""}) for one in people if who in one}) > 1
        if left is not None and not moved:  # whoever moved may be left out, which the files do not tell
            assert sum(left.values()) >= 5
            assert len(left) >= 2
            checked += 1
    assert checked > 200


def test_no_difference_shows_the_value_of_somebody_who_came_or_went_for_certain() -> None:
    year = year_of(300, 4, 3)
    series, releases = run(year)
    assert series.tree is not None
    nodes = series.tree.nodes
    below: dict[int, set[int]] = {}
    for number in range(len(nodes) - 1, -1, -1):
        below[number] = (
            {number} if not nodes[number].parts else set().union(*(below[one] for one in nodes[number].parts))
        )
    rows = []  # of every release: leaf -> rows as (digest of person and value, value)
    for one in series.published:
        held: dict[int, list] = {}
        for digest, leaf in zip(one.digest.tolist(), one.leaf.tolist(), strict=True):
            held.setdefault(leaf, []).append(digest)
        rows.append(held)
    for a in range(len(year)):
        for b in range(a + 1, len(year)):
            first, second = (set(map(int, series.published[one].classes)) for one in (a, b))
            counts = [
                dict(zip(map(int, one.classes), one.counts, strict=True))
                for one in (series.published[a], series.published[b])
            ]
            for x in range(len(nodes)):
                whole = all(
                    any(below[c] <= below[x] and leaf in below[c] for c in some)
                    for some in (first, second)
                    for leaf in below[x]
                )
                lowest = whole and not any(
                    all(
                        any(below[c] <= below[y] and leaf in below[c] for c in some)
                        for some in (first, second)
                        for leaf in below[y]
                    )
                    for y in nodes[x].parts
                )
                if not lowest:
                    continue
                total = [
                    sum((counts[i][c] for c in some if below[c] <= below[x]), start=0)
                    for i, some in enumerate((first, second))
                ]
                people = [{d for leaf in below[x] for d in held.get(leaf, ())} for held in (rows[a], rows[b])]
                came, went = len(people[1] - people[0]), len(people[0] - people[1])
                n = min(len(total[0]), len(total[1]))
                change = [int(total[1][v]) - int(total[0][v]) for v in range(n)]
                gained, lost = [c for c in change if c > 0], [-c for c in change if c < 0]
                # Where more came than the difference shows, any value can be theirs.
                assert not (came and came == sum(gained) and len(gained) < 2)
                assert not (went and went == sum(lost) and len(lost) < 2)
    assert len(releases) == 4


def test_every_release_is_verified_and_the_loss_charges_everybody_who_is_left_out() -> None:
    year = year_of(250, 3)
    series, releases = run(year)
    for told, release, month in zip(series.told, releases, year, strict=True):
        assert release.verdict.ok
        assert told.n_rows == month.table.num_rows
        assert release.arrow.num_rows == told.n_rows - told.n_left_out
        charged = (release.utility.gcp * release.arrow.num_rows + told.n_left_out) / told.n_rows
        assert told.loss == pytest.approx(charged, abs=0.01)


def test_a_series_goes_on_from_its_file_which_holds_no_name_and_no_cell_beyond_the_published(tmp_path) -> None:
    year = year_of(250, 3)
    _, whole = run(year)
    begun = am.Series(year[0].schema, MODELS, person="person", key=KEY)
    for month, other in zip(year, whole, strict=True):
        assert begun.next(month.table).table.equals(other.table)
        begun.save(tmp_path / "series.npz")
        begun = am.Series.load(tmp_path / "series.npz", year[0].schema, MODELS, KEY)
    assert (tmp_path / "series.npz").stat().st_mode & 0o077 == 0
    with pytest.raises(BadOption, match="promises something else"):
        am.Series.load(tmp_path / "series.npz", year[0].schema, [am.KAnonymity(4)], KEY)
    with pytest.raises(BadOption, match="under another key"):  # nobody would be known again
        am.Series.load(tmp_path / "series.npz", year[0].schema, MODELS, b"another key of the tests")
    with pytest.raises(BadInput, match="cannot be read"):
        am.Series.load(tmp_path / "nothing.npz", year[0].schema, MODELS, KEY)


def test_dates_and_fractions_and_people_beyond_the_first_ranges() -> None:
    def month(first: int) -> pa.Table:
        n = range(first, first + 200)
        return pa.table(
            {
                "who": [f"p{i}" for i in n],
                "day": [dt.date(2020, 1, 1) + dt.timedelta(days=i * 3) for i in n],
                "weight": [i * 0.37 for i in n],
                "ill": ["abcd"[i % 4] for i in n],
            }
        )

    schema = {"who": "identifier", "day": "quasi", "weight": "quasi", "ill": "sensitive"}
    series = am.Series(schema, [am.KAnonymity(3)], person="who", key=KEY)
    for first in (0, 20, 90):
        assert series.next(month(first)).verdict.ok


def test_new_diagnoses_are_published_and_values_that_no_box_has_are_left_out_and_counted() -> None:
    year = year_of(250, 2)
    later = year[1].table
    diagnosis, zips = later.column("diagnosis").cast(pa.string()).to_pylist(), later.column("zip").to_pylist()
    diagnosis[:40] = ["Something new"] * 40
    zips[50] = "99999"  # of another region than any of the first month
    later = later.set_column(5, "diagnosis", pa.array(diagnosis)).set_column(3, "zip", pa.array(zips))
    schema = am.Schema({**year[0].schema, "born": am.Column(role="identifier"), "work": am.Column(role="identifier")})
    series = am.Series(schema, MODELS, person="person", key=KEY)
    series.next(year[0].table)
    assert series.tree is not None
    assert any(node.column == "zip" for node in series.tree.nodes)
    release = series.next(later)
    assert release.verdict.ok
    assert "Something new" in release.arrow.column("diagnosis").to_pylist()
    assert series.told[-1].n_left_out >= 1
    assert release.arrow.num_rows == later.num_rows - series.told[-1].n_left_out


def test_what_a_series_cannot_do_is_said_before_anything_is_made() -> None:
    year = year_of(100, 1)
    schema = year[0].schema
    kept = am.Schema({**schema, "work": am.Column(role="keep")})
    with pytest.raises(BadSchema, match="a sensitive column"):
        am.Series(kept, MODELS, person="person", key=KEY)
    with pytest.raises(BadSchema, match="must be an identifier"):
        am.Series(schema, MODELS, person="born", key=KEY)
    with pytest.raises(BadOption, match="k-anonymity and l-diversity"):
        am.Series(schema, [am.KAnonymity(3), am.TCloseness(0.2)], person="person", key=KEY)
    nameless = year[0].table.set_column(0, "person", pa.nulls(100, pa.int64()))
    with pytest.raises(BadInput, match="no name"):
        am.Series(schema, MODELS, person="person", key=KEY).next(nameless)


def test_a_release_that_was_published_is_never_forgotten(tmp_path, monkeypatch):
    """Killed before, while or after the release appears: the series knows it, or it is not there, or it is asked."""
    from amongst.republish.two_steps import publish_next, settle, waiting

    year = year_of(300, 2)
    path, folder = tmp_path / "series", tmp_path / "out"
    series, _ = run(year[:1])
    series.save(path)
    before = path.read_bytes()
    series.next(year[1].table)

    class Killed(BaseException):
        pass

    def killed_before():
        raise Killed

    def killed_after():
        folder.mkdir()
        raise Killed

    with pytest.raises(Killed):
        publish_next(series, path, folder, killed_before)
    assert path.read_bytes() == before
    with pytest.raises(BadOption, match="not known whether"):
        settle(path)
    settle(path, "lost")
    assert path.read_bytes() == before
    assert not waiting(path).exists()
    with pytest.raises(Killed):
        publish_next(series, path, folder, killed_after)
    settle(path)  # the folder is there, so it was published
    assert len(am.Series.load(path, year[0].schema, MODELS, KEY).published) == 2
    folder.rmdir()
    path.write_bytes(before)
    with pytest.raises(Killed):
        publish_next(series, path, folder, killed_before)
    settle(path, "published")
    assert len(am.Series.load(path, year[0].schema, MODELS, KEY).published) == 2

    def refused():
        raise BadInput("The folder is full.", found="no room", fix="make some")

    with pytest.raises(BadInput):
        publish_next(series, path, folder, refused)
    assert not waiting(path).exists()  # nothing was published, and the user was told so
    assert publish_next(series, path, folder, lambda: "done") == "done"
    assert not waiting(path).exists()


def test_of_several_sensitive_columns_each_keeps_its_values(tmp_path):
    """What all classes of somebody have in common, combination by combination, leaves l values in every column."""
    year = year_of(400, 3, 2)
    tables = []
    for month in year:
        ward = [f"ward {hash_of(who) % 4}" for who in month.table["person"].to_pylist()]
        tables.append(month.table.append_column("ward", pa.array(ward)))
    schema = am.Schema({**year[0].schema, "ward": am.Column(role="sensitive")})
    series = am.Series(schema, MODELS, person="person", key=KEY)
    folders = []
    for number, table in enumerate(tables):
        release = series.next(table)
        release.write(tmp_path / str(number))
        folders.append(tmp_path / str(number))
    found = am.verify_together(folders, schema=schema)
    assert found.ok, found.findings
    assert found.least_values >= 2
    series.save(tmp_path / "series")
    again = am.Series.load(tmp_path / "series", schema, MODELS, KEY)
    assert again.values == series.values
    assert all(len(one.split("\x1f")) == 2 for one in again.values)
    for column in ("diagnosis", "ward"):
        kinds = {}
        for row in release.arrow.to_pylist():
            kinds.setdefault((row["born"], row["sex"], row["zip"], row["work"]), set()).add(row[column])
        assert min(map(len, kinds.values())) >= 2


def hash_of(who: object) -> int:
    return sum(map(ord, str(who)))


def small(ill: list, age: list | None = None) -> pa.Table:
    n = len(ill)
    ages = age or [20 + i % 10 for i in range(n)]
    return pa.table({"person": [f"p{i}" for i in range(n)], "age": ages, "ill": ill})


def series_of_small(**options: object) -> am.Series:
    schema = {"person": am.Column(role="identifier"), "age": am.Column(role="quasi"), "ill": am.Column("sensitive")}
    return am.Series(schema, MODELS, person="person", key=KEY, **options)


def test_spellings_of_one_value_are_refused_in_a_month_and_between_months() -> None:
    """Counted as one a reader could tell them apart; counted apart, who changed the spelling seems to have come."""
    plain = ["flu", "cold", "cough", "fever"] * 10
    with pytest.raises(BadInput, match="several ways") as told:
        series_of_small().next(small(["flu", "Flu ", "cough", "fever"] * 10))
    assert "flu" not in str(told.value).casefold()
    series = series_of_small()
    series.next(small(plain))
    with pytest.raises(BadInput, match="several ways"):
        series.next(small([one.upper() for one in plain]))
    assert series.next(small(plain)).verdict.ok


def test_a_month_of_fractions_has_the_values_of_a_month_of_whole_numbers() -> None:
    series = series_of_small()
    series.next(small([1, 2, 3, 4] * 10))
    assert series.next(small([1.0, 2.0, 3.0, 4.0] * 10)).verdict.ok
    assert series.values == ["1", "2", "3", "4"]
    assert series.told[-1].n_left_out == 0


@pytest.mark.parametrize("months", [0, 1])
def test_a_month_without_a_complete_row_is_refused_and_changes_nothing(months: int) -> None:
    series = series_of_small()
    values = ["flu", "cold", "cough", "fever"] * 10
    for _ in range(months):
        series.next(small(values))
    with pytest.raises(BadInput, match="no box of a series has such rows"):
        series.next(small(values, age=[None] * 40))
    with pytest.raises(BadSchema):
        series.next(small(values).drop(["age"]))
    assert len(series.published) == months
    assert series.next(small(values)).verdict.ok
