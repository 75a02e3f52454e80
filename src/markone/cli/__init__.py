"""The command `markone`."""

from markone.cli.main import main

__all__ = ["main"]
