"""Write docs/reference.md: every public name of every package with the first paragraph of its docstring.

python docs/make_reference.py   (make docs)
"""

import inspect
from importlib import import_module
from pathlib import Path

from markone import theory
from markone.base import registry

HERE = Path(__file__).parent


def write_page() -> str:
    lines = ["# Reference: every public name", "", "*Written by `make docs` from the docstrings.*", ""]
    return "\n".join(
        [
            *lines,
            *introduction_lines(),
            *(line for package in registry.LAZY for line in package_lines(package)),
        ]
    )


def introduction_lines() -> list[str]:
    subjects = ", ".join(f"`{package}`" for package in registry.SUBJECTS)
    functions = ", ".join(f"`{name}`" for name in registry.TOP_LEVEL_FUNCTIONS)
    return [
        f"The classes of {subjects} and {functions} are names of `markone` itself;",
        "everything else is imported from its package.",
        f"[theory.md](theory.md) lists the {len(theory.list())} curves of `markone.theory`.",
        "",
    ]


def package_lines(package: str) -> list[str]:
    module = import_module(f"markone.{package}")
    rows = [f"| `{name}` | {first_paragraph(getattr(module, name))} |" for name in module.__all__]
    return [
        f"## markone.{package}",
        "",
        first_paragraph(module),
        "",
        "| name | what it is |",
        "|---|---|",
        *rows,
        "",
    ]


def first_paragraph(what: object) -> str:
    """Return the first paragraph of the docstring on one line; H^[k](w) is a formula, not a link."""
    text = inspect.getdoc(what) or ""
    return " ".join(text.split("\n\n")[0].split()).replace("|", "\\|").replace("](", "]\\(")


def main() -> None:
    (HERE / "reference.md").write_text(write_page())


if __name__ == "__main__":
    main()
