"""A commented copy of a shipped experiment, to be edited."""

import re
from pathlib import Path

from markone.lab.declaring import catalogue


def write(name: str, target: Path | None = None, force: bool = False) -> Path:
    """Copy the shipped experiment to `target` (<name>.toml here); its `name` becomes the file's."""
    text = catalogue.entry(name).path.read_text(encoding="utf-8")
    target = target or Path(f"{name}.toml")
    if target.exists() and not force:
        raise FileExistsError(f"{target} exists already. Choose another file, or overwrite it with --force.")
    # A function, since a backslash in a replacement string would be read as an escape.
    text = re.sub(r'^name = "[^"]*"', lambda _: f'name = "{target.stem}"', text, count=1, flags=re.MULTILINE)
    target.write_text(text, encoding="utf-8")
    return target
