"""Run the code of a page from top to bottom, in a folder of its own: ```python blocks and ```sh blocks.

The tests run pages by this, and the site shows what tours and course print and draw.
"""

import io
import re
import shlex
import tempfile
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

BLOCK = re.compile(r"^```(python|sh)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@dataclass
class Ran:
    """A block, where it ends in the text, what it printed, and the figures that it left open."""

    end: int
    printed: str
    figures: list[Figure] = field(default_factory=list)


def run(text: str, name: str) -> Iterator[Ran]:
    """Each block after the others; whoever takes one has its figures until the next."""
    names: dict[str, Any] = {"__name__": "page"}
    with tempfile.TemporaryDirectory() as folder:
        for number, block in enumerate(BLOCK.finditer(text), 1):
            kind, code = block.groups()
            said = io.StringIO()
            with chdir(folder), redirect_stdout(said):
                if kind == "python":
                    exec(compile(code, f"{name}, block {number}", "exec"), names)
                else:
                    typed(code)
            yield Ran(block.end(), said.getvalue(), [plt.figure(k) for k in plt.get_fignums()])
            plt.close("all")


def typed(code: str) -> None:
    """Lines as in a shell: what is not a command of markone cannot be run here."""
    from markone.cli.main import call

    for line in code.splitlines():
        program, *words = shlex.split(line, comments=True)
        assert program == "markone", line
        told = io.StringIO()
        with redirect_stderr(told):  # progress, or what went wrong
            ended = call(words)
        assert ended == 0, f"{line}\n{told.getvalue()}"
