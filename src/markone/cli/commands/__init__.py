"""Command definitions: options of each command; the implementation is imported when it runs."""

# In the order of `markone --help`: importing a module registers its commands.
from markone.cli.commands import experiments, results, documents, tables, system  # isort: skip
from markone.cli.commands.app import app

__all__ = ["app", "documents", "experiments", "results", "system", "tables"]
