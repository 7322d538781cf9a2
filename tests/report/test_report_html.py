"""The report is one well-formed, self-contained file that says what it should and hides what it must."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from story_examples import NASTY, bare_story, boxes, full_story

from amongst.report import Check, ClassSizes, Distribution, Utility, render

VOID = {"meta", "br", "hr", "img", "link", "input"}
HTML = "html head meta title style body header main footer section h1 h2 h3 p small b i bdi span div"
TABLES = "dl dt dd ul ol li table caption thead tbody tr th td pre code figure figcaption"
DRAWN = "svg desc g path rect line text"
ELEMENTS = set(f"{HTML} {TABLES} {DRAWN}".split())


class Walk(HTMLParser):
    """Checks that elements close in order, and keeps what was seen."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.text.append(data)


def walk(page: str) -> Walk:
    seen = Walk()
    seen.feed(page)
    seen.close()
    assert seen.open == []
    return seen


STORIES = {
    "full": full_story(),
    "heat": full_story(partition=boxes(200, heat=True)),
    "many sensitive": full_story(
        sensitive=tuple(
            replace(full_story().sensitive[0], column=name, after={"t": 0.1 * i}) for i, name in enumerate("abcd")
        )
    ),
    "bare": bare_story(),
    "unchecked": bare_story(checks=()),
    "fails": bare_story(checks=(Check(words="words", asked="k = 5", reached="k = 3", ok=False),)),
    "nothing published": bare_story(n_published=0, n_groups=0, smallest=0, largest=0),
    "empty parts": full_story(
        n_groups=0,
        class_sizes=ClassSizes(np.zeros(0), np.zeros(0)),
        distributions=(),
        utility=Utility(),
        columns=(),
    ),
}


@pytest.mark.parametrize("name", STORIES)
def test_page_is_well_formed(name: str) -> None:
    seen = walk(render(STORIES[name]))
    assert {tag for tag, _ in seen.elements} <= ELEMENTS
    ids = [attributes["id"] for _, attributes in seen.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    named = [a["aria-labelledby"] or "" for _, a in seen.elements if "aria-labelledby" in a]
    assert set(" ".join(named).split()) <= set(ids)


@pytest.mark.parametrize("name", STORIES)
def test_page_refers_to_nothing_outside(name: str) -> None:
    page = render(STORIES[name]).lower()
    for outside in (
        "http://",
        "https://",
        "src=",
        "href=",
        "@import",
        "url(",
        "<script",
        "<link",
        "javascript:",
    ):
        assert outside not in page


@pytest.mark.parametrize("name", STORIES)
def test_page_promises_no_more_than_facts(name: str) -> None:
    assert not re.search("anonymous|anonymized|complian|guarantee", render(STORIES[name]), re.IGNORECASE)


@pytest.mark.parametrize("name", NASTY)
def test_every_value_is_escaped(name: str) -> None:
    page = render(full_story(name))
    page.encode("utf-8")
    seen, plain = walk(page), walk(render(full_story("plain")))
    # A name brings no element, no attribute and no class of its own.
    assert [tag for tag, _ in seen.elements] == [tag for tag, _ in plain.elements]
    assert [sorted(a) for _, a in seen.elements] == [sorted(a) for _, a in plain.elements]
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", page)


@settings(max_examples=15, deadline=None)
@given(name=st.text(max_size=12))
def test_any_name_is_shown_as_it_is(name: str) -> None:
    seen = walk(render(full_story(name, n_groups=3)))
    assert len(seen.elements) == len(walk(render(full_story("plain", n_groups=3))).elements)
    if name.isprintable() and name.strip():
        assert name in "".join(seen.text)


@pytest.mark.parametrize("n_columns", [3, 4])
def test_many_sensitive_columns_are_told_in_one_table(n_columns: int) -> None:
    """Each with all its figures before and after; columns with the same figures share a line."""
    usual = full_story().sensitive[0]
    told = tuple(
        replace(usual, column=f"column {i}", after={**usual.after, "l_distinct": i + 3}) for i in range(n_columns)
    )
    twin = replace(told[0], column="twin")
    page = walk(render(full_story(sensitive=(*told, twin))))
    captions = [tag for tag, _ in page.elements].count("caption")
    alone = [tag for tag, _ in walk(render(full_story(sensitive=()))).elements].count("caption")
    assert captions - alone == (1 if n_columns > 3 else n_columns)
    text = " ".join("".join(page.text).split())
    for i in range(n_columns):
        assert f"1 → {i + 3}" in text if n_columns > 3 else f"column {i}" in text
    assert "column 0, twin" in text


def test_same_story_gives_same_bytes_in_another_process() -> None:
    code = (
        "import hashlib; from story_examples import full_story; from amongst.report import render; "
        "print(hashlib.sha256(render(full_story()).encode()).hexdigest())"
    )
    hashes = set()
    for seed in ("1", "2"):
        environment = {"PYTHONPATH": ":".join(sys.path), "PYTHONHASHSEED": seed}
        code = "import hashlib, sys; from story_examples import full_story; from amongst.report import render; "
        code += "sys.stdout.write(hashlib.sha256(render(full_story()).encode()).hexdigest())"
        run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        hashes.add(run.stdout)
    assert len(hashes) == 1


def test_small_counts_of_the_input_are_hidden() -> None:
    rare = ("secret-a", "common-b", "common-c", "secret-d")
    counts = np.array([3, 2000, 2000, 9])
    shown = Distribution("town", "categorical", counts, counts.astype(float), labels=rare)
    page = render(full_story(distributions=(shown,)))
    assert "secret" not in page
    # 12 rare rows reach the threshold together.
    assert "2 others" in page


def test_few_uniques_before_are_not_told() -> None:
    page = render(full_story(uniques_before=7, distributions=()))
    assert "<dd>fewer than 10<" in page
    assert "<dd>7<" not in page


def test_uniques_above_the_threshold_are_told() -> None:
    page = render(full_story(uniques_before=1234, distributions=()))
    assert "1,234" in page
    assert "fewer than" not in page


def test_page_tells_the_facts() -> None:
    text = " ".join("".join(walk(render(full_story())).text).split())
    for fact in ("Verified", "4,200", "11 suppressed", "12.3%", "61,234", "1.4", "ab" * 32, 'SELECT "age"'):
        assert fact in text
    for heading in ("What was asked", "What was proved", "What it cost", "What it does not protect against"):
        assert heading in text


def test_failing_verdict_is_told() -> None:
    text = "".join(walk(render(STORIES["fails"])).text)
    assert "Not verified" in text
    assert "Not everything that was asked for holds." in text


def test_unchecked_claims_no_proof() -> None:
    text = "".join(walk(render(STORIES["unchecked"])).text)
    assert "Not checked" in text
    assert "read back" not in text


def test_many_groups_stay_light() -> None:
    page = render(full_story(n_groups=60_000, partition=boxes(60_000)))
    assert page.count("<path") < 3100
    assert len(page) < 400_000


def test_text_and_story_need_no_template_engine() -> None:
    code = "import sys, amongst.report; sys.exit('jinja2' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": ":".join(sys.path)}, check=True)
