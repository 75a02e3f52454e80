"""Many classes as binary problems: each against the rest, or each against each other one."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from markone.numerics.arrays import Array


@dataclass(frozen=True)
class Binary:
    """Examples `who` (None: all) with S = +1 for class `positive`, -1 for `negative` (None: all others)."""

    who: Array | None
    S: Array
    positive: int
    negative: int | None = None

    def of(self, values: Array) -> Array:
        """What belongs to the examples of this problem."""
        return values if self.who is None else values[self.who]


def one_vs_rest(codes: Array, K: int) -> list[Binary]:
    """The second of two classes against the first; of more each against all others."""
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
        who = np.concatenate([of_class[a], of_class[b]])
        if who.size == 0:
            raise ValueError(
                "Two classes have no example of a weight above zero, so nothing can choose between them. "
                "Leave their examples out, or use multi_class='one_vs_rest'."
            )
        S = np.concatenate([np.full(of_class[a].size, -1.0), np.ones(of_class[b].size)])
        found.append(Binary(who, S, b, a))
    return found


def wins(K: int) -> tuple[Array, Array]:
    """Who gains (pairs, K): from a potential >= 0 the second of the pair, from one < 0 the first."""
    pairs = np.array(list(combinations(range(K), 2)))
    first, second = np.zeros((len(pairs), K)), np.zeros((len(pairs), K))
    first[np.arange(len(pairs)), pairs[:, 0]] = 1.0
    second[np.arange(len(pairs)), pairs[:, 1]] = 1.0
    return first, second


def votes(potentials: Array, K: int) -> Array:
    """Of potentials (n, pairs) the number of pairs each class wins, (n, K).

    Between equal numbers the potentials decide: their sum, bent below 1/3, is added, as in scikit-learn.
    """
    first, second = wins(K)
    won = potentials >= 0
    sums = potentials @ (second - first)
    return np.asarray(won @ second + ~won @ first + sums / (3.0 * (np.abs(sums) + 1.0)))
