"""The command ``amongst``: it reads what was typed, makes the same Python calls, and tells the outcome."""

from __future__ import annotations

from typing import NoReturn

__all__ = ["main"]


def main() -> NoReturn:
    """Run the command with the arguments of the process."""
    from amongst.cli.ending import Ended, end_politely, tell_and_exit
    from amongst.cli.log import LOG

    end_politely()
    try:
        try:
            from amongst.cli.command import run

            run()
        except Ended as ended:
            tell_and_exit(ended)
    except SystemExit as end:
        LOG.end(end.code)
        raise
