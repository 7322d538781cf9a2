"""The kernels for sets of cuts: compiled and numpy alike, and no reading past an end."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from amongst.kernels import cuts
from amongst.kernels.numpy import cuts as reference_cuts
from thorough import some

compiled = pytest.importorskip("amongst.kernels.cpp._cuts", reason="no compiled kernels here")


def random_cuts(rng: np.random.Generator, most_atoms: int, most_columns: int = 5) -> dict[str, Any]:
    n_columns, n = int(rng.integers(1, most_columns + 1)), int(rng.integers(0, 80))
    n_atoms = rng.integers(1, most_atoms + 1, n_columns)
    atoms = np.stack([rng.integers(0, size, n) for size in n_atoms], axis=1).astype(np.uint16)
    first_cut = np.append(0, np.cumsum(n_atoms - 1)).astype(np.int64)
    fine = rng.random(first_cut[-1]) < rng.random()
    return {
        "atoms": atoms,
        "weight": rng.integers(1, 4, n).astype(np.uint32),
        "first_cut": first_cut,
        "fine": fine,
        "coarse": fine & (rng.random(len(fine)) < rng.random()),
        "k": int(rng.integers(1, 9)),
    }


def both(rng: np.random.Generator, given_: dict[str, Any]) -> None:
    ours, theirs = cuts.merge_cells(**given_), reference_cuts.merge_cells(**given_)
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(one, other)
        assert getattr(one, "dtype", int) == getattr(other, "dtype", int)
    atoms, weight, class_of_cell, size, _ = ours
    n_atoms = np.diff(given_["first_cut"]) + 1
    rest = (given_["first_cut"], n_atoms - (rng.random(len(n_atoms)) < 0.3), given_["k"])
    prices = [rng.integers(0, 1000, len(weight)) for _ in range(2)]
    effects = [
        kernels.cut_effects(atoms, weight, class_of_cell, len(size), *rest, *prices)
        for kernels in (cuts, reference_cuts)
    ]
    np.testing.assert_array_equal(*effects)
    assert effects[0].dtype == effects[1].dtype


def test_on_thousands_of_tables() -> None:
    rng = np.random.default_rng(1)
    for _ in range(some(1500)):
        both(rng, random_cuts(rng, 9))


@given(st.integers(0, 2**32 - 1))
def test_on_tables_that_hypothesis_finds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    both(rng, random_cuts(rng, 300))


def test_more_combinations_than_a_word_holds() -> None:
    rng = np.random.default_rng(2)
    for _ in range(some(100)):
        both(rng, random_cuts(rng, 60, most_columns=30))


def test_classes_in_several_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference_cuts, "CLASSES_AT_ONCE", 3)
    rng = np.random.default_rng(3)
    for _ in range(some(200)):
        both(rng, random_cuts(rng, 6))


def test_effects_of_one_cut_are_what_the_cut_does() -> None:
    """Counted in lists: make the cut, and compare."""
    rng = np.random.default_rng(4)
    for _ in range(some(150)):
        table = random_cuts(rng, 5, 3)
        atoms, weight, own, size, _ = cuts.merge_cells(**table)
        floor, now = rng.integers(0, 50, len(weight)), rng.integers(0, 50, len(weight))
        n_priced = np.diff(table["first_cut"]) + 1
        k, first_cut = table["k"], table["first_cut"]
        effects = cuts.cut_effects(atoms, weight, own, len(size), first_cut, n_priced, k, floor, now)
        for c in range(atoms.shape[1]):
            for atom in range(int(n_priced[c]) - 1):
                wanted = np.zeros(8, dtype=np.int64)
                for group in range(len(size)):
                    inside = own == group
                    left, right = inside & (atoms[:, c] <= atom), inside & (atoms[:, c] > atom)
                    if not left.any() or not right.any():
                        continue
                    rows = [int(weight[side].sum()) for side in (left, right)]
                    lost = [n < k for n in rows]
                    wanted[0] += 1
                    wanted[1] += not all(lost)
                    wanted[7] += sum(rows) ** 2
                    for i, side in enumerate((left, right)):
                        if lost[i]:
                            wanted[2] += rows[i]
                            wanted[3 + i] += rows[i]
                            wanted[5] += int((weight[side] * floor[side]).sum())
                            wanted[6] += int((weight[side] * now[side]).sum())
                        else:
                            wanted[7] -= rows[i] ** 2
                assert effects[:, first_cut[c] + atom].tolist() == wanted.tolist()


def test_wrong_arguments_raise() -> None:
    good = random_cuts(np.random.default_rng(5), 5, 3)
    good = {
        **good,
        "atoms": np.array([[0, 1], [2, 0]], dtype=np.uint16),
        "weight": np.ones(2, dtype=np.uint32),
    }
    good |= {
        "first_cut": np.array([0, 2, 3]),
        "fine": np.ones(3, dtype=bool),
        "coarse": np.zeros(3, dtype=bool),
    }
    cuts.merge_cells(**good)
    wrong: list[dict[str, Any]] = [
        {"atoms": np.array([[3, 1], [2, 0]], dtype=np.uint16)},
        {"atoms": np.array([[0, 2], [2, 0]], dtype=np.uint16)},
        {"atoms": np.array([[0, 1]], dtype=np.uint16)},
        {"atoms": np.array([[0, 1], [2, 0]], dtype=np.uint8)},
        {"weight": np.ones(3, dtype=np.uint32)},
        {"first_cut": np.array([0, 3, 2])},
        {"first_cut": np.array([1, 2, 3])},
        {"first_cut": np.array([0])},
        {"fine": np.ones(2, dtype=bool)},
        {"coarse": np.ones(4, dtype=bool)},
        {"k": 0},
    ]
    for change in wrong:
        with pytest.raises((ValueError, TypeError, IndexError)):
            cuts.merge_cells(**{**good, **change})
    cells = (
        good["atoms"],
        good["weight"],
        np.zeros(2, dtype=np.int32),
        1,
        good["first_cut"],
        np.array([3, 2]),
        1,
    )
    prices = (np.zeros(2, dtype=np.int64), np.zeros(2, dtype=np.int64))
    cuts.cut_effects(*cells, *prices)
    for i, part in [
        (2, np.ones(2, dtype=np.int32)),
        (2, -np.ones(2, dtype=np.int32)),
        (3, 0),
        (5, np.array([3])),
    ]:
        with pytest.raises((ValueError, TypeError, IndexError)):
            cuts.cut_effects(*cells[:i], part, *cells[i + 1 :], *prices)
    with pytest.raises(ValueError):
        cuts.cut_effects(*cells, prices[0], prices[1][:1])
