"""File formats beside text, Parquet and Arrow: a file here that has ``FORMATS`` is registered."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from amongst.read.formats.format import Content, Format

__all__ = ["Content", "Format", "format_of", "formats"]


@cache
def formats() -> dict[str, Format]:
    """All formats by name, as their files declare them."""
    names = sorted(module.name for module in iter_modules([str(Path(__file__).parent)]))
    found = [vars(import_module(f"{__name__}.{name}")).get("FORMATS", ()) for name in names]
    return {one.name: one for several in found for one in several}


def format_of(path: Path) -> Format | None:
    """The format that a file's name says, or None."""
    name = path.name.lower()
    return next((one for one in formats().values() if name.endswith(one.endings)), None)
