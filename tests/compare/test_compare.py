"""Comparisons: the same figures as one at a time, a front that is one, and an end when the time is over."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import amongst as am
from amongst.compare.candidate import Candidate, Outcome, asked_k, candidates
from amongst.compare.choose import front, recommend
from amongst.compare.run import run_all

METHODS = ["mondrian", "hilbert-fast", "incognito"]


@pytest.fixture(scope="module")
def adult() -> am.datasets.Dataset:  # type: ignore[name-defined]
    return am.datasets.load("adult", part="train")


@pytest.fixture(scope="module")
def found(adult: am.datasets.Dataset) -> am.compare.Comparison:  # type: ignore[name-defined]
    return am.compare(adult.table, adult.schema, [am.KAnonymity(10)], METHODS, ks=[5, 20], processes=2)


def test_figures_are_those_of_one_at_a_time(adult: am.datasets.Dataset, found: am.compare.Comparison) -> None:  # type: ignore[name-defined]
    assert [(one.candidate.method, one.candidate.k) for one in found.outcomes] == [
        (method, k) for k in (5, 20) for method in METHODS
    ]
    for one in found.outcomes:
        release = am.anonymize(adult.table, adult.schema, one.candidate.models, one.candidate.method)
        assert one.state == "verified"
        assert one.gcp == release.utility.gcp
        assert one.ncp == release.utility.ncp
        assert one.seconds > 0


def test_the_page_and_the_json_are_whole(found: am.compare.Comparison, tmp_path: Path) -> None:  # type: ignore[name-defined]
    found.write(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    told = json.loads((tmp_path / "page.json").read_text())
    assert "<script" not in page
    assert "http://" not in page.replace("http://www.w3.org", "")
    assert page.count("<tr") >= 7
    assert told["recommended"] == found.recommended
    assert len(told["candidates"]) == 6
    assert all(reason in page.replace("&#39;", "'") for reason in found.reasons)


def outcome(method: str, k: int, loss: float, seconds: float = 1.0, state: str = "verified") -> Outcome:
    candidate = Candidate(method, {}, (am.KAnonymity(k),))
    return Outcome(
        candidate=candidate,
        state=state,
        why="",
        seconds=seconds,
        gcp=loss,
        ncp={},
        figures={"n_suppressed": 0, "n_published": 100},
    )


def test_the_front_is_what_nobody_beats() -> None:
    made = [
        outcome("a", 5, 0.10),
        outcome("b", 5, 0.12),
        outcome("a", 10, 0.12),
        outcome("b", 10, 0.30),
        outcome("c", 20, 0.05, state="unfinished"),
        outcome("b", 20, 0.30),
    ]
    assert front(made) == [0, 2, 5]


def test_a_larger_k_is_taken_where_it_costs_little() -> None:
    cheap = [outcome("a", 5, 0.100), outcome("a", 10, 0.105), outcome("a", 50, 0.4)]
    chosen, reasons = recommend(cheap, front(cheap))
    assert chosen == 1
    assert any("k = 10 protects more than k = 5" in reason for reason in reasons)
    assert recommend(cheap, front(cheap), 20)[0] == 2
    assert any("k = 50 would lose" in reason for reason in reasons)
    dear = [outcome("a", 5, 0.1), outcome("a", 10, 0.2)]
    assert recommend(dear, front(dear))[0] == 0


def test_of_next_to_nothing_a_tenth_is_next_to_nothing() -> None:
    made = [outcome("a", 3, 0.0), outcome("a", 5, 0.0004), outcome("a", 10, 0.0009), outcome("a", 50, 0.2)]
    assert made[recommend(made, front(made))[0] or 0].candidate.k == 10


@given(
    st.lists(
        st.tuples(
            st.integers(1, 30),
            st.floats(0, 1),
            st.floats(0.01, 9),
            st.sampled_from(["verified", "refused", "unfinished"]),
        ),
        max_size=12,
    ),
    st.integers(1, 30),
)
def test_never_less_than_was_asked_and_always_something_that_holds(made, asked) -> None:
    outcomes = [outcome(f"m{i}", k, loss, seconds, state) for i, (k, loss, seconds, state) in enumerate(made)]
    chosen, reasons = recommend(outcomes, front(outcomes), asked)
    able = [one for one in outcomes if one.state == "verified" and one.candidate.k >= asked]
    assert (chosen is None) == (not able)
    assert reasons
    if chosen is None:
        return
    one = outcomes[chosen]
    assert one in able
    assert one.loss == min(other.loss for other in able if other.candidate.k >= one.candidate.k)
    cheapest = min(other.loss for other in able)
    assert one.loss <= max(cheapest * 1.1, cheapest + 0.01)
    assert not any(
        other.candidate.k > one.candidate.k and other.loss <= max(cheapest * 1.1, cheapest + 0.01) for other in able
    )


@pytest.mark.parametrize(
    ("models", "ks", "least"),
    [
        ([am.KAnonymity(10)], None, 10),
        ([am.KAnonymity(10)], [3, 5, 10], 10),
        ([am.KAnonymity(10)], [5], 5),
        ([am.KAnonymity(10)], [25], 25),
        ([am.LDiversity(4)], [2, 3], 4),
        ([am.LDiversity(4)], None, 4),
    ],
)
def test_what_was_asked(models, ks, least) -> None:
    assert asked_k(models, ks) == least


def test_a_list_of_smaller_k_recommends_none_of_them() -> None:
    data = am.datasets.load("census", n_rows=400)
    models = [am.KAnonymity(10)]
    several = am.compare(data.table, data.schema, models, ["mondrian", "hilbert"], ks=[3, 5, 10, 20], processes=1)
    assert several.best.candidate.k >= 10
    fewer = am.compare(data.table, data.schema, models, ["mondrian"], ks=[3, 5], processes=1)
    assert fewer.recommended is None
    assert "k = 10" in fewer.reasons[0]
    assert am.compare(data.table, data.schema, models, ["mondrian"], ks=[5], processes=1).best.candidate.k == 5


def test_a_faster_one_that_loses_as_much_is_named() -> None:
    made = [outcome("slow", 5, 0.100, 30.0), outcome("quick", 5, 0.101, 1.0)]
    chosen, reasons = recommend(made, front(made))
    assert chosen == 0
    assert any("quick loses about as much" in reason for reason in reasons)
    assert recommend([outcome("a", 5, 0.1, state="refused")], [])[0] is None


def test_anatomy_is_weighed_by_questions_only() -> None:
    made = [outcome("anatomy", 5, 0.0), outcome("mondrian", 5, 0.1)]
    chosen, reasons = recommend(made, front(made))
    assert chosen == 1
    assert "questions do" in reasons[-1]


def test_what_cannot_be_made_is_told_and_the_rest_goes_on() -> None:
    data = am.datasets.load("patients")
    found = am.compare(data.table, data.schema, [am.KAnonymity(2)], ["mondrian"], ks=[2, 7], processes=1)
    assert [one.state for one in found.outcomes] == ["verified", "refused"]
    assert "6 rows" in found.outcomes[1].why
    assert "Not done" in found.to_html()
    none = am.compare(data.table, data.schema, [am.KAnonymity(7)], ["mondrian"], processes=1)
    assert none.recommended is None
    assert "Nothing" in none.to_html()


def test_the_time_is_kept(adult: am.datasets.Dataset) -> None:  # type: ignore[name-defined]
    told: list[tuple[int, int, float | None]] = []
    start = time.monotonic()
    found = am.compare(
        adult.table,
        adult.schema,
        [am.KAnonymity(10)],
        ["mondrian", ("k-optimize", {"time_limit": 600.0}) if _takes_limit() else "best"],
        ks=[2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
        budget=1.5,
        processes=1,
        progress=lambda *now: told.append(now),
    )
    assert time.monotonic() - start < 20
    assert "unfinished" in {one.state for one in found.outcomes}
    assert told[0] == (0, 24, None)
    assert all(left is None or left <= 1.5 for _, _, left in told)


def _takes_limit() -> bool:
    return any("time_limit" in method["options"] for method in am.methods() if method["name"] == "k-optimize")


def test_options_and_questions_are_weighed(adult: am.datasets.Dataset) -> None:  # type: ignore[name-defined]
    work = am.Workload.random(adult.table, adult.schema, 50, "selectivity", n_columns=2)
    methods = ["mondrian", ("mondrian", {"cuts": "ordered"})]
    found = am.compare(adult.table, adult.schema, [am.KAnonymity(10)], methods, workload=work, processes=2)
    assert [one.candidate.name for one in found.outcomes] == ["mondrian", "mondrian (cuts=ordered)"]
    assert all(one.error is not None and one.loss == one.error for one in found.outcomes)
    assert "mean error" in found.to_html()


def test_a_process_that_dies_takes_nothing_with_it() -> None:
    data = am.datasets.load("patients")
    made = candidates(["mondrian"], [am.KAnonymity(2)], [2, 3])
    task = {"source": data, "schema": None, "workload": None, "form": "labels", "seed": Deadly()}
    outcomes = run_all(made, task, 30.0, 1, lambda *now: None)
    assert {one.state for one in outcomes} == {"unfinished"}


class Deadly:
    """Ends the process that unpickles it."""

    def __reduce__(self) -> tuple[object, tuple[int]]:
        return os._exit, (3,)


def test_bad_requests_are_refused(adult: am.datasets.Dataset) -> None:  # type: ignore[name-defined]
    for options in ({"methods": ["none"]}, {"methods": []}, {"budget": 0}, {"methods": [("mondrian", {"x": 1})]}):
        with pytest.raises(am.errors.BadOption):
            am.compare(adult.table, adult.schema, [am.KAnonymity(10)], **options)


INTERRUPTED = """
import amongst as am
adult = am.datasets.load("adult")
def tell(done, total, left):
    print("begun", flush=True)
am.compare(adult.table, adult.schema, [am.KAnonymity(2)], ["best"], ks=list(range(2, 60)), processes=2, progress=tell)
"""


def test_an_interruption_ends_the_processes() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode != 0
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            os.killpg(process.pid, 0)  # is anybody of the group left?
        except ProcessLookupError:
            return
        time.sleep(0.1)
    pytest.fail("a process is left")


@pytest.mark.parametrize("gone", [0, 1, 9, 10, 30])
def test_fewer_than_k_suppressed_rows_cannot_be_counted_in_the_json(gone: int, tmp_path: Path) -> None:
    figures = {"n_suppressed": gone, "n_published": 100 - gone, "c_dm": 500 + gone, "c_avg": (100 - gone) / 50}
    one = Outcome(
        candidate=Candidate("incognito", {}, (am.KAnonymity(10),)),
        state="verified",
        why="",
        seconds=1.0,
        gcp=0.1,
        ncp={},
        figures=figures,
    )
    told = one.to_dict()
    if 0 < gone < 10:
        assert told["n_suppressed"] == "fewer than 10"
        assert not {"n_published", "c_dm", "c_avg"} & set(told)
    else:
        assert {name: told[name] for name in figures} == figures


def test_a_comparison_is_for_the_inside(found: am.compare.Comparison, tmp_path: Path) -> None:  # type: ignore[name-defined]
    found.write(tmp_path / "page.html")
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}
    assert found.to_dict()["document"] == "inside"
    assert "inside: not to be published" in found.to_html()
