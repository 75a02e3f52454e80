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


def _package_stub(package: str) -> str:
    return (
        f"{HEAD}\n{_import_lines(registry.modules_of_names(package))}\nHOMES: dict[str, "
        "str]\n__all__: list[str]\n"
    )


def _markone_stub() -> str:
    packages = _import_lines(dict.fromkeys(registry.SUBJECTS, "markone"))
    names = _import_lines(registry.public_names())
    return f"{HEAD}\n{packages}{names}\n__version__: str\nHOMES: dict[str, str]\n__all__: list[str]\n"


def stub_texts() -> dict[Path, str]:
    """The path and the content of each stub."""
    lazy = {PACKAGE.joinpath(*name.split("."), "__init__.pyi"): _package_stub(name) for name in registry.LAZY}
    return {PACKAGE / "__init__.pyi": _markone_stub()} | lazy


def main() -> None:
    for path, text in stub_texts().items():
        path.write_text(text)


if __name__ == "__main__":
    main()
