"""Structure of the package: layers, import cycles, compiled files, and the cost of an import."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import markone
from import_graph import graph, knots, module_of
from markone.base import registry

PACKAGE = Path(markone.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))
COMPILED = [path for path in FILES if path.name.startswith("_") and not path.name.startswith("__")]


def imports(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module


def floor(room):
    return next((k for k, rooms in enumerate(registry.LAYERS) if room in rooms), len(registry.LAYERS))


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


def private(node):
    """The private names of scikit-learn in one import."""
    if not isinstance(node, ast.ImportFrom) or (node.module or "").split(".")[0] != "sklearn":
        return []
    hidden = any(part.startswith("_") for part in node.module.split("."))
    return [alias.name for alias in node.names if hidden or alias.name.startswith("_")]


def test_one_file_alone_imports_private_names_of_scikit_learn():
    trees = {path: ast.walk(ast.parse(path.read_text())) for path in FILES}
    importers = {path.name for path, nodes in trees.items() if any(private(node) for node in nodes)}
    assert importers == {"sklearn_compat.py"}


def compiled_in(path):
    """Functions of one file that are compiled: decorated as `part` or `entry`."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef) and any(
            isinstance(mark, ast.Name) and mark.id in ("part", "entry") for mark in node.decorator_list
        ):
            yield node.name


def test_what_is_compiled_in_a_plain_file_is_used_there_alone():
    """The cache is named after compiled files (`_*.py`); in others numba sees changes of the file itself."""
    homes = {
        ".".join(("markone", *path.relative_to(PACKAGE).with_suffix("").parts)): set(compiled_in(path))
        for path in FILES
        if path not in COMPILED
    }
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom):
                used = homes.get(node.module, set()) & {alias.name for alias in node.names}
                assert not used, f"{path.name} imports {used} of {node.module}: move them to a file _name.py"


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


FOLDERS = sorted({path.parent.relative_to(PACKAGE).as_posix() for path in FILES})


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_module_imports_itself_by_way_of_others(folder):
    """Imports in functions and for types count: a folder is a layer or a subject, not a drawer."""
    here = {module_of(path) for path in (PACKAGE / folder).glob("*.py")}
    assert [sorted(knot) for knot in knots() if knot & here] == []


# Each calls only what stands above it in this list, or itself.
FILES_OF_LAB = sorted((PACKAGE / "lab").rglob("*.py"))
LAB = [
    "catalogue formatting notebook_code run_paths ranges source_files",
    "own_code",
    "scenario",
    "scenarios",
    "schema",
    "validate",
    "load",
    "overrides",
    "data_used expansion rounds statistics",
    "deduplicate tasks",
    "done_blocks",
    "survey",
    "cpu_kinds",
    "chi_square store",
    "agreement runner",
    "claims plots",
    "report",
    "result",
    "comparison experiment",
    "documents",
]
COMPUTED = ("tasks", "done_blocks", "survey", "store", "runner")
SHOWN = ("statistics", "chi_square", "agreement", "claims", "plots", "report")


@pytest.mark.parametrize("path", FILES_OF_LAB, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_the_lab_has_layers(path):
    here = lab_part(module_of(path))
    for name in graph()[module_of(path)]:
        if here and (there := lab_part(name)) and there != here:
            assert layer(there) < layer(here), f"{here} imports {name}"
            # What is shown does not depend on how it was computed and stored.
            assert here not in SHOWN or there not in COMPUTED, f"{here} imports {name}"


def lab_part(module):
    parts = module.split(".")
    return parts[2] if parts[1:2] == ["lab"] and len(parts) > 2 and parts[2] != "fitting" else None


def layer(part):
    return next(k for k, parts in enumerate(LAB) if part in parts.split())


def test_no_class_of_the_lab_shares_its_name_with_another():
    """Each scenario has its `Parameters`; any other name means one thing."""
    homes = {}
    for path in FILES:
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and node.name != "Parameters":
                homes.setdefault(node.name, []).append(module_of(path))
    shared = {name: found for name, found in homes.items() if len(found) > 1}
    assert {name: found for name, found in shared.items() if any(map(lab_part, found))} == {}
