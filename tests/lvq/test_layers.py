"""Import layers of the package lvq, and no import cycle, lazy imports counted."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from markone import lvq

ROOM = Path(lvq.__file__).parent
FILES = sorted(ROOM.rglob("*.py"))
# A folder imports from those before it (and from itself). The theory and the prototypes know nothing of each
# other: one is compared with the other in the laboratory.
LAYERS = ["distances", "costs", "solvers", "base spaces", "models", "inspect", "displays"]


def name_of(path):
    parts = path.relative_to(ROOM.parents[1]).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in FILES}


def imported(path):
    """Every module of lvq that a file imports: at the top, in a function, for types."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in MODULES)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("markone.lvq"):
            whole = {f"{node.module}.{alias.name}" for alias in node.names} & set(MODULES)
            yield from whole
            if len(whole) < len(node.names):
                yield node.module


def layer(module):
    folder = module.split(".")[2]
    return next((k for k, folders in enumerate(LAYERS) if folder in folders.split()), None)


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_folder_imports_from_those_below(path):
    here = name_of(path)
    for name in imported(path):
        if here.split(".")[2:3] == name.split(".")[2:3]:
            continue
        assert layer(here) is not None, f"{here} imports {name}"
        assert layer(name) is not None, f"{here} imports {name}"
        assert layer(name) < layer(here), f"{here} imports {name}"


def test_no_circle():
    graph = {name: set(imported(path)) - {name} for name, path in MODULES.items()}
    assert len(list(TopologicalSorter(graph).static_order())) == len(MODULES)


def test_a_folder_is_small():
    for folder in {path.parent for path in FILES}:
        assert len(list(folder.glob("*.py"))) <= 16, folder
