"""Add the output and figures of their code to tours, course and published figures, when the site is built."""

from pathlib import Path

from matplotlib.figure import Figure
from sphinx.application import Sphinx

from generate import run_page

# Folders, and a page, whose code is run.
EXECUTED = ("tours/", "course/", "theory_of_your_own")
PICTURES = Path(__file__).parent.parent / "reference" / "generated" / "executed"
# Largest number of lines of an output.
MOST = 28


def add_outputs(app: Sphinx, docname: str, source: list[str]) -> None:
    if docname.startswith(EXECUTED):
        source[0] = insert_outputs(source[0], docname)


def insert_outputs(text: str, docname: str) -> str:
    PICTURES.mkdir(parents=True, exist_ok=True)
    parts, last, drawn = [], 0, 0
    for ran in run_page.run_blocks(text, docname):
        parts.append(text[last : ran.end])
        last = ran.end
        if ran.printed.strip():
            parts.append(f"\n\n```{{code-block}} none\n:class: output\n\n{shorten_output(ran.printed)}\n```")
        for figure in ran.figures:
            drawn += 1
            name = f"{docname.replace('/', '-')}-{drawn}.png"
            figure.savefig(PICTURES / name, dpi=150, metadata={"Software": None})
            parts.append(
                f'\n\n```{{image}} /reference/generated/executed/{name}\n:alt: "{describe_figure(figure)}"\n'
                ":class: plain\n:width: 34em\n```"
            )
    return "".join([*parts, text[last:]])


def shorten_output(printed: str) -> str:
    lines = printed.rstrip().splitlines()
    left = len(lines) - MOST
    return "\n".join(lines if left <= 3 else [*lines[:MOST], f"... and {left} lines more"])


def describe_figure(figure: Figure) -> str:
    """Return a text alternative: the labels of axes and lines."""
    labels = [(axes.get_ylabel(), axes.get_xlabel()) for axes in figure.axes]
    parts = [f"{y} over {x}" for y, x in labels if x and y]
    legends = [legend for axes in figure.axes if (legend := axes.get_legend())]
    parts += [text.get_text() for legend in legends for text in legend.get_texts()]
    return ", ".join(parts).replace('"', "'") or "Figure of the code above"


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("source-read", add_outputs)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
