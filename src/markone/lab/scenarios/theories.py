"""Theories by name: of a scenario, of a `[theory.NAME]` table, of the catalogue, of the user's modules.

A table is a solution of the theory engine, or a curve of the catalogue, at each point. Strings that name
parameters of the scenario are bound to their values; where a number stands, a formula in the parameters may
stand, as in l2 = "1/gamma".
"""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict

from markone import theory as engine
from markone.lab import foreign_code
from markone.lab.scenario import Scenario, Theory, TheoryKind
from markone.numerics.arrays import Floats

Number = float | str
Parameters = Mapping[str, Any]


class TheorySpec(BaseModel):
    """One line of theory of an experiment.

    measure: what it describes. quantity: the name in the solution's record; that of the measure if it is not
    given, and epsilon_rule for the epsilon_g of a scenario with a world of its own (disagreement with the
    teacher without noise). curve: a curve of `markone.theory`, whose arguments are the parameters of the
    same names. loss, penalty, teacher, noise, inputs, prior, intercept: as in `theory.solve`; f, drift, decay
    as in `theory.online`. teacher, noise and inputs are those of the scenario's world if it has one.
    teacher = { kind = "probit", sigma = "sigma" }; inputs = { spectrum = "power(1.2)" } or { mu2 = 1.0,
    p_plus = 0.3 }. python: the name package.name of a function, a `Theory` or a solution instead.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    measure: str = "epsilon_g"
    quantity: str = ""
    title: str = ""
    kind: TheoryKind = "prediction"
    curve: str = ""
    python: str = ""
    alpha: Number = "alpha"
    loss: str = ""
    penalty: Number | dict[str, Number] = 1.0
    teacher: str | dict[str, Number] | None = None
    noise: Number | None = None
    inputs: dict[str, Number] | None = None
    prior: str = "gauss"
    intercept: bool = False
    f: str = ""
    drift: Number = 0.0
    decay: Number = 0.0

    def build_theory(self, name: str, scenario: Scenario) -> Theory:
        """The theory of a scenario; ValueError if the table cannot be one."""
        given = [key for key in ("curve", "loss", "f") if getattr(self, key)]
        if len(given) != 1:
            raise ValueError(
                "Give one of loss (a convex student), f (an on-line rule) or curve (by its name)."
            )
        if self.measure not in scenario.measures:
            known = ", ".join(scenario.measures)
            raise ValueError(f"The scenario {scenario.name} has no measure {self.measure!r}, only {known}.")
        if self.curve:
            return _catalogue_theory(self.curve, scenario, self.measure, self.title or name)
        quantity = self.quantity or (
            "epsilon_rule" if self.measure == "epsilon_g" and scenario.world is not None else self.measure
        )
        from markone.perceptron.theory.engine.solution import COLUMNS

        if quantity not in (columns := (*COLUMNS, "support", "nonzero", "Q")):
            raise ValueError(f"quantity is {quantity!r}; the records have {', '.join(columns)}.")

        def theory_values(points: Sequence[Parameters]) -> Floats:
            try:
                return self.evaluate_points(points, quantity, scenario)
            except ValueError as error:
                raise ValueError(f"[theory.{name}]: {error}") from error

        return Theory(
            self.title or name, self.measure, lambda p: float(theory_values([p])[0]), self.kind, theory_values
        )

    def evaluate_points(self, points: Sequence[Parameters], quantity: str, scenario: Scenario) -> Floats:
        """The quantity at each point: one call of the engine for all points of one world."""
        found = np.full(len(points), np.nan)
        groups: dict[str, list[int]] = {}
        worlds = [self._read_world(p, scenario) for p in points]
        for k, world in enumerate(worlds):
            if world is not None:
                groups.setdefault(
                    repr((world["teacher"], world["inputs"], self._fixed_part(points[k]))), []
                ).append(k)
        for members in groups.values():
            group = [points[k] for k in members]
            noise = np.array([worlds[k]["noise"] for k in members])  # type: ignore[index]  # not None
            alpha = bind_numbers(self.alpha, group)
            found[members] = self._solve_group(group, worlds[members[0]], alpha, noise, quantity)
        return found

    def _fixed_part(self, point: Parameters) -> tuple[Any, ...]:
        """What is the same for all points of one call of the engine."""
        if self.f:
            return tuple(bind_numbers(one, [point])[0] for one in (self.drift, self.decay))
        return (point.get(self.loss),)

    def _solve_group(
        self, group: Sequence[Parameters], world: Any, alpha: Floats, noise: Floats, quantity: str
    ) -> Floats:
        if self.f:
            values = np.full(alpha.shape, np.nan)
            drift, decay = (float(bind_numbers(one, group[:1])[0]) for one in (self.drift, self.decay))
            for level in np.unique(noise):
                here = noise == level
                curve = engine.online(
                    alpha[here], _bind_text(self.f, group[0]), world["teacher"], float(level), drift, decay
                )
                values[here] = getattr(curve, quantity)
            return values
        penalty = self.penalty if isinstance(self.penalty, dict) else {"l2": self.penalty}
        bound = {key: bind_numbers(value, group) for key, value in penalty.items()}
        solution = engine.solve(
            alpha, _bind_text(self.loss, group[0]), bound, world["teacher"], noise, world["inputs"],
            _bind_text(self.prior, group[0]), self.intercept,
        )  # fmt: skip
        return np.asarray(getattr(solution, quantity), dtype=float)

    def _read_world(self, point: Parameters, scenario: Scenario) -> dict[str, Any] | None:
        """teacher, noise and inputs at a point; None where the scenario's world is none of the engine's."""
        world: dict[str, Any] = {"teacher": "sign", "noise": 0.0, "inputs": None}
        if scenario.world is not None and (self.teacher is None or self.inputs is None):
            own = scenario.world(point)
            if own is None:
                return None
            world |= own
        elif self.noise is None and "noise" in point:
            world["noise"] = point["noise"]
        if self.teacher is not None:
            world |= _read_teacher(self.teacher, point)
        if self.noise is not None:
            world["noise"] = bind_numbers(self.noise, [point])[0]
        if self.inputs is not None:
            world["inputs"] = _read_inputs(self.inputs, point)
        return world


def _bind_text(text: str, point: Parameters) -> str:
    """The value of the parameter that a text names, or the text."""
    value = point.get(text)
    return value if isinstance(value, str) else text


def bind_numbers(number: Number, points: Sequence[Parameters]) -> Floats:
    """A number, or a formula in the parameters, at each point."""
    if not isinstance(number, str):
        return np.full(len(points), float(number))
    names = tuple(
        key
        for key, value in points[0].items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    )
    # The theory engine is imported by the declarations that use it, since its import takes time.
    from markone.perceptron.theory.engine.formula import parse_formula

    formula = parse_formula(number, names or ("alpha",))
    columns = {key: np.array([float(point[key]) for point in points]) for key in formula.variables}
    first, *others = formula.variables
    return formula.evaluate_jet(columns[first], **{key: columns[key] for key in others})[0]


def _read_teacher(teacher: str | dict[str, Number], point: Parameters) -> dict[str, Any]:
    if isinstance(teacher, str):
        return {"teacher": _bind_text(teacher, point)}
    given = dict(teacher)
    kind = _bind_text(str(given.pop("kind", "sign")), point)
    noise = {"noise": bind_numbers(given.pop("noise"), [point])[0]} if "noise" in given else {}
    numbers = [f"{bind_numbers(value, [point])[0]:.17g}" for value in given.values()]
    return {"teacher": f"{kind}({', '.join(numbers)})" if numbers else kind, **noise}


def _read_inputs(inputs: dict[str, Number], point: Parameters) -> Any:
    given = dict(inputs)
    if "spectrum" in given:
        name, _, rest = str(given["spectrum"]).partition("(")
        if name != "power":
            raise ValueError(f"spectrum is {given['spectrum']!r}; known is power(exponent).")
        N = int(point.get("N", 200))
        e = np.arange(1, N + 1) ** -bind_numbers(rest.rstrip(") "), [point])[0]
        missing = bind_numbers(given.get("missing", 0.0), [point])[0]
        return engine.Covariance(e / e.mean(), missing=float(missing))
    return engine.TwoGaussians(
        **{key: float(bind_numbers(value, [point])[0]) for key, value in given.items()}
    )


def _catalogue_theory(name: str, scenario: Scenario, measure: str = "", title: str = "") -> Theory:
    """A curve of the catalogue: its arguments are the parameters of the same names."""
    curve = engine.curve(name)
    measures = {"generalization error": "epsilon_g", "training error": "epsilon_t", "1/|w|": "kappa"}
    measure = measure or measures.get(curve.quantity, curve.quantity)
    if measure not in scenario.measures:
        measure = next(iter(scenario.measures))
    names = [curve.variable, *list(inspect.signature(curve.function).parameters)[1:]]

    def theory_value(parameters: Parameters) -> float:
        given = {key: parameters[key] for key in names if parameters.get(key) is not None}
        if curve.variable not in given:
            return float("nan")
        return float(curve(given.pop(curve.variable), **given))

    kind: TheoryKind = curve.kind
    return Theory(title or curve.title, measure, theory_value, kind)


def _function_theory(function: Callable[..., Any], scenario: Scenario, name: str) -> Theory:
    """A function of parameters of the scenario, by their names, or of one mapping called `parameters`."""
    names = list(inspect.signature(function).parameters)
    measure = getattr(function, "measure", "epsilon_g")
    if measure not in scenario.measures:
        measure = next(iter(scenario.measures))

    def theory_value(parameters: Parameters) -> float:
        if names[:1] == ["parameters"]:
            return float(function(parameters))
        return float(function(**{key: parameters[key] for key in names if key in parameters}))

    return Theory(name, measure, theory_value)


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
    if isinstance(given, TheorySpec) and given.python:
        given = foreign_code.import_object(given.python)
    if isinstance(given, TheorySpec):
        return given.build_theory(name, scenario)
    if isinstance(given, str):
        if any(given == curve.name for curve in engine.list()):
            return _catalogue_theory(given, scenario)
        return _as_theory(foreign_code.import_object(given), scenario, given) if "." in given else None
    if isinstance(given, Theory):
        return given
    if isinstance(given, engine.Curve):
        return _catalogue_theory(given.name, scenario)
    if is_theory_object(given):
        make = _function_theory if callable(given) else _solution_theory
        return make(given, scenario, name)
    raise ValueError(
        f"theory = {given!r} is neither a name, a Theory, a curve, a solution of theory.solve nor a function."
    )


def is_theory_object(given: Any) -> bool:
    """True for a `Theory`, a function and a solution of the theory engine."""
    if given is None or isinstance(given, str | bool | int | float):
        return False
    from markone.perceptron.theory.engine.flow import OnlineCurve
    from markone.perceptron.theory.engine.solution import Solution

    return callable(given) or isinstance(given, Theory | Solution | OnlineCurve)


def _solution_theory(solution: Any, scenario: Scenario, name: str) -> Theory:
    """The line of a solution against alpha, solved again at the alpha of the points."""
    rule = "epsilon_g" in scenario.measures and scenario.world is not None
    measure = "epsilon_g" if "epsilon_g" in scenario.measures else next(iter(scenario.measures))
    quantity = "epsilon_rule" if rule else "epsilon_g"

    def theory_values(points: Any) -> Any:
        alpha = np.array([float(point.get("alpha", np.nan)) for point in points])
        known = np.isfinite(alpha)
        found = np.full(alpha.shape, np.nan)
        found[known] = getattr(solution.at(alpha[known]), quantity)
        return found

    return Theory(
        getattr(solution, "family", name),
        measure,
        lambda p: float(theory_values([p])[0]),
        "prediction",
        theory_values,
    )
