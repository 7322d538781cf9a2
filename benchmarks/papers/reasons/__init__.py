"""Why a claim does not hold here: a small experiment a figure, which shows the reason that is given.

``amongst papers why FIGURE`` runs it. ``python -m benchmarks.papers.reasons [FIGURE...]`` runs some or all and keeps
what was found in ``reasons.json``, which ``write_docs`` puts on the page below the words.
"""

from __future__ import annotations

from benchmarks.papers.reasons.catalogue import KEPT, Reason, kept, reason_of

__all__ = ["KEPT", "Reason", "kept", "reason_of"]
