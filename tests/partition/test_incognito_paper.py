"""The worked examples and the counts that the Incognito paper prints."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.encode import encode
from amongst.partition.ask import Ask, ask
from amongst.partition.frequency_sets import FrequencySets, NodeSet
from amongst.partition.full_domain.graph_search import Graph, search_graph
from amongst.partition.full_domain.incognito import incognito
from amongst.partition.full_domain.incognito_superroots import incognito_superroots
from amongst.partition.lattice import Lattice, Levels, as_tuples, candidates, families
from amongst.schema.check import check
from benchmarks.papers.incognito_trees import EXACT, FIGURE_9, PAPER, paper_schema

BIRTHDATE, SEX, ZIPCODE = 0, 1, 2


def patients() -> tuple[FrequencySets, Ask]:
    data = am.datasets.load("incognito-patients")
    coded = encode(data.table, data.schema)
    sets = FrequencySets(coded)
    return sets, ask(coded, sets, [am.KAnonymity(2)], 0.0, None)


def searched(family: tuple[int, ...], marking: str = "all") -> tuple[list[tuple[Levels, bool]], list[Levels]]:
    """The nodes of a two-attribute graph that are looked at, with the outcome; and those that hold."""
    sets, asked = patients()
    looked: list[tuple[Levels, bool]] = []

    def holds(found: NodeSet) -> bool:
        looked.append((found.levels, asked.holds(found)))
        return looked[-1][1]

    shape = asked.lattice.shape
    one = {(c,): candidates({}, (c,), shape) for c in family}
    graph = Graph(family, candidates(one, family, shape))
    safe, _ = search_graph(graph, sets, holds, lambda root: sets.scan(family, root), marking=marking)
    return looked, as_tuples(safe)


@pytest.mark.known_answer("incognito", "figure 1", what="the Patients table", answer="six rows")
def test_figure_1_the_patients_table() -> None:
    data = am.datasets.load("incognito-patients")
    rows = [tuple(map(str, row.values())) for row in data.table.to_pylist()]
    assert rows == [
        ("1976-01-21", "Male", "53715", "Flu"),
        ("1986-04-13", "Female", "53715", "Hepatitis"),
        ("1976-02-28", "Male", "53703", "Brochitis"),
        ("1976-01-21", "Male", "53703", "Broken Arm"),
        ("1986-04-13", "Female", "53706", "Sprained Ankle"),
        ("1976-02-28", "Female", "53706", "Hang Nail"),
    ]


@pytest.mark.known_answer(
    "incognito",
    "figure 2",
    what="heights of Birthdate, Sex and Zipcode",
    answer="1, 1 and 2; 53715 becomes `5371*` and `537**`",
)
def test_figure_2_the_hierarchies() -> None:
    sets, asked = patients()
    assert asked.lattice.heights == (1, 1, 2)
    trees = [column.tree for column in sets.table.columns]
    code = trees[ZIPCODE].code_of_leaf["53715"]
    assert [trees[ZIPCODE].label(level, code) for level in range(3)] == ["53715", "5371*", "537**"]
    assert [trees[SEX].label(level, 0) for level in range(2)] == ["Male", "Person"]


@pytest.mark.known_answer(
    "incognito",
    "figures 3 and 6",
    what="the lattice of Sex and Zipcode",
    answer="six nodes, seven edges; <S1,Z1> has height 2; <S0,Z2> generalizes <S0,Z1> directly, <S0,Z0> implied",
)
def test_figures_3_and_6_the_lattice_of_sex_and_zipcode() -> None:
    lattice = Lattice((1, 2))
    number = {(0, 0): 1, (1, 0): 2, (0, 1): 3, (1, 1): 4, (0, 2): 5, (1, 2): 6}
    assert set(as_tuples(lattice.everything())) == set(number)
    edges = {(number[node], number[above]) for node in number for above in lattice.parents(node)}
    assert edges == {(1, 2), (1, 3), (2, 4), (3, 4), (3, 5), (4, 6), (5, 6)}
    assert [node for node in number if node in lattice.at_height(2)] == [(1, 1), (0, 2)]
    assert (0, 2) not in lattice.parents((0, 0))


@pytest.mark.known_answer(
    "incognito",
    "section 5.1.1",
    what="full-subtree recoding of zipcodes, one of which must become `5371*`",
    answer="53710 becomes `5371*` too, 53703 and 53706 stay",
)
def test_section_5_1_1_a_subtree_is_recoded_whole() -> None:
    schema = am.Schema({"zip": am.Column(role="quasi", kind="categorical", hierarchy=am.Hierarchy.digits(5))})
    rows = ["53715"] + ["53710"] * 3 + ["53706"] * 2 + ["53703"] * 2
    release = am.anonymize(pa.table({"zip": rows}), schema, [am.KAnonymity(2)], "full-subtree")
    assert sorted(release.table["zip"].to_pylist()) == ["53703"] * 2 + ["53706"] * 2 + ["5371*"] * 4


@pytest.mark.known_answer(
    "incognito", "example 3.1", what="each attribute alone, k = 2", answer="all hold without generalization"
)
def test_example_3_1_every_single_attribute_holds_ungeneralized() -> None:
    sets, asked = patients()
    assert all(asked.holds(sets.scan((c,), (0,))) for c in (BIRTHDATE, SEX, ZIPCODE))


@pytest.mark.known_answer(
    "incognito",
    "example 3.1, figure 5 (a)",
    what="search over Sex and Zipcode, k = 2",
    answer="<S0,Z0> and <S0,Z1> fail, <S1,Z0> and <S0,Z2> hold",
)
def test_figure_5a_the_search_over_sex_and_zipcode() -> None:
    """In the paper's order with the paper's marks; else the same nodes, in the order of levels."""
    looked, safe = searched((SEX, ZIPCODE), marking="direct")
    assert looked == [((0, 0), False), ((0, 1), False), ((1, 0), True), ((0, 2), True)]
    assert searched((SEX, ZIPCODE)) == (sorted(looked), safe)
    assert safe == [(0, 2), (1, 0), (1, 1), (1, 2)]


@pytest.mark.known_answer(
    "incognito",
    "figure 5 (b) and (c)",
    what="search over Birthdate with Sex and with Zipcode",
    answer="<B0,S1>, <B1,S0>, <B1,S1>; <B0,Z2>, <B1,Z0>, <B1,Z1>, <B1,Z2>",
)
def test_figure_5bc_the_searches_with_birthdate() -> None:
    assert searched((BIRTHDATE, SEX))[1] == [(0, 1), (1, 0), (1, 1)]
    assert searched((BIRTHDATE, ZIPCODE))[1] == [(0, 2), (1, 0), (1, 1), (1, 2)]


@pytest.mark.known_answer(
    "incognito",
    "example 3.2, figure 7",
    what="the graph of three attributes",
    answer="five nodes of 12; roots <B1,S1,Z0>, <B1,S0,Z2>, <B0,S1,Z2>",
)
def test_example_3_2_figure_7a_the_three_attribute_graph() -> None:
    _, asked = patients()
    safe = {}
    for family in families(3, 2):
        safe[family] = np.zeros([asked.lattice.shape[c] for c in family], dtype=bool)
        for node in searched(family)[1]:
            safe[family][node] = True
    graph = Graph((0, 1, 2), candidates(safe, (0, 1, 2), asked.lattice.shape))
    assert as_tuples(graph.candidates) == [(0, 1, 2), (1, 0, 2), (1, 1, 0), (1, 1, 1), (1, 1, 2)]
    # <B1,S1,Z0>, <B1,S0,Z2> and <B0,S1,Z2>, as section 3.3.1 lists them
    assert set(graph.roots()) == {(1, 1, 0), (1, 0, 2), (0, 1, 2)}
    # Figure 7 (b) has 12 nodes: seven are pruned.
    assert asked.lattice.n_nodes == 12


@pytest.mark.known_answer(
    "incognito",
    "section 3.3.1",
    what="scans for the graph of three attributes",
    answer="three for Basic Incognito, one at <B0,S0,Z0> for Super-roots",
)
def test_section_3_3_1_one_scan_at_the_super_root_serves_the_three_roots() -> None:
    scans: dict[str, list[tuple[Levels, Levels]]] = {}
    for search in (incognito, incognito_superroots):
        sets, asked = patients()
        scanned = scans.setdefault(search.__name__, [])
        usual = sets.scan

        def scan(columns, levels, scanned=scanned, usual=usual):  # type: ignore[no-untyped-def]
            scanned.append((columns, levels))
            return usual(columns, levels)

        sets.scan = scan  # type: ignore[method-assign]
        search(sets, asked)
    of_three = {name: sorted(levels for columns, levels in found if len(columns) == 3) for name, found in scans.items()}
    assert of_three["incognito"] == [(0, 1, 2), (1, 0, 2), (1, 1, 0)]
    assert of_three["incognito_superroots"] == [(0, 0, 0)]


def test_what_holds_for_patients() -> None:
    data = am.datasets.load("incognito-patients")
    found = am.generalizations(data.table, data.schema, [am.KAnonymity(2)])
    assert list(found) == [(0, 1, 2), (1, 0, 2), (1, 1, 0), (1, 1, 1), (1, 1, 2)]


@cache
def adult(n_columns: int) -> tuple[object, am.Schema]:
    data = am.datasets.load("adult")
    quasi = FIGURE_9[:n_columns]
    schema = {
        name: replace(column, role="quasi" if name in quasi else "identifier") for name, column in data.schema.items()
    }
    return data.table, am.Schema(schema)


def n_searched(n_columns: int, method: str, marking: str) -> int:
    table, schema = adult(n_columns)
    return am.generalizations(table, schema, [am.KAnonymity(2)], method=method, marking=marking).n_searched


@pytest.mark.known_answer(
    "incognito",
    "section 4.2.1",
    what="nodes searched on Adults, k = 2, bottom-up and Incognito, 3 to 8 attributes, trees found by trying",
    answer="14 and 14; 47 and 35; 206 and 103; 680 and 246; 2,088 and 664; 6,366 and 1,778",
)
@pytest.mark.parametrize(
    ("n_columns", "bottom_up", "incognito"),
    [(3, 14, 14), (4, 47, 35), (5, 206, 103), (6, 680, 246), (7, 2088, 664), (8, 6366, 1778)],
)
def test_section_4_2_1_nodes_searched_on_adults(n_columns: int, bottom_up: int, incognito: int) -> None:
    table, schema = am.datasets.load("adult").table, paper_schema(n_columns)

    def looked_at(method: str) -> int:
        return am.generalizations(table, schema, [am.KAnonymity(2)], method=method, marking="direct").n_searched

    assert n_columns in EXACT
    assert PAPER[n_columns] == (bottom_up, incognito)
    assert (looked_at("bottom-up-search"), looked_at("incognito")) == (bottom_up, incognito)
    if n_columns < 6:
        assert looked_at("incognito-superroots") == looked_at("incognito-cube") == incognito


def test_section_4_2_1_the_trees_have_the_heights_of_figure_9() -> None:
    table = am.datasets.load("adult").table
    lattice = FrequencySets(encode(table, check(paper_schema(9), table))).lattice
    assert lattice.heights == (4, 1, 1, 2, 3, 2, 2, 2, 1)


def test_section_4_2_1_the_whole_lattice_of_adults() -> None:
    table, schema = adult(9)
    coded = encode(table, schema)  # type: ignore[arg-type]
    assert FrequencySets(coded).lattice.n_nodes == 12_960


def test_marking_all_generalizations_looks_at_no_more() -> None:
    """Figure 8 marks the direct generalizations only; what lies further up is met again and counted again."""
    for n_columns in (3, 4, 5):
        for method in ("incognito", "bottom-up-search"):
            assert n_searched(n_columns, method, "all") <= n_searched(n_columns, method, "direct")
    assert n_searched(4, "bottom-up-search", "all") < n_searched(4, "bottom-up-search", "direct")
