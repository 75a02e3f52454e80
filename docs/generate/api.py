"""Every public class and function, by room."""

from importlib import import_module
from types import ModuleType

from markone.base import registry

# A title for each room of the registry: one without fails the build and a test.
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
    """index of the API, and one list a room; autosummary makes the pages of the names."""
    rooms = {f"api/{room}.rst": page(room) for room in registry.LAZY}
    ordered = sorted(registry.LAZY, key=list(TITLES).index)
    toctree = "\n".join(f"   {room}" for room in ordered)
    index = heading("Classes and functions") + "".join(entry(room) for room in ordered)
    return rooms | {"api/index.rst": index + f".. toctree::\n   :hidden:\n   :maxdepth: 1\n\n{toctree}\n"}


def entry(room: str) -> str:
    """In the index: the room, what is in it, and its names."""
    names = ", ".join(f":py:obj:`{name} <markone.{room}.{name}>`" for name in names_of(room))
    return f":doc:`{TITLES[room]} <{room}>`, ``markone.{room}``\n   {about(room)}\n\n   {names}\n\n"


def about(room: str) -> str:
    """The first paragraph: what follows in a room's docstring is for those who work in it."""
    return (import_module(f"markone.{room}").__doc__ or "").strip().split("\n\n")[0].replace("\n", " ")


def above(room: str) -> set[str]:
    """A name that a larger room has too is described there."""
    return set(import_module(f"markone.{room.split('.')[0]}").__all__) if "." in room else set()


def names_of(room: str) -> list[str]:
    return [name for name in public(import_module(f"markone.{room}")) if name not in above(room)]


def page(room: str) -> str:
    module = import_module(f"markone.{room}")
    classes = [name for name in names_of(room) if name[0].isupper()]
    functions = [name for name in names_of(room) if name[0].islower()]
    text = heading(TITLES[room]) + f"{about(room)}\n\n.. currentmodule:: markone.{room}\n\n"
    for kind, those in (("Classes", classes), ("Functions", functions)):
        if those:
            text += listed(kind, those)
    for name in sorted(above(room) & set(module.__all__)):
        text += f"Also here: :py:obj:`~markone.{room.split('.')[0]}.{name}` .\n\n"
    return text


def public(module: ModuleType) -> list[str]:
    return sorted(module.__all__, key=lambda name: (name[0].islower(), name.lower()))


def listed(kind: str, names: list[str]) -> str:
    lines = "\n".join(f"   {name}" for name in names)
    return f"{kind}\n{'-' * len(kind)}\n\n.. autosummary::\n   :toctree: names\n\n{lines}\n\n"


def heading(text: str) -> str:
    return f"{text}\n{'=' * len(text)}\n\n"
