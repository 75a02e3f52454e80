"""Type stubs of the packages whose names are loaded lazily: `python -m markone.base.stubs` writes them anew.

A type checker cannot follow `__getattr__`, so that without them a user's script would see `Any` everywhere.
"""

from collections.abc import Mapping
from pathlib import Path

from markone.base import registry

PACKAGE = Path(__file__).resolve().parent.parent
HEAD = "# Written by `python -m markone.base.stubs` from HOMES in __init__.py; not by hand.\n"


def imports(homes: Mapping[str, str]) -> str:
    """A line for each name; `as` makes it public."""
    lines = sorted((home, name) for name, home in homes.items())
    return "".join(f"from {home} import {name} as {name}\n" for home, name in lines)


def of_package(package: str) -> str:
    return f"{HEAD}\n{imports(registry.homes(package))}\nHOMES: dict[str, str]\n__all__: list[str]\n"


def of_markone() -> str:
    rooms = imports(dict.fromkeys(registry.SUBJECTS, "markone"))
    names = imports(registry.public_names())
    return f"{HEAD}\n{rooms}{names}\n__version__: str\nHOMES: dict[str, str]\n__all__: list[str]\n"


def texts() -> dict[Path, str]:
    """Each stub and what it must hold."""
    lazy = {PACKAGE.joinpath(*name.split("."), "__init__.pyi"): of_package(name) for name in registry.LAZY}
    return {PACKAGE / "__init__.pyi": of_markone()} | lazy


def main() -> None:
    for path, text in texts().items():
        path.write_text(text)


if __name__ == "__main__":
    main()
