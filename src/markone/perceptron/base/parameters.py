"""Constructor parameters that students share, in groups: defaults, documentation and constraints."""

from typing import Annotated

from markone.base.parameters import Jobs, Parameters, Positive, RandomState, Record

# The value of `fit_intercept` for a threshold that is not part of |w|.
FREE = "free"


class ClampedInput(Parameters):
    """The threshold as a weight.

    Parameters
    ----------
    fit_intercept : bool
        Learn a threshold as the weight of a clamped input (3.4).
    intercept_scaling : float
        Value of the clamped input. Its weight is part of |w| and so of every stability.
    normalize : bool
        With more than two classes, compare potentials divided by |w|.
    """

    fit_intercept: Annotated[bool | str, "boolean"] = True
    intercept_scaling: Positive = 1.0
    normalize: bool = False


class WarmStart(Parameters):
    """Repeated fits.

    Parameters
    ----------
    warm_start : bool
        Start from the weights (and strengths) of the last fit.
    """

    warm_start: bool = False


class TrainingLog(WarmStart):
    """A log of the training.

    Parameters
    ----------
    trace : bool
        Keep errors, stability and norm of each epoch in `trace_`.
    record : {"updates", "presentations"} or None
        Keep every update (or presentation) in `history_`, bounded in memory.
    """

    trace: bool = False
    record: Record = None


class RandomOrder(Parameters):
    """Random presentation.

    Parameters
    ----------
    random_state : int, RandomState or None
        Seed of the random numbers; an integer makes the result reproducible.
    """

    random_state: RandomState = None


class ProblemThreads(Parameters):
    """Several binary problems.

    Parameters
    ----------
    n_jobs : int or None
        Threads for the problems of more than two classes; -1 means all cores. Does not change the result.
    """

    n_jobs: Jobs = None
