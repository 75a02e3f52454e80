"""A small network for regression (1.14)."""

from typing import Any, ClassVar, Self

import numpy as np

from markone.base.sklearn_compat import RegressorMixin, StrOptions, fit_context
from markone.networks.activations import ACTIVATIONS
from markone.networks.base import FeedForward
from markone.numerics.arrays import Array


class FeedForwardRegressor(RegressorMixin, FeedForward):
    """S = g_out(sum_k v_k g(w^k . xi - theta_k) - phi), trained on (1/2P) sum (S - y)^2 by its gradient.

    Small and simple, for teaching; scale X to a size of about one. For mini-batches or large sets
    use scikit-learn's MLPRegressor or PyTorch.

    Parameters
    ----------
    output : {"linear", "tanh", "erf", "relu"}
        g_out. (1.14) has the same g here as in the hidden units.

    Examples
    --------
    >>> import numpy as np
    >>> from markone import FeedForwardRegressor
    >>> x = np.linspace(-1, 1, 40)[:, None]
    >>> net = FeedForwardRegressor(K=4, random_state=0).fit(x, np.sin(3 * x[:, 0]))
    >>> bool(net.score(x, np.sin(3 * x[:, 0])) > 0.99)
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {"output": [StrOptions(set(ACTIVATIONS))]}
    output: str = "linear"

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
