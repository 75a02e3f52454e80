"""GLVQ, GRLVQ, GMLVQ, LGMLVQ and RSLVQ: cost and gradient as sums over partitions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from markone.lvq.base.coordinates import Coordinates
from markone.lvq.base.initialisation import counts_per_class, given_prototypes
from markone.lvq.base.training_loop import finish_training, make_flat_parameters
from markone.lvq.costs.base import Targets
from markone.lvq.distances.base import Distance, Rows
from markone.lvq.distances.omega import Norm, first_omega
from markone.lvq.solvers.objective import FlatParameters, Objective
from markone.lvq.solvers.stochastic import Stochastic
from markone.numerics.arrays import Array
from markone.tables.partitions.partition_sums import Moments, PartitionSums, centred_gram


@dataclass
class CountedErrors(Targets):
    """Targets whose errors are already counted by the partitions."""

    def count_errors(self, D: Any) -> int:
        return int(D)


@dataclass
class SummedObjective(Objective):
    """Objective summed over partitions; penalties are added once."""

    sums: Any = None
    shift: Any = None
    classes: Any = None

    def value_and_gradient(self, theta: FlatParameters) -> tuple[float, FlatParameters]:
        E, flat, errors = self._total(_partial_cost, theta)
        self.last = E, errors
        gradient = theta.with_buffer(flat)
        Omega = self.omega(theta)
        if Omega is not None:
            penalty, slope = self._omega_penalty(Omega)
            E += penalty
            slope = np.broadcast_to(slope, Omega.shape)
            gradient["Omega"][:] += self.norm.pull_back(theta["Omega"], slope) if self.bound else slope
        return float(E), gradient

    def value(self, theta: FlatParameters, penalised: bool = True) -> float:
        E, errors = self._total(_partial_value, theta)
        self.last = E, errors
        return float(E + self._omega_penalty(self.omega(theta))[0]) if penalised else float(E)

    def _total(self, function: Any, theta: FlatParameters) -> Any:
        """Sum over partitions; only what a partition needs is sent."""
        plain = replace(
            self, mu=0.0, l2=0.0, sums=None, shift=None, classes=None, last=None, total_weight=1.0
        )
        return self.sums.total(function, plain, theta, self.shift, self.classes, self.total_weight)


def _partial_cost(
    X: Array, y: Array, plain: Any, theta: FlatParameters, shift: Array | None, classes: Array, total: float
) -> tuple[float, Array, int]:
    """Contribution of one partition to E, its gradient and the number of errors."""
    own, share = _partition_objective(X, y, plain, shift, classes), len(y) / total
    E, gradient = own.value_and_gradient(theta)
    return share * E, share * gradient.flat, own.targets.count_errors(own.last[1])


def _partial_value(
    X: Array, y: Array, plain: Any, theta: FlatParameters, shift: Array | None, classes: Array, total: float
) -> tuple[float, int]:
    own = _partition_objective(X, y, plain, shift, classes)
    return len(y) / total * own.value(theta), own.targets.count_errors(own.last[1])


def _partition_objective(X: Array, y: Array, plain: Any, shift: Array | None, classes: Array) -> Any:
    """Objective of the rows of one partition."""
    rows = Rows.from_array(X if shift is None else X - shift)
    targets = Targets(np.searchsorted(classes, y), plain.targets.c, None, plain.targets.prices)
    how = {"unit": plain.unit, "sigma2": plain.sigma2, "norm": plain.norm, "bound": plain.bound}
    return Objective(plain.distance, plain.cost, rows, targets, **how)


def _distance_sum(
    X: Array, y: Array, distance: Any, shift: Array | None, V: Array, Omega: Any
) -> tuple[float]:
    D, _ = distance.evaluate(Rows.from_array(X if shift is None else X - shift), V, Omega)
    return (float(D.sum(dtype=np.float64)) / V.shape[0],)


def fit_prototypes(model: Any, sums: PartitionSums, found: Moments) -> Any:
    """Fit as `model.fit` does on all rows: the same start and steps, by sums over partitions."""
    model.classes_, model.n_features_in_ = found.classes, len(found.mean)
    settings = model._training_settings()
    _check_partition_lvq(model, settings, found)
    W, c = _initial_partition_prototypes(model, found)
    distance = settings.distance.with_prototypes(c)
    objective, theta, shift = _start_partition_fit(
        settings, distance, sums, found, model._error_costs(), W, c, model
    )
    outcome = settings.solver.minimise(objective, theta, settings.max_iter, None)
    model._store_trained(finish_training(objective, outcome, Coordinates(shift)), c)
    model.n_seen_ = found.P * model.n_iter_
    return model


def _check_partition_lvq(model: Any, settings: Any, found: Moments) -> None:
    name, N = type(model).__name__, len(found.mean)
    if isinstance(settings.solver, Stochastic):
        raise ValueError(f"On partitions {name} needs solver='lbfgs' or 'waypoint', not {model.solver!r}.")
    if model.class_weight is not None:
        raise ValueError(f"On partitions {name} does not support class_weight.")
    if settings.rank is not None and settings.rank < N:
        raise ValueError(f"On partitions {name} needs a full matrix: leave out rank={settings.rank}.")
    if not settings.distance.adapts and type(settings.distance).fit_constants is not Distance.fit_constants:
        raise ValueError(
            f"The distance {model.distance!r} needs all rows at once: it computes constants from them."
        )
    several = max(counts_per_class(model.prototypes_per_class, found.classes)) > 1
    if several and model.initial_prototypes is None:
        raise ValueError(
            "Several prototypes per class are initialised by k-means on all rows: give initial_prototypes "
            "and initial_labels, for example from a sample."
        )


def _initial_partition_prototypes(model: Any, found: Moments) -> tuple[Array, Array]:
    if model.initial_prototypes is not None:
        vectors, labels = model.initial_prototypes, model.initial_labels
        return given_prototypes(vectors, labels, found.classes, len(found.mean), np.dtype(np.float64))
    return found.class_means, np.arange(len(found.classes))


def _start_partition_fit(
    settings: Any,
    distance: Any,
    sums: PartitionSums,
    found: Moments,
    prices: Any,
    W: Array,
    c: Array,
    model: Any,
) -> tuple[SummedObjective, FlatParameters, Array | None]:
    """Objective, initial parameters and shift, as `lvq.base.fit_loop.begin`, from moments instead of rows."""
    N = len(found.mean)
    scale = float(np.sqrt(found.variance.mean() * found.P / max(found.P - 1, 1))) or 1.0
    unit = settings.solver.unit(distance.scale(scale), N)
    far = distance.moved and float(np.linalg.norm(found.mean)) > scale * np.sqrt(N)
    shift = found.mean if far else None
    V = distance.encode(W if shift is None else W - shift)
    Omega, rng = None, check_random_state(model.random_state)
    if distance.adapts:
        groups = 1 if distance.of is None else int(distance.of.max()) + 1
        none = Rows(np.zeros((0, N)))
        Omega = first_omega(distance.adapts, none, V, settings.rank, groups, settings.initial_omega, rng)
        if settings.row_space and distance.adapts != "diagonal":
            Omega = _project_onto_data(Omega, sums, found, W)
    norm = Norm(settings.fixed)
    Omega = None if Omega is None else norm.normalise_omega(Omega)
    sigma2 = settings.sigma2
    if sigma2 is None:
        mean = (found.mean - (0.0 if shift is None else shift))[None]
        (total,) = sums.total(_distance_sum, distance, shift, np.repeat(mean, len(W), axis=0), Omega)
        sigma2 = total / found.P / N or 1.0
    free = settings.cost.scale_free and not settings.solver.normalises
    bound = bool(free and (settings.mu > 0 or settings.fixed))
    targets = CountedErrors(np.zeros(0, int), c, None, prices)
    objective = SummedObjective(
        distance, settings.cost, Rows(np.zeros((0, N))), targets, unit, sigma2, settings.mu, settings.l2,
        norm, bound, total_weight=float(found.P), sums=sums, shift=shift, classes=found.classes,
    )  # fmt: skip
    return objective, make_flat_parameters(objective, V, Omega, settings.learn_sigma2), shift


def _project_onto_data(Omega: Array, sums: PartitionSums, found: Moments, W: Array) -> Array:
    """Project Omega onto the directions in which examples differ, as `omega.inside` does on all rows."""
    (G,) = sums.total(centred_gram, found.mean)
    outside = W - found.mean
    s, V = np.linalg.eigh(G + outside.T @ outside)
    kept = V.T[s > s[-1] * len(s) * np.finfo(float).eps]
    return Omega if len(kept) == len(s) else (Omega @ kept.T) @ kept
