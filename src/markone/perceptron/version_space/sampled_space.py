"""Sampling of version space: start, walls, chains and the students they draw."""

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from markone.numerics._rows import compute_squared_norms
from markone.numerics.arrays import Array, check_noise_rate, check_whole_number
from markone.numerics.threads import map_in_threads
from markone.perceptron.base.problem import Problem
from markone.perceptron.separable.certify import certify_rows
from markone.perceptron.separable.two_classes import check_examples
from markone.perceptron.version_space._trajectory import QUARTER, draw_students_entry
from markone.perceptron.version_space.sample import Sample

# Turns before the first student is drawn, and hits per example at which a turn is aborted.
BURN_IN, MOST_HITS = 20, 1000
TOL, MAX_ITER = 1e-9, 500
# Squares of larger numbers may not be finite.
FAR = 1e150


@dataclass(frozen=True)
class Start:
    """w with |w|^2 = N; `separable` is proven. `errors`: fraction of the examples with E <= 0."""

    w: Array = field(repr=False)
    separable: bool
    errors: float
    message: str


def _find_start(problem: Problem, blank: int = 0) -> Start:
    """Minimise sum (1 - E)_+^2 by Newton's method, with proof of separability; `blank` rows are all zero."""
    Z = _signed_examples(problem)
    if Z.shape[0] == 0:
        return Start(np.full(problem.N, 1.0), not blank, 0.0, _start_message(blank, 0.0, 0))
    found, _ = certify_rows(Z, TOL, MAX_ITER)
    w = found.w
    top = float(np.abs(w).max(initial=0.0))
    if not math.isfinite(top):
        raise ValueError("The weights that separate these examples are not finite: scale X to about one.")
    if top > FAR or 0 < top < 1 / FAR:
        w = w / top  # whose square would overflow or underflow
    length = float(np.linalg.norm(w))
    w = w * (math.sqrt(problem.N) / length) if length > 0 else np.ones(problem.N)
    errors = float(np.mean(np.asarray(Z @ w) <= 0))
    return Start(w, found.separable is True and not blank, errors, _start_message(blank, errors, problem.P))


def _signed_examples(problem: Problem) -> Any:
    if sparse.issparse(problem.X):
        Z = sparse.csr_array(sparse.diags_array(problem.S) @ problem.X)
        return sparse.csr_array((Z.data, Z.indices.astype(np.int32), Z.indptr.astype(np.int32)), Z.shape)
    return np.ascontiguousarray(problem.S[:, None] * problem.X, dtype=np.float64)


def _start_message(blank: int, errors: float, P: int) -> str:
    if blank:
        return f"{blank} example(s) are all zero and have E = 0 for any weights."
    return f"No perceptron was found that separates the {P} examples; the best start has {errors:.2g} wrong."


class SampledSpace:
    """Sampling only; `VersionSpace` adds volume and cuts."""

    def __init__(self, xi: Any, S: ArrayLike, *, noise: float = 0.0) -> None:
        X, labels = check_examples(xi), np.asarray(S, dtype=np.float64)
        if labels.shape != (X.shape[0],) or not np.isin(labels, (-1.0, 1.0)).all():
            raise ValueError(
                f"S must hold one label +1 or -1 for each of the {X.shape[0]} examples, but its shape is "
                f"{labels.shape} and its values are {np.unique(labels)[:4]}."
            )
        self.noise = check_noise_rate(noise)
        self.problem = _without_blanks(Problem(X, labels))
        self.blank = X.shape[0] - self.problem.P

    @cached_property
    def start(self) -> Start:
        """Start of the chains, with the proof whether the examples are separable."""
        return _find_start(self.problem, self.blank)

    @property
    def wall_height(self) -> float:
        """Step of the potential at the hyperplane of an example: ln((1-lambda)/lambda)."""
        return math.log((1 - self.noise) / self.noise) if self.noise > 0 else math.inf

    @property
    def most_hits(self) -> int:
        """Maximum number of hits in a turn; it is aborted beyond, since the region is too narrow."""
        return MOST_HITS * (self.problem.P + 10)

    @cached_property
    def walk_arrays(self) -> tuple[Any, Array, Array, Array]:
        """(xi, S, G, |xi|) for the compiled loop; G is empty if it would be too large."""
        p = self.problem
        G = p.correlation_matrix() * p.N if p.fits_gram() else np.empty((0, 0))
        return p.xi, p.S, G, np.sqrt(compute_squared_norms(p.xi, p.P))

    def start_chain(self, seed: Any, wall: float | None = None, w: Array | None = None) -> "Chain":
        """Chain from `w` (or from `start`), with the walls of `noise` unless `wall` is given."""
        if w is None:
            if self.noise == 0 and not self.start.separable:
                raise ValueError(f"{self.start.message} The version space is empty: set noise > 0.")
            w = self.start.w
        return Chain(self, self.wall_height if wall is None else wall, np.array(w, dtype=np.float64), seed)

    def sample(
        self, n: int, *, turns: int = 1, burn_in: int = BURN_IN, seed: Any = None, n_jobs: int | None = None
    ) -> Sample:
        """Draw n students (rounded up to an even number) from two independent chains.

        Parameters
        ----------
        n : int
        turns : quarter turns between two students.
        burn_in : quarter turns before the first.
        seed : anything `numpy.random.SeedSequence` takes.
        n_jobs : threads for the two chains; None is one. The students do not depend on it.
        """
        m = -(-check_whole_number("n", n, 2) // 2)
        turns, burn_in = check_whole_number("turns", turns, 1), check_whole_number("burn_in", burn_in, 0)
        seeds = np.random.SeedSequence(seed).spawn(2)
        chains = [self.start_chain(seed) for seed in seeds]
        # Computed before the threads start: it is a cached property.
        _ = self.walk_arrays
        drawn = map_in_threads(lambda chain: chain.discard_turns(burn_in).draw(m, turns), chains, n_jobs)
        students, wrong = (np.stack([pair[k] for pair in drawn]) for k in (0, 1))
        return Sample(students, wrong, sum(c.hits for c in chains), sum(c.cut for c in chains))


class Chain:
    """Markov chain in version space."""

    def __init__(self, space: SampledSpace, wall: float, w: Array, seed: Any) -> None:
        self.space, self.wall, self.w = space, wall, w
        sequence = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
        self.state = sequence.generate_state(1, np.uint64)
        self.hits, self.cut = 0, 0

    def draw(self, m: int, turns: int = 1) -> tuple[Array, Array]:
        """Draw m students (m, N) of length 1, `turns` quarter turns apart; return them and their errors."""
        out, wrong = np.empty((m, len(self.w))), np.empty(m)
        args = (*self.space.walk_arrays, self.wall, QUARTER, turns, self.space.most_hits)
        hits, cut = draw_students_entry(*args, self.w, self.state, out, wrong)
        self.hits, self.cut = self.hits + int(hits), self.cut + int(cut)
        return out, wrong

    def discard_turns(self, turns: int) -> "Chain":
        """Make some turns and discard the students (burn-in)."""
        if turns > 0:
            self.draw(1, turns)
        return self


def _without_blanks(problem: Problem) -> Problem:
    """Remove all-zero examples: E = 0 for every w, so they do not cut version space."""
    lengths = compute_squared_norms(problem.xi, problem.P)
    if lengths.all():
        return problem
    kept = np.flatnonzero(lengths > 0)
    X = problem.X[kept]
    return Problem(sparse.csr_array(X) if sparse.issparse(X) else X, problem.S[kept], seed=problem.seed)
