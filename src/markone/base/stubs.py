"""Type stubs of the packages with lazy names; `python -m markone.base.stubs` rewrites them.

A type checker cannot follow `__getattr__`: without stubs all names would be `Any` in a user's script.
"""

from collections.abc import Mapping
from pathlib import Path

from markone.base import registry

PACKAGE = Path(__file__).resolve().parent.parent
HEAD = "# Written by `python -m markone.base.stubs` from HOMES in __init__.py; not by hand.\n"


def _import_lines(homes: Mapping[str, str]) -> str:
    """One import line per name; `as` marks it as public."""
    lines = sorted((home, name) for name, home in homes.items())
    return "".join(f"from {home} import {name} as {name}\n" for home, name in lines)


def stub_texts() -> dict[Path, str]:
    """The path and the content of each stub."""
    end = "HOMES: dict[str, str]\n__all__: list[str]\n"
    packages = _import_lines(dict.fromkeys(registry.SUBJECTS, "markone"))
    names = _import_lines(registry.public_names())
    texts = {PACKAGE / "__init__.pyi": f"{HEAD}\n{packages}{names}\n__version__: str\n{end}"}
    for package in registry.LAZY:
        path = PACKAGE.joinpath(*package.split("."), "__init__.pyi")
        texts[path] = f"{HEAD}\n{_import_lines(registry.modules_of_names(package))}\n{end}"
    return texts


def main() -> None:
    for path, text in stub_texts().items():
        path.write_text(text)


if __name__ == "__main__":
    main()
