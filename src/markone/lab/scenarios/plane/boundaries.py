"""Separating lines found by the perceptron from different starts   (the digits report, Fig. 3).

The data of an experiment are drawn once; a repeat is another random start. The line of optimal stability does
not depend on the start.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from pydantic import Field

from markone.data import two_classes
from markone.lab.scenario import Picture, Scenario, Settings, Values
from markone.numerics.arrays import Array
from markone.perceptron import AdaTron, Rosenblatt


class Parameters(Settings):
    """ "easy": points on both sides of a wide gap; "tight": half of them close to a narrow one."""

    data: Literal["easy", "tight"]
    P: int = Field(60, ge=4)
    start: float = Field(1.0, gt=0)


@lru_cache(maxsize=8)
def _draw_examples(kind: str, P: int, seed: int) -> tuple[Array, Array, AdaTron]:
    xi, S, _ = two_classes(kind, P, seed=seed)
    X = np.column_stack([-np.ones(P), xi])
    return X, S, AdaTron(fit_intercept=False).fit(X, S)


def _train_from_start(p: Parameters, seed: int, repeat: int) -> Rosenblatt:
    """Train Algorithm 1 from random weights of size `start`, in units of one update."""
    X, S, _ = _draw_examples(p.data, p.P, seed)
    w = np.random.default_rng((seed, repeat)).normal(0.0, p.start, 3)
    student = Rosenblatt(eta=3.0, fit_intercept=False, warm_start=True, max_iter=10_000)
    student.classes_, student.coef_ = np.array([-1.0, 1.0]), w[None, :]
    return student.fit(X, S)


def run(p: Parameters, seed: int, start: int, stop: int) -> Values:
    best = _draw_examples(p.data, p.P, seed)[2]
    found = [_train_from_start(p, seed, k) for k in range(start, stop)]
    cosine = [
        s.coef_[0] @ best.coef_[0] / np.linalg.norm(s.coef_) / np.linalg.norm(best.coef_) for s in found
    ]
    return {
        "epochs": np.array([s.n_iter_ + 1.0 for s in found]),
        "stability": np.array([float(s.stability_) for s in found]),
        "optimal_stability": np.full(len(found), float(best.stability_)),
        "angle": np.degrees(np.arccos(np.clip(cosine, -1, 1))),
    }


def draw(figure: Any, points: Sequence[Any], seed: int) -> None:
    """Fig. 3: the examples, the lines of twelve random starts, and the line of optimal stability."""
    for axes, point in zip(np.atleast_1d(figure.subplots(1, len(points))), points, strict=True):
        p = Parameters.model_validate(point.parameters)
        X, S, best = _draw_examples(p.data, p.P, seed)
        for sign, mark, colour in ((1, "o", "#0072B2"), (-1, "s", "#D55E00")):
            axes.plot(*X[sign == S, 1:].T, mark, ms=3.5, color=colour)
        lines = [_train_from_start(p, seed, k).coef_[0] for k in range(12)]
        for w, style in [
            *((w, {"lw": 0.7, "color": "0.55"}) for w in lines),
            (best.coef_[0], {"lw": 2, "color": "k"}),
        ]:
            # Return two points of the line w1 x1 + w2 x2 = theta.
            foot = w[0] * w[1:] / (w[1:] @ w[1:])
            axes.axline(*(foot, foot + np.array([-w[2], w[1]])), **style)
        axes.set(title=p.data, aspect="equal", xlim=(-2.6, 2.6), ylim=(-2.6, 2.6), xlabel="$x_1$")
    figure.axes[0].set_ylabel("$x_2$")


SCENARIO = Scenario(
    name="boundaries",
    version=5,
    parameters=Parameters,
    measures={
        "epochs": "passes over the data + 1, as the digits report counts",
        "stability": "kappa of the line found",
        "optimal_stability": "the largest possible kappa",
        "angle": "angle between the weights and those of optimal stability, degrees",
    },
    cost=lambda parameters: 1e6,
    run=run,
    pictures={
        "lines": Picture("Lines of different starts, and the most stable one (bold)", draw, (6.4, 3.3))
    },
)
