"""The numbered figures of the notes, drawn for the course, and a page that shows them all."""

from pathlib import Path

from markone import figures

PICTURES = Path(__file__).parent.parent / "reference" / "generated" / "figures"


def pages() -> dict[str, str]:
    numbered = [one for one in figures.catalogue() if one.number[0].isdigit()]
    for one in numbered:
        picture(one.number)
    named = [one for one in figures.catalogue() if not one.number[0].isdigit()]
    rows = "\n".join(f"| `{one.number}` | {one.title} |" for one in named)
    parts = [
        "# Figures of the notes",
        "`markone figure NUMBER --out FILE` draws one of them.",
        *(shown(one) for one in numbered),
        "## Figures of the reports",
        "Drawn on demand only.",
        f"| name | what it shows |\n|---|---|\n{rows}\n",
    ]
    return {"figures/index.md": "\n\n".join(parts)}


def shown(one: figures.Figure) -> str:
    alt = one.title.replace('"', "'")
    return f"## Figure {one.number}\n\n{one.title}.\n\n```{{image}} {name(one.number)}\n:alt: {alt}\n```"


def name(number: str) -> str:
    return f"figure-{number.replace('.', '-')}.png"


def picture(number: str) -> None:
    """Drawn once: a figure is the same file each time, and some take seconds. Delete it to draw it anew."""
    path = PICTURES / name(number)
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        figures.draw(number, path)
