"""Generalised LVQ: prototypes, and a metric, that minimise the cost (5.5)   (5.13, 5.17)."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from markone.base.parameters import POSITIVE, NotNegative
from markone.base.sklearn_compat import StrOptions
from markone.lvq import costs
from markone.lvq.base.gradient_base import GradientLVQ
from markone.lvq.base.metric import AnyDistance, InitialOmega, LocalMatrices, MetricLVQ, OmegaParameters
from markone.lvq.costs.base import PHI
from markone.lvq.distances import Distance
from markone.lvq.distances.adaptive import Diagonal, Quadratic
from markone.lvq.distances.omega import fixed_features


class RelativeDistanceCost(GradientLVQ):
    """Prototypes that minimise a cost of relative distances.

    Parameters
    ----------
    cost : {"glvq", "auc"}
        (5.5), or for two classes the area under the ROC curve.
    phi : {"identity", "sigmoid", "swish", "soft+"} or None
        Phi of the cost; None: sigmoid.
    gamma : float or None
        Its steepness; None: 10, for swish 1 (above 1.278, for auc .639, swish is not monotonic).
    """

    # Default Phi, if the cost has none.
    _usual_phi: ClassVar[str] = "sigmoid"

    cost: Annotated[str, StrOptions(set(costs.phi_cost_names()))] = "glvq"
    phi: Annotated[str | None, StrOptions(set(PHI)), None] = None
    gamma: Annotated[float | None, POSITIVE, None] = None

    def _make_cost(self) -> costs.Cost:
        """Cost with Phi and gamma, or the defaults of the cost and this model."""
        kind = costs.cost_class(self.cost)
        return kind(self.phi or kind.usual_phi or self._usual_phi, self.gamma)


class GLVQ(AnyDistance, RelativeDistanceCost):
    """Prototypes that minimise sum Phi((d_J - d_K)/(d_J + d_K)), J the nearest right, K wrong one.

    Sato and Yamada (1995). Scale X first (z-scores), unless the distance is invariant.

    Examples
    --------
    >>> from markone import GLVQ
    >>> from markone.data import load
    >>> iris = load("iris")
    >>> model = GLVQ(random_state=0).fit(iris.X, iris.y)
    >>> model.prototypes_.shape, bool(model.score(iris.X, iris.y) > 0.95)
    ((3, 4), True)
    """

    def _allows_sparse(self) -> bool:
        return self._make_distance().sparse


class RelevanceCost(InitialOmega, RelativeDistanceCost, MetricLVQ):
    """Relevances of features, some of them fixed by the user.

    Parameters
    ----------
    fixed_relevance : mapping feature -> value or None
        Relevances fixed by the user; the others sum to the rest of one.
    """

    fixed_relevance: Annotated[Mapping[Any, float] | None, Mapping, None] = None

    def _model_settings(self) -> dict[str, Any]:
        names = getattr(self, "feature_names_in_", None)
        fixed = fixed_features(self.fixed_relevance, self.n_features_in_, names)
        return super()._model_settings() | {"fixed": fixed}


class GRLVQ(RelevanceCost):
    """GLVQ with d = sum_i relevance_i (x_i - w_i)^2, relevances adapted, their sum one.

    Hammer and Villmann (2002).

    Parameters
    ----------
    initial_omega : {"identity", "random"} or array-like (1, N)
        Roots of the initial relevances.

    Attributes
    ----------
    relevance_, lambda_, omega_
        The relevances, and the diagonal matrices of them and of their roots.

    Examples
    --------
    >>> from markone import GRLVQ
    >>> from markone.data import load
    >>> iris = load("iris")
    >>> model = GRLVQ(random_state=0).fit(iris.X, iris.y)
    >>> model.relevance_.shape, bool(abs(model.relevance_.sum() - 1) < 1e-12)
    ((4,), True)
    """

    def _make_distance(self) -> Distance:
        return Diagonal()


class GMLVQ(OmegaParameters, RelevanceCost):
    """GLVQ with d = |Omega (x - w)|^2 and one matrix Omega, adapted with the prototypes.

    Schneider, Biehl and Hammer (2009); limited rank: Bunte et al. (2012). Lambda shows which
    features are relevant; it tends to very low rank by itself.

    Parameters
    ----------
    mu : float
        Penalty -mu/2 ln det(Omega Omega') against relevance matrices of low rank.
    phi : {"identity", "sigmoid", "swish", "soft+"} or None
        Phi of the cost; None: identity (auc: sigmoid).

    Examples
    --------
    >>> from markone import GMLVQ
    >>> from markone.data import load
    >>> iris = load("iris")
    >>> model = GMLVQ(random_state=0).fit(iris.X, iris.y)
    >>> iris.feature_names[model.relevance_.argmax()], bool(abs(model.lambda_.trace() - 1) < 1e-12)
    ('petal width (cm)', True)
    """

    # With a matrix the steep cost overfits; the toolbox's identity does not.
    _usual_phi: ClassVar[str] = "identity"

    mu: NotNegative = 0.0
    solver: Any = "waypoint"

    def _make_distance(self) -> Distance:
        return Quadratic()

    def _model_settings(self) -> dict[str, Any]:
        return super()._model_settings() | {"mu": self.mu}


class LGMLVQ(LocalMatrices, GMLVQ):
    """GLVQ with d_j = |Omega_j (x - w_j)|^2, one matrix per class or prototype.

    Its borders are quadrics. Converged it overfits; stopped early (the default), it was the most accurate of
    all prototype models measured.

    Examples
    --------
    >>> from markone import LGMLVQ
    >>> from markone.data import load
    >>> iris = load("iris")
    >>> model = LGMLVQ(random_state=0).fit(iris.X, iris.y)
    >>> model.omega_.shape, model.omega_of_.tolist()
    ((3, 4, 4), [0, 1, 2])
    """
