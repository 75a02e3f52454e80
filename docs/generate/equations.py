"""Table of equations: number in the notes, code that refers to it, tests of that code, page of the course."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import markone

PACKAGE = Path(markone.__file__).parent
ROOT = PACKAGE.parents[1]
COURSE = Path(__file__).parent.parent / "course"
# (3.15), (3.75, 4.5), (2.8-2.17), (6.1)-(6.7): numbers of chapters 1 to 6.
GROUP = re.compile(r"(?<![\w\])])\(([1-6]\.[1-9]\d?(?:\s*[,-]\s*[1-6]\.[1-9]\d?)*)\)")
SPAN = re.compile(r"([1-6])\.([1-9]\d?)(?:\s*-\s*\1\.([1-9]\d?))?")
MOST = 4  # entries in a cell


def pages() -> dict[str, str]:
    return {"equations.md": equation_page()}


def equation_page() -> str:
    code, sections = equations_in_code(), equations_of_sections()
    rows = [
        f"| ({number}) | {cell(code.get(number, []))} | {cell(mirrored_tests(code.get(number, [])))} | "
        f"{course_link(number, sections)} |"
        for number in sorted({*code, *sections}, key=lambda text: [int(part) for part in text.split(".")])
    ]
    head = (
        "# Equations\n\nEquations of the notes, the code that refers to them, and the tests of that code. "
        "Those without code are steps of a derivation, explained on the page.\n\n"
    )
    return head + "| equation | code | tests | course |\n|---|---|---|---|\n" + "\n".join(rows) + "\n"


def course_link(number: str, sections: dict[str, Path]) -> str:
    page = sections[number]
    name = page.stem.removeprefix("section-").replace("-", ".")
    return f"[{name}](../../{page.relative_to(COURSE.parent).as_posix()})"


def equations_of_sections() -> dict[str, Path]:
    """Number -> page of the course, from the line `Equations (3.7)-(3.10).` of each page."""
    found: dict[str, Path] = {}
    for page in sorted(COURSE.glob("chapter*/section-*.md")):
        given = re.search(
            r"^Equations? \((\d)\.(\d+)\)(?:-\(\d\.(\d+)\))?\.$", page.read_text("utf-8"), re.MULTILINE
        )
        if given:
            chapter, first, last = given[1], int(given[2]), int(given[3] or given[2])
            found |= {f"{chapter}.{k}": page for k in range(first, last + 1)}
    return found


def cell(entries: list[str]) -> str:
    shown = [f"`{entry}`" for entry in entries[:MOST]]
    more = [f"and {len(entries) - MOST} more"] if len(entries) > MOST else []
    return ", ".join(shown + more)


def equation_numbers(text: str) -> set[str]:
    """Numbers of equations in brackets, also those within a range; of figures and sections none."""
    spans = [span for group in GROUP.findall(text.replace(")-(", "-")) for span in SPAN.findall(group)]
    return {f"{chapter}.{k}" for chapter, a, b in spans for k in range(int(a), int(b or a) + 1)}


def equations_in_code() -> dict[str, list[str]]:
    """Number -> dotted names of the functions and classes whose docstring refers to it."""
    found: dict[str, list[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        module = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
        for name, text in documented(ast.parse(path.read_text(encoding="utf-8"))):
            for number in equation_numbers(text):
                found.setdefault(number, []).append(f"{module}.{name}" if name else module)
    # Compiled files, scenarios and displays last.
    return {number: sorted(names, key=is_secondary) for number, names in found.items()}


def is_secondary(name: str) -> bool:
    return "._" in name or name.startswith(("markone.lab", "markone.show", "markone.tables"))


def documented(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """(name, docstring) of the module, its functions and classes, and their methods."""
    yield "", ast.get_docstring(tree) or ""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name, ast.get_docstring(node) or ""
        for method in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(method, ast.FunctionDef):
                yield f"{node.name}.{method.name}", ast.get_docstring(method) or ""


def mirrored_tests(names: list[str]) -> list[str]:
    """Test files of the modules; otherwise tests of the package that use the names."""
    found = [path for name in names if (path := mirrored_test(name.split(".")[1:]))]
    return list(dict.fromkeys(found or [path for name in names for path in using_tests(name)]))


def mirrored_test(parts: list[str]) -> str:
    for k in range(len(parts), 0, -1):
        path = Path("tests", *parts[: k - 1], f"test_{parts[k - 1].lstrip('_')}.py")
        if (ROOT / path).exists():
            return path.as_posix()
    return ""


def using_tests(name: str) -> list[str]:
    parts = name.split(".")
    word = re.compile(rf"\b{re.escape(parts[-1])}\b")
    return [path for path, text in test_texts(parts[1]).items() if word.search(text)]


@cache
def test_texts(package: str) -> dict[str, str]:
    paths = sorted((ROOT / "tests" / package).rglob("test_*.py"))
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}
