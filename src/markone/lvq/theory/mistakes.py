"""Learning from mistakes (LFM) on a stream from two Gaussian clusters, N -> infinity.

If the winner has the wrong label, the prototype of the class moves towards the example and the other away:
f_S = S sigma then, 0 otherwise. It is the perceptron rule for prototypes. Asymptotically all lengths are
proportional to the rate, so that the final error does not depend on it, and there is no limit of small rates:
the two prototypes would coincide. The final error is not optimal, not even for equal clusters
(Biehl, Ghosh, Hammer 2007).
"""

from typing import Any

from numpy.typing import ArrayLike

from markone.lvq.theory import flow
from markone.lvq.theory.clusters import Clusters
from markone.lvq.theory.flow import TABULA_RASA, Prototypes, Rule
from markone.numerics.arrays import check_positive

MISTAKES: Rule = (((0, 0), (1, -1)), ((-1, 1), (0, 0)))


def trajectory(
    alpha: ArrayLike, eta: float, clusters: Clusters | None = None, start: ArrayLike = TABULA_RASA
) -> Prototypes:
    """Order parameters at each alpha; NaN beyond 1e12."""
    return flow.trajectory(MISTAKES, alpha, check_positive("eta", eta), clusters, start)


def generalization_error(
    alpha: ArrayLike, eta: float, clusters: Clusters | None = None, start: ArrayLike = TABULA_RASA
) -> Any:
    """Generalization error epsilon_g(alpha), NaN beyond alpha = 1e12."""
    return trajectory(alpha, eta, clusters, start).epsilon_g
