"""Run one target, or all, under atheris for some seconds each: ``python fuzz/run.py labels --seconds 60``."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
TARGETS = sorted(path.stem for path in (HERE / "targets").glob("*.py"))
sys.path[:0] = [str(HERE), str(HERE.parent / "tests" / "support")]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", choices=[*TARGETS, "all"])
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--corpus", type=Path, default=HERE.parent / "out" / "fuzz")
    asked = parser.parse_args()
    if asked.target != "all":
        return fuzz(asked.target, asked.seconds, asked.corpus)
    ended = {name: _in_a_process(name, asked.seconds, asked.corpus) for name in TARGETS}
    for name, code in ended.items():
        print(f"{name:12} {'held' if code == 0 else 'FAILED'}")
    return max(ended.values())


def _in_a_process(name: str, seconds: int, corpus: Path) -> int:
    command = [sys.executable, __file__, name, "--seconds", str(seconds), "--corpus", str(corpus)]
    return subprocess.run(command).returncode


def fuzz(name: str, seconds: int, corpus: Path) -> int:
    import atheris  # type: ignore[import-not-found, unused-ignore]

    with atheris.instrument_imports(include=["amongst"]):
        target = __import__(f"targets.{name}", fromlist=["one"])
    folder, found = corpus / name, corpus / "found"
    for one in (folder, found):
        one.mkdir(parents=True, exist_ok=True)
    for i, seed in enumerate(target.seeds()):
        (folder / f"seed-{i:03d}").write_bytes(seed)
    options = [
        f"-max_total_time={seconds}",
        "-timeout=20",
        "-rss_limit_mb=3000",
        "-max_len=6000",
        "-print_final_stats=1",
    ]
    atheris.Setup([sys.argv[0], str(folder), f"-artifact_prefix={found}/{name}-", *options], target.one)
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
