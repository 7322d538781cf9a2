"""The targets of ``fuzz/`` on their seeds and on bytes that hypothesis makes of them; ``make fuzz`` takes longer."""

from __future__ import annotations

import importlib
import random
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from thorough import some

FUZZ = Path(__file__).parents[2] / "fuzz"
sys.path.insert(0, str(FUZZ))
TARGETS = sorted(path.stem for path in (FUZZ / "targets").glob("*.py") if path.stem != "__init__")


def target(name: str) -> Any:
    return importlib.import_module(f"targets.{name}")


def changed(data: bytes, seed: int) -> bytes:
    """Some bytes flipped, cut out, doubled or put elsewhere."""
    chance, found = random.Random(seed), bytearray(data)
    for _ in range(chance.randint(1, 6)):
        at, end = sorted((chance.randint(0, len(found)), chance.randint(0, len(found))))
        what = chance.choice(["flip", "cut", "double", "move", "special"])
        if what == "flip" and at < len(found):
            found[at] ^= 1 << chance.randint(0, 7)
        elif what == "cut":
            del found[at : at + min(end - at, 20)]
        elif what == "double":
            found[at:at] = found[at : at + min(end - at, 40)]
        elif what == "move":
            part = found[at : at + 10]
            del found[at : at + 10]
            found[end:end] = part
        else:
            found[at:at] = chance.choice([b"\x00", b'"', b"\n", b"\xff", b"[", b"*", b"-", b"9" * 30, b"\xe2\x80\xae"])
    return bytes(found)


@pytest.mark.parametrize("name", TARGETS)
def test_seeds(name: str) -> None:
    module = target(name)
    for seed in module.seeds():
        module.one(seed)


@pytest.mark.parametrize("name", TARGETS)
@given(which=st.integers(0, 10_000), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=some(30))
def test_seeds_with_changes(name: str, which: int, seed: int) -> None:
    module = target(name)
    seeds = module.seeds()
    module.one(changed(seeds[which % len(seeds)], seed))


@pytest.mark.parametrize("name", [name for name in TARGETS if name != "columnar"])
@given(data=st.binary(max_size=200))
@example(data=b"")
@settings(max_examples=some(30))
def test_any_bytes(name: str, data: bytes) -> None:
    target(name).one(data)
