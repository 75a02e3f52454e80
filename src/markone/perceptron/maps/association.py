"""The association layer of the Mark I: fixed random threshold units between input and perceptron."""

from numbers import Integral, Real
from typing import Annotated, Any

import numpy as np
from sklearn.base import TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from markone.base.input_validation import validate_data
from markone.base.parameters import Count, Parameters, RandomState
from markone.base.sklearn_compat import BaseEstimator, Interval, StrOptions, fit_context
from markone.numerics.arrays import Array

# Largest number of units times inputs. The Mark I had 204800.
MAX_CONNECTIONS = 10**9


class AssociationLayer(Parameters, TransformerMixin, BaseEstimator):
    """Random threshold units: the sum of some inputs minus the sum of others, compared with a threshold.

    In the Mark I a plugboard connected 20 x 20 photosensors at random with 512 such units; only the weights
    of the next layer were trained.

    Parameters
    ----------
    n_units : int
        Number of association units.
    n_excitatory, n_inhibitory : int
        Number of inputs that each unit adds and subtracts, chosen without repetition. If there are fewer
        inputs than their sum, each unit uses all of them, in the same proportion.
    threshold : "median" or float
        Threshold of the sum: "median" of the unit's sums over the training examples, so that half of them
        activate it, or one number for all units.
    random_state : int, RandomState or None
        Seed of the random connections.

    Attributes
    ----------
    wires_ : array (n_units, n_features_in_) of int8
        +1 for inputs that are added, -1 for those subtracted, 0 for no connection.
    thresholds_ : array (n_units,)
        Threshold of each unit.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from markone import AssociationLayer, Rosenblatt
    >>> from markone.data import load
    >>> digits = load("digits")
    >>> markI = make_pipeline(AssociationLayer(random_state=0), Rosenblatt())
    >>> bool(markI.fit(digits.X, digits.y == 8).score(digits.X, digits.y == 8) > 0.97)
    True
    """

    n_units: Count = 512
    n_excitatory: Annotated[int, Interval(Integral, 0, None, closed="left")] = 20
    n_inhibitory: Annotated[int, Interval(Integral, 0, None, closed="left")] = 20
    threshold: Annotated[
        float | str, Interval(Real, None, None, closed="neither"), StrOptions({"median"})
    ] = "median"
    random_state: RandomState = None

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None) -> "AssociationLayer":
        """Draw the connections for inputs like X and set the thresholds."""
        X = validate_data(self, X, dtype=[np.float64, np.float32])
        if self.n_excitatory + self.n_inhibitory == 0:
            raise ValueError("n_excitatory and n_inhibitory are both 0: units need at least one input.")
        if self.n_units * max(X.shape[1], 100) > MAX_CONNECTIONS:  # a unit has a minimum cost
            raise ValueError(
                f"n_units = {self.n_units} with {X.shape[1]} inputs is too large: "
                f"choose at most {MAX_CONNECTIONS // max(X.shape[1], 100)}."
            )
        self.wires_ = self._draw_wires(X.shape[1])
        sums = self._unit_sums(X)
        if self.threshold == "median":
            self.thresholds_ = np.median(sums, axis=0).astype(np.float64)
        else:
            self.thresholds_ = np.full(self.n_units, float(self.threshold))
        return self

    def _draw_wires(self, N: int) -> Array:
        rng = check_random_state(self.random_state)
        plus, wanted = self.n_excitatory, self.n_excitatory + self.n_inhibitory
        if wanted > N:
            plus = round(N * plus / wanted)
        minus = min(self.n_inhibitory, N - plus)
        wires = np.zeros((self.n_units, N), dtype=np.int8)
        for unit in wires:
            ends = rng.permutation(N)[: plus + minus]
            unit[ends[:plus]], unit[ends[plus:]] = 1, -1
        return wires

    def _unit_sums(self, X: Array) -> Array:
        with np.errstate(over="ignore", invalid="ignore"):
            sums = X @ self.wires_.T.astype(X.dtype)
        if not np.isfinite(sums).all():
            raise ValueError("Sums of the inputs are not finite: scale X to about one.")
        return np.asarray(sums)

    def transform(self, X: Any) -> Array:
        """Return +1 for active units, else -1: (n_samples, n_units)."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=[np.float64, np.float32], reset=False)
        sums = self._unit_sums(X)
        return np.where(sums >= self.thresholds_, 1.0, -1.0).astype(X.dtype)

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """Return the names association0, association1, ..."""
        check_is_fitted(self)
        return np.array([f"association{k}" for k in range(self.n_units)], dtype=object)
