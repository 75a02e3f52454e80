"""Multi-class problems as binary problems: one against the rest, or one against one."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from markone.numerics.arrays import Array


@dataclass(frozen=True)
class Binary:
    """Examples (None: all) with S = +1 for class `positive`, -1 for class `negative` (None: all others)."""

    indices: Array | None
    S: Array
    positive: int
    negative: int | None = None

    def of(self, values: Array) -> Array:
        """Select the values of the examples of this problem."""
        return values if self.indices is None else values[self.indices]


def one_vs_rest(codes: Array, K: int) -> list[Binary]:
    """Two classes: the second against the first. More: each class against all others."""
    if K == 2:
        return [Binary(None, np.where(codes == 1, 1.0, -1.0), 1, 0)]
    return [Binary(None, np.where(codes == k, 1.0, -1.0), k) for k in range(K)]


def one_vs_one(codes: Array, K: int) -> list[Binary]:
    """Each pair of classes, the second of it +1."""
    if K == 2:
        return one_vs_rest(codes, K)
    of_class = [np.flatnonzero(codes == k) for k in range(K)]
    found = []
    for a, b in combinations(range(K), 2):
        indices = np.concatenate([of_class[a], of_class[b]])
        if indices.size == 0:
            raise ValueError(
                "Two classes have no example of a weight above zero, so they cannot be distinguished. "
                "Remove their examples, or use multi_class='one_vs_rest'."
            )
        S = np.concatenate([np.full(of_class[a].size, -1.0), np.ones(of_class[b].size)])
        found.append(Binary(indices, S, b, a))
    return found


def pair_winners(K: int) -> tuple[Array, Array]:
    """Indicators (pairs, K) of the winner: the first class for potentials < 0, else the second."""
    pairs = np.array(list(combinations(range(K), 2)))
    first, second = np.zeros((len(pairs), K)), np.zeros((len(pairs), K))
    first[np.arange(len(pairs)), pairs[:, 0]] = 1.0
    second[np.arange(len(pairs)), pairs[:, 1]] = 1.0
    return first, second


def pair_votes(potentials: Array, K: int) -> Array:
    """Number of pairs won by each class, (n, K), from potentials (n, pairs).

    Ties are broken by the sum of the potentials, mapped to less than 1/3 and added, as in scikit-learn.
    """
    first, second = pair_winners(K)
    won = potentials >= 0
    sums = potentials @ (second - first)
    return np.asarray(won @ second + ~won @ first + sums / (3.0 * (np.abs(sums) + 1.0)))
