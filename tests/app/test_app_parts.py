"""The parts of the app that need no browser."""

from __future__ import annotations

import asyncio
import copy
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import amongst as am
from amongst.app.draft import first_draft
from amongst.app.files import file_name
from amongst.app.python_text import python_text
from amongst.app.tree import Tree, key_of
from amongst.app.worker_process import Cancelled, Refused, Worker
from amongst.errors import BadOption
from amongst.job.job import Input, Job, Output

HIERARCHIES = [
    am.Hierarchy.intervals([5, 10]),
    am.Hierarchy.intervals([5, 10], origin=2),
    am.Hierarchy.edges([[0, 10, 20], [0, 20]]),
    am.Hierarchy.digits(5),
    am.Hierarchy.prefix([4, 2]),
    am.Hierarchy.dates("month", "year"),
    am.Hierarchy.nested({"*": ["a", {"B'\"": ["b", "c"]}]}),
    am.Hierarchy.fanout(3),
    am.Hierarchy.flat(),
    am.Hierarchy.from_rows([["a", "*"], ["b", "*"]]),
]
MODELS = (
    am.KAnonymity(5),
    am.LDiversity(3, "distinct", column="s"),
    am.LDiversity(3, ("recursive", 2.0)),
    am.TCloseness(0.2),
    am.AlphaK(0.5, 10),
    am.BetaLikeness(2),
    am.DeltaDisclosure(1.5, absent="counted"),
    am.Proximity(3, width=1000),
    am.KOfSubsets(5, m=2),
)


def carried_out(script: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What a script hands to ``am.anonymize`` and to ``write``."""
    heard: dict[str, Any] = {}

    class Made:
        verdict = type("Verdict", (), {"words": staticmethod(lambda: "")})

        def write(self, folder: str, format: str = "parquet") -> None:
            heard.update(folder=folder, format=format)

    def anonymize(data: Any, schema: Any, models: Any, **given: Any) -> Made:
        heard.update(data=data, schema=schema, models=tuple(models), given=given)
        return Made()

    monkeypatch.setattr(am, "anonymize", anonymize)
    exec(compile(script, "job.py", "exec"), {})
    return heard


@pytest.mark.parametrize("hierarchy", HIERARCHIES, ids=lambda one: one.describe())
def test_the_python_of_a_column_is_the_column(hierarchy: am.Hierarchy, monkeypatch: pytest.MonkeyPatch) -> None:
    column = am.Column(role="quasi", hierarchy=hierarchy, weight=2.5, nulls="own value", publish="ancestor")
    schema = am.Schema({'a "b" \\ \n c': column, "s": am.Column(role="sensitive", order=["x", "y"], kind="ordered")})
    job = Job(Input("people.csv"), schema, MODELS, "mondrian", {"cuts": "ordered"}, Output("out", "csv", "bounds"), 7)
    heard = carried_out(python_text(job), monkeypatch)
    assert heard["schema"] == schema
    assert heard["models"] == MODELS
    assert heard["given"] == {"method": "mondrian", "form": "bounds", "seed": 7, "cuts": "ordered"}
    assert (heard["data"], heard["folder"], heard["format"]) == ("people.csv", "out", "csv")


def test_the_python_reads_as_the_job_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "people.csv"
    path.write_text("age;s\n31;?\n?;b\n")
    job = Job(
        Input(path, ("?",), ";"), am.Schema({"age": am.Column(role="quasi")}), (am.KAnonymity(2),), method="mondrian"
    )
    heard = carried_out(python_text(job), monkeypatch)
    assert heard["data"].table["age"].to_pylist() == [31, None]


def a_draft(tmp_path: Path) -> Any:
    columns = [
        {"name": "age", "fields": {"role": "quasi", "kind": "numeric"}},
        {"name": "s", "fields": {"role": "keep"}},
    ]
    return first_draft(tmp_path / "people.csv", columns, {"nulls": ["?"], "separator": None}, tmp_path)


def test_a_draft_shows_a_job_that_can_be_read_and_names_uploads_alone(tmp_path: Path) -> None:
    import tomllib

    (tmp_path / "age.csv").write_text("1;*\n2;*\n")
    draft = a_draft(tmp_path)
    draft.columns["age"]["hierarchy"] = {"csv": str(tmp_path / "age.csv")}
    content = tomllib.loads(draft.job_text())
    assert content["input"] == {"path": "people.csv", "nulls": ["?"]}
    assert content["columns"]["age"]["hierarchy"] == {"csv": "age.csv"}
    assert str(tmp_path) not in draft.job_text() + draft.python_text()


def test_a_draft_that_is_no_job_yet_says_why(tmp_path: Path) -> None:
    draft = a_draft(tmp_path)
    draft.columns["age"]["role"] = "sometimes"
    assert draft.job_text().startswith("# ")
    assert all(line.startswith("#") for line in draft.python_text().splitlines())


def test_an_uploaded_job_file_brings_settings_but_no_files(tmp_path: Path) -> None:
    draft = a_draft(tmp_path)
    before = copy.deepcopy(draft.content)
    job: dict[str, Any] = {
        "input": {"path": "/etc/passwd"},
        "columns": {"age": {"role": "quasi", "hierarchy": {"csv": "/etc/passwd"}}, "s": {"role": "sensitive"}},
        "privacy": [{"model": "k-anonymity", "k": 3}],
    }
    with pytest.raises(BadOption, match="names other files"):
        draft.take_over(job)
    assert draft.content == before
    job["columns"]["age"]["hierarchy"] = {"intervals": [5]}
    draft.take_over(job)
    assert draft.content["input"] == before["input"]
    assert draft.named("sensitive") == ["s"]
    assert draft.privacy == [{"model": "k-anonymity", "k": 3}]


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ("people.csv", "people.csv"),
        ("../../etc/passwd", "passwd"),
        ("..\\..\\boot.ini", "boot.ini"),
        ("a\0b.csv", "a_b.csv"),
        ("...", "table"),
        ("", "table"),
        (".hidden", "hidden"),
        ("x" * 300 + ".parquet", "x" * 100 + ".parquet"),
    ],
)
def test_names_of_uploads_are_names_and_nothing_else(told: str, kept: str) -> None:
    assert file_name(told) == kept


def test_groups_are_made_moved_and_taken_apart() -> None:
    tree = Tree(["a", "b", "c", "d"])
    tree.group({"a", "b"}, "first")
    tree.group({"c"}, "first")
    assert tree.mapping() == {"*": ["d", {"first": ["a", "b", "c"]}]}
    tree.group({"first/", "d"}, "all")
    assert tree.mapping() == {"*": [{"all": ["d", {"first": ["a", "b", "c"]}]}]}
    tree.group({"all/"}, "first")  # a group cannot become a member of its own member
    assert tree.n_groups == 2
    tree.rename("first/", "second")
    tree.dissolve({"a"})
    assert tree.mapping() == {"*": ["a", {"all": ["d", {"second": ["b", "c"]}]}]}
    tree.dissolve({"all/", "second/"})
    assert {key_of(node) for _, node in tree.lines()} == {"a", "d", "second/", "b", "c"}


@given(st.lists(st.tuples(st.integers(0, 11), st.integers(0, 12)), max_size=12))
def test_whatever_is_dragged_where_every_value_stays_once(moves: list[tuple[int, int]]) -> None:
    values = [f"value {i}" for i in range(6)]
    tree = Tree(values)
    for taken, under in moves:
        keys = [key_of(node) for _, node in tree.lines()]
        tree.move(keys[taken % len(keys)], [*keys, ""][under % (len(keys) + 1)])
        told = [node.label for _, node in tree.lines() if not node.is_group]
        assert sorted(told) == values
        assert all(node.members for _, node in tree.lines() if node.is_group)
        assert am.Hierarchy.nested(tree.mapping()).tree(values).n_leaves == len(values)


def test_groups_come_back_from_a_job_and_fit_the_column() -> None:
    mapping = {"Europe": ["Italy", "Spain"], "America": {"North": ["Canada"]}}
    tree = Tree.of(mapping, ["Canada", "Italy", "Spain", "Tonga"])
    again = am.Hierarchy.nested(tree.mapping()).tree(["Canada", "Italy", "Spain", "Tonga"])
    assert tree.mapping()["*"][0] == "Tonga"
    assert again.n_leaves == 4


def test_the_worker_tells_errors_in_words_and_can_be_ended(tmp_path: Path) -> None:
    async def tell() -> None:
        worker = Worker()
        heard: list[Any] = []
        given = {"nulls": [], "separator": None, "encoding": None}
        with pytest.raises(Refused, match="not there") as refused:
            await worker.ask("open", heard.append, path=str(tmp_path / "none.csv"), **given)
        assert refused.value.fix == "check the path"
        (tmp_path / "a.csv").write_text("age\n1\n2\n")
        facts = await worker.ask("open", heard.append, path=str(tmp_path / "a.csv"), **given)
        assert facts["rows"] == 2
        assert [told["step"] for told in heard] == ["read", "read", "look"]
        with pytest.raises(Refused, match="defect") as broken:
            await worker.ask("values", column="age", most="seven")
        assert broken.value.found[0].startswith("TypeError at ")  # a place, and nothing that might be a cell
        asking = asyncio.create_task(
            worker.ask("example", name="lands-end", options={}, path=str(tmp_path / "x.parquet"))
        )
        await asyncio.sleep(0.3)
        worker.end()
        with pytest.raises(Cancelled):
            await asking
        assert (await worker.ask("open", path=str(tmp_path / "a.csv"), **given))["rows"] == 2
        worker.end()
        await worker.gone()

    with ThreadPoolExecutor(1) as apart:  # the browser's tests have a loop of their own in this thread
        apart.submit(asyncio.run, tell()).result()


def test_the_page_holds_no_table() -> None:
    code = "import amongst.app.shell, sys; print(sorted({'pyarrow', 'pandas', 'polars', 'duckdb'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


def test_the_last_step_offers_every_format_and_the_shape_of_a_text_file() -> None:
    from amongst.app.steps.publish import LIKE_INPUT, _formats
    from amongst.engines.data_file import writable

    assert set(_formats("data/in.CSV.gz")) == {*writable(), LIKE_INPUT}
    assert set(_formats("in.parquet")) == set(writable())
