"""Two classes in the plane: clusters (of the LMS report) or sides of a line; and mixtures of Gaussians."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from markone.data import _two_classes
from markone.data.teachers import Examples
from markone.numerics.arrays import Array

KINDS = {
    "halo": _two_classes.HALO,
    "dense": _two_classes.DENSE,
    "arcs": _two_classes.ARCS,
    "rings": _two_classes.RINGS,
}
# Points on both sides of a line: none nearer to it than this, and the probability of a wrong label.
LINES = {"easy": (0.5, 0.0), "tight": (0.005, 0.0), "noisy": (0.2, 0.1)}
# Every second point of "tight" is nearer than this: the gap between random points alone may be wide.
NEAR = 0.06


def two_classes(kind: str, P: int, *, seed: int = 0, repeat: int = 0) -> Examples:
    """P points of the plane in two classes S = +-1.

    The classes of "halo", "dense", "arcs" and "rings" alternate; these are the points that the scenario `lms`
    of the laboratory draws for the same P, seed and repeat. The others are the sets of
    `markone watch --data tight`.

    Parameters
    ----------
    kind : {"halo", "dense", "arcs", "rings", "easy", "tight", "noisy"}
        "halo": two small discs far apart; "dense": two large discs with a narrow gap; "arcs": interlocked
        half circles; "rings": a core in a ring. The first two have a separating line, the next two have none.
        "easy", "tight", "noisy": points of a square on both sides of one line, none nearer to it than 0.5,
        0.005 or 0.2; of "tight" every second is nearer than 0.06, of "noisy" one label in ten is wrong. The
        narrower the gap, the longer Rosenblatt learns (3.29).
    P : int
        Number of examples.
    seed : int, default=0
        Seed of the points.
    repeat : int, default=0
        Number of the repeat: another one has other points.

    Returns
    -------
    Examples
        Points `xi` (P, 2), labels `S`, and None for the teacher.

    Examples
    --------
    >>> from markone.data import two_classes
    >>> xi, S, _ = two_classes("dense", 6)
    >>> xi.shape, S.tolist()
    ((6, 2), [1.0, -1.0, 1.0, -1.0, 1.0, -1.0])
    >>> from markone import Rosenblatt
    >>> [Rosenblatt().fit(*two_classes(kind, 40)[:2]).n_iter_ for kind in ("easy", "tight")]
    [2, 8]
    """
    if kind not in KINDS and kind not in LINES:
        known = ", ".join([*KINDS, *LINES])
        raise ValueError(f"There is no kind {kind!r} of two classes: choose one of {known}.")
    if P < 2:
        raise ValueError(f"P = {P} points cannot contain two classes: P must be 2 or more.")
    if seed < 0 or repeat < 0:
        raise ValueError(f"seed = {seed} and repeat = {repeat} must be whole numbers, 0 or more.")
    if kind in LINES:
        return _sides_of_a_line(*LINES[kind], P, seed, repeat)
    X, S = np.empty((P, 3)), np.empty(P)
    _two_classes.fill_two_classes(seed, P, repeat, KINDS[kind], X, S)
    return Examples(np.ascontiguousarray(X[:, 1:]), S, None)


def _sides_of_a_line(gap: float, noise: float, P: int, seed: int, repeat: int) -> Examples:
    """The line 0.6 x1 + 0.8 x2 = 0.2 through the square |x| < 2."""
    rng = np.random.default_rng([seed, repeat] if repeat else seed)
    # About one candidate in thirty is near.
    X = rng.uniform(-2, 2, (40 * P if gap > NEAR else 200 * (P + 20), 2))
    away = X @ [0.6, 0.8] - 0.2
    chosen = np.flatnonzero(np.abs(away) > gap)
    if gap < NEAR:
        near = np.abs(away[chosen]) < NEAR
        half = P // 2
        chosen = np.concatenate([chosen[~near][:half], chosen[near][: P - half]])
        chosen = chosen[np.argsort(np.concatenate([2 * np.arange(half), 2 * np.arange(P - half) + 1]))]
    chosen = chosen[:P]
    S = np.where(away[chosen] > 0, 1.0, -1.0)
    return Examples(X[chosen], np.where(rng.random(P) < noise, -S, S), None)


@dataclass(frozen=True)
class Mixture:
    """Points X (P, N), their labels y, and the cluster each was drawn from.

    Returned by `gaussian_mixture`.

    Parameters
    ----------
    X : array (P, N)
        The points.
    y : array (P,)
        Their labels.
    cluster : array (P,)
        The cluster each was drawn from.
    """

    X: Array
    y: Array
    cluster: Array


def gaussian_mixture(
    P: int,
    means: ArrayLike,
    variances: ArrayLike = 1.0,
    priors: ArrayLike | None = None,
    *,
    labels: ArrayLike | None = None,
    seed: Any = None,
) -> Mixture:
    """P points of Gaussian clusters in N dimensions.

    Parameters
    ----------
    P : int
        Number of examples.
    means : array (K, N)
        The centres.
    variances : float or array, default=1.0
        One number, one a cluster (K,), one a coordinate (K, N), or covariances (K, N, N).
    priors : array (K,) or None, default=None
        Probabilities of the clusters, equal if not given; unbalanced ones make the example of section 6.3.
    labels : array (K,) or None, default=None
        The class of each cluster (its index if not given), so that one class may have several clusters.
    seed : int, Generator or None, default=None
        Seed of what is drawn.

    Returns
    -------
    Mixture
        Points `X`, labels `y` and the `cluster` of each.

    Examples
    --------
    >>> from markone.data import gaussian_mixture
    >>> X, y = (drawn := gaussian_mixture(200, [[0, 0], [6, 0]], seed=0)).X, drawn.y
    >>> X[y == 1].mean(axis=0).round()
    array([6., 0.])
    """
    centres = np.atleast_2d(np.asarray(means, dtype=float))
    K, N = centres.shape
    share = np.full(K, 1 / K) if priors is None else np.asarray(priors, dtype=float)
    if share.shape != (K,) or (share < 0).any() or abs(share.sum() - 1) > 1e-9:
        raise ValueError(
            f"priors = {share.tolist()} must be {K} probabilities, one a cluster, that add up to 1."
        )
    share = share / share.sum()
    roots = _covariance_roots(np.asarray(variances, dtype=float), K, N)
    names = np.arange(K) if labels is None else np.asarray(labels)
    if names.shape != (K,):
        raise ValueError(f"labels has shape {names.shape}: give one label for each of the {K} clusters.")
    if P < 1:
        raise ValueError(f"P = {P} points: P must be 1 or more.")
    rng = np.random.default_rng(seed)
    cluster = rng.choice(K, P, p=share)
    noise = np.einsum("pij,pj->pi", roots[cluster], rng.standard_normal((P, N)))
    return Mixture(centres[cluster] + noise, names[cluster], cluster)


def _covariance_roots(variances: Array, K: int, N: int) -> Array:
    """A matrix A for each cluster, with A A^T its covariance."""
    if variances.ndim == 3 and variances.shape == (K, N, N):
        values, vectors = np.linalg.eigh((variances + variances.transpose(0, 2, 1)) / 2)
        if not np.allclose(variances, variances.transpose(0, 2, 1)) or values.min() < -1e-9 * values.max():
            raise ValueError(
                "variances holds a matrix that is not a covariance: symmetric, no eigenvalue < 0."
            )
        return vectors * np.sqrt(np.maximum(values, 0))[:, None, :]
    if variances.ndim > 2 or (variances.ndim == 2 and variances.shape != (K, N)):
        shapes = f"(), ({K},), ({K}, {N}) or ({K}, {N}, {N})"
        raise ValueError(f"variances has shape {variances.shape}: it must be {shapes}.")
    if variances.ndim == 1 and variances.shape != (K,):
        raise ValueError(f"variances has {len(variances)} values: give one for each of the {K} clusters.")
    if not (variances >= 0).all():
        raise ValueError(f"variances = {variances.min()} must not be negative.")
    each = variances[:, None] if variances.ndim == 1 else variances
    return np.sqrt(np.broadcast_to(each, (K, N)))[:, :, None] * np.eye(N)
