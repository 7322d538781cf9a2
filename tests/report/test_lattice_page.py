"""The page of a lattice: one well-formed file that says what it should."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from story_examples import NASTY
from test_report_html import ELEMENTS, walk

import amongst as am
from amongst.choices import MEASURES
from amongst.errors import BadOption, Infeasible
from amongst.lattice.draw import draw_lattice
from amongst.lattice.generalize import searches
from amongst.lattice.page import render_lattice
from amongst.report.lattice_story import NAME_OF_MEASURE

PATIENTS = am.datasets.load("incognito-patients")
TWO = [am.KAnonymity(2)]


def adult(n_columns: int) -> tuple[object, am.Schema]:
    data = am.datasets.load("adult", part="test")
    names = list(data.schema)[:n_columns]
    return data.table.select(names), am.Schema({name: replace(data.schema[name], role="quasi") for name in names})


STORIES = {
    "boxes": draw_lattice(PATIENTS.table, PATIENTS.schema, TWO),
    "suppressing": draw_lattice(PATIENTS.table, PATIENTS.schema, TWO, suppression=2, limits={"Sex": 0}),
    "squares": draw_lattice(*adult(5), [am.KAnonymity(10)], suppression=0.01, choose="dm"),
    "border": draw_lattice(*adult(7), [am.KAnonymity(10)], suppression=0.05, choose="entropy"),
    "by samarati": draw_lattice(*adult(4), TWO, "samarati"),
    "by datafly": draw_lattice(*adult(6), TWO, "datafly"),
}


@pytest.mark.parametrize("name", STORIES)
def test_page_is_well_formed_and_refers_to_nothing_outside(name: str) -> None:
    page = render_lattice(STORIES[name])
    seen = walk(page)
    assert {tag for tag, _ in seen.elements} <= ELEMENTS
    ids = [attributes["id"] for _, attributes in seen.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    named = [a["aria-labelledby"] or "" for _, a in seen.elements if "aria-labelledby" in a]
    assert set(" ".join(named).split()) <= set(ids)
    for outside in ("http://", "https://", "src=", "href=", "@import", "url(", "<script", "<link"):
        assert outside not in page.lower()
    assert not re.search("anonymous|anonymized|complian|guarantee", page, re.IGNORECASE)
    assert len(page) < 400_000


@pytest.mark.parametrize("name", STORIES)
def test_chosen_and_minimal_ones_are_told_with_every_loss(name: str) -> None:
    story = STORIES[name]
    view = story.view
    assert view.safe[view.chosen]
    listed = {one.node for one in story.measured}
    assert view.chosen in listed
    assert {i for i in range(view.n_drawn) if view.minimal[i]} <= listed
    assert all(set(one.losses) == set(MEASURES) for one in story.measured)
    losses = [round(one.losses[story.measure], 12) for one in story.measured]
    assert losses == sorted(losses)
    text = " ".join("".join(walk(render_lattice(story)).text).split())
    assert all(title in text for title in NAME_OF_MEASURE.values())
    assert all(words in text for column in view.level_words for words in column)


@pytest.mark.parametrize("name", ["boxes", "squares", "border"])
def test_losses_are_those_of_a_release(name: str) -> None:
    """What the page says of the chosen one is what anonymize gives."""
    data = {"boxes": (PATIENTS.table, PATIENTS.schema), "squares": adult(5), "border": adult(7)}[name]
    story = STORIES[name]
    options = {"boxes": {}, "squares": {"suppression": 0.01, "choose": "dm"}}.get(
        name, {"suppression": 0.05, "choose": "entropy"}
    )
    release = am.anonymize(*data, [am.KAnonymity(story.view.k)], method="incognito", **options)
    chosen = next(one for one in story.measured if one.node == story.view.chosen)
    assert tuple(story.view.levels[chosen.node]) == tuple(release.partition.level_of_column)
    assert int(story.view.suppressed[chosen.node]) == release.utility.n_suppressed
    assert chosen.losses["gcp"] == pytest.approx(release.utility.weighted_gcp)
    assert chosen.losses["dm"] == release.utility.c_dm
    assert chosen.losses["c_avg"] == pytest.approx(release.utility.c_avg)


def test_plain_data_hides_few_rows() -> None:
    for story in STORIES.values():
        told = story.to_dict()
        assert json.loads(json.dumps(told)) == told
        assert told["generalizations"] == sum(one["safe"] + one["unsafe"] for one in told["by_height"])
        for one in [*told["drawn"], *told["measured"], told["chosen"]]:
            n = one["suppressed"]
            assert n == f"fewer than {told['k']}" or n == 0 or n >= told["k"]
    assert any(one["suppressed"] == "fewer than 10" for one in STORIES["squares"].to_dict()["drawn"])


def test_the_border_of_a_large_lattice_is_drawn_and_nothing_else() -> None:
    view = STORIES["border"].view
    assert not view.whole
    near = view.minimal | ~view.safe
    near[view.chosen] = True
    assert near.all()
    # everything that fails and is drawn is one level below something minimal
    for i in range(view.n_drawn):
        if not view.safe[i]:
            steps = view.levels[view.minimal] - view.levels[i]
            assert ((steps.sum(axis=1) == 1) & (steps >= 0).all(axis=1)).any()


def test_who_stops_at_one_is_marked_in_the_whole_lattice() -> None:
    story = STORIES["by samarati"]
    complete = draw_lattice(*adult(4), TWO)
    assert story.view.n_safe == complete.view.n_safe
    least = min(height for height, n in enumerate(story.view.safe_by_height) if n)
    assert story.view.levels[story.view.chosen].sum() == least


@pytest.mark.parametrize("method", searches())
def test_all_searches_draw_the_same_lattice(method: str) -> None:
    view = draw_lattice(PATIENTS.table, PATIENTS.schema, TWO, method).view
    assert view.safe.tolist() == STORIES["boxes"].view.safe.tolist()


def test_the_asked_is_told() -> None:
    assert STORIES["suppressing"].asked[1:] == (
        "At most 2 rows (33.3%) may be suppressed for it.",
        "Sex is kept as it is.",
    )
    assert STORIES["boxes"].asked[1] == "No row may be suppressed for it."


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(BadOption):
        draw_lattice(PATIENTS.table, PATIENTS.schema, TWO, "mondrian")
    with pytest.raises(BadOption):
        draw_lattice(PATIENTS.table, PATIENTS.schema, TWO, choose="size")
    with pytest.raises(Infeasible):
        draw_lattice(PATIENTS.table, PATIENTS.schema, TWO, limits={"Birthdate": 0, "Sex": 1, "Zipcode": 1})


@pytest.mark.parametrize("name", NASTY)
def test_any_name_is_only_text(name: str) -> None:
    story = STORIES["boxes"]
    named = replace(story, title=name, view=replace(story.view, columns=(name, "b", "c")))
    seen, plain = walk(render_lattice(named)), walk(render_lattice(story))
    assert [tag for tag, _ in seen.elements] == [tag for tag, _ in plain.elements]


@pytest.mark.parametrize(("method", "drawn"), [("incognito", True), ("datafly", True), ("mondrian", False)])
def test_the_report_of_a_release_shows_a_small_lattice(method: str, drawn: bool) -> None:
    release = am.anonymize(PATIENTS.table, PATIENTS.schema, TWO, method=method)
    story = release.story()
    assert (story.lattice is not None) == drawn
    if story.lattice is not None:
        from amongst.report import render

        assert "What else would have held" in render(story)
        levels = tuple(release.partition.level_of_column)
        assert tuple(story.lattice.levels[story.lattice.chosen]) == levels


def test_the_report_of_a_release_leaves_out_a_large_lattice() -> None:
    table, schema = adult(7)
    assert am.anonymize(table, schema, TWO, method="incognito").story().lattice is None
