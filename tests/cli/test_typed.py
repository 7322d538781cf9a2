"""What is typed: names, options, hierarchies; and how far a run is."""

from __future__ import annotations

import pytest

import amongst as am
from amongst.cli import options
from amongst.cli.columns import (
    names_in,
    null_rule_in,
    options_in,
    with_hierarchies,
    with_null_rule,
    with_roles,
)
from amongst.cli.page import Facts, Grid
from amongst.errors import BadOption
from amongst.job.job import FORMS
from amongst.job.steps import Steps, time_words


def test_the_choices_of_the_command_are_those_of_the_library():
    assert tuple(one.value for one in options.Form) == tuple(FORMS)


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        (None, []),
        ([], []),
        ([""], []),
        (["age"], ["age"]),
        (["age, zip", "sex"], ["age", "zip", "sex"]),
        (['"a,b",c'], ["a,b", "c"]),
        (["native-country,[red]"], ["native-country", "[red]"]),
    ],
)
def test_names(typed, names):
    assert names_in(typed) == names


def test_typed_roles_go_before_those_of_a_schema_and_keep_the_rest():
    schema = am.Schema({"zip": am.Column(role="keep", weight=2.0), "age": am.Column(role="quasi")})
    found = with_roles(schema, {"quasi": ["zip"], "sensitive": ["disease"], "keep": None})
    assert found.quasi == ["zip", "age"]
    assert found["zip"].weight == 2.0
    assert found.sensitive == ["disease"]


def test_a_hierarchy_in_words_is_that_of_a_job_file():
    found = with_hierarchies(am.Schema({}), ["zip=digits=5", "age=intervals=[5, 10], origin=1"])
    assert found["zip"].hierarchy == am.Hierarchy.digits(5)
    assert found["age"].hierarchy == am.Hierarchy.intervals([5, 10], origin=1)


def test_a_rule_for_nulls_is_for_quasi_identifiers_without_one():
    schema = am.Schema(
        {
            "a": am.Column(role="quasi"),
            "b": am.Column(role="quasi", nulls="suppress"),
            "c": am.Column(role="keep"),
        }
    )
    found = with_null_rule(schema, null_rule_in("own-value"))
    assert [found[name].nulls for name in "abc"] == ["own value", "suppress", None]


def test_options_of_a_method_get_their_types():
    assert options_in(["cuts=ordered", "n=3", "share=0.5", "fast=true", "names=a b"]) == {
        "cuts": "ordered",
        "n": 3,
        "share": 0.5,
        "fast": True,
        "names": "a b",
    }
    with pytest.raises(BadOption):
        options_in(["cuts"])


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_time_left_follows_from_the_time_of_finished_steps():
    clock = Clock()
    steps = Steps({"read": 20, "group": 60, "write": 20}, clock)
    steps.say("read")
    assert steps.left() is None
    clock.now = 2.0
    steps.say("group")
    assert steps.left() == pytest.approx(8.0)
    clock.now = 5.0
    steps.say("group", 1, 2)
    assert steps.done() == pytest.approx(0.5)
    assert steps.left() == pytest.approx(5.0)
    clock.now = 8.0
    steps.say("write")
    assert steps.left() == pytest.approx(2.0)


def test_progress_never_goes_back_and_never_arrives_early():
    clock = Clock()
    steps = Steps({"read": 1, "group": 1, "write": 1}, clock)
    seen = []
    for step, until in (("read", 1.0), ("group", 30.0), ("write", 31.0)):
        steps.say(step)
        while clock.now < until:
            clock.now += 0.25
            seen.append(steps.done() or 0.0)
    assert seen == sorted(seen)
    assert max(seen) < 1


@pytest.mark.parametrize(
    ("left", "words"),
    [
        (None, "3 s so far"),
        (0.2, "about 1 s left"),
        (61, "about 1 min 1 s left"),
        (7300, "about 2 h 1 min left"),
    ],
)
def test_time_in_words(left, words):
    assert time_words(3.0, left) == words


def test_tables_and_facts_line_up():
    grid = Grid(["name", "rows"], [[("adult", "name"), "45,222"], ["a", "6"]], right=["rows"])
    assert grid.plain() == "name     rows\nadult  45,222\na           6"
    assert Facts([("a", "1"), ("long", "2", "bad"), ("", "3")]).plain() == "a     1\nlong  2\n      3"
