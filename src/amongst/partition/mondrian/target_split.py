"""Mondrian for a model: cut where it tells most about the class, or the number, of the rows."""

from __future__ import annotations

from collections.abc import Sequence

from amongst.encode import CodedTable
from amongst.encode.target import has_classes, scores_of
from amongst.kernels import target
from amongst.models import Model
from amongst.partition.feasible import feasible_conditions
from amongst.partition.partition import Partition
from amongst.partition.pricing import boxed, prices_of


def target_split(table: CodedTable, models: Sequence[Model]) -> Partition:
    """Top-down partitioning where every cut is the one with the largest gain on the target.

    Of classes that is information, of numbers (more than 100 of them) the fall of their squared deviance from the mean.

    Paper
        LeFevre, DeWitt, Ramakrishnan, *Mondrian Multidimensional K-Anonymity*, ICDE 2006: the frame of figure 7; what
        the data are wanted for taken into the algorithm is a future direction of its section 5. The measure is the
        information gain of decision trees; of numbers the least squared deviance of regression trees.
    Guarantees
        Every group has at least k rows and holds the other models; rows with the same quasi-identifiers stay together.
    Choices
        Cuts of a group: between any two neighbouring codes of a column; of a column with a tree between children of
        the lowest node above the group, and anywhere where no column has a cut else. Both sides keep k rows. The cut
        with the largest fall of (rows x entropy of the classes) is taken; where cuts tell the same, and so also where
        no cut tells anything, that of the widest column by weighted NCP, then the most even one, then the first
        column and the lowest code. With models of sensitive values the 32 cuts that tell most are tried, then the
        most even cut of every column, the widest first. Entropies are whole numbers, so that every machine cuts alike;
        so are numbers, in steps of 1/65536 of their range.
    Departures
        Mondrian cuts the widest column at its median.
    Cost
        O(d n) a level. Of numbers it is worked out without a compiled kernel, some ten times as slowly.
    """
    assert table.target is not None
    conditions = feasible_conditions(table, models)
    asked, prices = table.target, prices_of(table)
    if has_classes(asked):
        group = target.target_split(prices, table.codes, asked.codes, asked.n_codes, conditions.k, conditions)
    else:
        group = target.deviance_split(prices, table.codes, scores_of(asked), conditions.k, conditions)
    return boxed(table, group, target=asked.name)
