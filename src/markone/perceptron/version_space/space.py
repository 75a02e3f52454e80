"""Version space (3.35): all w with S^mu w . xi^mu > 0, or with label noise their posterior.

Its volume: let V_k be the fraction of the sphere with k wrong examples and Z(s) = sum_k V_k s^k: Z(1) = 1,
Z(0) = V_0 is the volume. Students with the weight s^wrong, which is noise lambda = s/(1+s), have on average
<wrong> = d ln Z/d ln s wrong, so that

    ln Z(s) = -int_s^1 <wrong> ds'/s'.

The integrand is smooth down to s = 0, where it is V_1/V_0: Gauss-Legendre. The evidence of the labels at
noise lambda is (1-lambda)^P Z(lambda/(1-lambda)).
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from markone.numerics.arrays import Array, check_whole_number
from markone.perceptron.separable import separability
from markone.perceptron.separable.two_classes import check_examples
from markone.perceptron.version_space._trajectory import log_volumes
from markone.perceptron.version_space.sampled_space import SampledSpace, effective_chain_size

# Burn-in turns at the first level, which starts at random, and at each further one.
FIRST, NEXT = 20, 5


@dataclass(frozen=True)
class Cut:
    """Effect of a new input on version space.

    Parameters
    ----------
    informative : bool or None
        True if either label is possible, by a proof of separability for both; False if only one is, None if
        the proof was not reached. With noise every label is possible.
    share : float
        Fraction of the sampled students that answer +1: the remaining fraction of the volume if the label is
        +1; 1 - share if it is -1.

    Examples
    --------
    >>> from markone import VersionSpace
    >>> (cut,) = VersionSpace([[1.0, 0.0], [0.0, 1.0]], [1, 1]).cut([1.0, -1.0], seed=0)
    >>> cut.informative, bool(0.3 < cut.share < 0.7)
    (True, True)
    """

    informative: bool | None
    share: float

    @property
    def information(self) -> float:
        """Expected decrease of ln(volume) if the label is that of a student drawn from version space."""
        return float(sum(-p * np.log(p) for p in (self.share, 1 - self.share) if p > 0))


@dataclass(frozen=True)
class Volume:
    """ln of a volume (of the evidence, if there is noise) and its standard error from sampling.

    Parameters
    ----------
    log : float
        ln of the volume, as a fraction of the whole sphere.
    error : float
        Its standard error.
    levels : array
        s, the mean number of wrong examples there, and its standard error, one row each.

    Examples
    --------
    >>> import math
    >>> from markone import VersionSpace
    >>> quarter = VersionSpace([[1.0, 0.0], [0.0, 1.0]], [1, 1]).log_volume(seed=0)
    >>> bool(abs(quarter.log - math.log(1 / 4)) < 4 * quarter.error)
    True
    """

    log: float
    error: float
    levels: Array


class VersionSpace(SampledSpace):
    """All perceptrons without threshold that agree with the examples, with equal weight.

    With `noise` = lambda > 0 labels are wrong with that probability: w has the weight
    (1-lambda)^right lambda^wrong, the posterior of a teacher drawn from the sphere.

    Parameters
    ----------
    xi : array (P, N) or scipy sparse matrix
        The inputs.
    S : array (P,)
        Their labels, +1 or -1.
    noise : float in [0, 1/2), default=0.0
        Probability that a label is wrong.

    Examples
    --------
    >>> from markone.perceptron.version_space import VersionSpace
    >>> space = VersionSpace([[1.0, 0.0], [0.0, 1.0]], [1, 1])
    >>> bool((space.sample(100, seed=0).students > 0).all())
    True
    """

    def log_volume(self, n: int = 200, *, nodes: int = 16, seed: Any = None) -> Volume:
        """ln of the fraction of the sphere that version space takes; with noise ln of the evidence.

        See `Volume`. n students are drawn for each of `nodes` noise levels.
        """
        s, weight = noise_levels(self.noise, check_whole_number("nodes", nodes, 2))
        levels = _sample_levels(self, s, check_whole_number("n", n, 2), seed)
        log = -float(weight @ (levels[:, 1] / s))
        error = float(np.linalg.norm(weight * levels[:, 2] / s))
        return Volume(log + self.problem.P * math.log1p(-self.noise), error, levels)

    def shrink(self, n: int = 100, *, seed: Any = None) -> Array:
        """ln of the volume after 0, 1, .. P examples, in their order, with n students for each.

        Without noise only. The standard error of the last is about sqrt(P (1-p)/(p n)) with the mean
        fraction p of version space that a new example leaves.
        """
        n = check_whole_number("n", n, 1)
        if self.noise > 0:
            raise ValueError("Examples shrink the version space without noise only: use log_volume().")
        if not self.start.separable:
            raise ValueError(f"{self.start.message} The version space is empty: set noise > 0.")
        xi, S, G, lengths = self.walk_arrays
        log = np.zeros(self.problem.P + 1)
        state = np.random.SeedSequence(seed).generate_state(1, np.uint64)
        log_volumes(xi, S, G, lengths, n, self.most_hits, self.start.w, state, log)
        return log

    def cut(self, xi: Any, n: int = 200, *, seed: Any = None) -> list[Cut]:
        """For each new input, whether it is informative: its hyperplane cuts version space   (Fig. 3.7)."""
        new = check_examples(np.atleast_2d(xi) if not sparse.issparse(xi) else xi)
        N = self.problem.N
        if new.shape[1] != N:
            raise ValueError(
                f"The new examples have {new.shape[1]} inputs, but version space is made of {N}."
            )
        share = self.sample(n, seed=seed).votes(new)
        return [Cut(_is_informative(self, new[[k]], p), float(p)) for k, p in enumerate(share)]


def noise_levels(noise: float, nodes: int) -> tuple[Array, Array]:
    """The levels s, from 1 downwards, and the weights of <wrong>/s in the integral down to noise.

    s = low + (1-low) y^2: each level then adds about the same to the variance of the result.
    """
    low = noise / (1 - noise)
    x, weight = np.polynomial.legendre.leggauss(nodes)
    y = (1 - x) / 2
    return low + (1 - low) * y**2, weight * (1 - low) * y


def _sample_levels(space: SampledSpace, s: Array, n: int, seed: Any) -> Array:
    """Sample the levels in order of decreasing noise: each chain starts from the end of the last one."""
    seeds = np.random.SeedSequence(seed).spawn(len(s) + 1)
    w = np.random.default_rng(seeds[-1]).standard_normal(space.problem.N)
    rows = []
    for k, (level, stream) in enumerate(zip(s, seeds[:-1], strict=True)):
        chain = space.start_chain(stream, -math.log(level), w).discard_turns(NEXT if k else FIRST)
        wrong = chain.draw(n)[1]
        w = chain.w
        rows.append((level, wrong.mean(), math.sqrt(wrong.var() / effective_chain_size(wrong))))
    return np.array(rows)


def _is_informative(space: SampledSpace, new: Any, share: float) -> bool | None:
    if space.noise > 0 or 0 < share < 1:
        return True  # students on both sides are a proof
    answers = [_label_possible(space, new, label) for label in (-1.0, 1.0)]
    if False in answers:
        return False
    return None if None in answers else True


def _label_possible(space: SampledSpace, new: Any, label: float) -> bool | None:
    """Whether the examples and the new one are separable; None if undecided."""
    join = sparse.vstack if sparse.issparse(space.problem.X) else np.vstack
    X, S = join([space.problem.X, new]), np.append(space.problem.S, label)
    # A second copy with opposite signs gives two labels to any set and leaves the answer unchanged.
    return separability(join([X, -X]), np.append(S, -S)).separable
