"""One page for each declared experiment: what it shows, what it claims, how to run it, its declaration."""

import tomllib
from importlib.resources import files
from typing import Any


def pages() -> dict[str, str]:
    found = {path.name.removesuffix(".toml"): path.read_text(encoding="utf-8") for path in declared()}
    made = {f"experiments/{name}.md": page(name, text) for name, text in sorted(found.items())}
    return made | {"experiments/index.md": index(found)}


def declared() -> list[Any]:
    return [path for path in files("markone.experiments").iterdir() if path.name.endswith(".toml")]


def index(found: dict[str, str]) -> str:
    rows = [
        f"| [{name}]({name}.md) | {tomllib.loads(text)['title']} |" for name, text in sorted(found.items())
    ]
    toctree = "\n".join(sorted(found))
    return (
        "# Experiments\n\n`markone run NAME` computes what is missing, `markone report NAME` draws it over "
        "theory and judges the claims.\n\n| name | question |\n|---|---|\n"
        + "\n".join(rows)
        + f"\n\n```{{toctree}}\n:hidden:\n\n{toctree}\n```\n"
    )


def page(name: str, text: str) -> str:
    made = tomllib.loads(text)
    parts = [f"# {name}", made["title"], made.get("read_first", "").strip(), figures(made), claims(made)]
    commands = (f"check {name}     # tasks and time, nothing is run", f"run {name}", f"report {name}")
    run = "```\n" + "\n".join(f"markone {command}" for command in commands) + "\n```"
    parts += ["## Run it", run, f"## Declaration\n\n```toml\n{text.strip()}\n```"]
    return "\n\n".join(part for part in parts if part) + "\n"


def figures(made: dict[str, Any]) -> str:
    drawn = [
        f"- **{one['name']}**: {', '.join(one.get('measures', []))}"
        + (f" over {one['x']}" if "x" in one else "")
        + (f", beside the theory {', '.join(one['theory'])}" if one.get("theory") else "")
        for one in made.get("figure", [])
    ]
    return "## Figures\n\n" + "\n".join(drawn) if drawn else ""


def claims(made: dict[str, Any]) -> str:
    said = [f"- {one['text']}" for one in made.get("claim", [])]
    return "## Claims, judged in the report\n\n" + "\n".join(said) if said else ""
