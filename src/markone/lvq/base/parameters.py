"""Constructor parameters that classifiers share, in groups: defaults, documentation and constraints."""

from dataclasses import field
from numbers import Integral, Real
from typing import Any, ClassVar

from markone.base.parameters import Parameters
from markone.base.sklearn_compat import Interval, StrOptions
from markone.base.weights import CLASS_WEIGHT
from markone.lvq.costs.base import PHI
from markone.lvq.distances import Distance

Constraints = dict[str, list[Any]]

COUNT = Interval(Integral, 1, None, closed="left")
POSITIVE = Interval(Real, 0, None, closed="neither")
NOT_NEGATIVE = Interval(Real, 0, None, closed="left")
# Unknown names are refused by `find_distance`.
DISTANCE: Constraints = {"distance": [str, Distance, tuple, list]}


class ModelSettings(Parameters):
    """Parameters that are passed on to the training."""

    n_features_in_: int = field(init=False)

    def _model_settings(self) -> dict[str, Any]:
        """Penalties, widths and start of the metric, by the names of `TrainingSettings`."""
        return {}


class GivenPrototypes(Parameters):
    """Initial prototypes given as vectors (not for combinations of examples).

    Parameters
    ----------
    initial_prototypes, initial_labels : array-like or None
        Given initial vectors and their classes.

    Attributes
    ----------
    prototypes_ : array (M, N)
        The prototypes, in the units of X.
    """

    initial_prototypes: Any = None
    initial_labels: Any = None

    _parameter_constraints: ClassVar[Constraints] = {
        "initial_prototypes": ["array-like", None],
        "initial_labels": ["array-like", None],
    }


class ErrorCosts(Parameters):
    """Weights of classes and costs of errors; on-line rules use the sample_weight of the examples instead.

    Parameters
    ----------
    class_weight : dict, "balanced" or None
        Weight of the examples of each class in the cost.
    cost_matrix : array-like (C, C) or None
        Cost of predicting class l (column) for class k (row), in the order of `classes_`.
    """

    class_weight: Any = None
    cost_matrix: Any = None

    _parameter_constraints: ClassVar[Constraints] = {
        "class_weight": CLASS_WEIGHT,
        "cost_matrix": ["array-like", None],
    }


class EmbeddedCost(ErrorCosts):
    """GLVQ cost in feature space, where gamma is the parameter of the kernel.

    Parameters
    ----------
    phi : {"sigmoid", "identity", "swish", "soft+"}
        Increasing function Phi of the cost.
    steepness : float or None
        gamma of the function Phi; None: 10, for swish 1 (above 1.278 swish is not monotonic).

    Attributes
    ----------
    cost_ : float
        The last cost.
    n_iter_ : int
        Steps used.
    trace_ : structured array
        Fields step, cost and errors of each step.
    """

    phi: str = "sigmoid"
    steepness: float | None = None
    max_iter: int = 100

    _parameter_constraints: ClassVar[Constraints] = {
        "phi": [StrOptions(set(PHI))],
        "steepness": [POSITIVE, None],
        "max_iter": [COUNT],
    }
