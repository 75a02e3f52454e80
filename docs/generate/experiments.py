"""One page for each declared experiment: figures, claims, commands, declaration."""

import tomllib
from collections.abc import Callable
from typing import Any

from generate import cores, experiment_runs
from markone.lab import catalogue
from markone.lab.catalogue import Entry

# name -> the files of its figures, and a sentence about them.
Draw = Callable[[str], tuple[list[str], str]]


def pages(draw: Draw | None = None) -> dict[str, str]:
    found = catalogue.list_experiments()
    draw = draw or cores.map_on_cores(experiment_runs.draw_figures, [one.name for one in found]).__getitem__
    return {f"experiments/{one.name}.md": experiment_page(one, draw) for one in found} | {
        "experiments/index.md": experiment_index(found)
    }


def experiment_index(found: list[Entry]) -> str:
    parts = [
        "# Experiments",
        "`markone run NAME` computes what is missing, `markone report NAME` draws it with theory and tests "
        "the claims. Times are those estimated by `markone check NAME` on one core; run it for yours.",
    ]
    for number, title in catalogue.CHAPTERS.items():
        those = [one for one in found if one.chapter == number]
        rows = "\n".join(f"| [{one.name}]({one.name}.md) | {one.title} | {one.time} |" for one in those)
        if those:
            parts.append(f"## {f'Chapter {number}: ' if number else ''}{title}")
            parts.append(f"| name | question | time |\n|---|---|---|\n{rows}")
    toctree = "\n".join(one.name for one in found)
    return "\n\n".join([*parts, f"```{{toctree}}\n:hidden:\n\n{toctree}\n```"]) + "\n"


def experiment_page(one: Entry, draw: Draw) -> str:
    text = one.path.read_text(encoding="utf-8")
    made = tomllib.loads(text)
    place = f"Chapter {one.chapter}: {catalogue.CHAPTERS[one.chapter]}" if one.chapter else "No chapter"
    time = f"about {one.time} on one core" if one.time else "not measured"
    facts = (
        f"| | |\n|---|---|\n| chapter | {place} |\n| time | {time} |\n"
        f"| scenario | [{one.scenario}](../scenarios/{one.scenario}.md) |"
    )
    parts = [f"# {one.name}", made["title"], made.get("read_first", "").strip(), facts]
    parts += [figure_section(one.name, made, draw), claim_section(made)]
    commands = (
        f"check {one.name}     # tasks and time, nothing is run",
        f"run {one.name}",
        f"report {one.name}",
    )
    run = "```\n" + "\n".join(f"markone {command}" for command in commands) + "\n```"
    parts += [f"## Run it\n\n{run}", f"## Declaration\n\n```toml\n{text.strip()}\n```"]
    return "\n\n".join(part for part in parts if part) + "\n"


def figure_section(name: str, made: dict[str, Any], draw: Draw) -> str:
    drawn = made.get("figure", [])
    if not drawn:
        return ""
    files, sentence = draw(name)  # no files if it was not run
    shown = [figure_image(made["title"], file, one) for file, one in zip(files, drawn, strict=False)]
    listed = "\n".join(f"- **{one['name']}**: {figure_contents(one)}" for one in drawn)
    return "\n\n".join(["## Figures", *shown, sentence, listed])


def figure_image(title: str, file: str, one: dict[str, Any]) -> str:
    axes = (
        f"{one['ylabel']} over {one['xlabel']}"
        if "ylabel" in one and "xlabel" in one
        else figure_contents(one)
    )
    words = f"{title}: {axes}".replace("`", "").replace('"', "'").replace("\\", "")
    return f'```{{image}} {file}\n:alt: "{words}"\n:class: plain\n```'


def figure_contents(one: dict[str, Any]) -> str:
    return (
        ", ".join(f"`{measure}`" for measure in one.get("measures", []))
        + (f" over {one['x']}" if "x" in one else "")
        + (f", with the theory {', '.join(one['theory'])}" if one.get("theory") else "")
        + (f"the picture {one['picture']}" if "picture" in one else "")
    )


def claim_section(made: dict[str, Any]) -> str:
    lines = [f"- {one['text']}" for one in made.get("claim", [])]
    return "## Claims, tested in the report\n\n" + "\n".join(lines) if lines else ""
