"""Size and names of a code base in one table, by the same rule for any package.

`python -m tests.measures` measures markone; `python -m tests.measures sklearn river` others, or folders.
"""

import argparse
import ast
import importlib.util
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

# Functions that several files define because they implement the same interface.
INTERFACES = frozenset(
    {"cost", "draw", "evaluate", "fit", "frames", "main", "plot", "predict", "python", "run", "transform"}
)
LONG_FUNCTION = 40
LARGE_FOLDER = 15
# Commands whose walk is traced: the files of the package in which at least one function is called.
WALKS = {
    "run": ["run", "demo_capacity", "--workers", "1", "--backend", "threads"],
    "report": ["report", "demo_capacity"],
    "fit": ["fit", "iris", "--model", "soft-margin", "--cv", "1x5", "--report", "page.html", "--force"],
}
TRACER = """
import sys, threading
seen, state = set(), threading.local()
def trace(frame, event, argument):
    name = frame.f_code.co_name
    if name == "<module>":  # what an import calls is not part of the walk
        state.imports = getattr(state, "imports", 0) + (event == "call") - (event == "return")
    elif event == "call" and not name.startswith("<") and not getattr(state, "imports", 0):
        seen.add(frame.f_code.co_filename)
from markone.cli import main
threading.setprofile(trace)
sys.setprofile(trace)
try:
    main()
except SystemExit:
    pass
sys.setprofile(None)
import markone, pathlib
folder = str(pathlib.Path(markone.__file__).parent)
print("FILES", sum(name.startswith(folder) for name in seen))
"""


def package_folder(name):
    """Folder of an installed package, or the folder itself if `name` is a path."""
    if Path(name).is_dir():
        return Path(name)
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit(f"{name} is neither a folder nor an installed package.")
    return Path(spec.submodule_search_locations[0])


def source_files(folder):
    """Python files of a package without its tests."""
    return sorted(path for path in folder.rglob("*.py") if "tests" not in path.relative_to(folder).parts)


def all_functions(tree):
    """Every function of a file, methods and nested ones included."""
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def count_code_lines(function):
    """Lines of a function without its docstring."""
    first = function.body[0]
    documented = isinstance(first, ast.Expr) and isinstance(getattr(first.value, "value", None), str)
    docstring = first.end_lineno - first.lineno + 1 if documented else 0
    return function.end_lineno - function.lineno + 1 - docstring


def is_one_word(name):
    """True for `find` and `_find`, not for `find_rows`."""
    return "_" not in name.strip("_")


def count_arguments(function):
    """Number of arguments without self, *args and **kwargs."""
    a = function.args
    return sum(one.arg not in ("self", "cls") for one in a.posonlyargs + a.args + a.kwonlyargs)


def is_fitting_class(node):
    """True for a class with a public `fit`, or with `_train` or `_fit` behind an inherited one."""
    names = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
    return not node.name.startswith("_") and bool(names & {"fit", "_train", "_fit"})


def measure_package(folder):
    """All figures of one package that reading its files gives."""
    lines, functions, top, classes, where = 0, [], [], 0, defaultdict(set)
    folders = Counter()
    for path in source_files(folder):
        text = path.read_text(encoding="utf-8", errors="ignore")
        tree = ast.parse(text)
        lines += text.count("\n")
        folders[path.parent] += 1
        functions += all_functions(tree)
        classes += sum(isinstance(node, ast.ClassDef) and is_fitting_class(node) for node in ast.walk(tree))
        top += [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
        for node in tree.body:
            public = isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
            if public and node.name not in INTERFACES and "theory" not in path.parts:
                where[node.name].add(path)
    named = [one.name for one in functions if not one.name.startswith("__")]
    sizes = [count_code_lines(one) for one in functions]
    return {
        "lines": lines,
        "files": sum(folders.values()),
        "fitting classes": classes,
        "lines per fitting class": round(lines / classes) if classes else "-",
        "functions": len(named),
        "one-word names of module-level functions": f"{sum(map(is_one_word, top)) / max(1, len(top)):.0%}",
        "one-word names of all functions": f"{sum(map(is_one_word, named)) / max(1, len(named)):.0%}",
        "public names in two or more files": sum(len(paths) > 1 for paths in where.values()),
        f"functions over {LONG_FUNCTION} lines": sum(size > LONG_FUNCTION for size in sizes),
        "most arguments of a function": max(count_arguments(one) for one in functions),
        "files in the largest folder": max(folders.values()),
        f"folders over {LARGE_FOLDER} files": sum(count > LARGE_FOLDER for count in folders.values()),
    }


def count_walk(arguments, folder):
    """Number of files in which a command of markone calls at least one function."""
    command = [sys.executable, "-c", TRACER, *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    counts = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("FILES")]
    if not counts:
        raise RuntimeError(f"{arguments} could not be traced:\n{done.stdout[-500:]}\n{done.stderr[-500:]}")
    return int(counts[0])


def measure_walks(folder):
    """The walks of `run`, `report` and `fit`, computed in `folder`."""
    return {f"files of `{name}`": count_walk(arguments, folder) for name, arguments in WALKS.items()}


def print_table(columns):
    """One row a measure, one column a package."""
    rows = dict.fromkeys(key for column in columns.values() for key in column)
    print("| | " + " | ".join(columns) + " |")
    print("|---" * (len(columns) + 1) + "|")
    for row in rows:
        print(f"| {row} | " + " | ".join(str(column.get(row, "")) for column in columns.values()) + " |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", nargs="*", default=["markone"])
    parser.add_argument(
        "--walks", metavar="FOLDER", help="also trace run, report and fit in this empty folder"
    )
    chosen = parser.parse_args()
    table = {name: measure_package(package_folder(name)) for name in chosen.packages}
    if chosen.walks:
        table.setdefault("markone", {}).update(measure_walks(chosen.walks))
    print_table(table)
