"""Python runs this at its start when the folder is on PYTHONPATH: workers then find the toy scenario too."""

from pathlib import Path

from markone.lab import scenarios

scenarios.__path__.append(str(Path(__file__).parent / "scenarios"))
