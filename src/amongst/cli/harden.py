"""What was typed about attacks that must fail."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from amongst.errors import BadOption
from amongst.job.fields import harden_of_fields

if TYPE_CHECKING:
    from amongst.harden.harden import Harden


def harden_in(wanted: bool, promises: Sequence[str] | None) -> Harden | None:
    """What no attack may achieve; nothing where it was not asked for."""
    if not wanted and not promises:
        return None
    from amongst.harden.harden import Harden

    given: dict[str, Any] = {}
    for text in promises or ():
        try:
            given |= tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            fix = "write it as in [harden] of a job file: --promise membership=0.01, --promise certain=false"
            raise BadOption("This promise cannot be read.", found=f"--promise {text}", fix=fix) from None
    return harden_of_fields(given) if given else Harden()
