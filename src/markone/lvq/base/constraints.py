"""Constraints of the constructor parameters in groups, which the classifiers combine."""

from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any

from markone.base.history import RECORD
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

# Initial prototypes: by a rule, or given as vectors (not for combinations of examples).
START: Constraints = {
    "prototypes_per_class": [COUNT, Mapping, "array-like"],
    "initial": [StrOptions(set(STARTS))],
    "random_state": ["random_state"],
}
GIVEN: Constraints = {
    "initial_prototypes": ["array-like", None],
    "initial_labels": ["array-like", None],
}
# Only for models with a cost; on-line rules take class weights as the sample_weight of the examples.
PRICES: Constraints = {"class_weight": CLASS_WEIGHT, "cost_matrix": ["array-like", None]}
SOLVER: Constraints = {"solver": [StrOptions(set(solvers.NAMES)), solvers.Solver], "max_iter": [COUNT, None]}
RECORDED: Constraints = {"record": [StrOptions(set(RECORD)), None]}
GRADIENT: Constraints = START | GIVEN | PRICES | SOLVER | RECORDED | {"n_jobs": N_JOBS}

SCORE: Constraints = {
    "cost": [StrOptions(set(costs.phi_cost_names()))],
    "phi": [StrOptions(set(PHI)), None],
    "gamma": [POSITIVE, None],
}
# Unknown names are refused by `find_distance`.
DISTANCE: Constraints = {"distance": [str, Distance, tuple, list]}
SIGMA2: Constraints = {"sigma2": [POSITIVE, StrOptions({"learned"}), None]}

RANK: Constraints = {"rank": [COUNT, None]}
OMEGA: Constraints = {"initial_omega": [StrOptions({"identity", "random"}), "array-like"]}
FIXED: Constraints = {"fixed_relevance": [Mapping, None]}
ROW_SPACE: Constraints = {"row_space": ["boolean"]}
PER: Constraints = {"per": [StrOptions({"class", "prototype"})]}
MU: Constraints = {"mu": [NOT_NEGATIVE]}

# Of a GLVQ cost in feature space, where gamma is the parameter of the kernel.
STEEPNESS: Constraints = {"phi": [StrOptions(set(PHI))], "steepness": [POSITIVE, None], "max_iter": [COUNT]}

EPOCHS: Constraints = {
    "eta": [Interval(Real, 0, 1, closed="neither")],
    "order": [StrOptions(set(ORDERS))],
    "max_iter": [COUNT],
    "tol": [NOT_NEGATIVE],
    "keep": [StrOptions({"best", "last"})],
}
FALLING: Constraints = {"schedule": [StrOptions(set(SCHEDULES))], "tau": [POSITIVE]}
WINDOW: Constraints = {"window": [Interval(Real, 0, 1, closed="neither")]}
AUTO: Constraints = {"prototypes_per_class": [*START["prototypes_per_class"], StrOptions({"auto"})]}
ONLINE: Constraints = START | GIVEN | AUTO | EPOCHS | RECORDED
