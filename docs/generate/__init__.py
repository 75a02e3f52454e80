"""Generated pages of the reference: every public name has one."""

from pathlib import Path

from generate import api, commands, course, curves, declarations, equations, experiments, figures, scenarios

# Each has `pages()`, which returns names and texts; figures are written by the modules themselves.
WRITERS = (api, commands, course, curves, declarations, equations, scenarios, experiments, figures)


def write_all(folder: Path) -> None:
    """Write all generated pages that have changed: Sphinx rebuilds only these."""
    for writer in WRITERS:
        for name, text in writer.pages().items():
            write_if_changed(folder / name, text)


def write_if_changed(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
