"""Proximal steps for states with many free examples, each solved by Newton's method in w.

A step maximises the objective (3.75, 4.5) minus |x - x_old|^2 / (2 sigma). For given w its solution is
x = clip(x_old + sigma (1 - E), 0, gamma), so only w = (1/N) sum x S xi has to be solved for: a smooth
convex problem in N unknowns, however many examples there are, and never singular. A plain Newton step
on more than N free examples would meet a singular C_FF and bounds one by one.
"""

import numpy as np

from markone.numerics.arrays import Array
from markone.perceptron.margin._ascent import (
    embed_examples,
    embed_subset,
    potentials_of_examples,
    potentials_of_subset,
)
from markone.perceptron.margin._line_search import step_length
from markone.perceptron.margin.gram import Gram, NormalMatrix
from markone.perceptron.margin.problem import (
    Quadratic,
    State,
    dual_objective,
    evaluate_state,
    free_set,
    record_proof,
    shift_threshold,
)

# Newton steps for one proximal step.
INNER = 60
# Residual below which the free set is solved for directly, however large it is.
CLOSE = 1e-8


class Proximal:
    """Proximal steps; sigma and the matrices are kept between calls."""

    def __init__(self, problem: Quadratic, gram: Gram) -> None:
        self.problem, self.gram = problem, gram
        self.normal: NormalMatrix | None = None
        typical = problem.N / float(np.mean(problem.squared_norms[problem.used_examples]))
        # Measured: with many examples per weight the first step can be longer.
        self.sigma = typical * float(np.clip(len(problem.used_examples) / problem.N, 1.0, 10.0)) * 100.0

    def run_steps(self, state: State, tol: float, few: int, steps: int) -> bool:
        """Make proximal steps until the gap is below tol and only few examples are free, or until the
        residual is small; True if the data are proven not separable.
        """
        problem = self.problem
        for _ in range(steps):
            shift_threshold(problem, state)
            old, before = state.x, dual_objective(problem, state)
            made = self._proximal_step(state)
            evaluate_state(problem, state)
            if dual_objective(problem, state) < before - 1e-12 * abs(before):
                # Newton did not converge: keep the old x and take a shorter step.
                state.x, self.sigma = old, self.sigma / 10.0
                evaluate_state(problem, state)
                continue
            if record_proof(problem, state, state.x) or record_proof(
                problem, state, np.maximum(state.x - old, 0.0)
            ):
                return True
            self.sigma *= 2.0 if made > 3 else 4.0
            near = state.gap <= tol and len(free_set(problem, state)) <= few
            if near or state.residual <= CLOSE:
                break
        return False

    def _proximal_step(self, state: State) -> int:
        """Solve for w to a fraction of the change of x; return the number of Newton steps."""
        problem, sigma = self.problem, self.sigma
        xi, S, N = problem.xi, problem.S, problem.N
        # Unused examples must not move: their gamma is zero, or their row is.
        gamma = np.where(problem.squared_norms > 0, problem.gamma, state.x)
        w, E, lengths = state.w, state.E, np.sqrt(problem.squared_norms)
        for made in range(INNER + 1):
            u = state.x + sigma * (1.0 - E)
            x = np.clip(u, 0.0, gamma)
            embedded = embed_examples(xi, S, x)
            embedded[-1] += state.offset
            g = N * (w - embedded)
            enough = 0.1 * np.sqrt(N) * float(np.linalg.norm(x - state.x)) / sigma
            rounding = 1e-15 * float(x @ lengths)
            if made == INNER or (made and np.linalg.norm(g) <= max(enough, rounding)):
                break
            dw = -self._solve_newton_system((u > 0) & (u < gamma), g)
            dE = potentials_of_examples(xi, S, dw)
            rise = float(w @ dw) - state.offset * float(dw[-1])
            t = step_length(u, sigma * dE, gamma, sigma, N * rise, N * float(dw @ dw))
            state.n_newton += 1
            if t == 0.0:
                break
            w, E = w + t * dw, E + t * dE
        state.x = x
        return made

    def _solve_newton_system(self, inside: Array, g: Array) -> Array:
        """(N + sigma sum xi xi^T over the inside)^-1 g, in N or in that many unknowns."""
        problem, free = self.problem, np.flatnonzero(inside)
        if len(free) > problem.N:
            self.normal = self.normal or NormalMatrix(problem)
            self.normal.set_members(inside)
            return self.normal.solve(self.sigma, g)
        if not len(free):
            return g / problem.N
        factor = self.gram.factor_subset(free, 1.0 / self.sigma)
        y = factor.solve(potentials_of_subset(problem.xi, problem.S, g, free))
        return (g - embed_subset(problem.xi, problem.S, y, free)) / problem.N
