"""Pages of every public class and function, by package."""

from importlib import import_module
from types import ModuleType

from markone.base import registry

# A title for each package of the registry; a missing one fails the build and a test.
TITLES = {
    "perceptron": "Perceptrons",
    "perceptron.version_space": "Version space",
    "machines": "Machines of perceptrons",
    "hopfield": "Memories",
    "lvq": "Prototypes",
    "lvq.displays": "Pictures of prototypes",
    "networks": "Neurons and small networks",
    "evaluation": "Judging a classifier",
    "show": "Pictures and films",
    "data": "Data",
    "tables": "Tables",
    "lab": "Experiments from Python",
}


def pages() -> dict[str, str]:
    """Return the index of the API and one list per package; autosummary makes the pages of the names."""
    pages = {f"api/{package}.rst": package_page(package) for package in registry.LAZY}
    ordered = sorted(registry.LAZY, key=list(TITLES).index)
    toctree = "\n".join(f"   {package}" for package in ordered)
    index = rst_heading("Classes and functions") + "".join(index_entry(package) for package in ordered)
    return pages | {"api/index.rst": index + f".. toctree::\n   :hidden:\n   :maxdepth: 1\n\n{toctree}\n"}


def index_entry(package: str) -> str:
    """Return the entry of a package in the index: title, description and names."""
    names = ", ".join(f":py:obj:`{name} <markone.{package}.{name}>`" for name in documented_names(package))
    return (
        f":doc:`{TITLES[package]} <{package}>`, ``markone.{package}``\n   "
        f"{package_summary(package)}\n\n   {names}\n\n"
    )


def package_summary(package: str) -> str:
    """Return the first paragraph of the package's docstring; the rest is for developers."""
    return (import_module(f"markone.{package}").__doc__ or "").strip().split("\n\n")[0].replace("\n", " ")


def parent_names(package: str) -> set[str]:
    """Return the names that are already documented in the parent package."""
    return set(import_module(f"markone.{package.split('.')[0]}").__all__) if "." in package else set()


def documented_names(package: str) -> list[str]:
    return [
        name for name in sort_names(import_module(f"markone.{package}")) if name not in parent_names(package)
    ]


def package_page(package: str) -> str:
    module = import_module(f"markone.{package}")
    classes = [name for name in documented_names(package) if name[0].isupper()]
    functions = [name for name in documented_names(package) if name[0].islower()]
    text = (
        rst_heading(TITLES[package])
        + f"{package_summary(package)}\n\n.. currentmodule:: markone.{package}\n\n"
    )
    for kind, those in (("Classes", classes), ("Functions", functions)):
        if those:
            text += autosummary_list(kind, those)
    for name in sorted(parent_names(package) & set(module.__all__)):
        text += f"Also here: :py:obj:`~markone.{package.split('.')[0]}.{name}` .\n\n"
    return text


def sort_names(module: ModuleType) -> list[str]:
    return sorted(module.__all__, key=lambda name: (name[0].islower(), name.lower()))


def autosummary_list(kind: str, names: list[str]) -> str:
    lines = "\n".join(f"   {name}" for name in names)
    return f"{kind}\n{'-' * len(kind)}\n\n.. autosummary::\n   :toctree: names\n\n{lines}\n\n"


def rst_heading(text: str) -> str:
    return f"{text}\n{'=' * len(text)}\n\n"
