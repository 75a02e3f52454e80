"""Pages of the reference that the package writes about itself: a new name without a page cannot be."""

from pathlib import Path

from generate import api, commands, course, curves, declarations, experiments, figures, scenarios

# Each has `pages()`: their names and texts. What they draw they write themselves.
WRITERS = (api, commands, course, curves, declarations, scenarios, experiments, figures)


def write_all(folder: Path) -> None:
    """All generated pages, written only where they changed, so that Sphinx rebuilds no more than it must."""
    for writer in WRITERS:
        for name, text in writer.pages().items():
            write(folder / name, text)


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
