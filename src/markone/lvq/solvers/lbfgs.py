"""L-BFGS (scipy's L-BFGS-B): no learning rate, the cost never increases."""

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from scipy.optimize import Bounds, minimize

from markone.base.parameters import documented
from markone.lvq.solvers.objective import FlatParameters, Objective, Outcome, Solver


@documented
@dataclass(frozen=True)
class LBFGS(Solver):
    """L-BFGS until the gradient or the decrease of the cost is small."""

    max_iter: Annotated[int, "Maximum number of steps."] = 1000
    gtol: Annotated[float, "Stop when no component of the gradient exceeds this."] = 1e-5
    ftol: Annotated[float, "Stop when a step lowers the cost by less than this fraction."] = 1e-9
    memory: Annotated[int, "Number of stored pairs of steps and gradients."] = 10

    def minimise(
        self, objective: Objective, theta: FlatParameters, max_iter: int | None, rng: Any
    ) -> Outcome:
        dtype = theta.flat.dtype
        trace: list[tuple[int, float, int]] = []

        def cost_and_gradient(flat: Any) -> tuple[float, Any]:
            E, gradient = objective.value_and_gradient(theta.with_buffer(flat.astype(dtype, copy=False)))
            return E, gradient.flat.astype(np.float64, copy=False)

        def append_trace(intermediate_result: Any) -> None:
            # The point accepted is the last one evaluated: its distances are still stored.
            trace.append((len(trace) + 1, float(intermediate_result.fun), objective.last_errors()))
            if objective.watch is not None:
                objective.watch(theta.with_buffer(intermediate_result.x.astype(dtype)))

        steps = self.max_iter if max_iter is None else max_iter
        options: dict[str, float] = {"maxiter": steps, "maxfun": 20 * steps, "maxcor": self.memory}
        options |= {"gtol": self.gtol, "ftol": self.ftol}
        start, bounds = theta.flat.astype(np.float64), _prototype_bounds(objective, theta)
        how: dict[str, Any] = {"jac": True, "method": "L-BFGS-B", "bounds": bounds}
        result = minimize(cost_and_gradient, start, callback=append_trace, options=options, **how)
        if not trace:
            # The start is a minimum already: its cost is that of step 0.
            E = objective.value(theta.with_buffer(result.x.astype(dtype)))
            trace.append((0, E, objective.last_errors()))
        # Status 1: out of steps. Status 2 is a line search that found no better point: winners change at
        # kinks of the cost, where a minimum need not have a zero gradient.
        # Both are missing where no step could be computed, e.g. if equal bounds fix all parameters.
        steps, stopped = int(result.get("nit", 0)), result.get("status") == 1
        return Outcome(theta.with_buffer(result.x.astype(dtype)), steps, not stopped, trace)


def _prototype_bounds(objective: Objective, theta: FlatParameters) -> Bounds | None:
    """Bounds of the prototypes; the other parameters are unbounded."""
    if objective.box is None:
        return None
    ends = [theta.with_buffer(np.full(theta.flat.shape, end)) for end in (-np.inf, np.inf)]
    for end, side in zip(ends, objective.box, strict=True):
        end["W"][...] = side
    return Bounds(ends[0].flat, ends[1].flat)
