"""All trained parameters in one flat buffer, the cost as a function of it, and the base class of solvers.

The objective of a large batch is a sum over blocks of rows, computed on several cores and added in the order
of the blocks. The blocks do not depend on the number of cores, so neither does the result.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from math import prod
from typing import Any, ClassVar

import numpy as np

from markone.lvq.costs.base import Cost, Targets
from markone.lvq.distances.base import Distance, Rows
from markone.lvq.distances.omega import Norm, log_det
from markone.numerics.arrays import Array
from markone.numerics.threads import ThreadTeam

TRACE = np.dtype([("step", int), ("cost", float), ("errors", int)])


@dataclass
class FlatParameters:
    """`theta["W"]`, `theta["Omega"]`, `theta["log_sigma2"]` are views of `theta.flat`."""

    flat: Array
    shapes: dict[str, tuple[int, ...]]
    places: dict[str, slice] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if not self.places:
            start = 0
            for name, shape in self.shapes.items():
                self.places[name] = slice(start, start + prod(shape))
                start += prod(shape)
        self._views = {name: self.flat[at].reshape(self.shapes[name]) for name, at in self.places.items()}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Array]) -> "FlatParameters":
        """New buffer with the values of these arrays."""
        flat = np.concatenate([np.ravel(array) for array in arrays.values()])
        return cls(flat, {name: np.shape(array) for name, array in arrays.items()})

    def with_buffer(self, flat: Array) -> "FlatParameters":
        """The same views of another buffer."""
        return FlatParameters(flat, self.shapes, self.places)

    def copy(self) -> "FlatParameters":
        return self.with_buffer(self.flat.copy())

    def __getitem__(self, name: str) -> Array:
        return self._views[name]

    def __contains__(self, name: str) -> bool:
        return name in self._views


@dataclass
class Objective:
    """E(theta) = mean cost - mu/(2P) ln det(Omega Omega') + l2/2 |Omega|^2, and its gradient.

    P is the weight of all examples, in a mini-batch too: weight two is two examples.
    Prototypes are stored in units of `unit` (the spread of the data), so that solvers do not depend on the
    scale of X. With `bound`, Omega is normalised by `norm` first: a parametrisation for solvers that
    do not normalise by themselves. `box` are the lower and upper bounds of prototypes in these units,
    None: unbounded.
    """

    distance: Distance
    cost: Cost
    rows: Rows
    targets: Targets
    unit: float = 1.0
    sigma2: float = 1.0
    mu: float = 0.0
    l2: float = 0.0
    norm: Norm = field(default_factory=Norm)
    bound: bool = False
    last: tuple[float, Array] | None = None
    total_weight: float = 0.0
    box: tuple[Array, Array] | None = field(default=None, init=False)
    # Callback after each step of a solver.
    watch: Callable[[FlatParameters], None] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.total_weight = self.total_weight or self.targets.total_weight

    @property
    def P(self) -> int:
        return len(self.rows)

    def batch_objective(self, chosen: Any) -> "Objective":
        """The objective of a subset of the rows."""
        rows, targets = self.rows.select_rows(chosen), self.targets.select_rows(chosen)
        part = replace(self, rows=rows, targets=targets, last=None)
        part.box = self.box
        return part

    def last_errors(self) -> int:
        """Number of misclassified rows at the parameters evaluated last."""
        assert self.last is not None
        return self.targets.count_errors(self.last[1])

    def clip_prototypes(self, theta: FlatParameters) -> None:
        """Project the prototypes onto the box, in place."""
        if self.box is not None:
            np.clip(theta["W"], *self.box, out=theta["W"])

    def prototypes(self, theta: FlatParameters) -> Array:
        V = theta["W"]
        return self.distance.decode(V * V.dtype.type(self.unit) if self.distance.moved else V)

    def omega(self, theta: FlatParameters) -> Array | None:
        if "Omega" not in theta:
            return None
        return self.norm.normalise_omega(theta["Omega"]) if self.bound else theta["Omega"]

    def width(self, theta: FlatParameters) -> float:
        return float(np.exp(theta["log_sigma2"][0])) if "log_sigma2" in theta else self.sigma2

    def value(self, theta: FlatParameters, penalised: bool = True) -> float:
        """E without its gradient, which is cheaper."""
        Omega = self.omega(theta)
        D, _ = self.distance.evaluate(self.rows, self.prototypes(theta), Omega)
        E = self.cost.value(D, self.targets, self.width(theta))
        self.last = E, D
        return E + self._omega_penalty(Omega)[0] if penalised else E

    def value_and_gradient(self, theta: FlatParameters) -> tuple[float, FlatParameters]:
        W, Omega = self.prototypes(theta), self.omega(theta)
        D, pull = self.distance.evaluate(self.rows, W, Omega)
        E, R, d_log_sigma2 = self.cost.evaluate(D, self.targets, self.width(theta))
        self.last = E, D
        gradient = theta.with_buffer(np.zeros(theta.flat.shape, theta.flat.dtype))
        dW, dOmega = pull(R)
        gradient["W"][:] = self.distance.pull_back(W, dW) * (self.unit if self.distance.moved else 1.0)
        if Omega is not None and dOmega is not None:
            penalty, slope = self._omega_penalty(Omega)
            E, dOmega = E + penalty, dOmega + slope
            gradient["Omega"][:] = self.norm.pull_back(theta["Omega"], dOmega) if self.bound else dOmega
        if "log_sigma2" in theta:
            gradient["log_sigma2"][:] = d_log_sigma2
        return E, gradient

    def _omega_penalty(self, Omega: Array | None) -> tuple[float, Array | float]:
        if Omega is None or (self.mu == 0 and self.l2 == 0):
            return 0.0, 0.0
        value, slope = 0.5 * self.l2 * float((Omega * Omega).sum()), self.l2 * Omega
        if self.mu > 0:
            # The toolbox has a factor 4 between this penalty and its gradient; here they are consistent.
            logs, halves = log_det(Omega)
            value -= self.mu / (2 * self.total_weight) * float(np.sum(logs))
            slope = slope - self.mu / self.total_weight * halves
        return value, slope


@dataclass
class Outcome:
    """Trained parameters, number of steps, whether a minimum was reached, cost and errors by step."""

    theta: FlatParameters
    n_iter: int
    converged: bool = True
    trace: list[tuple[int, float, int]] = field(default_factory=list)

    def trace_table(self) -> Array:
        """Structured array with the fields step, cost, errors, which all model file formats can store."""
        return np.array(self.trace, dtype=TRACE)


class Solver:
    """Base of all solvers."""

    # True if the solver normalises Omega at each step; otherwise by a parametrisation or at the end.
    normalises: ClassVar[bool] = False

    def unit(self, spread: float, N: int) -> float:
        """Unit of length of the prototypes, given the root mean variance of N features."""
        return spread * float(np.sqrt(N))

    def n_batches(self, P: int) -> int:
        """Number of steps of an epoch over P examples."""
        return 1

    def minimise(
        self, objective: Objective, theta: FlatParameters, max_iter: int | None, rng: Any
    ) -> Outcome:
        raise NotImplementedError


# Rows of a block: enough for BLAS, and few enough for its temporaries to stay in the cache.
BLOCK = 8192


@dataclass
class BlockedObjective(Objective):
    """Objective of all rows as the sum over blocks; penalties are added once."""

    n_jobs: int | None = None
    blocks: list[tuple[float, Objective]] = field(init=False, default_factory=list)
    crew: ThreadTeam = field(init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.crew = ThreadTeam(self.n_jobs)
        slices = [slice(k, k + BLOCK) for k in range(0, self.P, BLOCK)]
        parts, whole = list(map(self._block_objective, slices)), self.targets.total_weight
        self.blocks = [(part.total_weight / whole, part) for part in parts]

    def _block_objective(self, chosen: slice) -> Objective:
        whole, weights = self.targets, self.targets.weights
        targets = Targets(
            whole.y[chosen], whole.c, None if weights is None else weights[chosen], whole.prices
        )
        arguments = _objective_arguments(self) | {"rows": self.rows.select_rows(chosen), "targets": targets}
        return Objective(**arguments | {"mu": 0.0, "l2": 0.0, "last": None, "total_weight": 0.0})

    def batch_objective(self, chosen: Any) -> Objective:
        part = Objective(**_objective_arguments(self)).batch_objective(chosen)
        part.box = self.box
        return part

    def value(self, theta: FlatParameters, penalised: bool = True) -> float:
        E = float(sum(self._map_blocks(lambda block: block.value(theta))))
        self.last = E, self._joined_distances()
        return E + self._omega_penalty(self.omega(theta))[0] if penalised else E

    def value_and_gradient(self, theta: FlatParameters) -> tuple[float, FlatParameters]:
        gradient = theta.with_buffer(np.zeros(theta.flat.shape, theta.flat.dtype))

        def gradient_and_value(block: Objective) -> Any:
            value, slope = block.value_and_gradient(theta)
            return np.append(slope.flat.astype(np.float64), value)

        total = np.sum(self._map_blocks(gradient_and_value), axis=0)
        gradient.flat[:], E = total[:-1], float(total[-1])
        self.last, Omega = (E, self._joined_distances()), self.omega(theta)
        if Omega is not None:
            penalty, slope = self._omega_penalty(Omega)
            slope = np.broadcast_to(slope, Omega.shape)
            E += penalty
            gradient["Omega"][:] += self.norm.pull_back(theta["Omega"], slope) if self.bound else slope
        return E, gradient

    def _map_blocks(self, function: Callable[[Objective], Any]) -> list[Any]:
        return self.crew.map_items(lambda one: one[0] * function(one[1]), self.blocks)

    def _joined_distances(self) -> Any:
        return np.concatenate([block.last[1] for _, block in self.blocks if block.last is not None])


def _objective_arguments(whole: Objective) -> dict[str, Any]:
    """Constructor arguments of an objective."""
    return {each.name: getattr(whole, each.name) for each in fields(Objective) if each.init}


def make_blocked(whole: Objective, n_jobs: int | None) -> Objective:
    """Blocked objective if there are several blocks and the cost is a mean over examples; else unchanged."""
    weights = whole.targets.weights
    if whole.P <= BLOCK or not whole.cost.additive:
        return whole
    if weights is not None and not all(weights[k : k + BLOCK].any() for k in range(0, whole.P, BLOCK)):
        return whole  # a block without weight has no mean
    return BlockedObjective(**_objective_arguments(whole), n_jobs=n_jobs)
