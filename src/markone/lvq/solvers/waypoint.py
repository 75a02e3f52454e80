"""Batch gradient descent with waypoint averaging: the algorithm of the GMLVQ toolbox (v2.2), step by step.

Biehl, "A no-nonsense beginner's tool for GMLVQ"; Papari, Bunte, Biehl, MLR 2011-06:16-26 (whose own rule
judges prototypes and matrix together). Gradients are normalised, so that rates are step *lengths*. The
mean of the last positions is evaluated as well; where it is better, the step was too long.
"""

from collections import deque
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np

from markone.base.parameters import documented
from markone.lvq.solvers.objective import FlatParameters, Objective, Outcome, Solver

PLACES = ("W", "Omega", "log_sigma2")


@documented
@dataclass(frozen=True)
class Waypoint(Solver):
    """Waypoint averaging with the settings of the toolbox."""

    steps: Annotated[int, "A fixed number; stopping early regularises a matrix."] = 50
    eta_w: Annotated[
        float, "Initial step length of all prototypes together, in units of the features' root mean variance."
    ] = 1.0
    eta_omega: Annotated[float, "Initial step length of Omega (trace Lambda = 1)."] = 2.0
    copies: Annotated[int, "Positions averaged into a waypoint; the first as many steps are plain."] = 5
    grow: Annotated[float, "Step lengths are multiplied by this at each step."] = 1.1
    shrink: Annotated[float, "They are divided by this where the waypoint is better."] = 1.5

    normalises: ClassVar[bool] = True

    def unit(self, spread: float, N: int) -> float:
        return spread

    def minimise(
        self, objective: Objective, theta: FlatParameters, max_iter: int | None, rng: Any
    ) -> Outcome:
        steps = self.steps if max_iter is None else max_iter
        eta = {"W": self.eta_w, "Omega": self.eta_omega, "log_sigma2": 0.1 * self.eta_w}
        eta = {name: eta[name] for name in PLACES if name in theta}
        history: deque[FlatParameters] = deque(maxlen=self.copies)
        trace: list[tuple[int, float, int]] = []
        for t in range(steps):
            moved = self._gradient_step(objective, theta, eta, trace)
            if t >= self.copies:
                mean = history[-1].with_buffer(np.mean([past.flat for past in history], axis=0))
                self._choose_waypoints(
                    objective, theta, moved, self._project_parameters(objective, mean), eta
                )
            theta = moved
            history.append(theta)
            if objective.watch is not None:
                objective.watch(theta)
        trace.append((steps, objective.value(theta), objective.last_errors()))
        return Outcome(theta, steps, True, trace[1:])

    def _gradient_step(
        self, objective: Objective, theta: FlatParameters, eta: dict[str, float], trace: list[Any]
    ) -> FlatParameters:
        """One gradient step of given lengths; Omega is normalised."""
        E, gradient = objective.value_and_gradient(theta)
        trace.append((len(trace), E, objective.last_errors()))
        moved = theta.copy()
        for name, length in eta.items():
            g = gradient[name]
            size = float(np.sqrt((g * g).sum(dtype=np.float64)))
            if size > 0:
                moved[name][...] -= (length / size) * g
        return self._project_parameters(objective, moved)

    def _choose_waypoints(
        self,
        objective: Objective,
        theta: FlatParameters,
        moved: FlatParameters,
        mean: FlatParameters,
        eta: dict[str, float],
    ) -> None:
        """Replace the step by the waypoint where its cost is not higher; adapt the step lengths."""
        for name in eta:
            eta[name] *= self.grow
            if self._partial_cost(objective, theta, mean, name) <= self._partial_cost(
                objective, theta, moved, name
            ):
                eta[name] /= self.shrink
                moved[name][...] = mean[name]

    def _project_parameters(self, objective: Objective, theta: FlatParameters) -> FlatParameters:
        objective.clip_prototypes(theta)
        if "Omega" in theta and objective.cost.scale_free:
            theta["Omega"][...] = objective.norm.normalise_omega(theta["Omega"])
        return theta

    def _partial_cost(
        self, objective: Objective, theta: FlatParameters, other: FlatParameters, name: str
    ) -> float:
        """Cost with one part of theta replaced: prototypes and matrix are compared separately."""
        trial = theta.copy()
        trial[name][...] = other[name]
        # The penalty of Omega does not depend on the prototypes.
        return objective.value(trial, penalised=name == "Omega")
