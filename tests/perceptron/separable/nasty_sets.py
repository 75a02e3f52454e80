"""Small sets that are hard for floats, each as X, S and the value of a constant input or None."""

import numpy as np


def gaussian(rng, P, N):
    return rng.standard_normal((P, N))


def integers(rng, P, N):
    return rng.integers(-2, 3, (P, N)).astype(float)


def pixels(rng, P, N):
    return rng.integers(0, 2, (P, N)).astype(float)


def eighths(rng, P, N):
    return rng.integers(0, 9, (P, N)) / 8 * 10.0 ** rng.choice([-150, 0, 148])


def shifted(rng, P, N):
    return rng.standard_normal((P, N)) + 10.0 ** rng.uniform(0, 12)


def shifted_tenths(rng, P, N):
    return np.round(rng.standard_normal((P, N)), 1) + 10.0 ** int(rng.integers(0, 9))


def years(rng, P, N):
    return 2000.0 + rng.integers(0, 6, (P, N))


def kelvin(rng, P, N):
    return 300.15 + 0.01 * rng.integers(0, 6, (P, N))


def collinear(rng, P, N):
    return rng.standard_normal((P, 1)) * rng.standard_normal(N) + (rng.random((P, 1)) < 0.3)


def duplicates(rng, P, N):
    X = rng.standard_normal((P, N))
    X[P // 2 :] = X[rng.integers(0, P // 2, P - P // 2)]
    return X


def thin_cone(rng, P, N):
    """Copies of one row that differ in the last bits."""
    X = rng.standard_normal((P, N))
    X[1:] = X[0] * (1 + 2.0**-52 * rng.integers(-2, 3, (P - 1, N)))
    return X


def subnormal(rng, P, N):
    return rng.integers(-3, 4, (P, N)) * 5e-324


def units(rng, P, N):
    return rng.standard_normal((P, N)) * 10.0 ** rng.uniform(-6, 6, (P, 1)) * 10.0 ** rng.uniform(-6, 6, N)


def touching(rng, P, N):
    """A row minus a positive combination of others, rounded: nearly degenerate."""
    X = rng.standard_normal((P, N))
    X[-1] = -rng.random(P - 1) @ X[:-1]
    return X


KINDS = [
    gaussian, integers, pixels, eighths, shifted, shifted_tenths, years, kelvin, collinear, duplicates,
    thin_cone, subnormal, units, touching,
]  # fmt: skip


def nasty(seed, number, most=8):
    """Sets of at most `most` examples, cycling through all kinds."""
    rng = np.random.default_rng(seed)
    for k in range(number):
        P, N = int(rng.integers(2, most + 1)), int(rng.integers(1, 5))
        X = KINDS[k % len(KINDS)](rng, P, N)
        S = rng.permutation(np.where(np.arange(P) % 2, 1, -1))
        yield X, S, rng.choice([None, 1.0, 1.0, 0.1, 3.0])
