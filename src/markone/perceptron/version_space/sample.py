"""Students drawn from version space: centre of mass, overlap, expected errors."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from markone.numerics.arrays import Array


@dataclass(frozen=True, eq=False)
class Sample:
    """Students of version space, as unit vectors w from two independent chains.

    Parameters
    ----------
    halves : array (2, m, N)
        The unit vectors.
    wrong : array (2, m)
        Number of examples each student has wrong.
    hits : int
        Walls hit by both chains.
    cut : int
        Turns that were aborted because they hit too many walls.

    Examples
    --------
    >>> from markone import VersionSpace
    >>> VersionSpace([[1.0, 0.0], [0.0, 1.0]], [1, 1]).sample(100, seed=0).students.shape
    (100, 2)
    """

    halves: Array
    wrong: Array
    hits: int
    cut: int

    @property
    def students(self) -> Array:
        """All students, (2 m, N)."""
        return self.halves.reshape(-1, self.halves.shape[2])

    @cached_property
    def centres(self) -> Array:
        """Centre of mass of each half."""
        return np.asarray(self.halves.mean(axis=1))

    @property
    def centre(self) -> Array:
        """w_cm, not normalised   (3.38)."""
        return np.asarray(self.centres.mean(axis=0))

    @property
    def overlap(self) -> float:
        """q: the mean overlap of two students, and of a student and the teacher.

        The halves are independent, so that the product of their centres has no bias; |w_cm|^2 would
        contain each student's overlap with itself.
        """
        return float(self.centres[0] @ self.centres[1])

    @property
    def centre_overlap(self) -> float:
        """The expected overlap R of the centre of mass with a teacher drawn from version space."""
        return self.overlap / float(np.linalg.norm(self.centre))

    @property
    def gibbs_error(self) -> float:
        """Expected generalization error of a random student, for isotropic inputs   (3.34)."""
        first, second = self.halves
        return float(np.mean(np.arccos(np.clip(first @ second.T, -1.0, 1.0)))) / np.pi

    @property
    def bayes_error(self) -> float:
        """Expected generalization error of the centre of mass, for isotropic inputs.

        The centre of one half is compared with the students of the other: an upper bound, since it is a mean
        over half of the students only.
        """
        angles = []
        for centre, others in zip(self.centres, self.halves[::-1], strict=True):
            angles.append(np.arccos(np.clip(others @ centre / np.linalg.norm(centre), -1.0, 1.0)))
        return float(np.mean(angles)) / np.pi

    @cached_property
    def effective_size(self) -> float:
        """Number of independent students that would give the centre of mass with the same precision.

        From the autocorrelation of the vectors w, summed while pairs of it are positive (Geyer 1992).
        It may exceed 2 m: a quarter turn tends to the opposite side, successive students are anticorrelated.
        """
        return sum(effective_chain_size(half) for half in self.halves)

    def votes(self, X: Array) -> Array:
        """Fraction of the students with output +1, for each row of X; sign(0) = +1."""
        return np.asarray((np.asarray(X @ self.students.T) >= 0).mean(axis=1))


def effective_chain_size(walk: Array) -> float:
    """Length of a chain of vectors (m, N), or of numbers (m,), divided by its correlation time."""
    walk = walk.reshape(len(walk), -1)
    deviations = walk - walk.mean(axis=0)
    m, total = len(walk), float(np.sum(deviations * deviations))
    if total <= 1e-24 * float(np.sum(walk * walk)):
        return float(m)
    time, lag = -1.0, 0
    while lag + 1 < m:
        pair = sum(float(np.sum(deviations[k:] * deviations[: m - k])) for k in (lag, lag + 1)) / total
        if pair <= 0:
            break
        time, lag = time + 2 * pair, lag + 2
    # A chain shorter than its correlation time cannot estimate it: the gain is bounded.
    return float(m / max(time, 1 / np.log(max(m, 3))))
