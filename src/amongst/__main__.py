"""``python -m amongst`` is the command ``amongst``."""

from amongst.cli import main

main()
