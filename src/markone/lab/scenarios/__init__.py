"""The scenarios by subject, found by name: a file that defines SCENARIO is one, named after itself."""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path

from markone.lab.scenario import Scenario


def find(name: str) -> Scenario:
    """The scenario in markone/lab/scenarios/<subject>/<name>.py, or beside the subjects."""
    home = _homes(tuple(__path__)).get(name)
    if home is None:
        raise ValueError(f"There is no scenario {name!r}.")
    found: Scenario = import_module(f"{__name__}.{home}").SCENARIO
    return found


def names() -> list[str]:
    """All of them. None is imported for it: that would take seconds."""
    return sorted(_homes(tuple(__path__)))


@cache
def _homes(folders: Sequence[str]) -> dict[str, str]:
    """Name -> module below this package."""
    found: dict[str, str] = {}
    for folder in map(Path, folders):
        for path in sorted([*folder.glob("*.py"), *folder.glob("*/*.py")]):
            if any(line.startswith("SCENARIO = ") for line in path.read_text(encoding="utf-8").splitlines()):
                found.setdefault(path.stem, ".".join(path.relative_to(folder).with_suffix("").parts))
    return found
