"""A small network for regression (1.14)."""

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import RegressorMixin

from markone.base.sklearn_compat import StrOptions, fit_context
from markone.networks.activations import ACTIVATIONS
from markone.networks.base import FeedForward
from markone.numerics.arrays import Array


class FeedForwardRegressor(RegressorMixin, FeedForward):
    """S = g_out(sum_k v_k g(w^k . xi - theta_k) - phi), trained on (1/2P) sum (S - y)^2 by its gradient.

    Small and simple, for teaching; scale X to a size of about one. For mini-batches or large sets
    use scikit-learn's MLPRegressor or PyTorch.

    Parameters
    ----------
    K : int or tuple of int, default=10
        Number of hidden units; for several hidden layers (1.13) one number each, as (10, 5).
    activation : {"tanh", "erf", "relu"}, default="tanh"
        g of the hidden units; "erf" is erf(x/sqrt 2).
    architecture : {"general", "soft_committee"}, default="general"
        A soft committee adds up its hidden units: v_k = 1, phi = 0, not trained.
    output : {"linear", "tanh", "erf", "relu"}, default="linear"
        g_out. (1.14) has the same g here as in the hidden units.
    solver : {"lbfgs", "online"}, default="lbfgs"
        All examples at once, or one at a time with rate `eta`, in a new permutation each epoch.
    ridge : float, default=1e-4
        ridge/2 (|w|^2 + |v|^2) is added to the cost.
    eta : float, default=0.05
        Rate of on-line training, also of `partial_fit`.
    max_iter : int, default=1000
        Iterations of L-BFGS or epochs on-line.
    tol : float, default=1e-5
        L-BFGS stops when no component of the gradient is larger.
    fit_intercept : bool, default=True
        Thresholds theta and phi.
    warm_start : bool, default=False
        Start from the weights of the last fit.
    random_state : int, RandomState or None, default=None
        Seed of the initial weights and of the order of examples.

    Attributes
    ----------
    w_ : array (K, N)
        Weights of the (first) hidden layer.
    theta_ : array (K,)
        Their thresholds.
    v_, phi_ : array (1, K), array (1,)
        Output weights and threshold.
    layers_ : list of (array, array)
        Weights and thresholds of each layer, that of the output last.
    trace_ : array
        Cost after each iteration, or mean loss of each epoch on-line.
    n_iter_ : int
        Iterations or epochs used.
    n_features_in_ : int
        N.

    Examples
    --------
    >>> import numpy as np
    >>> from markone import FeedForwardRegressor
    >>> x = np.linspace(-1, 1, 40)[:, None]
    >>> net = FeedForwardRegressor(K=4, random_state=0).fit(x, np.sin(3 * x[:, 0]))
    >>> bool(net.score(x, np.sin(3 * x[:, 0])) > 0.99)
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = FeedForward._parameter_constraints | {
        "output": [StrOptions(set(ACTIVATIONS))],
    }

    def __init__(
        self,
        *,
        K: int | tuple[int, ...] = 10,
        activation: str = "tanh",
        architecture: str = "general",
        output: str = "linear",
        solver: str = "lbfgs",
        ridge: float = 1e-4,
        eta: float = 0.05,
        max_iter: int = 1000,
        tol: float = 1e-5,
        fit_intercept: bool = True,
        warm_start: bool = False,
        random_state: Any = None,
    ) -> None:
        self.K = K
        self.activation = activation
        self.architecture = architecture
        self.output = output
        self.solver = solver
        self.ridge = ridge
        self.eta = eta
        self.max_iter = max_iter
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.warm_start = warm_start
        self.random_state = random_state

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any) -> Self:
        """Train on the examples X (n_samples, n_features) with real targets y."""
        X, y = self._read_data(X, y, True, y_numeric=True)
        self._train_net(X, self._make_targets(y), "squared", self.output)
        return self

    @fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any) -> Self:
        """One epoch of on-line training, starting from the current weights."""
        X, y = self._read_data(X, y, not hasattr(self, "n_features_in_"), y_numeric=True)
        self._train_net(X, self._make_targets(y), "squared", self.output, more=True)
        return self

    def _make_targets(self, y: Array) -> Array:
        y = np.asarray(y, dtype=np.float64)
        top = float(np.abs(y).max(initial=0.0))
        if self.output in ("tanh", "erf") and top > 1:
            raise ValueError(
                f"output={self.output!r} stays between -1 and 1, but y reaches {top:.3g}: scale y, or use "
                "output='linear'."
            )
        return y[:, None]

    def predict(self, X: Any) -> Array:
        """S of each row of X."""
        return ACTIVATIONS[self.output].g(self._output_potentials(X))[:, 0]
