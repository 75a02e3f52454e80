"""Base of regressor and classifier: parameters, buffers, fitted attributes."""

from dataclasses import field
from numbers import Integral
from typing import Annotated, Any

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from markone.base.checks import check_size, check_warm_start
from markone.base.convergence_warning import warn_not_converged
from markone.base.input_validation import validate_data
from markone.base.parameters import COUNT, Count, NotNegative, Parameters, Positive, RandomState
from markone.base.scores import round_to_dtype
from markone.base.sklearn_compat import BaseEstimator, StrOptions
from markone.networks.activations import ACTIVATIONS
from markone.networks.net import Net, TrainedNet, train_lbfgs, train_online
from markone.numerics.arrays import Array

# Squares of larger inputs overflow in the first step of the training.
LARGEST = 1e100


class FeedForward(Parameters, BaseEstimator):
    """A network with one hidden layer of K units (1.14), or with several (1.13).

    Parameters
    ----------
    K : int or tuple of int
        Number of hidden units; for several hidden layers (1.13) one number each, as (10, 5), with "lbfgs".
    activation : {"tanh", "erf", "relu"}
        g of the hidden units; "erf" is erf(x/sqrt 2).
    architecture : {"general", "soft_committee"}
        A soft committee adds up its hidden units: v_k = 1, phi = 0, not trained; for two classes only.
    solver : {"lbfgs", "online"}
        All examples at once, or one at a time with rate `eta`, in a new permutation each epoch.
    ridge : float
        ridge/2 (|w|^2 + |v|^2) is added to the cost.
    eta : float
        Rate of on-line training, also of `partial_fit`.
    max_iter : int
        Iterations of L-BFGS or epochs on-line.
    tol : float
        L-BFGS stops when no component of the gradient is larger.
    fit_intercept : bool
        Thresholds theta and phi.
    warm_start : bool
        Start from the weights of the last fit.
    random_state : int, RandomState or None
        Seed of the initial weights and of the order of examples.

    Attributes
    ----------
    w_ : array (K, N)
        Weights of the (first) hidden layer.
    theta_ : array (K,)
        Their thresholds.
    v_, phi_ : array (C, K), array (C,)
        Output weights and thresholds; C = 1 for regression and for two classes.
    layers_ : list of (array, array)
        Weights and thresholds of each layer, that of the output last.
    trace_ : array
        Cost after each iteration, or mean loss of each epoch on-line.
    n_iter_ : int
        Iterations or epochs used.
    n_features_in_ : int
        N.
    """

    K: Annotated[int | tuple[int, ...], COUNT, tuple, list] = 10
    activation: Annotated[str, StrOptions(set(ACTIVATIONS) - {"linear"})] = "tanh"
    architecture: Annotated[str, StrOptions({"general", "soft_committee"})] = "general"
    solver: Annotated[str, StrOptions({"lbfgs", "online"})] = "lbfgs"
    ridge: NotNegative = 1e-4
    eta: Positive = 0.05
    max_iter: Count = 1000
    tol: Positive = 1e-5
    fit_intercept: bool = True
    warm_start: bool = False
    random_state: RandomState = None
    w_: Array = field(init=False)
    theta_: Array = field(init=False)
    v_: Array = field(init=False)
    phi_: Array = field(init=False)
    layers_: list[tuple[Array, Array]] = field(init=False)
    trace_: Array = field(init=False)
    n_iter_: int = field(init=False)
    n_features_in_: int = field(init=False)

    def _read_data(self, X: Any, y: Any, reset: bool, **options: Any) -> tuple[Array, Any]:
        X, y = validate_data(self, X, y, dtype=np.float64, order="C", reset=reset, **options)
        check_size(X, LARGEST)
        return X, y

    def _train_net(self, X: Array, Y: Array, loss: str, output: str, more: bool = False) -> None:
        """Train on targets Y (P, C); `more`: one further on-line epoch."""
        rng = check_random_state(self.random_state)
        committee = self.architecture == "soft_committee"
        if committee and Y.shape[1] > 1:
            raise ValueError(
                "Only binary classification is supported by a soft committee, which has one output; "
                f"there are {Y.shape[1]} classes: use architecture='general'."
            )
        if self.warm_start and hasattr(self, "_net"):
            check_warm_start(self._net.N, X.shape[1])
        net = self._make_net(X.shape[1], Y.shape[1], output, committee)
        seed = int(rng.randint(2**31 - 1))
        goes_on = (more or self.warm_start) and getattr(self, "_net", None) == net
        flat = self._flat if goes_on else net.initial_weights(np.random.default_rng(seed))
        if more or self.solver == "online":
            if len(net.K) > 1:
                raise ValueError(
                    f"K = {self.K} has several hidden layers, which are trained by solver='lbfgs' and fit: "
                    "on-line training and partial_fit are for one layer, as K = 10."
                )
            # A continued stream must not repeat its first permutation.
            stream = seed + (self.n_iter_ if goes_on else 0)
            times = 1 if more else self.max_iter
            fitted = train_online(net, flat, X, Y, loss, self.ridge, self, stream, times)
        else:
            fitted = train_lbfgs(net, flat, X, Y, loss, self.ridge, self)
        self._store_weights(net, fitted, more and goes_on)
        if fitted.message:
            warn_not_converged(fitted.message)

    def _make_net(self, N: int, C: int, output: str, committee: bool) -> Net:
        """A network with one hidden layer if K is an integer, else with one layer per element of K."""
        K = (self.K,) if isinstance(self.K, int | np.integer) else tuple(self.K)
        if not K or not all(isinstance(k, Integral) and k >= 1 for k in K):
            raise ValueError(
                f"K = {self.K}: give a number of hidden units, or one for each layer, as (10, 5)."
            )
        if committee and len(K) > 1:
            raise ValueError(f"A soft committee has one hidden layer, not the {len(K)} of K = {self.K}.")
        return Net(N, tuple(map(int, K)), C, self.activation, output, committee, self.fit_intercept)

    def _store_weights(self, net: Net, fitted: TrainedNet, added: bool) -> None:
        self._net, self._flat = net, fitted.flat
        parts = net.split_parts(fitted.flat)
        self.w_ = parts.w
        self.theta_ = parts.theta if net.thresholds else np.zeros(len(parts.w))
        self.v_ = np.ones((1, len(parts.w))) if net.committee else parts.v
        self.phi_ = parts.phi if parts.phi.size else np.zeros(net.C)
        self.layers_ = net.split_layers(fitted.flat)
        before = (self.trace_, self.n_iter_) if added else (np.empty(0), 0)
        self.trace_ = np.append(before[0], fitted.trace)
        self.n_iter_ = before[1] + fitted.n_iter

    def _read_rows(self, X: Any) -> tuple[Array, Any]:
        """Validated rows in double precision, and the dtype of their results."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=[np.float64, np.float32], reset=False)
        return X.astype(np.float64, copy=False), X.dtype

    def _output_potentials(self, X: Any) -> Array:
        """Potentials of the output units (P, C)."""
        X, dtype = self._read_rows(X)
        return round_to_dtype(self._net.forward_pass(self._flat, X)[0][-1], dtype)

    def hidden(self, X: Any) -> Array:
        """The activities sigma_k of the hidden units (P, K); of several hidden layers the last."""
        X, dtype = self._read_rows(X)
        return round_to_dtype(self._net.forward_pass(self._flat, X)[1][-1], dtype)
