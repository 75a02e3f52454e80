"""The experiments and figures of each chapter of the course, included in its page."""

from generate.figures import alternative_text, page_name, picture_file
from markone import figures
from markone.lab import catalogue


def pages() -> dict[str, str]:
    return {f"course/chapter{number}.inc": chapter_part(number) for number in catalogue.CHAPTERS if number}


def chapter_part(number: int) -> str:
    drawn = [one for one in figures.list_figures() if one.number.startswith(f"{number}.")]
    entries = [one for one in catalogue.list_experiments() if one.chapter == number]
    rows = "\n".join(
        f"| [{one.name}](/reference/generated/experiments/{one.name}.md) | {one.title} | {one.time} |"
        for one in entries
    )
    cards = "\n\n".join(chapter_card(one) for one in drawn)
    return "\n\n".join(
        [
            "## All experiments of the chapter",
            f"| name | question | time |\n|---|---|---|\n{rows}",
            "## All figures of the chapter",
            f"::::{{grid}} 2 2 3 3\n:gutter: 3\n\n{cards}\n::::\n",
        ]
    )


def chapter_card(one: figures.Figure) -> str:
    """Return a small picture with a link to its page and script."""
    folder = "/reference/generated/figures"
    link = f":link: {folder}/{page_name(one.number)}\n:link-type: doc"
    image = f":img-top: {folder}/{picture_file(one.number)}\n:img-alt: {alternative_text(one)}"
    return f":::{{grid-item-card}} Figure {one.number}\n{link}\n{image}\n\n{one.title}\n:::"
