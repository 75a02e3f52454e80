"""Objective of a large batch in blocks of rows, on several cores; sums are added in the order of the blocks.

The blocks do not depend on the number of cores, so neither does the result.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from markone.lvq.costs.base import Targets
from markone.lvq.solvers.objective import FlatParameters, Objective
from markone.numerics.threads import ThreadTeam

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
        self.blocks = [(of.total / self.targets.total, of) for of in map(self._block_objective, slices)]

    def _block_objective(self, chosen: slice) -> Objective:
        whole, weights = self.targets, self.targets.weights
        targets = Targets(
            whole.y[chosen], whole.c, None if weights is None else weights[chosen], whole.prices
        )
        arguments = _objective_arguments(self) | {"rows": self.rows.take(chosen), "targets": targets}
        return Objective(**arguments | {"mu": 0.0, "l2": 0.0, "last": None, "total": 0.0})

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
