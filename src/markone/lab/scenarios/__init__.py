"""Scenarios by subject. A file that defines SCENARIO is a scenario, named after the file.

A user's scenario is a file beside the declaration ("mine.py"), an object given by its dotted name
("my_lab.mine.SCENARIO"), or an entry point of the group `markone.scenarios` in an installed package.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from markone.lab import foreign_code
from markone.lab.foreign_code import CodeState
from markone.lab.scenario import Scenario

GROUP = "markone.scenarios"


def find_scenario(name: str) -> Scenario:
    """Return the scenario of this name: one of markone/lab/scenarios, or a user's own."""
    module = _scenario_modules(tuple(__path__)).get(name)
    if module is not None:
        found: Scenario = import_module(f"{__name__}.{module}").SCENARIO
        return found
    if name.endswith(".py") and name.removesuffix(".py").isidentifier():
        return _load_own_scenario(name, f"{name.removesuffix('.py')}.SCENARIO")
    if name in plugin_scenarios():
        foreign_code.trust_package(plugin_scenarios()[name].module.split(".")[0])
        return _load_own_scenario(name, f"{plugin_scenarios()[name].module}.{plugin_scenarios()[name].attr}")
    if "." in name and all(part.isidentifier() for part in name.split(".")):
        return _load_own_scenario(name, name)
    raise ValueError(f"There is no scenario {name!r}.")


def _load_own_scenario(name: str, dotted: str) -> Scenario:
    """Load a user's scenario under the requested name, which workers use; its code is part of its tasks."""
    found = foreign_code.import_object(dotted)
    # A subclass of Scenario provides its fields itself.
    is_subclass = isinstance(found, type) and issubclass(found, Scenario)
    made = found() if is_subclass else found
    if not isinstance(made, Scenario):
        raise ValueError(f"{dotted} is a {type(made).__name__}, not a Scenario of markone.lab.")
    package, inner = foreign_code.package_of(dotted), made.code

    def code(parameters: Mapping[str, Any]) -> tuple[CodeState, ...]:
        return (foreign_code.package_state(package), *(inner(parameters) if inner else ()))

    return replace(made, name=name, code=code)


def scenario_names() -> list[str]:
    """Sorted names of all scenarios. None is imported: that would take seconds."""
    return sorted({*_scenario_modules(tuple(__path__)), *plugin_scenarios()})


@cache
def plugin_scenarios() -> dict[str, EntryPoint]:
    """Scenarios of installed packages. Installing a package permits its code to run."""
    return {entry.name: entry for entry in entry_points(group=GROUP)}


@cache
def _scenario_modules(folders: Sequence[str]) -> dict[str, str]:
    """Map from scenario name to its module below this package."""
    found: dict[str, str] = {}
    for folder in map(Path, folders):
        for path in sorted([*folder.glob("*.py"), *folder.glob("*/*.py")]):
            if any(line.startswith("SCENARIO = ") for line in path.read_text(encoding="utf-8").splitlines()):
                found.setdefault(path.stem, ".".join(path.relative_to(folder).with_suffix("").parts))
    return found
