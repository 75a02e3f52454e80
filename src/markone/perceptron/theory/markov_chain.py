"""On-line learning at finite N without vectors: an exact simulator, O(1) per example at any N.

The effect of a Gaussian example depends on three numbers only, so that (w.B, |w|) is a Markov chain with
the same law as the N-dimensional simulation, including all its fluctuations. About 60 ns per example:
N = 10^6 costs what N = 10 costs.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from markone.numerics.arrays import (
    Floats,
    check_at_least,
    check_noise_rate,
    check_positive,
    check_whole_number,
)
from markone.perceptron.theory import _markov_chain as chain
from markone.perceptron.theory.online import optimal as optimal_flow
from markone.perceptron.theory.online import optimal_rate as rate_flow


@dataclass(frozen=True)
class ChainRuns:
    """Independent students: rho = w.B and across = |w - rho B|, shape (runs, len(alpha))."""

    alpha: Floats
    rho: Floats
    across: Floats

    @property
    def R(self) -> Floats:
        """Zero where w = 0."""
        return np.sin(np.arctan2(self.rho, self.across))

    @property
    def Q(self) -> Floats:
        return self.rho**2 + self.across**2

    @property
    def theta(self) -> Floats:
        """A right angle where w = 0."""
        return np.where(self.Q > 0, np.arctan2(self.across, self.rho), np.pi / 2)

    @property
    def epsilon_g(self) -> Floats:
        return self.theta / np.pi


def hebb(alpha: ArrayLike, N: int, runs: int = 1, seed: int = 0, noise: float = 0.0) -> ChainRuns:
    """f = 1, from w = 0."""
    return _run_chains(chain.rosenblatt_chain, np.inf, alpha, N, runs, seed, noise)


def rosenblatt(
    alpha: ArrayLike, N: int, runs: int = 1, seed: int = 0, noise: float = 0.0, c: float = 0.0
) -> ChainRuns:
    """f = 1 where E <= c, from w = 0."""
    return _run_chains(chain.rosenblatt_chain, float(check_at_least(0, "c", c)), alpha, N, runs, seed, noise)


def adatron(
    alpha: ArrayLike, N: int, runs: int = 1, seed: int = 0, noise: float = 0.0, eta: float = 1.0
) -> ChainRuns:
    """f = -eta E where E < 0, from |w| = 1 at a right angle to the teacher."""
    return _run_chains(chain.adatron_chain, check_positive("eta", eta), alpha, N, runs, seed, noise, u=1.0)


def lms(
    alpha: ArrayLike, N: int, runs: int = 1, seed: int = 0, noise: float = 0.0, eta: float = 1.0
) -> ChainRuns:
    """f = eta (1 - E), from w = 0."""
    return _run_chains(chain.lms_chain, check_positive("eta", eta), alpha, N, runs, seed, noise)


def optimal(alpha: ArrayLike, N: int, runs: int = 1, seed: int = 0, noise: float = 0.0) -> ChainRuns:
    """The optimal modulation, with the angle of the N -> infinity theory."""
    schedule = optimal_flow.trajectory(_example_numbers(alpha, N) / N, noise).g
    return _run_chains(chain.optimal_chain, schedule, alpha, N, runs, seed, noise)


def optimal_rate(alpha: ArrayLike, N: int, runs: int = 1, seed: int = 0, noise: float = 0.0) -> ChainRuns:
    """The perceptron with the best rate at the angle of the N -> infinity theory."""
    schedule = rate_flow.best_rate_at(
        rate_flow.trajectory(_example_numbers(alpha, N) / N, noise).theta, noise
    )
    return _run_chains(chain.optimal_rate_chain, schedule, alpha, N, runs, seed, noise)


def _example_numbers(alpha: ArrayLike, N: int) -> Floats:
    """mu = 0, 1, ... up to the last example; 0 is replaced by 1/2, since alpha = 0 has no angle yet."""
    last = int(_check_times(alpha, N)[-1])
    return np.maximum(np.arange(max(last, 1), dtype=np.float64), 0.5)


def _check_times(alpha: ArrayLike, N: int) -> NDArray[np.int64]:
    a = np.atleast_1d(check_at_least(0, "alpha", alpha))
    if a.size == 0 or not np.all(np.isfinite(a)) or np.any(np.diff(a) < 0):
        raise ValueError("alpha must be finite and ascending: the chain passes each value once.")
    return np.rint(a * check_whole_number("N", N, 2)).astype(np.int64)


def _run_chains(
    rule: Any, parameter: Any, alpha: ArrayLike, N: int, runs: int, seed: int, noise: float, u: float = 0.0
) -> ChainRuns:
    times = _check_times(alpha, N)
    noise = check_noise_rate(noise)
    # One stream per run, named by (seed, run): runs do not depend on how many others there are.
    words = [np.random.SeedSequence([seed, run]).generate_state(1, np.uint64) for run in range(runs)]
    states = np.stack([rule(word, N, noise, parameter, times, 0.0, u) for word in words])
    return ChainRuns(times / N, states[..., 0], states[..., 1])
