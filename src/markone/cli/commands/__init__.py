"""The commands: each names its options and calls one function, imported when it is needed."""

# In the order of `markone --help`: a command joins the application when its module is imported.
from markone.cli.commands import experiments, results, pictures, tables, machine  # isort: skip
from markone.cli.commands.app import app

__all__ = ["app", "experiments", "machine", "pictures", "results", "tables"]
