"""Escape |w| and coef_ in docstrings, which are not markup there."""

import re
from typing import Any

from sphinx.application import Sphinx

# Text in backticks is kept; else a bar, or a name that ends in an underscore.
TOKEN = re.compile(r"``.*?``|`[^`]*`_{0,2}|(?<!\\)\|(?!\w+\|_)|(?<=[A-Za-z0-9])_(?=[\s,.;:)\]/]|$)")


def escape_line(line: str) -> str:
    return TOKEN.sub(lambda found: found[0] if found[0].startswith("`") else "\\" + found[0], line)


def escape_docstring(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    for k, line in enumerate(lines):
        if not line.lstrip().startswith((">>>", "...", ".. ", ":")):
            lines[k] = escape_line(line)


def setup(app: Sphinx) -> dict[str, bool]:
    # After numpydoc (500), which handles the names of parameters itself.
    app.connect("autodoc-process-docstring", escape_docstring, priority=600)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
