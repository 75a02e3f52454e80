"""Source files of a module and of the local modules that it imports."""

import ast
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType


def list_module_files(module: ModuleType) -> list[Path]:
    """All files of a package; of a single file also those in its folder that it imports, recursively."""
    place = getattr(module, "__file__", None)
    if place is None:
        return []
    path = Path(place).resolve()
    return (
        sorted(path.parent.rglob("*.py"))
        if path.name == "__init__.py"
        else sorted(_collect_local_files({}, path))
    )


def _collect_local_files(seen: dict[Path, None], path: Path) -> list[Path]:
    if path in seen:
        return []
    seen[path] = None
    if path.suffix == ".py":
        for name in _iterate_imported_names(path):
            for beside in (path.with_name(f"{name}.py"), path.with_name(name) / "__init__.py"):
                if beside.is_file():
                    files = [beside] if beside.name != "__init__.py" else sorted(beside.parent.rglob("*.py"))
                    for file in files:
                        _collect_local_files(seen, file)
    return list(seen)


def _iterate_imported_names(path: Path) -> Iterator[str]:
    """Top-level names of all imports of a file, also inside functions."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]
