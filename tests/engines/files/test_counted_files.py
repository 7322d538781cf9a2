"""A file that is counted where it is gives the release that it gives in memory: the same bytes for strict methods."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from stored_files import memory_release, stored_release, written

import amongst as am
from amongst.errors import BadInput, BadOption, BadSchema, Changed, Infeasible
from amongst.partition.methods import METHODS
from amongst.request import Request
from flow_tables import random_table

ON_TUPLES = METHODS.names(lambda method: method.decides_on == "counts")

LOCAL = ("hilbert", "hilbert-fast", "mondrian-relaxed", "top-down", "best", "gain-split", "full-subtree")
N_TABLES = 6


def same(one: am.Release, other: am.Release, folder: Path, format: str = "parquet") -> None:
    one.write(folder / "one", format=format)
    other.write(folder / "other", format=format)
    assert (folder / f"one/release.{format}").read_bytes() == (folder / f"other/release.{format}").read_bytes()
    for ending in ("", ".inside"):
        names = (f"one{ending}", f"other{ending}")
        told, expected = (json.loads((folder / name / "manifest.json").read_text()) for name in names)
        sensitive = {one["column"]: one for one in expected.pop("sensitive")}
        for figures in told.pop("sensitive"):
            alike(figures, sensitive[figures["column"]])
        del told["output"]["pages"], expected["output"]["pages"]  # with the figures of sensitive columns that there are
        assert told == expected


def alike(one: dict, other: dict) -> None:
    """Figures that may have been added up in another order."""
    assert one.keys() == other.keys()
    for name, figure in one.items():
        if isinstance(figure, dict):
            alike(figure, other[name])
        elif isinstance(figure, float):
            assert figure == pytest.approx(other[name], rel=1e-9)
        else:
            assert figure == other[name]


@pytest.mark.parametrize("whole", [True, False], ids=["counts", "join"])
@pytest.mark.parametrize("method", ON_TUPLES)
def test_the_same_bytes_and_figures_as_in_memory(method: str, whole: bool, tmp_path: Path) -> None:
    compared = 0
    for seed in range(N_TABLES):
        made = random_table(np.random.default_rng([seed, ON_TUPLES.index(method), whole]), linked=bool(seed % 2))
        folder = tmp_path / str(seed)
        folder.mkdir()
        path = written(made.table, folder)
        form = ("labels", "bounds", "structs")[seed % 3]
        request = Request(schema=made.schema, models=[am.KAnonymity(made.k)], method=method, form=form)
        in_memory = memory_release(path, request)
        stored = stored_release(path, folder / "work", request, whole=whole)
        assert (stored is None) == (in_memory is None)
        if stored is not None and in_memory is not None:
            same(stored, in_memory, folder)
            compared += 1
    assert compared >= 2


@pytest.mark.parametrize("method", LOCAL)
def test_methods_that_see_every_row_hold_what_is_asked(method: str, tmp_path: Path) -> None:
    for seed in range(6):
        made = random_table(np.random.default_rng([seed, LOCAL.index(method)]), linked=True)
        folder = tmp_path / str(seed)
        folder.mkdir()
        path = written(made.table, folder)
        stored = stored_release(
            path,
            folder / "work",
            Request(schema=made.schema, models=[am.KAnonymity(made.k)], method=method),
            whole=False,
        )
        if stored is None:
            continue
        verdict = stored.write(folder / "out")
        assert verdict.ok
        assert verdict.smallest >= made.k
        assert verdict.n_rows == stored.utility.n_published == stored.plan.n_published


@pytest.mark.parametrize("method", ["hilbert", "hilbert-fast"])
def test_a_divided_tuple_loses_as_much_as_in_memory(method: str, tmp_path: Path) -> None:
    adult = am.datasets.load("adult")
    path = written(adult.table.slice(0, 3000), tmp_path)
    request = Request(schema=adult.schema, models=[am.KAnonymity(5)], method=method)
    stored, in_memory = stored_release(path, tmp_path / "work", request, whole=False), memory_release(path, request)
    assert stored.plan.divided
    assert stored.utility.gcp == pytest.approx(in_memory.utility.gcp, abs=1e-12)  # type: ignore[union-attr]


@pytest.mark.parametrize("method", ["mondrian", "hilbert", "best"])
def test_models_of_sensitive_values(method: str, tmp_path: Path) -> None:
    adult = am.datasets.load("adult")
    table = adult.table.slice(0, 2500)
    path = written(table, tmp_path)
    models = [am.KAnonymity(4), am.LDiversity(1.2, column="salary-class"), am.TCloseness(0.4, column="salary-class")]
    release = am.anonymize(path, adult.schema, models, method, memory="2GB", work=tmp_path)
    assert release.write(tmp_path / "out").ok
    if method == "mondrian":
        in_memory = am.anonymize(path, adult.schema, models, method)
        assert pq.read_table(tmp_path / "out/release.parquet").equals(
            pq.read_table(_written(in_memory, tmp_path / "memory") / "release.parquet")
        )


MODELS = [
    am.LDiversity(2, "distinct", column="disease"),
    am.LDiversity(1.5, column="disease"),
    am.LDiversity(1.5, "entropy", column="disease"),
    am.LDiversity(2, ("recursive", 3.0), column="disease"),
    am.TCloseness(0.4, column="disease"),
    am.TCloseness(0.3, column="paid", distance="ordered"),
    am.AlphaK(0.7, 2, column="disease"),
    am.Proximity(2, 10.0, column="paid"),
    am.KOfSubsets(3, 2),
    am.BetaLikeness(4, column="disease"),
    am.DeltaDisclosure(3, column="disease"),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: f"{model.name}-{getattr(model, 'kind', '')}")
@pytest.mark.parametrize("method", ["mondrian", "incognito"])
def test_every_model_on_counts_gives_what_rows_give(method: str, model: am.KAnonymity, tmp_path: Path) -> None:
    rng = np.random.default_rng(8)
    n = 400
    table = pa.table(
        {
            "age": rng.integers(20, 40, n),
            "city": rng.choice(["oslo", "york", "rome"], n),
            "disease": rng.choice(["flu", "cold", "asthma", "ulcer"], n, p=[0.4, 0.3, 0.2, 0.1]),
            "paid": np.round(rng.normal(50, 20, n)),
        }
    )
    schema = am.Schema(
        {
            "age": am.Column(role="quasi", hierarchy=am.Hierarchy.intervals([5, 10])),
            "city": am.Column(role="quasi", hierarchy=am.Hierarchy.flat()),
            "disease": am.Column(role="sensitive"),
            "paid": am.Column(role="sensitive"),
        }
    )
    path = written(table, tmp_path)
    request = Request(schema=schema, models=[am.KAnonymity(4), model], method=method)
    if method == "incognito" and not model.monotone:
        with pytest.raises(BadOption):
            stored_release(path, tmp_path / "work", request, whole=True)
        return
    in_memory = memory_release(path, request)
    stored = stored_release(path, tmp_path / "work", request, whole=True)
    assert (stored is None) == (in_memory is None)
    if stored is None or in_memory is None:
        return
    if request.on_tuples:
        same(stored, in_memory, tmp_path)
    else:
        assert stored.write(tmp_path / "out").ok


def _written(release: am.Release, folder: Path) -> Path:
    release.write(folder)
    return folder


def test_a_csv_is_read_as_in_memory(tmp_path: Path) -> None:
    from pyarrow import csv

    made = random_table(np.random.default_rng(5), linked=True, most_rows=200)
    plain = pa.table({name: made.table.column(name).cast(pa.string()) for name in made.table.column_names})
    path = tmp_path / "people.csv"
    csv.write_csv(plain, path)
    schema = am.Schema.suggest(path)
    roles = {name: am.Column(role="keep") for name in plain.column_names}
    quasi = [name for name in plain.column_names if name.startswith("q")]
    roles |= {name: am.Column(role="quasi", nulls="own value") for name in quasi}
    roles["name"] = am.Column(role="identifier")
    schema = am.Schema(roles)
    request = Request(schema=schema, models=[am.KAnonymity(3)], method="mondrian")
    for whole in (True, False):
        folder = tmp_path / str(whole)
        folder.mkdir()
        stored = stored_release(path, folder / "work", request, whole=whole)
        same(stored, memory_release(path, request), folder, "csv")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["1", "20", "-3"], pa.int64()),
        (["007", "20"], pa.string()),
        (["1.5", "2", "3e4"], pa.float64()),
        (["250.1", "250.10"], pa.string()),
        (["2020-02-29", "2021-01-01"], pa.date32()),
        (["2021-02-29", "2021-01-01"], pa.string()),
        (["2020-02-29 10:00", "2021-01-01T00:00:01"], pa.timestamp("s")),
        (["2020-02-29 10:00", "2020-02-29T10:00:00"], pa.string()),
        (["1e999", "2"], pa.string()),
        (["", ""], pa.string()),
    ],
)
def test_types_of_a_csv(cells: list[str], kind: pa.DataType, tmp_path: Path) -> None:
    from amongst.engines.duckdb.open_store import open_store
    from amongst.read import read

    path = tmp_path / "cells.csv"
    path.write_text("a,b\n" + "".join(f"{cell},x\n" for cell in cells))
    store = open_store(path, tmp_path, 400_000_000)
    own = read(path).table.schema.field("a").type
    own = own.value_type if pa.types.is_dictionary(own) else own
    assert store.schema().field("a").type == own == kind


def test_a_folder_of_files_is_one_table(tmp_path: Path) -> None:
    adult = am.datasets.load("adult")
    folder = tmp_path / "parts"
    folder.mkdir()
    for i in range(3):
        pq.write_table(adult.table.slice(i * 1000, 1000), folder / f"part-{i}.parquet")
    (folder / "_SUCCESS").write_text("")
    path = written(adult.table.slice(0, 3000), tmp_path)
    request = Request(schema=adult.schema, models=[am.KAnonymity(5)], method="mondrian")
    one = stored_release(folder, tmp_path / "work", request, whole=True)
    one.write(tmp_path / "a")
    memory_release(path, request).write(tmp_path / "b")  # type: ignore[union-attr]
    assert (tmp_path / "a/release.parquet").read_bytes() == (tmp_path / "b/release.parquet").read_bytes()


ODD = ['say "hi"', "a.b", "sel;ect", "naïve 列", "tab\there", "'quoted'"]


def test_names_that_need_quoting(tmp_path: Path) -> None:
    table = pa.table({name: [i % 3 for i in range(30)] for name in ODD})
    schema = am.Schema({name: am.Column(role="quasi" if i < 4 else "keep") for i, name in enumerate(ODD)})
    path = written(table, tmp_path, "od'd \"name.parquet")
    for whole in (True, False):
        folder = tmp_path / str(whole)
        folder.mkdir()
        request = Request(schema=schema, models=[am.KAnonymity(5)], method="mondrian")
        same(
            stored_release(path, folder / "work", request, whole=whole),
            memory_release(path, request),  # type: ignore[arg-type]
            folder,
        )


def test_floats_have_one_zero(tmp_path: Path) -> None:
    table = pa.table({"x": [0.0, -0.0, 1.5, 2.5] * 5, "y": [float("nan"), -0.0, 0.0, None] * 5})
    schema = am.Schema({"x": am.Column(role="quasi"), "y": am.Column(role="keep")})
    path = written(table, tmp_path)
    request = Request(schema=schema, models=[am.KAnonymity(5)], method="mondrian")
    for whole in (True, False):
        stored = stored_release(path, tmp_path / "work", request, whole=whole)
        verdict = stored.write(tmp_path / f"out-{whole}")
        assert (verdict.n_rows, verdict.smallest) == (20, 5)


def test_a_file_that_changes_is_noticed(tmp_path: Path) -> None:
    adult = am.datasets.load("adult")
    path = written(adult.table.slice(0, 500), tmp_path)
    request = Request(schema=adult.schema, models=[am.KAnonymity(5)], method="mondrian")
    for whole in (True, False):
        stored = stored_release(path, tmp_path / "work", request, whole=whole)
        written(adult.table.slice(0, 501), tmp_path)
        with pytest.raises(Changed):
            stored.write(tmp_path / "out")
        assert not (tmp_path / "out").exists()
        path.unlink()
        with pytest.raises(Changed):
            stored.write(tmp_path / "out")
        written(adult.table.slice(0, 500), tmp_path)


def test_rows_that_come_and_go_unseen_by_the_clock_are_noticed(tmp_path: Path) -> None:
    adult = am.datasets.load("adult")
    path = written(adult.table.slice(0, 500), tmp_path)
    request = Request(schema=adult.schema, models=[am.KAnonymity(5)], method="mondrian")
    stored = stored_release(path, tmp_path / "work", request, whole=False)
    written(pa.concat_tables([adult.table.slice(0, 499), adult.table.slice(0, 2)]), tmp_path)
    object.__setattr__(stored, "state", stored.store.state())  # as a clock set back would have it
    with pytest.raises(Changed, match="rows to publish"):
        stored.write(tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_what_cannot_be_done_elsewhere_is_refused(tmp_path: Path) -> None:
    adult = am.datasets.load("adult")
    path = written(adult.table.slice(0, 500), tmp_path)
    k = [am.KAnonymity(5)]
    with pytest.raises(Infeasible, match="at least"):
        am.anonymize(path, adult.schema, k, memory="50MB")
    with pytest.raises(BadOption, match="not a size"):
        am.anonymize(path, adult.schema, k, memory="much")
    with pytest.raises(BadOption, match="no engine"):
        am.anonymize(path, adult.schema, k, engine="abacus", method="mondrian")
    with pytest.raises(BadOption, match="two tables"):
        am.anonymize(path, adult.schema, [am.LDiversity(2)], "anatomy", memory="2GB")
    with pytest.raises(BadSchema, match="tells people apart is not in the table"):
        am.anonymize(path, adult.schema, k, memory="2GB", unit="id")
    with pytest.raises(BadOption, match="cannot be the target"):
        am.anonymize(path, adult.schema, k, memory="2GB", target="id")
    with pytest.raises(BadOption, match="takes a file"):
        am.anonymize(adult.table, adult.schema, k, memory="2GB")
    with pytest.raises(BadOption, match="Temporary files"):
        am.anonymize(path, adult.schema, k, memory="2GB", work=tmp_path / "nowhere")
    with pytest.raises(BadInput):
        am.anonymize(tmp_path / "none.parquet", adult.schema, k, memory="2GB")
    with pytest.raises(BadSchema):
        am.anonymize(path, am.Schema({"age": am.Column(role="quasi")}), k, memory="2GB")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 no more")
    with pytest.raises(BadInput):
        am.anonymize(tmp_path / "broken.parquet", adult.schema, k, memory="2GB")
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadInput, match="no Parquet"):
        am.anonymize(tmp_path / "empty", adult.schema, k, memory="2GB")


def test_the_rows_are_not_handed_out(tmp_path: Path) -> None:
    adult = am.datasets.load("adult")
    release = am.anonymize(written(adult.table.slice(0, 500), tmp_path), adult.schema, [am.KAnonymity(5)], memory="2GB")
    for name in ("table", "verdict", "group_of_row"):
        with pytest.raises(BadOption, match="not in memory"):
            getattr(release, name)


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    adult = am.datasets.load("adult")
    work = tmp_path / "work"
    work.mkdir()
    path = written(adult.table.slice(0, 500), tmp_path)
    release = am.anonymize(path, adult.schema, [am.KAnonymity(5)], memory="2GB", work=work)
    own = list(work.iterdir())
    assert [folder.stat().st_mode & 0o077 for folder in own] == [0]
    release.write(tmp_path / "out")
    del release
    assert list(work.iterdir()) == []


@pytest.mark.parametrize("quote", ["", '"'])
def test_texts_that_mean_missing_may_be_in_quotes(quote: str, tmp_path: Path) -> None:
    from amongst.engines.duckdb.open_store import open_store
    from amongst.read import read

    path = tmp_path / "cells.csv"
    rows = [("30", "flu"), ("NA", "NA"), ("41", "cold")]
    path.write_text("age,d\n" + "".join(",".join(f"{quote}{cell}{quote}" for cell in row) + "\n" for row in rows))
    table = read(path, nulls=["NA"]).table
    assert table.column("age").to_pylist() == [30, None, 41]
    assert table.column("d").to_pylist() == ["flu", None, "cold"]
    store = open_store(path, tmp_path, 400_000_000, nulls=["NA"])
    assert store.schema().field("age").type == pa.int64()
    assert store.count(["d"], lambda *told: None).column("d").null_count == 1


def test_an_address_is_not_repeated(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="not a database") as refused:
        am.Schema.suggest("postgresql://me:secret@127.0.0.1/db")
    assert "secret" not in str(refused.value)


def test_a_limit_goes_with_another_engine(tmp_path: Path) -> None:
    adult = am.datasets.load("adult")
    with pytest.raises(BadOption, match="takes what it takes"):
        am.anonymize(adult.table, adult.schema, [am.KAnonymity(5)], engine="memory", memory="1GB")
