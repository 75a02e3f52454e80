"""Version space (3.35): all w with S^mu w . xi^mu > 0, or with label noise their posterior."""

from typing import Any

from markone.numerics.arrays import Array, check_whole_number
from markone.perceptron.version_space.cut import Cut, cut_space
from markone.perceptron.version_space.sampled_space import SampledSpace
from markone.perceptron.version_space.volume import Volume, measure_volume, shrink_volume


class VersionSpace(SampledSpace):
    """All perceptrons without threshold that agree with the examples, with equal weight.

    With `noise` = lambda > 0 labels are wrong with that probability: w has the weight
    (1-lambda)^right lambda^wrong, the posterior of a teacher drawn from the sphere.

    Parameters
    ----------
    xi : array (P, N) or scipy sparse matrix
        The inputs.
    S : array (P,)
        Their labels, +1 or -1.
    noise : float in [0, 1/2), default=0.0
        Probability that a label is wrong.

    Examples
    --------
    >>> from markone.perceptron.version_space import VersionSpace
    >>> space = VersionSpace([[1.0, 0.0], [0.0, 1.0]], [1, 1])
    >>> bool((space.sample(100, seed=0).students > 0).all())
    True
    """

    def log_volume(self, n: int = 200, *, nodes: int = 16, seed: Any = None) -> Volume:
        """ln of the fraction of the sphere that version space takes; with noise ln of the evidence.

        See `Volume`. n students are drawn for each of `nodes` noise levels.
        """
        return measure_volume(
            self, check_whole_number("n", n, 2), check_whole_number("nodes", nodes, 2), seed
        )

    def shrink(self, n: int = 100, *, seed: Any = None) -> Array:
        """ln of the volume after 0, 1, .. P examples, in their order, with n students for each.

        Without noise only. The standard error of the last is about sqrt(P (1-p)/(p n)) with the mean
        fraction p of version space that a new example leaves.
        """
        return shrink_volume(self, check_whole_number("n", n, 1), seed)

    def cut(self, xi: Any, n: int = 200, *, seed: Any = None) -> list[Cut]:
        """For each new input, whether it is informative: its hyperplane cuts version space   (Fig. 3.7)."""
        return cut_space(self, xi, n, seed)
