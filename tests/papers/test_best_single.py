"""What stands in for the best single-dimensional partitioning."""

from __future__ import annotations

from benchmarks.papers.experiment import Panel
from benchmarks.papers.mondrian import FULL, MULTI, SINGLE, best_single


def test_a_full_domain_recoding_and_one_for_a_larger_k_are_single_dimensional_too():
    panel = Panel("", "k", "C_DM", [2, 5, 10], {MULTI: [1, 2, 3], SINGLE: [9, 30, 12], FULL: [20, 25, 40]})
    assert best_single(panel, by_k=False).series[SINGLE] == [9, 25, 12]
    assert best_single(panel, by_k=True).series[SINGLE] == [9, 12, 12]
    assert best_single(panel, by_k=True).series[FULL] == [20, 25, 40]
