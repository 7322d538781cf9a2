"""Projects as files, attacks, the review and its evidence: without a browser, and once in one."""

from __future__ import annotations

import copy
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from app_process import App, Tab

from amongst.app.draft import Draft, first_draft
from amongst.app.project import apply_project, packed_project, read_project
from amongst.errors import BadOption

ROWS = [f"{20 + i % 37},{('Bern', 'Chur', 'Oslo', 'Rome')[i % 4]},{('flu', 'cold', 'gout')[i % 3]}" for i in range(240)]


def a_draft(tmp_path: Path) -> Draft:
    table, tree = tmp_path / "people.csv", tmp_path / "town.csv"
    table.write_text("\n".join(["age,town,ill", *ROWS, ""]))
    tree.write_text("Bern;South;*\nChur;South;*\nRome;South;*\nOslo;North;*\n")
    columns = [
        {"name": "age", "fields": {"role": "quasi", "kind": "numeric", "weight": 2.0}},
        {"name": "town", "fields": {"role": "quasi", "hierarchy": {"csv": str(tree)}}},
        {"name": "ill", "fields": {"role": "sensitive"}},
    ]
    return first_draft(table, columns, {}, tmp_path)


@pytest.mark.parametrize("with_table", [False, True])
def test_a_project_is_a_file_with_all_but_the_table_unless_it_is_asked(tmp_path: Path, with_table: bool) -> None:
    draft = a_draft(tmp_path)
    tried = [{"method": "mondrian", "gauges": {"lost": 0.2}, "job": copy.deepcopy(draft.content)}]
    saved = tmp_path / "p.amongst"
    saved.write_bytes(packed_project(draft, tried, {"lost": 0.1}, with_table=with_table))
    with zipfile.ZipFile(saved) as archive:
        names = archive.namelist()
        text = archive.read("project.json").decode()
    assert sorted(names) == ["files/town.csv", "project.json", *(["table/people.csv"] if with_table else [])]
    assert str(tmp_path) not in text  # where it lay is nobody's business
    assert "Bern" not in text
    place = tmp_path / "elsewhere"
    place.mkdir()
    project = read_project(saved, place, 2**20)
    assert (project.table is not None, project.name, project.lines) == (with_table, "people.csv", {"lost": 0.1})
    other = a_draft(tmp_path)
    other.content["columns"]["age"] = {"role": "keep"}
    history: list[dict[str, Any]] = []
    apply_project(project, other, history)
    assert other.columns["age"] == draft.columns["age"]
    assert other.columns["town"]["hierarchy"] == {"csv": str(place / "town.csv")}
    assert history[0]["job"] == other.content  # so that its card is the one on show
    del other.content["columns"]["ill"]
    with pytest.raises(BadOption, match="another table"):
        apply_project(project, other, history)


@pytest.mark.parametrize(
    "broken",
    [
        b"no zip",
        {"project.json": "{"},
        {"project.json": json.dumps({"amongst project": 99})},
        {"project.json": json.dumps({"amongst project": 1, "job": {"columns": {}}})},
        {"other": "x"},
        {
            "project.json": json.dumps(
                {
                    "amongst project": 1,
                    "job": {"input": {"path": "x"}, "columns": {"a": {"hierarchy": {"csv": "/etc/passwd"}}}},
                }
            )
        },
    ],
)
def test_a_broken_or_hostile_project_is_refused_and_leads_nowhere(tmp_path: Path, broken: Any) -> None:
    path, place = tmp_path / "p.amongst", tmp_path / "in"
    place.mkdir()
    if isinstance(broken, bytes):
        path.write_bytes(broken)
    else:
        with zipfile.ZipFile(path, "w") as archive:
            for name, text in broken.items():
                archive.writestr(name, text)
            archive.writestr("files/../../out.csv", "x")
            archive.writestr("table/../out.csv", "x")
    with pytest.raises(BadOption, match="no project"):
        read_project(path, place, 2**20)
    assert not list(tmp_path.rglob("out.csv"))


def test_a_project_is_saved_and_opened_and_what_is_made_is_attacked_and_evidenced(
    app: App, browser: Any, tmp_path: Path
) -> None:
    table = tmp_path / "people.csv"
    table.write_text("\n".join(["age,town,ill", *ROWS, ""]))
    tab = Tab(browser, app, "project").open()

    with tab.loading():
        tab.drop(table)
    tab.step("Workbench")
    tab.made()
    tab.marked("slide-k").focus()
    tab.page.keyboard.press("ArrowLeft")
    tab.page.locator(".card").nth(1).wait_for()
    tab.page.get_by_role("button", name="Save the project").click()
    tab.marked("with-table").click()
    with tab.page.expect_download() as waiting:
        tab.marked("save-project").click()
    project = tmp_path / "mine.amongst"
    waiting.value.save_as(project)

    # Something else, a broken one, and back: the table, the settings and the cards are there again.
    tab.step("Load")
    tab.load("Patients")
    (tmp_path / "broken.amongst").write_bytes(b"PK nothing")
    tab.drop(tmp_path / "broken.amongst")
    tab.page.locator(".error").get_by_text("no project of amongst").wait_for()
    with tab.loading():
        tab.drop(project)
    tab.step("Workbench")
    tab.page.locator("[data-mark=slide-k][aria-valuetext='8']").wait_for()
    tab.made()
    assert tab.page.locator(".card").count() == 2

    tab.marked("tab-attack").click()
    tab.marked("attack").click()
    tab.page.locator(".finding").first.wait_for()
    tab.shot("attacked")

    # Hardened by clicks: nothing is promised of membership, as 240 people are too few to show it.
    tab.step("Privacy")
    tab.marked("harden").click()
    tab.marked("harden-membership").fill("1")
    tab.marked("harden-membership").blur()
    tab.step("Workbench")
    tab.marked("tab-attack").click()
    tab.marked("harden-now").click()
    tab.sees("Also: hardened against attacks")
    tab.page.locator(".card").nth(2).wait_for()
    tab.made()
    assert "[harden]\nmembership = 1" in tab.text()
    tab.step("Publish")
    tab.page.get_by_text("The review", exact=True).click()
    tab.marked("review-purpose").fill("a study")
    tab.page.locator(".way-out", has_text="Purpose: a study.").wait_for()
    tab.marked("gather").click()
    with tab.page.expect_download() as waiting:
        tab.marked("download-public-evidence").click()
    tab.shot("publish")
    with zipfile.ZipFile(waiting.value.path()) as pack:
        assert "evidence-public.html" in pack.namelist()
    assert 'purpose = "a study"' in tab.text()
    tab.step("Workbench")
    tab.figures()
    for kind in ("svg", "png", "csv"):
        if kind == "csv":
            tab.page.locator(".am-more summary").first.click()
        with tab.page.expect_download() as waiting:
            tab.page.locator(f"[data-keep={kind}]").first.click()
        assert waiting.value.path().stat().st_size > 100
    tab.page.get_by_role("tab", name="Groups").click()
    part = tab.page.locator(".am-kept:has([data-panel=partition] canvas)")
    with tab.page.expect_download() as waiting:
        part.locator("[data-keep=png]").click()
    assert waiting.value.path().read_bytes()[:4] == b"\x89PNG"
    assert tab.problems == []
