"""LMS on two overlapping clusters in the plane   (the LMS report: steady state, training-set size, rates).

Gaussian clusters of unit width at a distance Delta, classes +-1 alternating; the best linear unit has the
mean squared error 4/(4 + Delta^2). Without threshold, as the report writes its unit, it also depends on the
offset o of the two clusters from the origin: (1 + o^2)/(1 + o^2 + Delta^2/4).
"""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from pydantic import Field

from markone.lab.scenario import SHARE, Scenario, Settings, Theory
from markone.lab.scenarios.plane import _two_classes
from markone.lab.scenarios.rule._examples import RANDOM, draw_signed_examples
from markone.numerics.arrays import Floats


class Parameters(Settings):
    """P points, `passes` cyclic passes over them, rows (-1, x1, x2) so that w_0 is the threshold.

    schedule: eta, or eta/(1 + n/10) with n the number of passes done: search, then converge. offset: of the
    middle between the clusters, along the line through them. threshold = False: w_0 stays 0.
    """

    distance: float = Field(ge=0)
    P: int = Field(100, ge=4)
    eta: float = Field(0.01, gt=0, le=0.2)
    schedule: Literal["constant", "search_then_converge"] = "search_then_converge"
    passes: int = Field(100, ge=1)
    offset: float = 0.0
    threshold: bool = True


def draw_clusters(p: Parameters, seed: int, repeat: int) -> tuple[Floats, Floats]:
    """Draw rows (-1, x1, x2) and classes."""
    S = np.where(np.arange(p.P) % 2, -1.0, 1.0)
    noise = np.empty((p.P, 2))
    draw_signed_examples(seed, 2, p.P, repeat, RANDOM, 0.0, noise)
    first = -np.ones(p.P) if p.threshold else np.zeros(p.P)
    return np.column_stack([first, S * p.distance / 2 + p.offset + noise[:, 0], noise[:, 1]]), S


def run(p: Parameters, seed: int, start: int, stop: int) -> list[Any]:
    last, rows = np.empty((p.P, 3)), []
    for repeat in range(start, stop):
        X, S = draw_clusters(p, seed, repeat)
        w = np.zeros(3)
        _two_classes.learn_lms(X, S, p.eta, p.schedule != "constant", p.passes, w, last)
        inputs = X if p.threshold else X[:, 1:]
        least = np.mean((S - inputs @ np.linalg.solve(inputs.T @ inputs, inputs.T @ S)) ** 2)
        y = X @ w
        mse, wrong = np.mean((S - y) ** 2), np.mean(np.where(y >= 0, 1.0, -1.0) != S)
        swing = np.sqrt(((last - last.mean(axis=0)) ** 2).sum(axis=1).mean())
        rows.append((mse, least, mse - least, wrong, swing))
    return rows


def cost(p: Parameters) -> float:
    """About 15 multiplications per step, and an overhead worth ten thousand."""
    return 15.0 * p.P * (p.passes + 5) + 1e4


def wiener_minimum(parameters: Mapping[str, Any]) -> float:
    signal = float(parameters["distance"]) ** 2 / 4
    offset = 0.0 if parameters.get("threshold", True) else float(parameters.get("offset", 0.0))
    return (1 + offset**2) / (1 + offset**2 + signal)


SCENARIO = Scenario(
    name="overlap",
    version=2,
    parameters=Parameters,
    measures={
        "mse": "mean squared error of the unit's output on the training set",
        "wiener_mse": "the smallest mse of any linear unit on this training set",
        "excess": "mse - wiener_mse",
        "errors": "fraction of points on the wrong side",
        "swing": "root mean square distance of w from its mean during the last pass",
    },
    cost=cost,
    run=run,
    ranges={"errors": SHARE},
    theories={
        "wiener": Theory("Wiener's minimum, many points", "wiener_mse", wiener_minimum, "asymptote"),
        "wiener_mse": Theory("Wiener's minimum, many points", "mse", wiener_minimum, "asymptote"),
    },
    miniature={"P": 20, "passes": 3},
)
