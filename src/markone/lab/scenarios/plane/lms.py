"""LMS and the perceptron rule on two classes in the plane   (the LMS report).

The report describes its data in words and pictures. Our choice (see `data.two_classes`), classes +-1
alternating: "halo" two small discs far apart; "dense" two large discs with a narrow gap, both separable;
"arcs" (Example 1) two thin interlocked half circles, dense, with a wide curved gap; "rings" (Example 2)
a core in a ring, spread out, with a narrow gap: neither is linearly separable.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from pydantic import Field, model_validator

from markone.data.clusters import KINDS
from markone.lab.formatting import format_keys
from markone.lab.scenario import SHARE, Picture, Scenario, Settings, Theory, Values, named_columns
from markone.lab.scenarios.plane import _two_classes
from markone.lab.scenarios.plane.panels import MAX_COLUMNS, Panel, draw_decision, draw_panels, draw_scatter
from markone.numerics._random import CYCLIC, SHUFFLED
from markone.perceptron.online._lms import CONSTANT, INVERSE, SEARCH_THEN_CONVERGE

SCHEDULES = {"constant": CONSTANT, "inverse": INVERSE, "search_then_converge": SEARCH_THEN_CONVERGE}
COLUMNS = ("mse", "wiener_mse", "excess", "errors", "updates")
DIVERGED = 10.0  # times the mse of w = 0
ORDERS = {"cyclic": CYCLIC, "shuffled": SHUFFLED, "until_correct": _two_classes.UNTIL_CORRECT}
UNITS_OF_ETA = {"one": 0, "sum": 1, "mean": 2}


class Parameters(Settings):
    """P points, `iterations` presentations of them all, rows (-1, x1, x2) so that w_0 is the threshold.

    eta is counted in `eta_unit`: "one", or 2/trace of the sum ("sum") or of the mean ("mean") of x x^T;
    eta = 1 in the unit "sum" is stable, in the unit "mean" a constant rate is not.
    schedule: eta, eta/n or eta/(1 + n/tau), n counting epochs or samples (`count`).
    unit: "linear" learns from d - w.x (LMS), "hard" from d - sign(w.x) (the perceptron rule).
    order: "until_correct" presents each point until a hard unit with a constant rate classifies it correctly.
    """

    data: Literal["halo", "dense", "arcs", "rings"]
    P: int = Field(100, ge=4)
    unit: Literal["linear", "hard"] = "linear"
    eta: float = Field(0.01, gt=0)
    eta_unit: Literal["one", "sum", "mean"] = "one"
    schedule: Literal["constant", "inverse", "search_then_converge"] = "search_then_converge"
    tau: float = Field(10.0, gt=0)
    count: Literal["epoch", "sample"] = "epoch"
    iterations: int = Field(100, ge=0)
    order: Literal["cyclic", "shuffled", "until_correct"] = "cyclic"

    @model_validator(mode="after")
    def _check_until_correct(self) -> "Parameters":
        if self.order == "until_correct" and (self.unit, self.schedule) != ("hard", "constant"):
            raise ValueError(
                f"order = 'until_correct' need not end with unit = {self.unit!r} and schedule = "
                f"{self.schedule!r}: set unit = 'hard' and schedule = 'constant'."
            )
        return self


def _compiled_settings(p: Parameters) -> tuple[Any, ...]:
    """Return the arguments of the compiled loops."""
    return (
        p.P, KINDS[p.data], p.unit == "hard", SCHEDULES[p.schedule], p.eta, UNITS_OF_ETA[p.eta_unit], p.tau,
        p.count == "epoch", p.iterations, ORDERS[p.order],
    )  # fmt: skip


def run(p: Parameters, seed: int, start: int, stop: int) -> Values:
    table = _two_classes.train_unit_block(seed, start, stop, *_compiled_settings(p))
    values = named_columns(COLUMNS, table)
    diverged = (values["mse"] > DIVERGED).astype(np.float64)
    return values | {"diverged": diverged if p.unit == "linear" else np.full(stop - start, np.nan)}


def train_unit_once(parameters: Any, seed: int, repeat: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Repeat one run; return points (P, 2), classes (P,) and weights (theta, w1, w2)."""
    p = Parameters.model_validate(parameters)
    X, S, w = np.empty((p.P, 3)), np.empty(p.P), np.empty(3)
    _two_classes.train_unit(
        seed, repeat, *_compiled_settings(p), X, S, np.arange(p.P), np.empty(1, np.uint64), w
    )
    return X[:, 1:], S, w


def cost(p: Parameters) -> float:
    """About 15 multiplications per presentation."""
    return 15.0 * p.P * (p.iterations + 5)


def _input_moments(kind: str) -> tuple[np.ndarray, np.ndarray]:
    """Mean of x x^T and of S x for many points; the mean of x is zero, so theta does not contribute."""
    if kind in ("halo", "dense"):
        radius = 0.5 if kind == "halo" else 1.3
        return np.ones((2, 2)) + radius**2 / 4 * np.eye(2), np.ones(2)
    if kind == "arcs":
        square, height = 1 + 0.3**2 / 12, 2 / math.pi
        xy = 0.125 - 0.5 * height
        moments = np.array([[square / 2 + 0.25, xy], [xy, square / 2 - 0.5 * height + 0.0625]])
        return moments, np.array([-0.5, height - 0.25])
    # All directions are equivalent.
    return np.eye(2), np.zeros(2)


def _wiener_theory(parameters: Mapping[str, Any]) -> float:
    """1 - p R^-1 p: least mean squared error of a linear unit; 4/(4 + Delta^2) for two discs."""
    moments, correlation = _input_moments(Parameters.model_construct(**parameters).data)
    return float(1 - correlation @ np.linalg.solve(moments, correlation))


def _make_panels(points: Sequence[Any], seed: int, keys: Sequence[str]) -> list[Panel]:
    """One panel for each combination of the keys: the first data set and the unit trained on it."""
    found: dict[str, Panel] = {}
    for point in points:
        p = Parameters.model_validate(point.parameters)
        title = "\n".join(format_keys({key: getattr(p, key)}) for key in keys)
        found.setdefault(title, Panel(title, *train_unit_once(p, seed, 0), p.unit == "hard"))
    return list(found.values())


def _draw_scatter(figure: Any, points: Sequence[Any], seed: int) -> None:
    several = len({point.parameters["P"] for point in points}) > 1
    draw_panels(figure, _make_panels(points, seed, ["data", "P"] if several else ["data"]), draw_scatter)


def _draw_decision(figure: Any, points: Sequence[Any], seed: int) -> None:
    """Draw a row for each kind of data, if there are several units for each."""
    varying = [
        key
        for key in Parameters.model_fields
        if key != "data" and len({point.parameters[key] for point in points}) > 1
    ]
    panels = _make_panels(points, seed, ["data", *varying])
    each = len(panels) // len({point.parameters["data"] for point in points})
    draw_panels(figure, panels, draw_decision, each if each > 1 else MAX_COLUMNS)


SCENARIO = Scenario(
    name="lms",
    version=3,
    parameters=Parameters,
    measures={
        "mse": "mean squared error of the unit's output on the training set; infinite if it diverged",
        "wiener_mse": "the smallest mse of any linear unit on this training set",
        "excess": "mse - wiener_mse (may be negative for a hard unit)",
        "errors": "fraction of points on the wrong side",
        "updates": "number of updates of w",
        "diverged": "1 if the mse is above ten times that of w = 0, which is 1; NaN for a hard unit",
    },
    cost=cost,
    run=run,
    ranges={"errors": SHARE},
    theories={
        "wiener": Theory("Wiener's minimum, many points", "wiener_mse", _wiener_theory),
        "wiener_mse": Theory("Wiener's minimum, many points", "mse", _wiener_theory),
    },
    pictures={
        "scatter": Picture("The points of the two classes, first data set", _draw_scatter, (7.0, 2.2)),
        "decision": Picture(
            "The trained unit over the points of the first data set: its line w1 x1 + w2 x2 = theta, "
            "shaded by its output; rings: points on the wrong side",
            _draw_decision,
            (7.0, 2.3),
        ),
    },
)
