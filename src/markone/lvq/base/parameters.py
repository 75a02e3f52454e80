"""Constructor parameters that classifiers share, in groups: defaults, documentation and constraints."""

from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any, ClassVar

from markone.base.history import RECORD
from markone.base.parameters import Parameters
from markone.base.sklearn_compat import Interval, StrOptions
from markone.base.weights import CLASS_WEIGHT
from markone.lvq import costs, solvers
from markone.lvq.base.initialisation import STARTS
from markone.lvq.costs.phi import PHI
from markone.lvq.distances import Distance
from markone.lvq.solvers.online.online_training import SCHEDULES
from markone.numerics._random import ORDERS
from markone.numerics.threads import N_JOBS

Constraints = dict[str, list[Any]]

COUNT = Interval(Integral, 1, None, closed="left")
POSITIVE = Interval(Real, 0, None, closed="neither")
NOT_NEGATIVE = Interval(Real, 0, None, closed="left")
# Unknown names are refused by `find_distance`.
DISTANCE: Constraints = {"distance": [str, Distance, tuple, list]}


class InitialPrototypes(Parameters):
    """Prototypes placed by a rule.

    Parameters
    ----------
    prototypes_per_class : int, list in the order of the classes, or mapping label -> int
        Number of prototypes of each class.
    initial : {"kmeans", "means", "examples", "toolbox"}
        Initial prototypes: k-means in each class (a single one: the class mean), around the class mean,
        random examples, or class means times 0.99 .. 1.01 as in the GMLVQ toolbox.
    random_state : int, RandomState or None
        Seed of the random numbers; an int makes the result reproducible.
    """

    prototypes_per_class: Any = 1
    initial: str = "kmeans"
    random_state: Any = None

    _parameter_constraints: ClassVar[Constraints] = {
        "prototypes_per_class": [COUNT, Mapping, "array-like"],
        "initial": [StrOptions(set(STARTS))],
        "random_state": ["random_state"],
    }


class GivenPrototypes(Parameters):
    """Initial prototypes given as vectors (not for combinations of examples).

    Parameters
    ----------
    initial_prototypes, initial_labels : array-like or None
        Given initial vectors and their classes.
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


class SolverParameters(GivenPrototypes, ErrorCosts):
    """Minimisation of a cost.

    Parameters
    ----------
    solver : {"lbfgs", "waypoint", "stochastic"} or a solver object
        L-BFGS to a minimum; the toolbox's batch gradient (50 steps); stochastic gradient on mini-batches.
        `solvers.Waypoint(steps=100)` and the like have other settings.
    max_iter : int or None
        Maximum number of steps (epochs); None: the default of the solver.
    record : {"updates", "presentations"} or None
        Keep the steps of the solver in `history_`: cost before and after, how far prototypes moved;
        prototypes, metric and errors after each. Both values record all steps.
    n_jobs : int or None
        Cores for batches of more than 8192 rows: None is one, -1 all. The result does not depend on it.
    """

    solver: Any = "lbfgs"
    max_iter: int | None = None
    record: str | None = None
    n_jobs: int | None = None

    _parameter_constraints: ClassVar[Constraints] = {
        "solver": [StrOptions(set(solvers.NAMES)), solvers.Solver],
        "max_iter": [COUNT, None],
        "record": [StrOptions(set(RECORD)), None],
        "n_jobs": N_JOBS,
    }


class PhiCostParameters(Parameters):
    """Cost of relative distances.

    Parameters
    ----------
    cost : {"glvq", "auc"}
        (5.5), or for two classes the area under the ROC curve.
    phi : {"identity", "sigmoid", "swish", "soft+"} or None
        Phi of the cost; None: sigmoid.
    gamma : float or None
        Its steepness; None: 10, for swish 1 (above 1.278, for auc .639, swish is not monotonic).
    """

    cost: str = "glvq"
    phi: str | None = None
    gamma: float | None = None

    _parameter_constraints: ClassVar[Constraints] = {
        "cost": [StrOptions(set(costs.phi_cost_names()))],
        "phi": [StrOptions(set(PHI)), None],
        "gamma": [POSITIVE, None],
    }


class AnyDistance(Parameters):
    """A distance that is not learned.

    Parameters
    ----------
    distance : str, Distance or pair (function, gradient)
        A name in `distances.NAMES`, an object such as `distances.Minkowski(p=3)`, or own functions
        `function(X, w) -> (n,)` and `gradient(X, w) -> (n, N)`, which are compared before training.
    """

    distance: Any = "euclidean"

    _parameter_constraints: ClassVar[Constraints] = DISTANCE


class InitialOmega(Parameters):
    """Start of an adaptive metric.

    Parameters
    ----------
    initial_omega : {"identity", "random"} or array-like
        Initial Omega; a rectangular identity consists of the differences of the initial prototypes.
    """

    initial_omega: Any = "identity"

    _parameter_constraints: ClassVar[Constraints] = {
        "initial_omega": [StrOptions({"identity", "random"}), "array-like"],
    }


class OmegaParameters(InitialOmega):
    """An adaptive matrix.

    Parameters
    ----------
    rank : int or None
        Rows of Omega; None: as many as features.
    row_space : bool
        Remove directions in which no two examples differ from Omega (null-space correction).
    """

    rank: int | None = None
    row_space: bool = True

    _parameter_constraints: ClassVar[Constraints] = {
        "rank": [COUNT, None],
        "row_space": ["boolean"],
    }


class FixedRelevance(Parameters):
    """Relevances fixed by the user.

    Parameters
    ----------
    fixed_relevance : mapping feature -> value or None
        Relevances fixed by the user; the others sum to the rest of one.
    """

    fixed_relevance: Mapping[Any, float] | None = None

    _parameter_constraints: ClassVar[Constraints] = {"fixed_relevance": [Mapping, None]}


class MatrixPenalty(OmegaParameters, FixedRelevance, PhiCostParameters):
    """Adaptive matrices with a GLVQ cost.

    Parameters
    ----------
    mu : float
        Penalty -mu/2 ln det(Omega Omega') against relevance matrices of low rank.
    phi : {"identity", "sigmoid", "swish", "soft+"} or None
        Phi of the cost; None: identity (auc: sigmoid).
    """

    mu: float = 0.0

    _parameter_constraints: ClassVar[Constraints] = {"mu": [NOT_NEGATIVE]}


class LocalMatrices(Parameters):
    """Several matrices.

    Parameters
    ----------
    per : {"class", "prototype"}
        Whether each class or each prototype has its own matrix.
    """

    per: str = "class"

    _parameter_constraints: ClassVar[Constraints] = {"per": [StrOptions({"class", "prototype"})]}


class MixtureWidth(Parameters):
    """Width of a Gaussian mixture.

    Parameters
    ----------
    sigma2 : float, "learned" or None
        Width of the Gaussians, common to all; None: the mean distance of the data from their mean, by
        feature (one for z-scores); "learned": adapted from there.
    """

    sigma2: Any = None

    _parameter_constraints: ClassVar[Constraints] = {"sigma2": [POSITIVE, StrOptions({"learned"}), None]}


class OmegaDecay(OmegaParameters):
    """Adaptive matrices of a Gaussian mixture.

    Parameters
    ----------
    l2 : float
        Penalty l2/2 |Omega|^2.
    """

    l2: float = 0.0

    _parameter_constraints: ClassVar[Constraints] = {"l2": [NOT_NEGATIVE]}


class EmbeddedCost(InitialPrototypes, ErrorCosts):
    """GLVQ cost in feature space, where gamma is the parameter of the kernel.

    Parameters
    ----------
    phi : {"sigmoid", "identity", "swish", "soft+"}
        Increasing function Phi of the cost.
    steepness : float or None
        gamma of the function Phi; None: 10, for swish 1 (above 1.278 swish is not monotonic).

    Attributes
    ----------
    prototype_labels_ : array (M,)
        Class of each prototype.
    classes_ : array (C,)
        The labels, sorted.
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


class EpochParameters(InitialPrototypes, GivenPrototypes):
    """On-line training.

    Parameters
    ----------
    prototypes_per_class : int, list, mapping label -> int, or "auto"
        "auto" is one where the class means misclassify at most 5 % of the examples, else three.
    eta : float
        Learning rate of the first epoch.
    order : {"shuffled", "random", "cyclic"}
        Order of presentation: a new permutation each epoch, random with replacement (the notes), or cyclic.
    max_iter : int
        Maximum number of epochs; reaching it gives no warning.
    tol : float
        Stop after an epoch that moved no prototype by more than tol times the spread of the data.
    keep : {"best", "last"}
        The prototypes with the fewest errors on the training examples after any epoch, the start included
        (as the pocket of (4.2)), or those of the last epoch.
    record : {"updates", "presentations"} or None
        Keep in `history_` each step that moved a prototype, or each step: example, Psi d(w*, xi) before and
        after, how far prototypes moved; all prototypes and the errors after it.
    """

    prototypes_per_class: Any = "auto"
    eta: float = 0.05
    order: str = "shuffled"
    max_iter: int = 30
    tol: float = 1e-4
    keep: str = "best"
    record: str | None = None

    _parameter_constraints: ClassVar[Constraints] = {
        "prototypes_per_class": [COUNT, Mapping, "array-like", StrOptions({"auto"})],
        "eta": [Interval(Real, 0, 1, closed="neither")],
        "order": [StrOptions(set(ORDERS))],
        "max_iter": [COUNT],
        "tol": [NOT_NEGATIVE],
        "keep": [StrOptions({"best", "last"})],
        "record": [StrOptions(set(RECORD)), None],
    }


class RateSchedule(Parameters):
    """A decreasing learning rate.

    Parameters
    ----------
    schedule : {"inverse", "exponential", "constant"}
        eta / (1 + t/tau), eta exp(-t/tau) or eta after t epochs.
    tau : float
        Time of the schedule, in epochs.
    """

    schedule: str = "inverse"
    tau: float = 10.0

    _parameter_constraints: ClassVar[Constraints] = {
        "schedule": [StrOptions(set(SCHEDULES))],
        "tau": [POSITIVE],
    }


class BorderWindow(RateSchedule):
    """Updates near the border between two prototypes.

    Parameters
    ----------
    window : float
        Width s of the window: min(d_i/d_j, d_j/d_i) > (1 - s)/(1 + s) for the (unsquared) distances of the
        two nearest.
    """

    window: float = 0.2
    eta: float = 0.02
    max_iter: int = 50

    _parameter_constraints: ClassVar[Constraints] = {
        "window": [Interval(Real, 0, 1, closed="neither")],
    }
