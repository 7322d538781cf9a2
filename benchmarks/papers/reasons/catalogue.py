"""The reasons by figure, and what was found when they were last run."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.papers.experiment import Panel

Reason = Callable[[str], list[Panel]]
"""Takes a scale and gives tables."""

KEPT = Path(__file__).with_name("reasons.json")


def reason_of(name: str) -> Reason | None:
    """The experiment that shows why a claim does not hold, by the name of the figure."""
    paper = name.partition("-")[0]
    found: Reason | None = import_module(f"benchmarks.papers.reasons.{paper}").REASONS.get(name)
    return found


def kept() -> dict[str, dict[str, Any]]:
    """What was found, by figure: panels, the CPU seconds and the most memory."""
    found: dict[str, dict[str, Any]] = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    return found
