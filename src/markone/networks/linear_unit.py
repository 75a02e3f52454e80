"""Linear regression: the linear unit, its ridge, and its uncertainty   (2.3-2.17)."""

from typing import Annotated, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from markone.base.input_validation import validate_data
from markone.base.parameters import POSITIVE, NotNegative, Parameters
from markone.base.scores import round_to_dtype
from markone.base.sklearn_compat import BaseEstimator, RegressorMixin, fit_context
from markone.numerics.arrays import Array
from markone.numerics.intervals import student_factor


class LinearUnit(Parameters, RegressorMixin, BaseEstimator):
    """y = w . xi + w0 with Gaussian noise: maximum likelihood, or with a Gaussian prior maximum a posteriori.

    The posterior of the weights is Gaussian around `coef_`; `predict(X, return_std=True)` also returns the
    standard deviation, from the noise and from the uncertainty of the weights (2.17). If sigma is estimated,
    an interval is that times a quantile of Student's distribution, as in `predict_interval`: Gaussian ones
    would cover .82 instead of .95 with 6 examples of 3 inputs.

    Parameters
    ----------
    ridge : float
        gamma of (2.10) in E = 1/2 sum (y - w.xi)^2 + gamma/2 |w|^2; sigma^2/tau^2 for a prior of width tau
        (2.14). The threshold has no prior and does not decay. 0 is the pseudo-inverse (2.8).
    sigma : float or None
        Width of the noise (2.11). None: from the residuals, with P - (parameters in use) degrees of freedom.
    fit_intercept : bool
        The clamped input of (2.4).

    Attributes
    ----------
    coef_, intercept_ : array (N,), float
        w and w0.
    sigma_ : float
        Width of the noise, given or estimated; NaN without degrees of freedom to estimate it.
    degrees_of_freedom_ : float
        Of the estimate of sigma; infinite if sigma is given.
    covariance_ : array (N + 1, N + 1) or (N, N)
        Posterior covariance of (w, w0); NaN where sigma_ is NaN.

    Examples
    --------
    >>> from markone import LinearUnit
    >>> from markone.data import hubble
    >>> distance, velocity, _ = hubble()
    >>> line = LinearUnit(fit_intercept=False).fit(distance[:, None], velocity)
    >>> float(line.coef_[0].round(1))
    423.9
    """

    ridge: NotNegative = 0.0
    sigma: Annotated[float | None, POSITIVE, None] = None
    fit_intercept: bool = True

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any) -> "LinearUnit":
        """Train on X (n_samples, n_features) and numbers y."""
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        A = self._add_clamped_input(X)
        decay = np.full(A.shape[1], float(self.ridge))
        if self.fit_intercept:
            decay[-1] = 0.0
        root = np.diag(np.sqrt(decay))
        # Normal equations would square the condition number; additional rows are equivalent.
        U, s, Vt = np.linalg.svd(np.vstack([A, root]), full_matrices=False)
        used = s > s.max(initial=0.0) * max(A.shape) * np.finfo(float).eps
        inverse = (Vt[used].T / s[used] ** 2) @ Vt[used]
        w = (Vt[used].T / s[used]) @ (U[: len(y), used].T @ y)
        free = len(y) - float(np.sum((A @ inverse) * A))
        left = float(np.sum((y - A @ w) ** 2))
        # Not below this limit, where the degrees of freedom are rounding errors.
        estimate = np.sqrt(left / free) if free > 1e-8 * len(y) else np.nan
        self.degrees_of_freedom_ = free if self.sigma is None else np.inf
        self.sigma_ = float(estimate if self.sigma is None else self.sigma)
        with np.errstate(over="ignore", invalid="ignore"):
            self.covariance_ = np.float64(self.sigma_) ** 2 * inverse
        # Without degrees of freedom it is not defined: sigma_ is NaN.
        if np.isfinite(self.sigma_) and not np.isfinite(self.covariance_).all():
            raise ValueError(
                f"The covariance of the weights is not finite with sigma = {self.sigma_:g}: choose a sigma "
                "nearer to one, or scale X and y to about one."
            )
        self.coef_, self.intercept_ = (w[:-1], float(w[-1])) if self.fit_intercept else (w, 0.0)
        return self

    def _add_clamped_input(self, X: Array) -> Array:
        return np.hstack([X, np.ones((len(X), 1))]) if self.fit_intercept else X

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """The most probable y of each row; with return_std also its standard deviation   (2.17)."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=[np.float64, np.float32], reset=False)
        y = round_to_dtype(X @ self.coef_ + self.intercept_, X.dtype)
        if not return_std:
            return y
        A = self._add_clamped_input(X)
        deviation = np.sqrt(self.sigma_**2 + np.sum((A @ self.covariance_) * A, axis=1))
        return y, round_to_dtype(deviation, X.dtype)

    def predict_interval(self, X: Any, level: float = 0.95) -> tuple[Array, Array]:
        """Ends of the interval that contains a new y of each row with probability `level` (ridge = 0).

        NaN without degrees of freedom to estimate sigma. With ridge > 0 the bias of the weights is left out.

        Examples
        --------
        >>> from markone import LinearUnit
        >>> line = LinearUnit().fit([[0.0], [1.0], [2.0], [3.0]], [0.1, 0.9, 2.1, 2.9])
        >>> low, high = line.predict_interval([[4.0]])
        >>> bool(low[0] < line.predict([[4.0]])[0] < high[0])
        True
        """
        if not 0 < level < 1:
            raise ValueError(f"level = {level} must lie between 0 and 1.")
        y, deviation = self.predict(X, return_std=True)
        half = student_factor(self.degrees_of_freedom_, level) * deviation
        return y - half, y + half
