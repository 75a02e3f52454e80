"""The shipped experiments, read without pydantic or numpy, so that `markone list` is fast."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from markone.numerics.text import unknown_name_text

FOLDER = Path(__file__).resolve().parents[1] / "experiments"
# Chapters of the notes, by which `markone list` groups the experiments.
CHAPTERS = {
    1: "From neurons to networks",
    2: "Learning from examples",
    3: "The perceptron",
    4: "Beyond linear separability",
    5: "Prototypes",
    6: "Validation",
    0: "Others",
}
# In the first comment of a shipped declaration; valid for that declaration only.
TIME = re.compile(r"^# About (.+) on one core\.\n", re.MULTILINE)


@dataclass(frozen=True)
class Entry:
    name: str
    title: str
    scenario: str
    path: Path
    chapter: int = 0
    time: str = ""


def experiment_names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def list_experiments() -> list[Entry]:
    """Name, title, scenario, chapter and time of every experiment in markone/experiments, by name."""
    return [_read_entry(FOLDER / f"{name}.toml") for name in experiment_names()]


def find_experiment(name: str) -> Entry:
    """The shipped experiment of that name; ValueError with the nearest name if it does not exist."""
    if name not in experiment_names():
        raise ValueError(f"{unknown_name_text('experiment', name, experiment_names())} See `markone list`.")
    return _read_entry(FOLDER / f"{name}.toml")


def _read_entry(path: Path) -> Entry:
    text = path.read_text(encoding="utf-8")
    content, found = tomllib.loads(text), TIME.search(text)
    time = found[1] if found else ""
    return Entry(path.stem, content["title"], content["scenario"], path, content.get("chapter", 0), time)


def copy_experiment(name: str, target: Path | None = None, force: bool = False) -> Path:
    """Copy the shipped experiment to `target` (<name>.toml here); its `name` becomes the file's."""
    text = find_experiment(name).path.read_text(encoding="utf-8")
    target = target or Path(f"{name}.toml")
    if target.exists() and not force:
        raise FileExistsError(f"{target} exists already. Choose another file, or overwrite it with --force.")
    text = TIME.sub("", text, count=1)
    # A function, since a backslash in a replacement string would be read as an escape.
    text = re.sub(r'^name = "[^"]*"', lambda _: f'name = "{target.stem}"', text, count=1, flags=re.MULTILINE)
    target.write_text(text, encoding="utf-8")
    return target
