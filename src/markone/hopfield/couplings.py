"""Coupling matrices: learned from patterns, and two magnets.

Patterns are rows of +-1, shape (P, N); all functions return (N, N) with w_ii = 0.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_random_state

from markone.hopfield.optimal_couplings import normalised_couplings, optimal_neurons
from markone.numerics.arrays import Array, check_whole_number


def _check_patterns(xi: ArrayLike) -> Array:
    values = np.asarray(xi, dtype=np.float64)
    if values.ndim != 2 or not values.size:
        raise ValueError(f"Patterns must be rows of a matrix (P, N), not an array of shape {values.shape}.")
    wrong = values[np.abs(values) != 1]
    if wrong.size:
        raise ValueError(
            f"Patterns must hold -1 and +1 only, but {wrong[0]:g} was found. Convert them first."
        )
    return values


def _zero_diagonal(w: Array) -> Array:
    np.fill_diagonal(w, 0.0)
    return w


def hebb(xi: ArrayLike) -> Array:
    """w_ij = (1/N) sum_mu xi_i^mu xi_j^mu (1.11); the notes' 1/P drops out of sign(h).

    Parameters
    ----------
    xi : array (P, N)
        The patterns, +-1.

    Returns
    -------
    array (N, N)
        The couplings.

    Examples
    --------
    >>> from markone.hopfield import hebb
    >>> hebb([[1, -1]]).tolist()
    [[0.0, -0.5], [-0.5, 0.0]]
    """
    xi = _check_patterns(xi)
    return _zero_diagonal(xi.T @ xi / xi.shape[1])


def projection_matrix(xi: Array) -> Array:
    """The orthogonal projection on the span of the patterns, also where these are linearly dependent."""
    _, s, V = np.linalg.svd(xi, full_matrices=False)
    V = V[s > s[0] * max(xi.shape) * np.finfo(np.float64).eps]
    return np.asarray(V.T @ V)


def pseudo_inverse(xi: ArrayLike) -> Array:
    """w = (1/N) sum xi^mu (C^-1)^mu,nu xi^nu, C = xi xi^T/N: all patterns are stored, correlated or not.

    The projection rule, with its diagonal set to zero; all stabilities of a random set are about
    sqrt((1 - alpha)/alpha). N linearly independent patterns would leave only the diagonal: ValueError.

    Parameters
    ----------
    xi : array (P, N)
        The patterns, +-1, linearly independent.

    Returns
    -------
    array (N, N)
        The couplings, zero on the diagonal.

    Examples
    --------
    >>> import numpy as np
    >>> from markone.hopfield import pseudo_inverse
    >>> xi = np.sign(np.random.default_rng(0).standard_normal((10, 20)))
    >>> w = pseudo_inverse(xi)
    >>> bool((xi * (xi @ w.T) > 0).all())
    True
    """
    return remove_diagonal(projection_matrix(_check_patterns(xi)))


def remove_diagonal(Q: Array) -> Array:
    """A projection without its diagonal."""
    if np.trace(Q) > len(Q) - 0.5:
        raise ValueError(
            f"The patterns span all {len(Q)} dimensions, so that their projection is the identity and "
            "the couplings between neurons vanish: store fewer patterns."
        )
    return _zero_diagonal(Q.copy())


def optimal_stability(xi: ArrayLike) -> Array:
    """Couplings of optimal stability, one perceptron (AdaTron) per neuron, |w_i| = 1: not symmetric.

    Possible up to about 2 N random patterns, and for more correlated ones. A ConvergenceWarning is issued
    if some neuron cannot store all patterns; it then has the best couplings found.

    Parameters
    ----------
    xi : array (P, N)
        The patterns, +-1.

    Returns
    -------
    array (N, N)
        The couplings, zero on the diagonal.

    Examples
    --------
    >>> import numpy as np
    >>> from markone.hopfield import optimal_stability
    >>> xi = np.sign(np.random.default_rng(0).standard_normal((20, 20)))
    >>> w = optimal_stability(xi)
    >>> bool((xi * (xi @ w.T) > 0).all())
    True
    """
    return normalised_couplings(optimal_neurons(_check_patterns(xi)))


def ferromagnet(N: int, J: float = 1.0) -> Array:
    """The Ising ferromagnet with all pairs coupled: w_ij = J/N. The notes' w_ij = 1 is J = N.

    With J = 1 it orders below T = 1, with the magnetisation m = tanh(m/T).

    Parameters
    ----------
    N : int
        Number of neurons.
    J : float, default=1.0
        Strength of the coupling.

    Returns
    -------
    array (N, N)
        The couplings, zero on the diagonal.

    Examples
    --------
    >>> from markone.hopfield import ferromagnet
    >>> ferromagnet(2).tolist()
    [[0.0, 0.5], [0.5, 0.0]]
    """
    return _zero_diagonal(np.full((check_whole_number("N", N, 1),) * 2, J / N))


def spin_glass(N: int, J: float = 1.0, random_state: Any = None) -> Array:
    """Symmetric couplings drawn at random, w_ij ~ N(0, J^2/N): the model of Sherrington and Kirkpatrick.

    Parameters
    ----------
    N : int
        Number of neurons.
    J : float, default=1.0
        Width of the distribution.
    random_state : int, RandomState or None, default=None
        Seed of the random numbers; an int gives reproducible results.

    Returns
    -------
    array (N, N)
        The couplings, symmetric, zero on the diagonal.

    Examples
    --------
    >>> from markone.hopfield import spin_glass
    >>> w = spin_glass(5, random_state=0)
    >>> bool((w == w.T).all())
    True
    """
    w = np.triu(
        check_random_state(random_state).normal(0.0, J / np.sqrt(N), (check_whole_number("N", N, 1),) * 2), 1
    )
    return np.asarray(w + w.T)
