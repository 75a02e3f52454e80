"""Sampling of version space: start, walls, chains, and the students they draw with their averages."""

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
from markone.perceptron.version_space._trajectory import QUARTER, Walls, draw_students_entry


@dataclass(frozen=True, eq=False)
class Sample:
    """Students of version space, as unit vectors w from two independent chains.

    Parameters
    ----------
    halves : array (2, m, N)
        The unit vectors.
    wrong : array (2, m)
        Number of examples each student has wrong.
    hits : int
        Walls hit by both chains.
    cut : int
        Turns that were aborted because they hit too many walls.

    Examples
    --------
    >>> from markone import VersionSpace
    >>> VersionSpace([[1.0, 0.0], [0.0, 1.0]], [1, 1]).sample(100, seed=0).students.shape
    (100, 2)
    """

    halves: Array
    wrong: Array
    hits: int
    cut: int

    @property
    def students(self) -> Array:
        """All students, (2 m, N)."""
        return self.halves.reshape(-1, self.halves.shape[2])

    @cached_property
    def centres(self) -> Array:
        """Centre of mass of each half."""
        return np.asarray(self.halves.mean(axis=1))

    @property
    def centre(self) -> Array:
        """w_cm, not normalised   (3.38)."""
        return np.asarray(self.centres.mean(axis=0))

    @property
    def overlap(self) -> float:
        """q: the mean overlap of two students, and of a student and the teacher.

        The halves are independent, so that the product of their centres has no bias; |w_cm|^2 would
        contain each student's overlap with itself.
        """
        return float(self.centres[0] @ self.centres[1])

    @property
    def centre_overlap(self) -> float:
        """The expected overlap R of the centre of mass with a teacher drawn from version space."""
        return self.overlap / float(np.linalg.norm(self.centre))

    @property
    def gibbs_error(self) -> float:
        """Expected generalization error of a random student, for isotropic inputs   (3.34)."""
        first, second = self.halves
        return float(np.mean(np.arccos(np.clip(first @ second.T, -1.0, 1.0)))) / np.pi

    @property
    def bayes_error(self) -> float:
        """Expected generalization error of the centre of mass, for isotropic inputs.

        The centre of one half is compared with the students of the other: an upper bound, since it is a mean
        over half of the students only.
        """
        angles = []
        for centre, others in zip(self.centres, self.halves[::-1], strict=True):
            angles.append(np.arccos(np.clip(others @ centre / np.linalg.norm(centre), -1.0, 1.0)))
        return float(np.mean(angles)) / np.pi

    @cached_property
    def effective_size(self) -> float:
        """Number of independent students that would give the centre of mass with the same precision.

        From the autocorrelation of the vectors w, summed while pairs of it are positive (Geyer 1992).
        It may exceed 2 m: a quarter turn tends to the opposite side, successive students are anticorrelated.
        """
        return sum(effective_chain_size(half) for half in self.halves)

    def votes(self, X: Array) -> Array:
        """Fraction of the students with output +1, for each row of X; sign(0) = +1."""
        return np.asarray((np.asarray(X @ self.students.T) >= 0).mean(axis=1))


def effective_chain_size(walk: Array) -> float:
    """Length of a chain of vectors (m, N), or of numbers (m,), divided by its correlation time."""
    walk = walk.reshape(len(walk), -1)
    deviations = walk - walk.mean(axis=0)
    m, total = len(walk), float(np.sum(deviations * deviations))
    if total <= 1e-24 * float(np.sum(walk * walk)):
        return float(m)
    time, lag = -1.0, 0
    while lag + 1 < m:
        pair = sum(float(np.sum(deviations[k:] * deviations[: m - k])) for k in (lag, lag + 1)) / total
        if pair <= 0:
            break
        time, lag = time + 2 * pair, lag + 2
    # A chain shorter than its correlation time cannot estimate it: the gain is bounded.
    return float(m / max(time, 1 / np.log(max(m, 3))))


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
        if wall is None:
            # Step of the potential at the hyperplane of an example.
            wall = math.log((1 - self.noise) / self.noise) if self.noise > 0 else math.inf
        return Chain(self, wall, np.array(w, dtype=np.float64), seed)

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
        walls = Walls(*self.space.walk_arrays, float(self.wall))
        how = (QUARTER, turns, self.space.most_hits)
        hits, cut = draw_students_entry(walls, *how, self.w, self.state, out, wrong)
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
