"""Structure of the package: layers, import cycles, names, sizes, and the cost of an import.

One test for each rule; a failure lists all offenders. Limits marked "may only fall" are today's values of
rules that are not met everywhere yet: lower them, never raise them.
"""

import ast
import re
import subprocess
import sys
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

import pytest

from import_graph import PACKAGE, graph, import_nodes, knots, module_of, parsed_files
from markone.base import registry
from measures import (
    INTERFACES,
    LARGE_FOLDER,
    LONG_FUNCTION,
    all_functions,
    count_arguments,
    count_code_lines,
    is_one_word,
    measure_walks,
)

ROOT = Path(__file__).parent.parent


@cache
def compiled_files():
    """Files `_name.py`, parsed when the first test asks and not when tests are collected."""
    return [path for path in parsed_files() if path.name.startswith("_") and not path.name.startswith("__")]


@cache
def functions_of_files():
    return {path: all_functions(tree) for path, tree in parsed_files().items()}


def named(path):
    return path.relative_to(PACKAGE).as_posix()


def imports(path):
    for node in import_nodes()[path]:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        else:
            yield node.module


def layer_of(package):
    return next((k for k, row in enumerate(registry.LAYERS) if package in row), len(registry.LAYERS))


def test_compiled_files_import_only_numba_numpy_math_and_each_other():
    allowed = {"numba", "llvmlite", "numpy", "math", "collections", "typing"}
    assert [
        f"{named(path)} imports {name}"
        for path in compiled_files()
        for name in imports(path)
        if name.split(".")[0] not in allowed
        and not (
            name.startswith("markone.")
            and (name.split(".")[-1].startswith("_") or name == "markone.numerics.compiling")
        )
    ] == []


def test_packages_import_only_from_lower_layers():
    wrong = []
    for path in parsed_files():
        here = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        for name in imports(path):
            parts = name.split(".")
            if parts[0] == "markone" and len(parts) > 1 and parts[1] != here:
                wrong += [f"{named(path)} imports {name}"] * (layer_of(parts[1]) >= layer_of(here))
    assert wrong == []


def private_names(node):
    """Private names of scikit-learn in one import."""
    if not isinstance(node, ast.ImportFrom) or (node.module or "").split(".")[0] != "sklearn":
        return []
    hidden = any(part.startswith("_") for part in node.module.split("."))
    return [alias.name for alias in node.names if hidden or alias.name.startswith("_")]


def test_one_file_alone_imports_private_names_of_scikit_learn():
    importers = {path.name for path in parsed_files() if any(map(private_names, import_nodes()[path]))}
    assert importers == {"sklearn_compat.py"}


def is_compiled(function):
    return any(
        isinstance(mark, ast.Name) and mark.id in ("part", "entry") for mark in function.decorator_list
    )


def test_what_is_compiled_in_a_plain_file_is_used_there_alone():
    """The cache is named after compiled files (`_*.py`); in others numba sees changes of the file itself."""
    compiled = {
        module_of(path): {function.name for function in functions if is_compiled(function)}
        for path, functions in functions_of_files().items()
        if path not in compiled_files()
    }
    assert [
        f"{named(path)} imports {alias.name} of {node.module}: move it to a file _name.py"
        for path, nodes in import_nodes().items()
        for node in nodes
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name in compiled.get(node.module, ())
    ] == []


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


def test_there_are_no_import_cycles():
    """Imports in functions and for types count."""
    assert [sorted(knot) for knot in knots()] == []


# Files that use the compiler below numba's public interface. May only fall: llvmlite to 2 files (one of
# them writes WebAssembly, which is its purpose), numba to 2.
LLVMLITE_FILES, NUMBA_PRIVATE_FILES = 3, 6


def test_few_files_use_the_compiler_directly():
    llvmlite = [
        named(path) for path in parsed_files() if any(n.startswith("llvmlite") for n in imports(path))
    ]
    private = [named(path) for path in parsed_files() if any(n.startswith("numba.") for n in imports(path))]
    assert len(llvmlite) <= LLVMLITE_FILES, llvmlite
    assert len(private) <= NUMBA_PRIVATE_FILES, private


# Each calls only what stands above it in this list, or itself.
LAB = [
    "catalogue formatting foreign_code run_paths ranges",
    "scenario",
    "theories",
    "scenarios",
    "schema",
    "validate",
    "load",
    "overrides",
    "recorded_facts schedule statistics",
    "store",
    "runner",
    "claims plots",
    "report",
    "result",
    "comparison experiment",
    "documents",
]
COMPUTED = ("schedule", "store", "runner")
SHOWN = ("statistics", "claims", "plots", "report")


def test_the_lab_has_layers():
    wrong = []
    for module, imported in graph().items():
        here = lab_part(module)
        for name in imported if here else ():
            there = lab_part(name)
            if there and there != here:
                # What is shown does not depend on how it was computed and stored.
                shown = here in SHOWN and there in COMPUTED
                wrong += [f"{module} imports {name}"] * (lab_layer(there) >= lab_layer(here) or shown)
    assert wrong == []


def lab_part(module):
    parts = module.split(".")
    return parts[2] if parts[1:2] == ["lab"] and len(parts) > 2 and parts[2] != "fitting" else None


def lab_layer(part):
    found = [k for k, parts in enumerate(LAB) if part in parts.split()]
    assert found, f"markone.lab.{part} has no place in the layers of the lab"
    return found[0]


def test_no_class_of_the_lab_shares_its_name_with_another():
    """Each scenario has its `Parameters`; any other name means one thing."""
    homes = defaultdict(list)
    for path, tree in parsed_files().items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and node.name != "Parameters":
                homes[node.name].append(module_of(path))
    shared = {name: found for name, found in homes.items() if len(found) > 1}
    assert {name: found for name, found in shared.items() if any(map(lab_part, found))} == {}


@cache
def public_functions():
    """{name: files} of the public module-level functions that implement no shared interface."""
    found = defaultdict(set)
    for path, tree in parsed_files().items():
        for node in tree.body:
            public = isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
            if public and node.name not in INTERFACES and "theory" not in path.parts and not is_command(node):
                found[node.name].add(path)
    return found


def is_command(function):
    """True for a command of the command line, which its decorator registers."""
    return any("command" in ast.unparse(mark) for mark in function.decorator_list)


# Public functions whose name another file has, too. May only fall, to 0.
SHARED_NAMES = 0


def test_public_functions_have_unique_names():
    shared = {name: [named(path) for path in paths] for name, paths in public_functions().items()}
    shared = {name: paths for name, paths in shared.items() if len(paths) > 1}
    assert len(shared) <= SHARED_NAMES, shared


@cache
def words_of_sources():
    """{file: its words} of all files that may use a function, strings and pages included."""
    folders = ("src", "tests", "benchmarks", "drills", "examples", "docs", ".ci")
    endings = (".py", ".pyi", ".md", ".toml", ".js", ".html")
    paths = [
        path
        for folder in folders
        for path in (ROOT / folder).rglob("*")
        if path.suffix in endings and "_build" not in path.parts and "generated" not in path.parts
    ]
    return {path: set(re.findall(r"\w+", path.read_text(encoding="utf-8"))) for path in paths}


# Functions without an underscore that only their own file uses. May only fall, to 0.
OWN_FILE_FUNCTIONS = 0


def test_functions_that_only_their_own_file_uses_have_an_underscore():
    counts = Counter(word for words in words_of_sources().values() for word in words)
    own = [
        f"{named(path)}: {name}"
        for name, paths in public_functions().items()
        for path in paths
        if counts[name] == 1 and path not in compiled_files() and "figures" not in path.parts
    ]
    assert len(own) <= OWN_FILE_FUNCTIONS, own


# Share of functions, methods included, whose name is one word. May only fall.
ONE_WORD_SHARE = 0.166


def test_names_of_functions_have_more_than_one_word():
    names = [
        function.name
        for functions in functions_of_files().values()
        for function in functions
        if not function.name.startswith("__")
    ]
    assert sum(map(is_one_word, names)) / len(names) <= ONE_WORD_SHARE


# Functions of more than 40 lines without their docstring. May only fall, to 0.
LONG_FUNCTIONS = 0
# Functions with more than 12 arguments, constructors and compiled functions excepted. May only fall, to 0.
MOST_ARGUMENTS, MANY_ARGUMENTS = 12, 1


def test_functions_are_short_and_have_few_arguments():
    functions = [
        (named(p), f, p in compiled_files()) for p, found in functions_of_files().items() for f in found
    ]
    long = [f"{path}: {f.name}" for path, f, _ in functions if count_code_lines(f) > LONG_FUNCTION]
    many = [
        f"{path}: {f.name}"
        for path, f, compiled in functions
        if count_arguments(f) > MOST_ARGUMENTS
        and f.name != "__init__"
        and not compiled
        and not is_compiled(f)
    ]
    assert len(long) <= LONG_FUNCTIONS, long
    assert len(many) <= MANY_ARGUMENTS, many


# Folders with more than 15 files. May only fall, to 0.
LARGE_FOLDERS = 0


def test_folders_hold_one_concept():
    sizes = Counter(path.parent for path in parsed_files())
    large = {str(folder.relative_to(PACKAGE)): n for folder, n in sizes.items() if n > LARGE_FOLDER}
    assert len(large) <= LARGE_FOLDERS, large


# Words that stand for arrays, processes or rows as if they were people, and metaphors for code.
METAPHORS = r"\b(nobody|whoever|somebody|everybody|by lot|rooms?|house|doors?|guests?|sceptics?)\b"
# Occurrences in the package and on the pages. May only fall.
METAPHORS_LEFT = 21


def test_sentences_use_the_terms_of_the_field():
    pages = [ROOT / name for name in ("README.md", "NOTATION.md", "SECURITY.md", "ROADMAP.md")]
    pages += [page for page in (ROOT / "docs").rglob("*.md") if "_build" not in page.parts]
    found = []
    for path in [*parsed_files(), *pages]:
        if "generated" not in path.parts:
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                found += [f"{path.name}:{number}: {word}" for word in re.findall(METAPHORS, line, re.I)]
    assert len(found) <= METAPHORS_LEFT, "\n".join(found)


# Files in which a command calls at least one function. May only fall, to 25, 40 and 45.
WALKS = {"files of `run`": 72, "files of `report`": 64, "files of `fit`": 90}


@pytest.mark.slow
def test_a_command_walks_through_few_files(tmp_path):
    walks = measure_walks(tmp_path)
    assert {name: n for name, n in walks.items() if n > WALKS[name]} == {}
