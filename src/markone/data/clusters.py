"""Clusters: the four kinds of two classes in the plane (of the LMS report), and mixtures of Gaussians."""

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


def two_classes(kind: str, P: int, *, seed: int = 0, repeat: int = 0) -> Examples:
    """P points of the plane in two classes S = +-1 that take turns.

    The points are those that the scenario `lms` of the laboratory draws for the same P, seed and repeat.

    Parameters
    ----------
    kind : {"halo", "dense", "arcs", "rings"}
        "halo": two small discs far apart; "dense": two large discs with a narrow gap; "arcs": interlocked
        half circles; "rings": a core in a ring. The first two have a separating line, the others have none.
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
    """
    if kind not in KINDS:
        raise ValueError(f"There is no kind {kind!r} of two classes: choose one of {', '.join(KINDS)}.")
    if P < 2:
        raise ValueError(f"P = {P} points cannot show two classes: ask for 2 or more.")
    if seed < 0 or repeat < 0:
        raise ValueError(f"seed = {seed} and repeat = {repeat} must be whole numbers, 0 or more.")
    X, S = np.empty((P, 3)), np.empty(P)
    _two_classes.two_classes(seed, P, repeat, KINDS[kind], X, S)
    return Examples(np.ascontiguousarray(X[:, 1:]), S, None)


@dataclass(frozen=True)
class Mixture:
    """Points X (P, N), their labels y, and the cluster each was drawn from.

    Parameters
    ----------
    X : array (P, N)
        The points.
    y : array (P,)
        Their labels.
    cluster : array (P,)
        The cluster each was drawn from.

    Examples
    --------
    >>> from markone.data import gaussian_mixture
    >>> drawn = gaussian_mixture(6, [[0, 0], [9, 9]], labels=["near", "far"], seed=0)
    >>> drawn.X.shape, sorted(set(drawn.y.tolist()))
    ((6, 2), ['far', 'near'])
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
    share = _priors(priors, K)
    roots = _roots(np.asarray(variances, dtype=float), K, N)
    names = np.arange(K) if labels is None else np.asarray(labels)
    if names.shape != (K,):
        raise ValueError(f"labels has shape {names.shape}: give one label for each of the {K} clusters.")
    if P < 1:
        raise ValueError(f"P = {P} points: ask for 1 or more.")
    rng = np.random.default_rng(seed)
    cluster = rng.choice(K, P, p=share)
    noise = np.einsum("pij,pj->pi", roots[cluster], rng.standard_normal((P, N)))
    return Mixture(centres[cluster] + noise, names[cluster], cluster)


def _priors(priors: ArrayLike | None, K: int) -> Array:
    share = np.full(K, 1 / K) if priors is None else np.asarray(priors, dtype=float)
    if share.shape != (K,) or (share < 0).any() or abs(share.sum() - 1) > 1e-9:
        raise ValueError(
            f"priors = {share.tolist()} must be {K} probabilities, one a cluster, that add up to 1."
        )
    return share / share.sum()


def _roots(variances: Array, K: int, N: int) -> Array:
    """A matrix A for each cluster, with A A^T its covariance."""
    if variances.ndim == 3 and variances.shape == (K, N, N):
        values, vectors = np.linalg.eigh((variances + variances.transpose(0, 2, 1)) / 2)
        if not np.allclose(variances, variances.transpose(0, 2, 1)) or values.min() < -1e-9 * values.max():
            raise ValueError("variances holds a matrix that is no covariance: symmetric, no value below 0.")
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
