"""A case study and its notebook are one thing: the same code in the same order, with the same output.

The pages run in ``test_docs.py``. What is shown here makes that a run of the notebooks too.
"""

from __future__ import annotations

import json
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest

from doc_pages import ROOT, blocks_of, commands_of

CASES = sorted((ROOT / "docs" / "cases").glob("*.md"))


@pytest.fixture(scope="module")
def notebooks() -> ModuleType:
    loader = SourceFileLoader("notebooks_script", str(ROOT / "scripts" / "notebooks.py"))
    module = module_from_spec(spec_from_loader("notebooks_script", loader))  # type: ignore[arg-type]
    loader.exec_module(module)
    return module


def test_every_case_has_a_notebook_with_its_code_and_output(notebooks: ModuleType, tmp_path: Path) -> None:
    written = notebooks.write(tmp_path)
    assert [book.stem for book in written] == [page.stem for page in CASES]
    assert CASES
    for page, book in zip(CASES, written, strict=True):
        expected = []
        for block in blocks_of(page.read_text(encoding="utf-8")):
            assert block.language in {"python", "console", "text"}, "a notebook has no cell for it"
            assert block.run
            assert not block.file
            assert not block.edit
            if block.language == "python":
                expected.append((block.text, block.output or ""))
            elif block.language == "console":
                typed = commands_of(block)
                expected.append(("".join(f"!{line}\n" for line, _ in typed), "".join(told for _, told in typed)))
        cells = json.loads(book.read_text(encoding="utf-8"))["cells"]
        found = [
            (cell["source"] + "\n", "".join(one["text"] for one in cell["outputs"]))
            for cell in cells
            if cell["cell_type"] == "code"
        ]
        assert found == expected


def test_a_notebook_has_what_the_format_asks_for(notebooks: ModuleType) -> None:
    page = (
        "# T\n\nsee [k](../k.md) and [w](https://w.org)\n\n```python\nx = 1\nprint(x)\n```\n\n```text\n1\n```\n\nend\n"
    )
    book = notebooks.notebook(page)
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    words, code, end = book["cells"]
    assert words == {
        "cell_type": "markdown",
        "metadata": {},
        "source": "# T\n\nsee k and [w](https://w.org)",
        "id": "cell-1",
    }
    assert (code["cell_type"], code["source"], code["execution_count"]) == ("code", "x = 1\nprint(x)", None)
    assert code["outputs"] == [{"output_type": "stream", "name": "stdout", "text": "1\n"}]
    assert end["source"] == "end"
    assert len({cell["id"] for cell in book["cells"]}) == 3
    assert notebooks.notebook("```console\n$ echo a\na\n```\n")["cells"][0]["source"] == "!echo a"
