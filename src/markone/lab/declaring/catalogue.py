"""The shipped experiments, read without pydantic or numpy: `markone list` must not wait for them."""

import difflib
import tomllib
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "experiments"


@dataclass(frozen=True)
class Entry:
    name: str
    title: str
    scenario: str
    path: Path


def entries() -> list[Entry]:
    """Name, title and scenario of every experiment in markone/experiments, by name."""
    return [_read(path) for path in sorted(FOLDER.glob("*.toml"))]


def entry(name: str) -> Entry:
    """The shipped experiment of that name; ValueError with the nearest names if there is none."""
    found = {e.name: e for e in entries()}
    if name in found:
        return found[name]
    near = difflib.get_close_matches(name, found, cutoff=0.4) or list(found)
    raise ValueError(f"There is no experiment {name!r}. Did you mean {', '.join(near)}? See `markone list`.")


def _read(path: Path) -> Entry:
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    return Entry(path.stem, content["title"], content["scenario"], path)
