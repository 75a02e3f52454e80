"""From a TOML file, or the name of a shipped experiment, to a declaration that can be run."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from markone.errors import DeclarationError
from markone.lab import catalogue
from markone.lab.resolve import resolved
from markone.lab.schema import Declaration
from markone.lab.validate.declaration import validated
from markone.numerics.text import no_such


def load(path_or_name: str | Path) -> Declaration:
    """A TOML file, or an experiment that comes with the package, by its name."""
    path = Path(path_or_name)
    if not path.is_file():
        shipped = catalogue.names()
        if path.suffix or str(path_or_name) not in shipped:
            raise DeclarationError(str(path_or_name), [no_such("file or experiment", str(path), shipped)])
        path = catalogue.FOLDER / f"{path_or_name}.toml"
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DeclarationError(path.name, [f"This is not TOML: {error}."]) from None
    return parse(data, path.name)


def parse(data: Mapping[str, Any], source: str = "The declaration") -> Declaration:
    """All that is wrong is said at once, in one DeclarationError."""
    declaration = validated(data, source)
    try:
        return resolved(declaration)
    except ValueError as error:
        raise DeclarationError(source, [str(error)]) from None
