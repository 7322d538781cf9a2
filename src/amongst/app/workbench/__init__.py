"""The workbench: columns on the left, the table before and after in the middle, gauges and sliders on the right."""

from __future__ import annotations

from amongst.app.workbench.bench import Workbench

__all__ = ["Workbench"]
