"""Run reasons and keep what was found."""

from __future__ import annotations

import json
import sys
import time

from benchmarks.papers.catalogue import find
from benchmarks.papers.reasons.catalogue import KEPT, kept, reason_of


def main() -> None:
    known = {one.name: reason_of(one.name) for name in sys.argv[1:] or ["all"] for one in find(name)}
    for name, reason in known.items():
        if reason is None:
            continue
        began = time.process_time()
        panels = [panel.to_dict() for panel in reason("usual")]
        seconds = round(time.process_time() - began, 1)
        every = {**kept(), name: {"cpu_seconds": seconds, "panels": panels}}
        ordered = {one.name: every[one.name] for one in find("all") if one.name in every}
        KEPT.write_text(json.dumps(ordered, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(f"{name}: {seconds} s of CPU", flush=True)


main()
