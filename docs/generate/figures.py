"""One page for each figure of the notes and of the reports, with the script that draws it."""

import inspect
from importlib import import_module
from pathlib import Path

from generate import cores
from markone import figures

PICTURES = Path(__file__).parent.parent / "reference" / "generated" / "figures"


def pages() -> dict[str, str]:
    cores.map_on_cores(draw_picture, [one.number for one in figures.list_figures()])
    found = {f"figures/{page_name(one.number)}.md": figure_page(one) for one in figures.list_figures()}
    return {"figures/index.md": figure_index()} | found


def figure_index() -> str:
    """Return the gallery: small pictures with links to their pages."""
    cards = "\n\n".join(figure_card(one) for one in figures.list_figures())
    names = "\n".join(page_name(one.number) for one in figures.list_figures())
    return "\n\n".join(
        [
            "# Figures of the notes and of the reports",
            "`markone figure NUMBER --out FILE` draws one of them; its page shows the script.",
            f"::::{{grid}} 2 2 3 3\n:gutter: 3\n\n{cards}\n::::",
            f"```{{toctree}}\n:hidden:\n\n{names}\n```\n",
        ]
    )


def figure_card(one: figures.Figure) -> str:
    link = f":link: {page_name(one.number)}\n:link-type: doc"
    image = f":img-top: {picture_file(one.number)}\n:img-alt: {alternative_text(one)}"
    return f":::{{grid-item-card}} Figure {one.number}\n{link}\n{image}\n\n{one.title}\n:::"


def figure_page(one: figures.Figure) -> str:
    source = inspect.getsource(import_module(one.module)).strip()
    return "\n\n".join(
        [
            f"# Figure {one.number}",
            f"{one.title}.",
            f"```{{image}} {picture_file(one.number)}\n:alt: {alternative_text(one)}\n```",
            f"```\nmarkone figure {one.number} --out figure.svg\n```",
            f"By public calls only:\n\n```python\n{source}\n```\n",
        ]
    )


def alternative_text(one: figures.Figure) -> str:
    return one.title.replace('"', "'")


def page_name(number: str) -> str:
    return f"figure-{number.replace('.', '-')}"


def picture_file(number: str) -> str:
    return f"{page_name(number)}.png"


def draw_picture(number: str) -> None:
    """Draw a figure if its file does not exist: some take seconds. Delete the file to draw it again."""
    path = PICTURES / picture_file(number)
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        figures.draw(number, path)
