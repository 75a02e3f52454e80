"""The examples of the plane: presets by name and seed, or points placed by hand."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from markone.data import gaussian_mixture, teacher_examples, two_classes
from markone.numerics.arrays import Array

# Smallest window of the picture.
DOMAIN = ((-4.0, 4.0), (-3.0, 3.0))
# Decimals kept in a link.
DECIMALS = 3


@dataclass(frozen=True)
class Examples:
    """X (P, 2), S = +-1, and the part of the plane to draw."""

    X: Array
    S: Array
    domain: tuple[tuple[float, float], tuple[float, float]]

    @property
    def P(self) -> int:
        return len(self.S)

    def rows(self) -> list[list[float]]:
        return [[*x, s] for x, s in zip(self.X.tolist(), self.S.tolist(), strict=True)]


Draw = Callable[[int, int], tuple[Array, Array]]


def _mixture(means: Any, labels: Any, spread: float, priors: Any = None) -> Draw:
    def draw_points(P: int, seed: int) -> tuple[Array, Array]:
        drawn = gaussian_mixture(P, means, spread**2, priors, labels=labels, seed=seed)
        return drawn.X, drawn.y.astype(float)

    return draw_points


def _teacher_labels(noise: float = 0.0) -> Draw:
    """Labels of a teacher: without noise separable, without a gap by construction."""

    def draw_points(P: int, seed: int) -> tuple[Array, Array]:
        xi, S, _ = teacher_examples(P, 2, noise=noise, seed=seed)
        return 1.2 * xi, S

    return draw_points


def _two_classes(kind: str, scale: float) -> Draw:
    def draw_points(P: int, seed: int) -> tuple[Array, Array]:
        xi, S, _ = two_classes(kind, P, seed=seed)
        return scale * xi, S

    return draw_points


def _draw_spirals(P: int, seed: int) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    S = np.where(np.arange(P) % 2 == 0, 1.0, -1.0)
    t = 0.35 + 2.9 * np.sqrt(np.linspace(0.0, 1.0, P))
    angle = 1.55 * t + np.pi * (S < 0)
    X = 0.86 * t[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return X + 0.08 * rng.standard_normal((P, 2)), S


PRESETS: dict[str, Draw] = {
    "apart": _mixture([[-1.6, -0.8], [1.6, 0.9]], [-1, 1], 0.62),
    "tight": _teacher_labels(),
    "noisy": _teacher_labels(noise=0.1),
    "xor": _mixture([[-1.7, -1.2], [1.7, 1.2], [-1.7, 1.2], [1.7, -1.2]], [1, 1, -1, -1], 0.5),
    "spiral": _draw_spirals,
    "rare": _mixture([[-0.8, -0.3], [1.4, 0.9]], [-1, 1], 0.75, [0.95, 0.05]),
    "halo": _two_classes("halo", 1.6),
    "dense": _two_classes("dense", 1.2),
    "arcs": _two_classes("arcs", 1.9),
    "rings": _two_classes("rings", 1.4),
}


def load_plane_examples(
    preset: str, P: int, seed: int, points: Sequence[tuple[float, float, int]] | None
) -> Examples:
    if points is not None:
        table = np.array(points, dtype=float).reshape(-1, 3)
        X, S = np.ascontiguousarray(table[:, :2]), table[:, 2].copy()
    else:
        X, S = PRESETS[preset](P, seed)
        X = np.ascontiguousarray(np.round(X, DECIMALS))
    return Examples(X, S, _picture_domain(X))


def _picture_domain(X: Array) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the default window, or a larger one of the same proportions that holds all points."""
    half = np.array([4.0, 3.0])
    if not len(X) or (np.abs(X) <= 0.97 * half).all():
        return DOMAIN
    centre = (X.max(axis=0) + X.min(axis=0)) / 2
    if (np.abs(X) <= 3 * half).all():
        centre = np.zeros(2)
    scale = float((np.abs(X - centre) / half).max()) * 1.08
    low, high = centre - scale * half, centre + scale * half
    return ((float(low[0]), float(high[0])), (float(low[1]), float(high[1])))
