"""One page for each figure of the notes and of the reports, with the script that draws it."""

import inspect
from importlib import import_module
from pathlib import Path

from generate import cores
from markone import figures

PICTURES = Path(__file__).parent.parent / "reference" / "generated" / "figures"


def pages() -> dict[str, str]:
    cores.shared(picture, [one.number for one in figures.catalogue()])
    found = {f"figures/{page_name(one.number)}.md": page(one) for one in figures.catalogue()}
    return {"figures/index.md": index()} | found


def index() -> str:
    """Return the gallery: small pictures with links to their pages."""
    cards = "\n\n".join(card(one) for one in figures.catalogue())
    names = "\n".join(page_name(one.number) for one in figures.catalogue())
    return "\n\n".join(
        [
            "# Figures of the notes and of the reports",
            "`markone figure NUMBER --out FILE` draws one of them; its page shows the script.",
            f"::::{{grid}} 2 2 3 3\n:gutter: 3\n\n{cards}\n::::",
            f"```{{toctree}}\n:hidden:\n\n{names}\n```\n",
        ]
    )


def card(one: figures.Figure) -> str:
    link = f":link: {page_name(one.number)}\n:link-type: doc"
    image = f":img-top: {name(one.number)}\n:img-alt: {alt(one)}"
    return f":::{{grid-item-card}} Figure {one.number}\n{link}\n{image}\n\n{one.title}\n:::"


def page(one: figures.Figure) -> str:
    source = inspect.getsource(import_module(one.module)).strip()
    return "\n\n".join(
        [
            f"# Figure {one.number}",
            f"{one.title}.",
            f"```{{image}} {name(one.number)}\n:alt: {alt(one)}\n```",
            f"```\nmarkone figure {one.number} --out figure.svg\n```",
            f"By public calls only:\n\n```python\n{source}\n```\n",
        ]
    )


def alt(one: figures.Figure) -> str:
    return one.title.replace('"', "'")


def page_name(number: str) -> str:
    return f"figure-{number.replace('.', '-')}"


def name(number: str) -> str:
    return f"{page_name(number)}.png"


def picture(number: str) -> None:
    """Draw a figure if its file does not exist: some take seconds. Delete the file to draw it again."""
    path = PICTURES / name(number)
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        figures.draw(number, path)
