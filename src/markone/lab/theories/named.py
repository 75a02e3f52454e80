"""Theories by name: of the scenario, of a declaration's tables, of the catalogue, of the user's modules."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from markone import theory as engine
from markone.lab import foreign_code
from markone.lab.scenario import Scenario, Theory
from markone.lab.theories.declared import TheorySpec, catalogue_theory, function_theory
from markone.perceptron.theory.engine.flow import OnlineCurve
from markone.perceptron.theory.engine.solution import Solution


def add_theories(
    scenario: Scenario, tables: Mapping[str, Any], names: Iterable[str]
) -> tuple[Scenario, dict[str, str]]:
    """The scenario with the theories of the tables and of these names, and problems by name."""
    found: dict[str, Theory] = {}
    problems: dict[str, str] = {}
    for name in [*tables, *names]:
        if name in found or (name in scenario.theories and name not in tables):
            continue
        try:
            theory = _as_theory(tables.get(name, name), scenario, name)
        except ValueError as error:
            problems[name] = str(error)
            continue
        if theory is not None:
            found[name] = theory
    return (replace(scenario, theories={**scenario.theories, **found}) if found else scenario), problems


def _as_theory(given: Any, scenario: Scenario, name: str) -> Theory | None:
    """A theory from a table, an object of Python, or a name; None for an unknown name."""
    if isinstance(given, Mapping):
        given = TheorySpec.model_validate(given)
    if isinstance(given, TheorySpec):
        return given.build_theory(name, scenario)
    if isinstance(given, str):
        if any(given == curve.name for curve in engine.list()):
            return catalogue_theory(given, scenario)
        return _as_theory(foreign_code.import_object(given), scenario, given) if "." in given else None
    if isinstance(given, Theory):
        return given
    if isinstance(given, engine.Curve):
        return catalogue_theory(given.name, scenario)
    if isinstance(given, Solution | OnlineCurve):
        return _solution_theory(given, scenario, name)
    if callable(given):
        return function_theory(given, scenario, name)
    raise ValueError(
        f"theory = {given!r} is neither a name, a Theory, a curve, a solution of theory.solve nor a function."
    )


def _solution_theory(solution: Solution | OnlineCurve, scenario: Scenario, name: str) -> Theory:
    """The line of a solution against alpha, solved again at the alpha of the points."""
    rule = "epsilon_g" in scenario.measures and scenario.world is not None
    measure = "epsilon_g" if "epsilon_g" in scenario.measures else next(iter(scenario.measures))
    quantity = "epsilon_rule" if rule else "epsilon_g"

    def values(points: Any) -> Any:
        alpha = np.array([float(point.get("alpha", np.nan)) for point in points])
        known = np.isfinite(alpha)
        found = np.full(alpha.shape, np.nan)
        found[known] = getattr(solution.at(alpha[known]), quantity)
        return found

    title = solution.family if isinstance(solution, Solution) else name
    return Theory(title, measure, lambda p: float(values([p])[0]), "prediction", values)
