"""Results of a recall."""

from dataclasses import dataclass

from markone.numerics.arrays import Array


@dataclass(frozen=True)
class Recall:
    """The final state of each start, the nearest stored pattern and the overlap with it.

    Parameters
    ----------
    states : array (n, N)
        The final states.
    index : array (n,)
        Index of the nearest stored pattern; -1 if nothing is stored (given couplings, fit() without X).
    overlap : array (n,)
        The overlap with that pattern; NaN if nothing is stored.
    status : array (n,) of str
        "fixed point", "cycle of two" (parallel dynamics), "max_iter" or "thermal" (T > 0).
    n_iter : array (n,)
        Sweeps or steps used.

    Examples
    --------
    >>> from markone import Hopfield
    >>> memory = Hopfield(random_state=0).fit([[1, 1, 1, -1, -1, -1]])
    >>> memory.recall([[1, 1, -1, -1, -1, -1]]).status.tolist()
    ['fixed point']
    """

    states: Array
    index: Array
    overlap: Array
    status: Array
    n_iter: Array


@dataclass(frozen=True)
class Trajectory:
    """One run, step by step, the start included.

    Parameters
    ----------
    states : array (t + 1, N)
        The states.
    energy : array (t + 1,)
        H of (1.10).
    overlaps : array (t + 1, P)
        Overlaps with the stored patterns.
    status : str
        How it ended, as in `Recall`.

    Examples
    --------
    >>> from markone import Hopfield
    >>> memory = Hopfield(random_state=0).fit([[1, 1, 1, -1, -1, -1]])
    >>> run = memory.trajectory([1, 1, -1, -1, -1, -1])
    >>> run.status, bool(run.energy[-1] < run.energy[0])
    ('fixed point', True)
    """

    states: Array
    energy: Array
    overlaps: Array
    status: str
