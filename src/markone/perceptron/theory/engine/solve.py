"""`theory.solve`: the curve of a convex student in a world of one's own; `theory.twin`: that of a table."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from markone.perceptron.theory.engine import channels, penalties
from markone.perceptron.theory.engine.equations import Arguments, Equations, ScalarEquations
from markone.perceptron.theory.engine.losses import find_loss
from markone.perceptron.theory.engine.roots import find_checked_roots
from markone.perceptron.theory.engine.solution import COLUMNS, Solution, correct_for_size
from markone.perceptron.theory.engine.worlds import inputs as input_laws
from markone.perceptron.theory.engine.worlds.classes import SOFTMAX, Classes, ClassesWorld
from markone.perceptron.theory.engine.worlds.clusters import ClusterEquations
from markone.perceptron.theory.engine.worlds.world import (
    RegressionWorld,
    TeacherWorld,
    TwoGaussiansWorld,
    World,
)

LAWS_WITH_SPECTRUM = input_laws.Covariance | input_laws.TwoGaussians | input_laws.RandomFeatures | Classes


def solve(
    alpha: ArrayLike,
    loss: Any = "logistic",
    penalty: Any = 1.0,
    teacher: Any = "sign",
    noise: ArrayLike = 0.0,
    inputs: Any = None,
    prior: str = "gauss",
    intercept: bool = False,
    kinks: Sequence[float] = (),
    N: int | None = None,
) -> Solution:
    """Return the exact learning curve of a convex student in a world of one's own, N -> infinity.

    The student minimises sum_mu l(y, w.x + b) + sum_i (l1 |W_i| + l2 W_i^2/2) with W = sqrt(N) w; b is not
    penalised. The arguments alpha, noise, l1 and l2 broadcast.

    Parameters
    ----------
    alpha : array-like
        Examples per weight P/N.
    loss : str, callable or Loss
        logistic, exponential, hinge, squared_hinge or square (both with 1/2), or a formula or a function of
        the margin E = y h. For a linear teacher square, absolute, huber(1), quantile(0.5), or of the
        residual u = y - h; a formula may be in y and h. A function that does not accept jets is
        differentiated numerically: about seven digits.
    penalty : float or dict
        l2, or {"l1": ..., "l2": ...}, or {"gamma": 1/l2}.
    teacher : str or object
        sign, probit(sigma), logistic(beta), threshold(theta), flips(plus, minus), linear, one of `Sign`,
        `Logistic`, `Linear`, or a function P(+1|z). Not used if the inputs carry their labels.
    noise : array-like
        Probability of a flipped label; for a linear teacher the variance of the noise on y.
    inputs : None, Covariance, RandomFeatures, TwoGaussians, Classes or Clusters
        Law of the inputs; None for independent components of variance one.
    prior : str
        Law of the teacher's weights, gauss, sparse(d) or binary; it matters with l1 only.
    intercept : bool
        Fit b.
    kinks : sequence of float
        Where the slope of a loss given as a function jumps.
    N : int, optional
        Number of inputs of a finite system: epsilon_g, epsilon_rule or mse are those at N where a law is
        known (least squares without penalty); elsewhere the limit stays, and `note` says so.

    Returns
    -------
    Solution
        The curve, with a reason where there is none.

    Examples
    --------
    >>> from markone import theory
    >>> c = theory.solve([1.0, 2.0], loss="max(0, 1-E)", penalty={"l2": 0.5}, noise=0.1)
    >>> c.epsilon_g.round(4)
    array([0.352 , 0.3002])
    """
    again = partial(
        solve, loss=loss, penalty=penalty, teacher=teacher, noise=noise, inputs=inputs, prior=prior,
        intercept=intercept, kinks=kinks, N=N,
    )  # fmt: skip
    l1, l2 = penalties.read_penalty(penalty)
    arrays = np.broadcast_arrays(*(np.asarray(a, dtype=float) for a in (alpha, noise, l1, l2)))
    shape, flat = arrays[0].shape, tuple(a.ravel().copy() for a in arrays)
    if not (np.isfinite(flat[0]) & (flat[0] >= 0)).all():
        raise ValueError("alpha must be a number, at least 0.")
    equations = _set_up_equations(loss, teacher, inputs, prior, intercept, kinks, flat)
    found = replace(_solve_equations(equations, flat, shape), again=again)
    return (
        found if N is None else correct_for_size(found, N, (loss, penalty, teacher, noise, inputs, intercept))
    )


def _set_up_equations(
    loss: Any, teacher: Any, inputs: Any, prior: str, intercept: bool, kinks: Sequence[float], args: Arguments
) -> Equations:
    _, noise, l1, _ = args
    noisy, sparse = bool(noise.any()), bool(l1.any())
    if isinstance(inputs, input_laws.Clusters):
        if sparse or noisy:
            raise ValueError("Clusters have neither an l1 penalty nor noise: the equations hold for l2 only.")
        own, arrays = find_loss(loss, False, kinks), inputs.arrays()
        name = f"loss {own.text}, {len(arrays[0])} clusters, l2" + ", b fitted" * intercept
        return ClusterEquations(own, intercept, name, *arrays)
    world, name, intercept = find_world(teacher, inputs, intercept)
    if (loss == "softmax") != isinstance(world, ClassesWorld):
        raise ValueError("The softmax loss is for inputs=Classes(K, mu2), and the only one there.")
    own = SOFTMAX if loss == "softmax" else find_loss(loss, isinstance(world, RegressionWorld), kinks)
    weights = _find_weights_law(inputs, prior, sparse)
    if not isinstance(world, TwoGaussiansWorld | ClassesWorld):
        channels.check_teacher_noise(world.teacher, noise)  # type: ignore[attr-defined]
    elif noisy:
        raise ValueError("Clouds have no noise of labels; use a teacher, or overlap the clouds more.")
    where = "independent inputs" if inputs is None else type(inputs).__name__
    words = [f"loss {own.text}", name, where, "l1 + l2" if sparse else "l2", *["b fitted"] * intercept]
    return ScalarEquations(own, intercept, ", ".join(words), world, weights)


def find_world(teacher: Any, inputs: Any, intercept: bool) -> tuple[World, str, bool]:
    """The world of examples, its name and whether b is fitted."""
    if isinstance(inputs, input_laws.TwoGaussians):
        p = inputs.p_plus
        return TwoGaussiansWorld(((1.0, p), (-1.0, 1 - p))), "two Gaussians", intercept
    if isinstance(inputs, Classes):
        # By symmetry the intercepts are zero.
        return inputs.make_world(), f"{inputs.K} classes", False
    found = channels.find_teacher(teacher)
    name = f"teacher {found.name}"
    if isinstance(found, channels.Linear):
        return RegressionWorld(found), name, intercept
    once = found.is_symmetric and not intercept
    return TeacherWorld(found, ((1.0, 2.0),) if once else ((1.0, 1.0), (-1.0, 1.0))), name, intercept


def _find_weights_law(inputs: Any, prior: str, sparse: bool) -> penalties.Spectrum | penalties.ElasticNet:
    """The law of the teacher's weights and of the variances of their inputs."""
    if inputs is None:
        found = penalties.find_prior(prior)
        return found if sparse else penalties.ISOTROPIC
    if not isinstance(inputs, LAWS_WITH_SPECTRUM):
        known = "Covariance, RandomFeatures, TwoGaussians, Classes or Clusters"
        raise ValueError(f"inputs must be None, {known}, not {inputs!r}.")
    spectrum = inputs.spectrum()
    if not sparse:
        return spectrum
    independent = inputs.weights_law() if isinstance(inputs, input_laws.Covariance) else None
    if independent is None:
        raise ValueError(
            "An l1 penalty with correlated inputs does not close in a few order parameters: the penalty is "
            "not invariant under rotation. Use l2, or independent inputs (a vector of variances)."
        )
    return independent


@np.errstate(all="ignore")
def _solve_equations(equations: Equations, args: Arguments, shape: tuple[int, ...]) -> Solution:
    """The record, NaN with a reason where there is no root."""
    alpha, reason = args[0], equations.refuse_points(args)
    nothing = (alpha == 0) & (reason == "")
    out = {name: np.full(alpha.shape, np.nan) for name in (*COLUMNS, "support", "nonzero")}
    for name, value in equations.untrained.items():
        out[name][nothing] = value
    open_ = np.flatnonzero((reason == "") & ~nothing)
    if open_.size:
        x, reason[open_] = find_checked_roots(equations, tuple(a[open_] for a in args))
        found = np.isfinite(x[0])
        open_, x = open_[found], x[:, found]
    if open_.size:
        for name, values in equations.observe(x, tuple(a[open_] for a in args)).items():
            out[name][open_] = values
    named: dict[str, Any] = {name: values.reshape(shape) for name, values in out.items()}
    texts = reason.astype(str).reshape(shape)
    return Solution(alpha.reshape(shape), ok=texts == "", reason=texts, family=equations.family, **named)


def twin(
    X: ArrayLike, y: ArrayLike, alpha: ArrayLike | None = None, loss: Any = "logistic", l2: ArrayLike = 1.0
) -> Solution:
    """Return the learning curve of the Gaussian twin of a table, by its class means and covariances.

    A real table is not Gaussian: the curve has the right shape and size, but is not exact for the table. The
    intercept is fitted. Columns should have variances of order one.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The table.
    y : array-like of shape (n_samples,)
        Two labels; the larger one is +1.
    alpha : array-like, optional
        Training examples per column; the table's own number if None.
    loss : str, callable or Loss
        As in `solve`.
    l2 : array-like
        Penalty; LogisticRegression and LinearSVC have C = 1/(N l2).

    Returns
    -------
    Solution
        The curve of the twin.

    Examples
    --------
    >>> import numpy as np
    >>> from markone import theory
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([-1, 1], 500)
    >>> X = rng.normal(size=(1000, 5)) + y[:, None] * [1.0, 0, 0, 0, 0]
    >>> bool(0.15 < theory.twin(X, y, alpha=10.0).epsilon_g < 0.2)
    True
    """
    table, labels = np.asarray(X, dtype=float), np.asarray(y)
    classes = np.unique(labels)
    if table.ndim != 2 or labels.shape != table.shape[:1] or not np.isfinite(table).all():
        raise ValueError("X must be a table of finite numbers with one label for each row.")
    if len(classes) != 2:
        raise ValueError(f"The twin is for two classes; y has {len(classes)}.")
    rows = [table[labels == one] for one in classes]
    if min(map(len, rows)) < 2:
        raise ValueError("Each class needs at least two rows for its covariance.")
    world = input_laws.Clusters(
        [part.mean(axis=0) for part in rows],
        [np.atleast_2d(np.cov(part.T)) for part in rows],
        np.array([len(part) / len(table) for part in rows]),
        (-1, 1),
    )
    points = table.shape[0] / table.shape[1] if alpha is None else alpha
    return solve(points, loss, {"l2": l2}, inputs=world, intercept=True)
