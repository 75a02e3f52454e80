"""Run the ```python and ```sh blocks of a page from top to bottom, in an empty folder.

Used by the tests of pages, and by the site for the outputs of tours and course.
"""

import io
import linecache
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
class BlockOutput:
    """A block that was run: its end in the text, its output and its open figures."""

    end: int
    printed: str
    figures: list[Figure] = field(default_factory=list)


def run_blocks(text: str, name: str) -> Iterator[BlockOutput]:
    """Run block after block; the figures of one are closed before the next."""
    names: dict[str, Any] = {"__name__": "__main__"}  # as in a notebook
    with tempfile.TemporaryDirectory() as folder:
        for number, block in enumerate(BLOCK.finditer(text), 1):
            kind, code = block.groups()
            output = io.StringIO()
            with chdir(folder), redirect_stdout(output):
                if kind == "python":
                    place = f"{name}, block {number}"
                    linecache.cache[place] = (len(code), None, code.splitlines(True), place)
                    exec(compile(code, place, "exec"), names)
                else:
                    run_shell_lines(code)
            yield BlockOutput(block.end(), output.getvalue(), [plt.figure(k) for k in plt.get_fignums()])
            plt.close("all")


def run_shell_lines(code: str) -> None:
    """Run lines of a shell; only commands of markone are possible."""
    from markone.cli.main import run_command_line

    for line in code.splitlines():
        program, *words = shlex.split(line, comments=True)
        assert program == "markone", line
        errors = io.StringIO()
        with redirect_stderr(errors):  # progress or errors
            code = run_command_line(words)
        assert code == 0, f"{line}\n{errors.getvalue()}"
