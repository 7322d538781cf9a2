"""``amongst sign``: who wrote a release."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from amongst.cli import options as o
from amongst.cli.voice import VOICE

ANSWER = {
    "signature": "string: the file with the signature",
    "public_key": "string: the file others check it with",
}


def sign(
    folder: Annotated[Path, typer.Argument(metavar="RELEASE", help="A release folder.")],
    key: Annotated[Path, typer.Option("--key", metavar="FILE", help="A private Ed25519 key, as ssh-keygen makes it.")],
    new_key: Annotated[bool, typer.Option("--new-key", help="Make the key first, and FILE.pub beside it.")] = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Sign a release: its manifest, and with it every file. Others check it with `amongst verify --signer KEY.pub`."""
    from amongst.cli.page import Facts
    from amongst.signature import new_key as make_key
    from amongst.signature import sign as carry_out

    public = make_key(key) if new_key else key.with_name(key.name + ".pub")
    written = carry_out(folder, key)
    told = [("signed", str(written)), ("check", f"amongst verify {folder} --signer {public}")]
    VOICE.result(lambda: {"signature": str(written), "public_key": str(public)}, lambda: [Facts(told)])
