"""The site has every page once, leads nowhere outside itself, and tells of every public name. `make site` draws it."""

from __future__ import annotations

import re
import shutil
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest

import amongst as am

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def site() -> ModuleType:
    loader = SourceFileLoader("site_script", str(ROOT / "scripts" / "site"))
    module = module_from_spec(spec_from_loader("site_script", loader))  # type: ignore[arg-type]
    loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def source(site: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(ROOT / "docs", folder, dirs_exist_ok=True)
    (folder / "reference.md").write_text(site.reference(), encoding="utf-8")
    return folder


def test_every_page_is_in_the_list_once(site: ModuleType, source: Path) -> None:
    listed = ["index"]
    for page, lists in site.tree(source).items():
        folder = page.rpartition("/")[0]
        listed += [f"{folder}/{one}".lstrip("/") for pages in lists.values() for one in pages]
    there = sorted(page.relative_to(source).with_suffix("").as_posix() for page in source.rglob("*.md"))
    assert sorted(listed) == there


def test_links_stay_within_the_site(site: ModuleType, source: Path) -> None:
    for page in source.rglob("*.md"):
        text = re.sub(r"^```.*?^```$", "", site.inside(page, source), flags=re.DOTALL | re.MULTILINE)
        for _, target, _ in site.LINK.findall(text):
            assert "://" in target or (page.parent / target).exists(), (page.name, target)


def test_the_reference_has_every_public_name(site: ModuleType) -> None:
    text = site.reference()
    missing = [name for name in am.__all__ if f"### am.{name}\n" not in text and not name.startswith("__")]
    assert missing == []
