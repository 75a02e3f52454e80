"""The Hopfield network (section 1.3.1): a content-addressable memory."""

from dataclasses import field
from numbers import Real
from typing import Annotated, Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from markone.base.convergence_warning import warn_not_converged
from markone.base.history import History
from markone.base.input_validation import validate_data
from markone.base.parameters import Count, NotNegative, Parameters, RandomState
from markone.base.sklearn_compat import BaseEstimator, Interval, StrOptions, draw_seeds, fit_context
from markone.hopfield._fields import pattern_overlaps
from markone.hopfield.network import LEARNING_RULES, LearnedCouplings, use_given_couplings
from markone.hopfield.recall_dynamics import ORDERS, RULES, Dynamics, record_recall, settle_state
from markone.hopfield.states import Recall, Trajectory, to_states, to_values, two_values
from markone.numerics.arrays import Array


class Hopfield(Parameters, BaseEstimator):
    """Store patterns in the couplings of N binary neurons and recall them from noisy versions.

    Parameters
    ----------
    couplings : {"hebb", "pseudo_inverse", "optimal"} or array (N, N)
        Hebb's rule (1.11), good for up to 0.138 N random patterns; the projection rule, for any linearly
        independent ones; a perceptron of optimal stability per neuron, for up to 2 N. Or any matrix, such as
        `ferromagnet(N)` or `spin_glass(N)`.
    self_coupling : bool
        Keep w_ii (Hebb, projection rule, given couplings). The notes set it to zero (1.8).
    dynamics : {"sequential", "parallel"}
        One neuron after the other, or all at once (1.7).
    order : {"shuffled", "random", "cyclic"}
        Order of the sequential dynamics: a new permutation each sweep, random with replacement, or cyclic.
    temperature : float
        0 is (1.9) with sign(0) = +1 as in (1.5): a change of a neuron with zero field leaves H unchanged and
        is from -1 to +1, so that the dynamics still reaches a fixed point. Above 0 it runs `max_iter` sweeps.
    rule : {"glauber", "metropolis"}
        Thermal noise: P(S_i = +1) = 1/(1 + exp(-2 h_i/T)), or flip with probability min(1, exp(-dH/T)).
    max_iter : int
        Largest number of sweeps (N visits) or parallel steps.
    threshold : float or None
        If given, values of X above it are +1, others -1. Otherwise X must hold two values.
    random_state : int, RandomState or None
        Seed of the order and the noise. Row k of a call draws from its own stream.

    Attributes
    ----------
    patterns_ : array (P, N) of int8
        The stored patterns, as +-1.
    values_ : array (2,)
        The two values that stand for -1 and +1.
    couplings_ : array (N, N)
        Formed on demand for Hebb's rule.
    n_features_in_ : int
        N.

    Examples
    --------
    >>> import numpy as np
    >>> from markone import Hopfield
    >>> stored = np.sign(np.random.default_rng(0).standard_normal((3, 100)))
    >>> memory = Hopfield(random_state=0).fit(stored)
    >>> noisy = stored[:1].copy()
    >>> noisy[0, :15] *= -1
    >>> bool((memory.predict(noisy) == stored[0]).all())
    True
    """

    couplings: Annotated[Any, StrOptions(set(LEARNING_RULES)), "array-like"] = "hebb"
    self_coupling: bool = False
    dynamics: Annotated[str, StrOptions({"sequential", "parallel"})] = "sequential"
    order: Annotated[str, StrOptions(set(ORDERS))] = "shuffled"
    temperature: NotNegative = 0.0
    rule: Annotated[str, StrOptions(set(RULES))] = "glauber"
    max_iter: Count = 100
    threshold: Annotated[float | None, Interval(Real, None, None, closed="neither"), None] = None
    random_state: RandomState = None
    values_: Array = field(init=False)
    n_features_in_: int = field(init=False)

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any = None, y: Any = None) -> Self:
        """Store the rows of X. With given couplings X is used only for overlaps and is optional."""
        self._check_noise()
        if X is None and not isinstance(self.couplings, str):
            w = np.asarray(self.couplings)
            self.values_, self.n_features_in_ = np.array([-1, 1], dtype=np.int8), len(w)
            return self._store_patterns(np.empty((0, len(w)), dtype=np.int8), None)
        X = validate_data(self, X, dtype="numeric")
        given = self.threshold is not None
        self.values_ = np.array([-1, 1], dtype=np.int8) if given else two_values(X, type(self).__name__)
        return self._store_patterns(to_states(X, self.values_, self.threshold), None)

    @fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any = None) -> Self:
        """Store further patterns (1.12); the first call is `fit`."""
        if not hasattr(self, "patterns_"):
            return self.fit(X)
        if not isinstance(self.couplings, str):
            raise ValueError("Given couplings cannot learn: choose couplings='hebb' to store more patterns.")
        X = validate_data(self, X, dtype="numeric", reset=False)
        return self._store_patterns(to_states(X, self.values_, self.threshold), self._learned)

    def predict(self, X: Any) -> Array:
        """The final state from each row of X, in the values of the patterns.

        A ConvergenceWarning reports rows that ended in a cycle or at `max_iter`.
        """
        outcome = self.recall(X)
        ends = [(name, int(np.sum(outcome.status == name))) for name in ("cycle of two", "max_iter")]
        problems = [f"{count} of {len(outcome.status)} ended with {name!r}" for name, count in ends if count]
        if problems:
            advice = "Sequential dynamics with symmetric couplings ends in a fixed point. See recall()."
            warn_not_converged(f"Hopfield: {', '.join(problems)}. {advice}")
        return outcome.states

    def recall(self, X: Any) -> Recall:
        """Run the dynamics from each row of X; return final states and the nearest stored patterns."""
        S = self._read_data(X)
        states = self._random_streams(len(S))
        ends = [
            settle_state(self._learned.network, row, self._make_options(), s)
            for row, s in zip(S, states, strict=True)
        ]
        n_iter, status = zip(*ends, strict=True)
        m = self._compute_overlaps(S)
        index = m.argmax(axis=1) if m.shape[1] else np.full(len(S), -1)
        best = m.max(axis=1) if m.shape[1] else np.full(len(S), np.nan)
        return Recall(to_values(S, self.values_), index, best, np.array(status), np.array(n_iter))

    def trajectory(self, x: Any) -> Trajectory:
        """Return the states, energies and overlaps of each sweep from one start x."""
        S, (state,) = self._read_data(np.asarray(x)[None]), self._random_streams(1)
        seen = [S[0].copy()]
        _, status = settle_state(
            self._learned.network, S[0], self._make_options(), state, lambda now: seen.append(now.copy())
        )
        states = np.array(seen)
        energy = self._learned.network.energy(states)
        return Trajectory(to_values(states, self.values_), energy, self._compute_overlaps(states), status)

    def steps(self, x: Any, record: str = "updates") -> History:
        """Return the `History` of a recall from one start x, neuron by neuron; draws as in `trajectory`.

        record : "updates" keeps each visit that changed a neuron, "presentations" each visit. In each row
        `example` is the neuron, E and E_after are S_i h_i before and after; the state "cells" holds all
        neurons (+-1), "energy" H, "overlap" the overlap with the pattern nearest to the final state.
        """
        S, (state,) = self._read_data(np.asarray(x)[None]), self._random_streams(1)
        history, ended = record_recall(self._learned.network, S[0], self._make_options(), state, record)
        overlaps = self._compute_overlaps(history.states["cells"])
        if overlaps.shape[1]:
            history.states["overlap"] = overlaps[:, int(np.argmax(overlaps[-1]))]
        history.settings["status"] = f"ends with: {ended}"
        return history

    def energy(self, X: Any) -> Array:
        """H = -sum_{i<j} w_ij S_i S_j (1.10) of each row."""
        return self._learned.network.energy(self._read_data(X))

    def fields(self, X: Any) -> Array:
        """h_i = sum_j w_ij S_j of each row."""
        return self._learned.network.fields(self._read_data(X))

    def overlaps(self, X: Any) -> Array:
        """m = (1/N) sum_j xi_j S_j of each row with each stored pattern."""
        return self._compute_overlaps(self._read_data(X))

    def stabilities(self) -> Array:
        """xi_i h_i/|w_i| of each stored bit (P, N): a pattern is a fixed point if all of its are positive."""
        check_is_fitted(self)
        lengths = np.linalg.norm(self.couplings_, axis=1)
        return (
            self.patterns_ * self._learned.network.fields(self.patterns_) / np.where(lengths > 0, lengths, 1)
        )

    # Before fit both raise AttributeError, so that hasattr is False, as scikit-learn expects.
    @property
    def patterns_(self) -> Array:
        return self._learned.xi

    @property
    def couplings_(self) -> Array:
        return self._learned.network.coupling_matrix()

    def _store_patterns(self, xi: Array, before: LearnedCouplings | None) -> Self:
        if isinstance(self.couplings, str):
            self._learned = LEARNING_RULES[self.couplings](xi, self.self_coupling, before)
        else:
            self._learned = use_given_couplings(self.couplings, xi, self.self_coupling)
        return self

    def _read_data(self, X: Any) -> Array:
        check_is_fitted(self)
        if not self._is_plain_input(X):
            X = validate_data(self, X, dtype="numeric", reset=False)
        return to_states(X, self.values_, self.threshold)

    def _is_plain_input(self, X: Any) -> bool:
        """Whether X is valid by a fast check; scikit-learn's validation takes longer than a recall."""
        if not (type(X) is np.ndarray and X.dtype.kind in "fi" and X.ndim == 2 and len(X) > 0):
            return False
        if X.shape[1] != self.n_features_in_ or hasattr(self, "feature_names_in_"):
            return False
        # If the sum is not finite, scikit-learn checks the values.
        with np.errstate(over="ignore", invalid="ignore"):
            return bool(np.isfinite(X.sum()))

    def _compute_overlaps(self, S: Array) -> Array:
        return np.asarray(pattern_overlaps(self.patterns_, S) / S.shape[1])

    def _random_streams(self, n: int) -> Array:
        """One SplitMix64 state for each of n rows."""
        (seed,) = draw_seeds(self.random_state, 1)
        if self.temperature == 0 and (self.dynamics == "parallel" or self.order == "cyclic"):
            return np.zeros((n, 1), dtype=np.uint64)  # nothing is random
        words = [np.random.SeedSequence([seed, k]).generate_state(1, np.uint64) for k in range(n)]
        return np.array(words)

    def _make_options(self) -> Dynamics:
        return Dynamics(self.dynamics, self.order, float(self.temperature), self.rule, self.max_iter)

    def _check_noise(self) -> None:
        if self.temperature > 0 and self.rule == "metropolis":
            if self.dynamics == "parallel":
                raise ValueError(
                    "Metropolis accepts flips one at a time: set dynamics='sequential' or rule='glauber'."
                )
            if self.self_coupling:
                raise ValueError(
                    "A neuron's own coupling is not part of dH: set self_coupling=False, or rule='glauber'."
                )

    def __sklearn_is_fitted__(self) -> bool:
        return "_learned" in self.__dict__
