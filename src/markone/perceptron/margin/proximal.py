"""Proximal steps for states with many free examples, each solved by Newton's method in w.

A step maximises the objective (3.75, 4.5) minus |x - x_old|^2 / (2 sigma). For given w its solution is
x = clip(x_old + sigma (1 - E), 0, gamma), so only w = (1/N) sum x S xi has to be solved for: a smooth
convex problem in N unknowns, however many examples there are, and never singular. A plain Newton step
on more than N free examples would meet a singular C_FF and bounds one by one.

A free threshold is one of these unknowns, with a small weight THRESHOLD instead of 1 in w^2 / 2, about the
offset: a proximal term that vanishes at the solution.
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
)

# Newton steps for one proximal step.
INNER = 60
# Weight of the square of a free threshold, less its offset.
THRESHOLD = 1e-4
# Residual below which the free set is solved for directly, however large it is.
CLOSE = 1e-8


class Proximal:
    """Proximal steps; sigma and the matrices are kept between calls."""

    def __init__(self, problem: Quadratic, gram: Gram) -> None:
        self.problem, self.gram = problem, gram
        self.normal: NormalMatrix | None = None
        self.metric = np.ones(problem.N)
        self.metric[-1] = THRESHOLD if problem.free else 1.0
        typical = problem.N / float(np.mean(problem.squared_norms[problem.used_examples]))
        # Measured: with many examples per weight the first step can be longer.
        self.sigma = typical * float(np.clip(len(problem.used_examples) / problem.N, 1.0, 10.0)) * 100.0

    def run_steps(self, state: State, tol: float, few: int, steps: int) -> bool:
        """Make proximal steps until the gap is below tol and only few examples are free, or until the
        residual is small; True if the data are proven not separable.
        """
        problem = self.problem
        for _ in range(steps):
            old, offset, before = state.x, state.offset, self._objective(state, state.offset)
            made = self._proximal_step(state)
            evaluate_state(problem, state)
            if self._objective(state, offset) < before - 1e-12 * abs(before):
                # Newton did not converge: keep the old x and take a shorter step.
                state.x, state.offset, self.sigma = old, offset, self.sigma / 10.0
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

    def _objective(self, state: State, offset: float) -> float:
        """-1/2 x C x + sum x, with a penalty of sum x S xi_last, whose multiplier is the offset."""
        problem = self.problem
        if not problem.free:
            return dual_objective(problem, state)
        v, unbalanced = state.w[:-1], float(state.w[-1]) - state.offset
        penalty = unbalanced * (offset + unbalanced / (2.0 * THRESHOLD))
        return float(state.x.sum()) - problem.N * (float(v @ v) / 2.0 + penalty)

    def _proximal_step(self, state: State) -> int:
        """Solve for w to a fraction of the change of x; return the number of Newton steps."""
        problem, sigma = self.problem, self.sigma
        xi, S, N = problem.xi, problem.S, problem.N
        # Unused examples must not move: their gamma is zero, or their row is.
        gamma = np.where(problem.squared_norms > 0, problem.gamma, state.x)
        w, E, lengths, metric = state.w, state.E, np.sqrt(problem.squared_norms), self.metric
        centre = np.zeros(N)
        centre[-1] = state.offset
        for made in range(INNER + 1):
            u = state.x + sigma * (1.0 - E)
            x = np.clip(u, 0.0, gamma)
            embedded = embed_examples(xi, S, x)
            g = N * (metric * (w - centre) - embedded)
            enough = 0.1 * np.sqrt(N) * float(np.linalg.norm(x - state.x)) / sigma
            rounding = 1e-15 * float(x @ lengths)
            if made == INNER or (made and np.linalg.norm(g) <= max(enough, rounding)):
                break
            dw = -self._solve_newton_system((u > 0) & (u < gamma), g)
            dE = potentials_of_examples(xi, S, dw)
            rise, bend = N * float((metric * (w - centre)) @ dw), N * float((metric * dw) @ dw)
            t = step_length(u, sigma * dE, gamma, sigma, rise, bend)
            state.n_newton += 1
            if t == 0.0:
                break
            w, E = w + t * dw, E + t * dE
        state.x = x
        if problem.free:
            state.offset = float(w[-1] - embedded[-1])
        return made

    def _solve_newton_system(self, inside: Array, g: Array) -> Array:
        """(N metric + sigma sum xi xi^T over the inside)^-1 g, in N or in that many unknowns."""
        problem, free, metric = self.problem, np.flatnonzero(inside), self.metric
        if len(free) > problem.N:
            self.normal = self.normal or NormalMatrix(problem)
            self.normal.set_members(inside)
            return self.normal.solve(self.sigma, g, metric)
        if not len(free):
            return g / (problem.N * metric)
        factor = self.gram.factor_subset(free, 1.0 / self.sigma)
        y = factor.solve(potentials_of_subset(problem.xi, problem.S, g / metric, free))
        if problem.free:
            # The factor is that of a metric of ones: a change of rank one.
            column = problem.threshold_column[free]
            response, more = factor.solve(column), (1.0 / THRESHOLD - 1.0) / problem.N
            y -= response * (more * float(column @ y) / (1.0 + more * float(column @ response)))
        return (g - embed_subset(problem.xi, problem.S, y, free)) / (problem.N * metric)
