"""Stochastic gradient descent on mini-batches with decreasing rates   (5.17)."""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np

from markone.base.parameters import documented
from markone.lvq.solvers.objective import FlatParameters, Objective, Outcome, Solver


@documented
@dataclass(frozen=True)
class Stochastic(Solver):
    """Rates eta(t) = eta / (1 + t / slow), t in epochs; smaller for the matrix than for the prototypes."""

    epochs: Annotated[int, "Passes over the data, each with a new permutation."] = 20
    batch_size: Annotated[int, "Examples per step; 1 is the algorithm of the notes."] = 64
    eta_w: Annotated[float, "Initial rate, in units in which a typical distance of the data is one."] = 0.5
    eta_omega: Annotated[float, "The same for Omega; much smaller: the prototypes follow the metric."] = 0.05
    slow: Annotated[float, "Epochs after which the rates are halved."] = 4.0
    start: Annotated[float, "Epochs already done, in the schedule of the rates."] = 0.0

    normalises: ClassVar[bool] = True

    def n_batches(self, P: int) -> int:
        return max(1, -(-P // self.batch_size))

    def minimise(
        self, objective: Objective, theta: FlatParameters, max_iter: int | None, rng: Any
    ) -> Outcome:
        epochs = self.epochs if max_iter is None else max_iter
        theta, trace = theta.copy(), []
        batches = self.n_batches(objective.P)
        for epoch in range(epochs):
            cost, errors = 0.0, 0
            for k, chosen in enumerate(np.array_split(rng.permutation(objective.P), batches)):
                part = objective.batch_objective(chosen)
                cost += self.update_by_batch(part, theta, self.start + epoch + k / batches) * len(chosen)
                errors += part.last_errors()
                if objective.watch is not None:
                    objective.watch(theta)
            # Cost and errors of each batch before its update.
            trace.append((epoch + 1, cost / objective.P, errors))
        return Outcome(theta, epochs, True, trace)

    def update_by_batch(self, objective: Objective, theta: FlatParameters, t: float) -> float:
        """Update theta by one batch at time t (in epochs); return its cost before the update."""
        E, gradient = objective.value_and_gradient(theta)
        assert objective.last is not None
        typical = float(np.median(objective.last[1]))
        # An incomplete batch has a smaller rate.
        factor = min(1.0, objective.P / self.batch_size) / (1 + t / self.slow)
        factor /= objective.cost.cost_sharpness(typical, objective.width(theta))
        theta["W"][...] -= factor * self.eta_w * gradient["W"]
        objective.clip_prototypes(theta)
        for name in ("Omega", "log_sigma2"):
            if name in theta:
                theta[name][...] -= factor * self.eta_omega * gradient[name]
        if "Omega" in theta and objective.cost.scale_free:
            theta["Omega"][...] = objective.norm.normalise_omega(theta["Omega"])
        return E
