"""The import graph of the package: imports at the top of a file, in functions, and for types only."""

import ast
from functools import cache
from pathlib import Path

import markone

PACKAGE = Path(markone.__file__).parent


def module_of(path):
    """Return the module of a file: markone/lab/store/__init__.py is markone.lab.store."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def parsed_files():
    """Return {file: syntax tree} of the package; each file is parsed once."""
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}


@cache
def import_nodes():
    """Return {file: its import statements, those in functions and for types included}."""
    statements = (ast.Import, ast.ImportFrom)
    return {
        path: [node for node in ast.walk(tree) if isinstance(node, statements)]
        for path, tree in parsed_files().items()
    }


@cache
def graph():
    """Return {module: imported modules}; `from a import b` is a.b if that is a module, else a."""
    paths = {module_of(path): path for path in parsed_files()}
    return {module: named(path, paths) - {module} for module, path in paths.items()}


def named(path, known):
    found = set()
    for node in import_nodes()[path]:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        else:
            assert node.level == 0, f"{path} has a relative import: use the full name."
            full = [f"{node.module}.{alias.name}" for alias in node.names]
            found |= {name if name in known else node.module for name in full}
    return found & set(known)


@cache
def knots():
    """Return the import cycles: sets of modules each of which reaches all the others."""
    reached = {module: reach(module) for module in graph()}
    inside = {module for module in reached if module in reached[module]}
    return {frozenset(other for other in reached[module] if module in reached[other]) for module in inside}


def reach(module):
    found, todo = set(), list(graph()[module])
    while todo:
        if (next_one := todo.pop()) not in found:
            found.add(next_one)
            todo += graph()[next_one]
    return found
