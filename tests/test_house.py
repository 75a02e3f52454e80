"""The contract of the house: who may import whom, and what an import costs."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import markone

PACKAGE = Path(markone.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))
COMPILED = [path for path in FILES if path.name.startswith("_") and not path.name.startswith("__")]
FLOORS = [
    "errors",
    "numerics",
    "data",
    "base",
    "perceptron",
    "machines hopfield lvq networks",
    "evaluation",
    "show",
    "lab",
    "figures",
    "web",
    "cli",
]


def imports(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module


def floor(room):
    return next((k for k, rooms in enumerate(FLOORS) if room in rooms.split()), len(FLOORS))


@pytest.mark.parametrize("path", COMPILED, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_compiled_files_import_only_numba_numpy_math_and_each_other(path):
    allowed = {"numba", "llvmlite", "numpy", "math", "collections"}
    for name in imports(path):
        compiled = name.split(".")[-1].startswith("_") or name == "markone.numerics.compiling"
        assert name.split(".")[0] in allowed or (name.startswith("markone.") and compiled), name


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_rooms_call_only_the_floors_below(path):
    here = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    for name in imports(path):
        parts = name.split(".")
        if parts[0] == "markone" and len(parts) > 1 and parts[1] != here:
            assert floor(parts[1]) < floor(here), f"{here} imports {name}"


def test_importing_compiles_nothing_and_draws_nothing():
    code = """
import sys, markone
from markone.perceptron import *
from numba.core.dispatcher import Dispatcher
compiled = [f"{m}.{k}" for m, module in list(sys.modules.items()) if m.startswith("markone")
            for k, v in vars(module).items() if isinstance(v, Dispatcher) and v.signatures]
assert not compiled, compiled
assert "matplotlib" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)
