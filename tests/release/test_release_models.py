"""Releases with models of sensitive values and with people: what is proved, told and written."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import amongst as am
from amongst.errors import NotVerified
from amongst.models import MODELS
from amongst.release.caveats import assumptions, caveats

ROLES = {"who": "identifier", "age": "quasi", "zip": "quasi", "disease": "sensitive", "pay": "sensitive"}


def visits(n=300, seed=0, many_values=False):
    rng = np.random.default_rng(seed)
    table = pa.table(
        {
            "who": rng.integers(0, n // 3, n),
            "age": rng.integers(20, 60, n),
            "zip": rng.integers(0, 9, n),
            "disease": pa.array(rng.choice(["flu", "cold", "cough", None], n), pa.string()).dictionary_encode(),
            "pay": rng.integers(0, 500 if many_values else 3, n),
        }
    )
    pay = table["pay"] if many_values else table["pay"].cast(pa.string()).dictionary_encode()
    return table.set_column(4, "pay", pay)


SCHEMA = am.Schema({name: am.Column(role=role) for name, role in ROLES.items()})


@pytest.mark.parametrize("many_values", [False, True])
@pytest.mark.parametrize("nulls", [False, True])
def test_published_rows_find_the_rows_they_came_from(many_values, nulls):
    """Rows are laid out by counting where values are few, by sorting where they are many."""
    table, schema = visits(many_values=many_values), SCHEMA
    if nulls:
        ages = [None if age % 7 == 0 else age for age in table["age"].to_pylist()]
        table = table.set_column(1, "age", pa.array(ages))
        schema = schema.with_columns(age=am.Column(role="quasi", nulls="suppress"))
    release = am.anonymize(table, schema, [am.KAnonymity(4)], unit="who", method="mondrian")
    kept = np.arange(len(table)) if release.coded.kept_rows is None else release.coded.kept_rows
    rows = kept[release.plan.row_at]
    assert sorted(rows.tolist()) == sorted(kept.tolist())
    for name in ("disease", "pay"):
        assert table[name].take(pa.array(rows)).to_pylist() == release.arrow[name].to_pylist()
    groups = release.group_of_row[rows]
    assert (np.diff(groups) != 0).sum() == release.partition.n_groups - 1  # groups lie together


def test_people_are_proved_and_never_written(tmp_path):
    release = am.anonymize(visits(), SCHEMA, [am.KAnonymity(5), am.LDiversity(1.2)], unit="who", method="mondrian")
    assert release.verdict.ok
    assert am.verify(release.arrow, release.schema, [am.KAnonymity(5)]).smallest >= release.verdict.smallest
    verdict = release.write(tmp_path / "out", format="csv")
    assert verdict.smallest == release.verdict.smallest
    told = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert told["input"]["unit"] == "who"
    assert "smallest_class" not in told["proved"]  # whose rows they are is not published, so nobody could count again
    assert all("reached" not in one for one in told["proved"]["models"])
    full = json.loads((tmp_path / "out.inside" / "manifest.json").read_text())
    assert full["proved"]["smallest_class"] == verdict.smallest
    assert "people in the smallest group" in (tmp_path / "out.inside" / "report.html").read_text()
    persons = pq.read_table(tmp_path / "out.inside" / "people.parquet").column("person")
    assert persons.to_pylist() == release.person_of_row.tolist()
    page = (tmp_path / "out" / "report.html").read_text()
    assert "people in the smallest group" not in page
    assert "people cannot be counted from the file" in page
    assert "The column &#39;who&#39; tells people apart." in page


def test_a_release_that_counts_rows_where_people_were_asked_for_is_refused():
    """As if the search had not heard of people."""
    rows = am.anonymize(visits(), SCHEMA, [am.KAnonymity(3)], method="mondrian")
    people = am.anonymize(visits(), SCHEMA, [am.KAnonymity(3)], unit="who", method="mondrian")
    from dataclasses import replace

    wrong = replace(people, partition=rows.partition, plan=rows.plan)
    assert rows.verdict.ok
    assert wrong.verdict.smallest < 3
    with pytest.raises(NotVerified):
        _ = wrong.table


def test_the_report_tells_the_figures_and_no_values(tmp_path):
    release = am.anonymize(visits(), SCHEMA, [am.KAnonymity(5)], method="mondrian")
    release.write(tmp_path / "out")
    page = (tmp_path / "out" / "report.html").read_text()
    told = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert "What stays hidden" in page
    assert "cough" not in page
    assert "cough" not in json.dumps(told)
    assert [one["column"] for one in told["sensitive"]] == ["disease", "pay"]
    assert told["sensitive"][0]["after"]["l_frequency"] == release.sensitive["disease"].after.l_frequency


def test_the_manifest_names_a_population_without_its_place(tmp_path):
    from amongst.release.manifest import _model_facts

    model = am.KMap(3, tmp_path / "secret-folder" / "voters.csv")
    assert _model_facts(model) == {"model": "k-map", "k": 3, "population": "voters.csv"}
    assert _model_facts(am.KMap(3, visits()))["population"] == "a table given by the caller"


def test_caveats_follow_the_models():
    only_k = caveats([am.KAnonymity(5)], SCHEMA)
    assert "does not hide what all rows of a group have in common" in only_k[0]
    diverse = caveats([am.KAnonymity(5), am.LDiversity(2, column="disease")], SCHEMA)
    assert not any("k-anonymity hides which" in one for one in diverse)
    assert any("l-diversity leaves" in one for one in diverse)
    assert any("No model was asked for on 'pay'" in one for one in diverse)
    both = caveats([am.TCloseness(0.2), am.TCloseness(0.3)], SCHEMA)
    assert sum("t-closeness bounds" in one for one in both) == 1
    assert any("protected for itself" in one for one in both)
    assert {name for name, model in MODELS.items() if not model.caveat} == {"k-anonymity"}


def test_assumptions_follow_unit_and_population():
    assert "Every row is about another person." in assumptions([am.KAnonymity(2)], None)
    assert "The column 'who' tells people apart." in assumptions([am.KAnonymity(2)], "who")
    assert any("population" in one for one in assumptions([am.KMap(2, "p.csv")], None))
