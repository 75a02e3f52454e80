"""Borders between classes under one metric, and the distance of inputs from them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import logsumexp

from markone.lvq.inspect.one_metric import class_indices, global_metric, mixture_width, one_per_class
from markone.numerics.arrays import Array


@dataclass(frozen=True)
class Borders:
    """Scores z.weights' + offsets with z = x - centre: d_k - d_j = score_j - score_k for two prototypes.

    slope[j, k] = 2 |Lambda (w_k - w_j)|, unit[j, k]: direction of steepest ascent of score_k - score_j.
    """

    weights: Array
    offsets: Array
    centre: Array
    c: Array
    slope: Array
    unit: Array
    # sigma^2 if probabilities of the prototypes of a class are summed, None if the nearest one decides.
    width: float | None

    def scores(self, X: Array) -> Array:
        return np.asarray((X - self.centre) @ self.weights.T + self.offsets)

    def nearest_border(self, X: Array, answer: Array) -> tuple[Array, Array, Array]:
        """Radius of each row of the class `answer`, and the prototypes j, k of the nearest border."""
        scores = self.scores(X)
        return (
            self._nearest_prototype_radius(scores, answer)
            if self.width is None
            else self._posterior_radius(scores, answer)
        )

    def _nearest_prototype_radius(self, scores: Array, answer: Array) -> tuple[Array, Array, Array]:
        own = answer[:, None] == self.c[None, :]
        with np.errstate(divide="ignore", invalid="ignore"):
            reach = (scores[:, :, None] - scores[:, None, :]) / self.slope
        # Two equal prototypes (0/0) have no border: radius zero.
        reach = np.where(
            own[:, None, :], np.inf, np.nan_to_num(reach, nan=0.0, posinf=np.inf, neginf=-np.inf)
        )
        each = np.where(own, reach.min(axis=2), -np.inf)
        j = each.argmax(axis=1)
        rows = np.arange(len(scores))
        return each[rows, j], j, reach[rows, j].argmin(axis=1)

    def _posterior_radius(self, scores: Array, answer: Array) -> tuple[Array, Array, Array]:
        """F_y - F_k of F = 2 sigma^2 ln sum exp(score / 2 sigma^2), divided by its largest possible slope.

        The gradient of F is a mean of weights of prototypes, so no slope exceeds the largest of pairs.
        """
        assert self.width is not None
        C, f = int(self.c.max()) + 1, scores / (2 * self.width)
        F = np.stack([logsumexp(f[:, self.c == k], axis=1) for k in range(C)], axis=1) * (2 * self.width)
        steep = np.array(
            [[self.slope[self.c == y][:, self.c == k].max() for k in range(C)] for y in range(C)]
        )
        rows = np.arange(len(scores))
        margin = F[rows, answer][:, None] - F
        reach = np.divide(margin, steep[answer], out=np.zeros_like(margin), where=steep[answer] > 0)
        reach[rows, answer] = np.inf
        rival = reach.argmin(axis=1)
        best = [np.where(self.c == k[:, None], scores, -np.inf).argmax(axis=1) for k in (answer, rival)]
        return reach[rows, rival], *best


def class_borders(model: Any) -> Borders:
    """Borders of a fitted prototype classifier with one quadratic metric."""
    Lambda = global_metric(model)
    W = np.asarray(model.prototypes_, dtype=float)
    centre = W.mean(axis=0)
    V = (W - centre) @ Lambda
    normal = V[None, :] - V[:, None]
    length = np.linalg.norm(normal, axis=2)
    unit = normal / np.where(length > 0, length, 1.0)[..., None]
    offsets = -((W - centre) * V).sum(axis=1)
    width = None if one_per_class(model) else mixture_width(model)
    return Borders(2 * V, offsets, centre, class_indices(model), 2 * length, unit, width)
