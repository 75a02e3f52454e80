"""`markone docs`: the built documentation of a clone."""

import webbrowser
from pathlib import Path

from markone.cli.terminal import echo

ROOT = Path(__file__).resolve().parents[3]


def open_docs(show: bool, root: Path = ROOT) -> None:
    page = root / "docs" / "_build" / "html" / "index.html"
    if not page.exists():
        here = "in this clone" if (root / "docs" / "conf.py").exists() else "in a clone of the repository"
        raise FileNotFoundError(f"The documentation is not built. Build it {here}: make docs")
    echo(str(page))
    if show:
        webbrowser.open(page.as_uri())
