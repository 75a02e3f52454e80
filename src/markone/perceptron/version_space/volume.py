"""ln of the volume of version space as a fraction of the sphere, or with noise of the evidence.

Let V_k be the fraction of the sphere with k wrong examples and Z(s) = sum_k V_k s^k: Z(1) = 1, Z(0) = V_0
is the volume. Students with the weight s^wrong, which is noise lambda = s/(1+s), have on average
<wrong> = d ln Z/d ln s wrong, so that

    ln Z(s) = -int_s^1 <wrong> ds'/s'.

The integrand is smooth down to s = 0, where it is V_1/V_0: Gauss-Legendre. The evidence of the labels at
noise lambda is (1-lambda)^P Z(lambda/(1-lambda)).
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from markone.numerics.arrays import Array
from markone.perceptron.version_space._shrink import log_volumes
from markone.perceptron.version_space.sample import effective_chain_size
from markone.perceptron.version_space.sampled_space import SampledSpace

# Burn-in turns at the first level, which starts at random, and at each further one.
FIRST, NEXT = 20, 5


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


def measure_volume(space: SampledSpace, n: int, nodes: int, seed: Any) -> Volume:
    s, weight = noise_levels(space.noise, nodes)
    levels = _sample_levels(space, s, n, seed)
    log = -float(weight @ (levels[:, 1] / s))
    error = float(np.linalg.norm(weight * levels[:, 2] / s))
    return Volume(log + space.problem.P * math.log1p(-space.noise), error, levels)


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


def shrink_volume(space: SampledSpace, n: int, seed: Any) -> Array:
    """ln V after each example: the fraction of the version space before it that agrees with it."""
    if space.noise > 0:
        raise ValueError("Examples shrink the version space without noise only: use log_volume().")
    if not space.start.separable:
        raise ValueError(f"{space.start.message} The version space is empty: set noise > 0.")
    xi, S, G, lengths = space.walk_arrays
    log = np.zeros(space.problem.P + 1)
    state = np.random.SeedSequence(seed).generate_state(1, np.uint64)
    log_volumes(xi, S, G, lengths, n, space.most_hits, space.start.w, state, log)
    return log
