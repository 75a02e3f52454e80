"""Seeds of compiled loops, drawn by scikit-learn's convention for `random_state`."""

from functools import lru_cache
from typing import Any

from sklearn.utils import check_random_state


def draw_seeds(random_state: Any, count: int) -> tuple[int, ...]:
    """Draw `count` integers from a generator, a seed or the global generator (None)."""
    if type(random_state) is int:
        return _cached_seeds(random_state, count)
    return _draw_uncached(random_state, count)


@lru_cache(maxsize=256)
def _cached_seeds(seed: int, count: int) -> tuple[int, ...]:
    # Seeding numpy's RandomState takes as long as a small fit.
    return _draw_uncached(seed, count)


def _draw_uncached(random_state: Any, count: int) -> tuple[int, ...]:
    generator = check_random_state(random_state)
    return tuple(int(generator.randint(2**31 - 1)) for _ in range(count))
