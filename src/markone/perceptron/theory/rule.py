"""Common to all students of a rule: teacher, noise, field of a fresh example, checks of arguments.

Inputs xi_j ~ N(0, 1), a teacher B with |B| = 1 and labels S = sign(B.xi), flipped with probability
noise. A student w is described by its angle theta to the teacher: R = cos theta is its overlap and
theta/pi its generalization error, the probability of disagreement with the noise-free teacher on a fresh
input.
"""

import numpy as np
from numpy.typing import ArrayLike

from markone.numerics.arrays import Array, examples_per_weight
from markone.numerics.gaussian import REACH, Phi, panel_quadrature, phi

Value = float | Array
# Below this alpha the effect of learning is not resolved in double precision.
NOTHING = 1e-60
# Nodes per panel of the integrals over the field: the panels are at most 2 REACH units long.
# FINE is converged to 4e-13; COARSE, good to a few per cent, serves to find starting points.
FINE, COARSE = 38, 14


def check_arguments(
    alpha: ArrayLike, noise: ArrayLike = 0.0, *more: ArrayLike
) -> tuple[tuple[int, ...], list[Array]]:
    """Return the common shape of all arguments and each as a flat float array; ValueError if out of range.

    alpha becomes NaN where it is NaN or its square overflows.
    """
    arrays = [np.asarray(a, dtype=float) for a in (alpha, noise, *more)]
    sentence = "alpha is {}: the number of examples per weight must be finite and not negative."
    require_all(arrays[0], ~((arrays[0] < 0) | np.isinf(arrays[0])), sentence)
    arrays[0] = examples_per_weight(arrays[0])
    check_noise(arrays[1])
    arrays = list(np.broadcast_arrays(*arrays))
    return arrays[0].shape, [a.ravel() for a in arrays]


def check_arguments_with_gamma(
    alpha: ArrayLike, noise: ArrayLike, gamma: ArrayLike
) -> tuple[tuple[int, ...], list[Array]]:
    """`arguments` for students with a weight gamma > 0 of the errors."""
    check_gamma(gamma)
    return check_arguments(alpha, noise, gamma)


def fill_unlearned(alpha: Array, value: float) -> Array:
    """`value` where nothing is learned, NaN where alpha is; the rest is overwritten by the solution."""
    return np.where(np.isnan(alpha), np.nan, value)


def require_all(values: Array, ok: Array, sentence: str) -> None:
    """Raise ValueError with the first value that is not ok in place of {}."""
    if not ok.all():
        raise ValueError(sentence.format(values[~ok].flat[0]))


def check_noise(noise: ArrayLike) -> None:
    noise = np.asarray(noise, dtype=float)
    sentence = "noise is {}: the probability to flip a label must be at least 0 and below 1/2, "
    require_all(noise, (noise >= 0) & (noise < 0.5), sentence + "where labels do not depend on the teacher.")


def check_gamma(gamma: ArrayLike) -> None:
    gamma = np.asarray(gamma, dtype=float)
    require_all(
        gamma, gamma > 0, "gamma is {}: the weight of the errors must be positive (infinity is allowed)."
    )


def restore_shape(values: Array, shape: tuple[int, ...]) -> Value:
    """Reshape to the given shape; a scalar becomes a float."""
    return values.reshape(shape) if shape else float(values.reshape(()))


def label_correlation(noise: ArrayLike) -> Array:
    """c = <S B.xi> = sqrt(2/pi) (1 - 2 noise)."""
    return np.sqrt(2 / np.pi) * (1 - 2 * np.asarray(noise, dtype=float))


def noisy_error(epsilon: ArrayLike, noise: ArrayLike) -> Value:
    """Error on test labels that are flipped themselves: noise + (1 - 2 noise) epsilon."""
    check_noise(noise)
    value = np.asarray(noise) + (1 - 2 * np.asarray(noise, dtype=float)) * np.asarray(epsilon, dtype=float)
    return restore_shape(value, value.shape)


def field_density(t: ArrayLike, theta: ArrayLike, noise: ArrayLike = 0.0) -> Value:
    """p(t) = 2 phi(t) [noise + (1 - 2 noise) Phi(t cot theta)] of the field t = S w.xi/|w|, fresh example."""
    check_noise(noise)
    t, theta, noise = (np.asarray(a, dtype=float) for a in (t, theta, noise))
    value = 2 * phi(t) * (noise + (1 - 2 * noise) * Phi(t / np.tan(theta)))
    return restore_shape(value, value.shape)


def field_moments(
    low: Array, high: Array, cot: Array, noise: Array, nodes: int = FINE
) -> tuple[Array, Array]:
    """int p(t) dt and int p(t) (high - t)^2 dt over low < t < high, for flat arrays; low may be -inf.

    All terms are positive, so small integrals keep their relative accuracy.
    """
    sin = 1 / np.sqrt(1 + cot * cot)
    # Phi(t cot) rises from 0 to 1 within a few sin of t = 0 and is constant beyond: two panels.
    start = np.maximum(low, -np.hypot(np.minimum(high, 0), REACH * sin))
    turned = np.clip(REACH * sin, start, np.maximum(high, start))
    edges = np.stack([start, turned, np.clip(REACH, turned, np.maximum(high, turned))], axis=-1)
    t, weight = panel_quadrature(edges, nodes)
    weight = weight * (2 * (1 - 2 * noise))[:, None] * phi(t) * Phi(t * cot[:, None])
    mass, second = weight.sum(-1), (weight * (high[:, None] - t) ** 2).sum(-1)
    if noise.any():
        start = np.maximum(low, -np.hypot(np.minimum(high, 0), REACH))
        t, weight = panel_quadrature(
            np.stack([start, np.clip(REACH, start, np.maximum(high, start))], axis=-1), nodes
        )
        weight = weight * (2 * noise)[:, None] * phi(t)
        mass, second = mass + weight.sum(-1), second + (weight * (high[:, None] - t) ** 2).sum(-1)
    return mass, second


def probability_below(high: Array, cot: Array, noise: Array, nodes: int = FINE) -> Array:
    """Probability that the field of a fresh example is smaller than high."""
    return field_moments(np.full_like(high, -np.inf), high, cot, noise, nodes)[0]
