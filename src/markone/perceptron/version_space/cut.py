"""Informative examples: those whose hyperplane cuts version space   (Fig. 3.7)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from markone.perceptron.separable import separability
from markone.perceptron.separable.two_classes import check_examples
from markone.perceptron.version_space.sampled_space import SampledSpace


@dataclass(frozen=True)
class Cut:
    """Effect of a new input on version space.

    Parameters
    ----------
    informative : bool or None
        True if either label is possible, by a proof of separability for both; False if only one is, None if
        the proof was not reached. With noise every label is possible.
    share : float
        Fraction of the sampled students that answer +1: the remaining fraction of the volume if the label is
        +1; 1 - share if it is -1.

    Examples
    --------
    >>> from markone import VersionSpace
    >>> (cut,) = VersionSpace([[1.0, 0.0], [0.0, 1.0]], [1, 1]).cut([1.0, -1.0], seed=0)
    >>> cut.informative, bool(0.3 < cut.share < 0.7)
    (True, True)
    """

    informative: bool | None
    share: float

    @property
    def information(self) -> float:
        """Expected decrease of ln(volume) if the label is that of a student drawn from version space."""
        return float(sum(-p * np.log(p) for p in (self.share, 1 - self.share) if p > 0))


def cut_space(space: SampledSpace, xi: Any, n: int, seed: Any) -> list[Cut]:
    """Return one `Cut` per row of xi."""
    new = check_examples(np.atleast_2d(xi) if not sparse.issparse(xi) else xi)
    N = space.problem.N
    if new.shape[1] != N:
        raise ValueError(f"The new examples have {new.shape[1]} inputs, but version space is made of {N}.")
    share = space.sample(n, seed=seed).votes(new)
    return [Cut(_is_informative(space, new[[k]], p), float(p)) for k, p in enumerate(share)]


def _is_informative(space: SampledSpace, new: Any, share: float) -> bool | None:
    if space.noise > 0 or 0 < share < 1:
        return True  # students on both sides are a proof
    answers = [_label_possible(space, new, label) for label in (-1.0, 1.0)]
    if False in answers:
        return False
    return None if None in answers else True


def _label_possible(space: SampledSpace, new: Any, label: float) -> bool | None:
    """Whether the examples and the new one are separable; None if undecided."""
    join = sparse.vstack if sparse.issparse(space.problem.X) else np.vstack
    X, S = join([space.problem.X, new]), np.append(space.problem.S, label)
    # A second copy with opposite signs gives two labels to any set and leaves the answer unchanged.
    return separability(join([X, -X]), np.append(S, -S)).separable
