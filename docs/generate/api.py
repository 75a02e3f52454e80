"""Every public class and function, by room."""

from importlib import import_module
from types import ModuleType

ROOMS = {
    "perceptron": "Perceptrons",
    "machines": "Machines of perceptrons",
    "hopfield": "Memories",
    "lvq": "Prototypes",
    "networks": "Neurons and small networks",
    "evaluation": "Judging a classifier",
    "show": "Pictures and films",
    "data": "Data",
}


def pages() -> dict[str, str]:
    """index of the API, and one list a room; autosummary makes the pages of the names."""
    rooms = {f"api/{room}.rst": page(room, title) for room, title in ROOMS.items()}
    toctree = "\n".join(f"   {room}" for room in ROOMS)
    index = heading("Classes and functions") + f".. toctree::\n   :maxdepth: 1\n\n{toctree}\n"
    return rooms | {"api/index.rst": index}


def page(room: str, title: str) -> str:
    module = import_module(f"markone.{room}")
    names = public(module)
    classes = [name for name in names if name[0].isupper()]
    functions = [name for name in names if name[0].islower()]
    text = heading(title) + f"{(module.__doc__ or '').strip()}\n\n.. currentmodule:: markone.{room}\n\n"
    for kind, those in (("Classes", classes), ("Functions", functions)):
        if those:
            text += listed(kind, those)
    return text


def public(module: ModuleType) -> list[str]:
    return sorted(module.__all__, key=lambda name: (name[0].islower(), name.lower()))


def listed(kind: str, names: list[str]) -> str:
    lines = "\n".join(f"   {name}" for name in names)
    return f"{kind}\n{'-' * len(kind)}\n\n.. autosummary::\n   :toctree: names\n\n{lines}\n\n"


def heading(text: str) -> str:
    return f"{text}\n{'=' * len(text)}\n\n"
