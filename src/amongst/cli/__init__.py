"""The command ``amongst``: it reads what was typed, makes the same Python calls, and tells the outcome."""

from amongst.cli.command import main

__all__ = ["main"]
