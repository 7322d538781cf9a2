"""The whole path in a real browser: load, workbench with its details, publish."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

from app_process import App, Tab
from test_app_words import walls


def amongst(folder: Path, *arguments: str) -> None:
    done = subprocess.run([sys.executable, "-m", "amongst", *arguments], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def save(tab: Tab, mark: str, path: Path) -> Path:
    with tab.page.expect_download() as waiting:
        tab.marked(mark).click()
    waiting.value.save_as(path)
    return path


def test_the_whole_path_on_adult_and_the_files_it_shows(app: App, browser: Any, tmp_path: Path) -> None:
    tab = Tab(browser, app, "adult").open()
    tab.shot("1-load-empty")
    tab.load("Adult")
    tab.sees("First rows")
    tab.shot("1-load")
    tab.step("Roles")
    tab.sees("the name speaks of age")
    tab.shot("2-roles")
    tab.step("Hierarchies")
    tab.sees("all 74 values, 5 levels")
    tab.shot("3-hierarchies")
    tab.step("Privacy")
    tab.marked("k-anonymity-k").fill("25")
    tab.sees("with at least 24 others")
    tab.marked("model-l-diversity").click()
    tab.marked("l-diversity-l").fill("1.2")
    tab.sees("has more than 1 in 1.2 of the rows")
    tab.shot("4-privacy")
    tab.step("Method")
    tab.shot("5-method")
    tab.page.get_by_role("button", name="Make the release").click()
    tab.figures()
    assert tab.page.url.endswith("/workbench")
    tab.shot("6-figures")
    for name in ("Columns", "Groups", "Published rows", "Proof and limits"):
        tab.page.get_by_role("tab", name=name).click()
        tab.shot(f"6-figures-{name.split()[0].lower()}")
    tab.marked("tab-ask").click()
    tab.page.locator(".am-examples button").first.click()
    tab.sees("true answer:")
    tab.page.get_by_label("Column of condition 1").click()
    tab.page.get_by_role("option", name="age", exact=True).click()
    tab.marked("ask-plain").click()
    tab.sees("A condition has no value yet.")
    tab.page.get_by_label("Value of condition 1").fill("60")
    tab.page.get_by_label("For every").click()
    tab.page.get_by_role("option", name="sex", exact=True).click()
    tab.marked("ask-plain").click()
    from playwright.sync_api import expect

    asked = tab.page.get_by_label("A question in SQL")
    expect(asked).to_have_value("SELECT sex, COUNT(*) WHERE age >= 60 GROUP BY sex", timeout=30_000)
    tab.page.get_by_text("COUNT(*)", exact=True).last.wait_for()
    tab.shot("6-ask")
    tab.step("Publish")
    tab.marked("pack").click()
    tab.sees("Proved and packed")
    tab.shot("8-publish")
    archive = save(tab, "download", tmp_path / "release.zip")
    inside = save(tab, "download-inside", tmp_path / "inside.zip")
    job, script = save(tab, "job", tmp_path / "job.toml"), save(tab, "python", tmp_path / "job.py")
    assert tab.problems == []
    assert tab.hosts == {app.host}

    # The job file and the Python that the page shows make the same bytes.
    amongst(tmp_path, "datasets", "adult", "--write", "adult.parquet")
    amongst(tmp_path, "run", job.name)
    with zipfile.ZipFile(archive) as packed:
        assert sorted(packed.namelist()) == ["manifest.json", "release.parquet", "report.html"]
        for name in packed.namelist():
            assert packed.read(name) == (tmp_path / "adult-release" / name).read_bytes(), name
    with zipfile.ZipFile(inside) as packed:  # what is never given away, in an archive of its own
        assert sorted(packed.namelist()) == ["manifest.json", "report.html"]
        own = json.loads(packed.read("manifest.json"))
        assert own == json.loads((tmp_path / "adult-release.inside" / "manifest.json").read_text())
    (tmp_path / "adult-release").rename(tmp_path / "by-job")
    (tmp_path / "adult-release.inside").rename(tmp_path / "by-job.inside")
    done = subprocess.run([sys.executable, script.name], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for name in ("release.parquet", "manifest.json"):
        assert (tmp_path / "adult-release" / name).read_bytes() == (tmp_path / "by-job" / name).read_bytes()
    asked = json.loads((tmp_path / "by-job" / "manifest.json").read_text())
    assert "l-diversity" in json.dumps(asked)


def test_find_the_best_compare_lattice_and_dark(app: App, browser: Any) -> None:
    tab = Tab(browser, app, "patients").open()
    tab.load("Patients")
    tab.sees("First rows")
    tab.step("Privacy")
    tab.marked("k-anonymity-k").fill("2")
    tab.sees("with at least 1 other")
    tab.step("Method")
    tab.marked("find-best").click()
    tab.shot("5-find-best")
    tab.page.get_by_role("button", name="Find the best").click()
    tab.made()
    tab.marked("tab-others").click()
    tab.sees("Privacy against loss")
    tab.shot("7-others")
    tab.page.get_by_role("button", name="Take this one").click()
    tab.page.locator(".is-after td").first.wait_for()
    tab.marked("tab-lattice").click()
    tab.page.get_by_role("button", name="Search", exact=True).click()
    drawn = tab.page.locator("[data-panel=lattice]")
    drawn.get_by_role("button", name="Larger").click()
    part = drawn.locator("svg.chart").get_attribute("viewBox")
    chosen = tab.page.locator(".am-explorer .am-card").inner_text()
    room = drawn.locator(".am-window").bounding_box()
    tab.page.mouse.move(room["x"] + 200, room["y"] + 40)
    tab.page.mouse.down()
    tab.page.mouse.move(room["x"] + 160, room["y"] + 40, steps=4)
    tab.page.mouse.up()  # moved, and nothing else was chosen
    assert part != drawn.locator("svg.chart").get_attribute("viewBox")
    assert tab.page.locator(".am-explorer .am-card").inner_text() == chosen
    drawn.get_by_role("button", name="Show all of it").click()
    tab.page.get_by_role("button", name="Apply these levels").click()
    tab.page.locator(".card", has_text="incognito").first.wait_for()
    assert "limits = " in tab.text()
    tab.page.get_by_role("button", name="Light or dark").click()
    tab.page.wait_for_selector("body.body--dark")
    for number, name in enumerate(("Load", "Workbench", "Roles", "Hierarchies", "Privacy", "Method", "Publish"), 1):
        tab.step(name)
        tab.shot(f"dark-{number}-{name.lower()}")
    assert tab.problems == []


def test_many_tables_have_the_same_freedom(app: App, browser: Any, tmp_path: Path) -> None:
    tab = Tab(browser, app, "hospital").open()
    tab.load("Hospital")
    tab.sees("Take this table alone")
    tab.shot("1-load")
    tab.step("Workbench")  # it is made, and proved
    assert tab.made().startswith("Proved: 500 persons in ")
    tab.page.locator(".is-after td.changed").first.wait_for()
    tab.pick("Which table", "visits")
    tab.page.locator(".is-after th", has_text="ward").wait_for()
    tab.pick("Which rows", "left out")
    tab.page.locator(".is-after td.gone").first.wait_for()
    tab.pick("Which rows", "as they were read")
    tab.page.locator(".is-after tbody tr:has(td.changed)").first.click()
    tab.marked("why").get_by_text("It shares what is published with").wait_for()
    assert walls(tab) == []
    tab.shot("2-why")
    tab.page.locator(".column-item", has_text="visits.ward").click()
    tab.pick("Weight of visits.ward", "5")
    tab.page.locator(".card").nth(1).wait_for()
    tab.made()
    tab.drag("slide-k", [8, 10, 5])  # every value is tried at once, and nothing is made
    assert tab.marked("live").inner_text().startswith("A preview by miracle")
    assert tab.page.locator(".card").count() == 2
    tab.let_go("slide-k")
    tab.page.locator(".card").nth(2).wait_for()
    tab.made()
    tab.page.get_by_role("button", name="Undo").click()
    tab.page.locator("[data-mark=slide-k][aria-valuetext='10']").wait_for()
    tab.page.locator(".card.shown", has_text="k 10").wait_for()
    tab.made()
    tab.marked("tab-figures").click()
    tab.sees("The tables")
    tab.page.locator(".am-more summary").first.click()
    assert walls(tab) == []
    tab.marked("tab-ask").click()
    tab.page.locator(".am-examples button", has_text="GROUP BY").first.click()
    tab.page.locator(".am-answer").get_by_text("not looked up").first.wait_for(state="attached")
    plain = tab.marked("plain-question")
    plain.get_by_label("Which table").click()
    tab.page.get_by_role("option", name="visits", exact=True).click()
    tab.pick("Column of condition 1", "day")
    tab.page.get_by_label("Value of condition 1").fill("2021-01-01")
    tab.pick("For every", "ward")
    tab.marked("ask-plain").click()
    tab.page.locator(".am-answer [data-panel=answer-0]").wait_for()
    asked = tab.page.get_by_label("A question in SQL").input_value()
    assert asked == "SELECT ward, COUNT(*) FROM visits WHERE day >= '2021-01-01' GROUP BY ward"
    assert walls(tab) == []
    tab.shot("3-ask")
    tab.marked("tab-attack").click()
    tab.marked("attack").click()
    tab.page.locator(".finding").first.wait_for()
    assert tab.marked("harden-now").is_enabled()
    tab.shot("4-attack")
    tab.page.get_by_role("button", name="Save the project").click()
    with tab.page.expect_download() as waiting:
        tab.marked("save-project").click()
    waiting.value.save_as(tmp_path / "mine.amongst")
    tab.step("Hierarchies")
    tab.page.get_by_role("option", name="patients.zip").click()
    tab.marked("recipe-none").click()
    tab.page.locator(".hierarchy-item", has_text="patients.zip").get_by_text("none").wait_for()
    tab.marked("recipe-prefix").click()
    tab.marked("recipe-numbers").fill("3, 1")
    tab.sees(re.compile("all [0-9,]+ values, 4 levels"))
    tab.shot("5-hierarchies")
    for number, name in ((6, "Roles"), (7, "Privacy"), (8, "Method")):
        tab.step(name)
        tab.shot(f"{number}-{name.lower()}")
    tab.step("Workbench")
    tab.made()
    tab.step("Publish")
    tab.marked("pack").click()
    tab.sees("Proved and packed")
    assert "prefix = [3, 1]" in tab.text()
    tab.step("Load")
    tab.drop(tmp_path / "mine.amongst")  # back to what was saved
    tab.step("Workbench")
    tab.page.locator(".card").nth(2).wait_for()
    tab.made()
    assert "prefix = [3, 1]" not in tab.text()
    assert "weight = 5" in tab.text()
    assert tab.problems == []
