"""The number of examples per weight up to which labels are linearly separable (Candes, Sur 2020).

1/alpha_c = min over t0, t1 of E (t0 y + t1 y z - normal)_+^2, t0 only with an intercept. The stationary point
is a root of the two derivatives, since the function is convex.
"""

import numpy as np

from markone.numerics.arrays import Array
from markone.numerics.gaussian import G2, REACH, G, panel_quadrature, phi
from markone.numerics.roots import newton_roots
from markone.perceptron.theory.engine.worlds.world import TeacherWorld, TwoGaussiansWorld, World

# Edges of the panels of z, besides those at a threshold.
PANELS = REACH * np.linspace(-1, 1, 9)
NARROW = np.append(0.0, np.geomspace(1e-11, REACH, 60))


def find_separable_alpha(world: World, noise: Array, intercept: bool, rho: float) -> Array:
    """alpha_c for each noise; infinite if a rule without noise separates all."""
    if isinstance(world, TwoGaussiansWorld):
        return np.full(noise.shape, _separable_gaussians(world, intercept, rho))
    assert isinstance(world, TeacherWorld)
    teacher = world.teacher
    limit = np.full(noise.shape, np.inf)
    exact = teacher.is_deterministic and (teacher.threshold == 0 or intercept)
    noisy = (noise > 0) | (not exact)
    # Fine towards the threshold: for little noise only a narrow range there matters.
    theta = teacher.threshold
    edges = np.concatenate([PANELS, -theta - NARROW, -theta + NARROW])
    z, weight = panel_quadrature(np.sort(np.clip(edges, -REACH, REACH)), 20)
    with np.errstate(divide="ignore", invalid="ignore"):
        p, _ = teacher.label_probability(z, np.full_like(z, 1e-300), noise[noisy][:, None])
    plus, minus = weight * phi(z) * p, weight * phi(z) * (1 - p)

    def derivatives(t: Array, index: Array) -> Array:
        k, rows = _fields(t, z), index.astype(int)
        a, b = plus[rows] * G(k), minus[rows] * G(-k)
        return np.stack([(z * (a - b)).sum(-1), (a - b).sum(-1)][: len(t)])

    index = np.arange(int(noisy.sum()))
    # A teacher that is nearly free of noise has a large t.
    trial = np.append(0.0, -np.geomspace(1e-3, 1e10, 80))
    k = trial[:, None] * (z + theta * intercept)
    start = trial[np.argmin(G2(k) @ plus.T + G2(-k) @ minus.T, axis=0)]
    start = np.stack([start, theta * start][: 1 + intercept])
    scale = 1 + np.abs(start[0])
    t = newton_roots(
        lambda x, i: derivatives(x * scale[i.astype(int)], i), start / scale, (index,), steps=80
    ).x * scale  # fmt: skip
    k = _fields(t, z)
    limit[noisy] = 1 / (plus * G2(k) + minus * G2(-k)).sum(-1)
    return np.where(np.isnan(limit), np.inf, limit)


def _fields(t: Array, z: Array) -> Array:
    """t0 + t1 z, for each row."""
    shift = t[1][:, None] if len(t) > 1 else 0.0
    return np.asarray(t[0][:, None] * z + shift)


def _separable_gaussians(world: TwoGaussiansWorld, intercept: bool, rho: float) -> float:
    """The field t0 y + t1 |mu| has width sqrt(1 + t1^2) about its mean."""
    shares = dict(world.labels)

    def mean_square(t: Array) -> Array:
        t0 = t[1] if intercept else np.zeros_like(t[0])
        width = np.sqrt(1 + t[0] ** 2)
        return sum(p * width**2 * G2((y * t0 + t[0] * np.sqrt(rho)) / width) for y, p in shares.items())

    def derivatives(t: Array) -> Array:
        h = 1e-4
        return np.stack(
            [
                (mean_square(t + h * axis) - mean_square(t - h * axis)) / (2 * h)
                for axis in np.eye(len(t))[:, :, None]
            ]
        )

    t = newton_roots(derivatives, np.zeros((1 + intercept, 1)), largest=1.0, steps=80).x
    value = float(mean_square(t)[0])
    return 1 / value if value > 1e-12 else np.inf
