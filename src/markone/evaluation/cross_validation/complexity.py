"""Training and test error against a parameter of any estimator (Fig 6.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from sklearn.base import clone, is_regressor
from sklearn.model_selection import check_cv
from sklearn.utils import indexable

from markone.base.parameters import ClonedEstimator, Examples, Splits, documented
from markone.base.plot_style import single_axes
from markone.base.sklearn_compat import safe_indexing
from markone.evaluation.cross_validation.fold_table import FoldTable, split_sizes
from markone.numerics.arrays import Array


@documented
@dataclass(frozen=True)
class ComplexityCurve:
    """Training and test errors for each value of a parameter.

    Error rates; for a regressor mean squared errors.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from markone.data import load
    >>> from markone.evaluation import complexity_curve
    >>> iris = load("iris")
    >>> curve = complexity_curve(KNeighborsClassifier(), iris.X, iris.y, "n_neighbors", [1, 5], cv=3)
    >>> curve.test.shape, bool(curve.train[0].max() == 0)
    ((2, 3), True)
    """

    name: Annotated[str, "str: The parameter."]
    values: Annotated[list[Any], "list: Its values."]
    train: Annotated[Array, "array (values, folds): The errors."]
    test: Annotated[Array, "array (values, folds): The errors."]
    train_sizes: Annotated[Array, "array (folds,): Number of examples of each fold."]
    test_sizes: Annotated[Array, "array (folds,): Number of examples of each fold."]

    @property
    def best(self) -> Any:
        """Value with the smallest mean test error; the first one of ties."""
        return self.values[int(self.test.mean(axis=1).argmin())]

    @property
    def within_one_error(self) -> Any:
        """First value whose mean test error is within one corrected standard error of the smallest."""
        mean = self.test.mean(axis=1)
        k = int(mean.argmin())
        return self.values[int(np.argmax(mean <= mean[k] + self.band(self.test)[k]))]

    def band(self, errors: Array) -> Array:
        """Standard errors over folds, corrected for their overlap (see `FoldTable`)."""
        tables = [FoldTable({"error": row}, self.train_sizes, self.test_sizes) for row in errors]
        return np.array([table.corrected_error("error") for table in tables])


@documented
def complexity_curve(
    estimator: ClonedEstimator,
    X: Examples,
    y: Any,
    name: str,
    values: Sequence[Any],
    *,
    cv: Splits = 10,
    warm: bool = False,
) -> ComplexityCurve:
    """Training and test error of every fold for each value of the parameter `name`.

    Parameters
    ----------
    y : array (P,)
        Their labels or values.
    name : str
        The parameter.
    values : sequence
        Its values.
    warm : bool, default=False
        Start each fit from the previous one (`warm_start`), e.g. the soft margin along C, where neighbouring
        solutions are similar; where the solution is unique the errors are the same.

    Returns
    -------
    ComplexityCurve
        Training and test errors.

    Examples
    --------
    >>> from markone import Adaline
    >>> from markone.data import load
    >>> from markone.evaluation import complexity_curve
    >>> iris = load("iris")
    >>> complexity_curve(Adaline(), iris.X, iris.y, "ridge", [0.1, 10.0], cv=3).train.shape
    (2, 3)
    """
    if not len(values):
        raise ValueError(f"There are no values of {name!r}.")
    X, y = indexable(X, np.asarray(y))
    splits = list(check_cv(cv, y, classifier=not is_regressor(estimator)).split(X, y))
    errors = [_fold_errors(estimator, X, y, split, name, values, warm) for split in splits]
    train, test = np.array(errors).transpose(2, 1, 0)
    return ComplexityCurve(name, list(values), train, test, *split_sizes(splits))


def _fold_errors(
    estimator: Any, X: Any, y: Array, split: Any, name: str, values: Sequence[Any], warm: bool
) -> list[tuple[float, float]]:
    (train, test), student, found = split, clone(estimator), []
    if warm:
        student.set_params(
            **{name.rpartition("__")[0] + "__warm_start" if "__" in name else "warm_start": True}
        )
    parts = [(safe_indexing(X, rows), y[rows]) for rows in (train, test)]
    for value in values:
        student = student if warm else clone(estimator)
        student.set_params(**{name: value}).fit(*parts[0])
        found.append((_mean_error(student, *parts[0]), _mean_error(student, *parts[1])))
    return found


def _mean_error(student: Any, X: Any, y: Array) -> float:
    predicted = student.predict(X)
    return float(np.mean((predicted - y) ** 2 if is_regressor(student) else predicted != y))


@documented
@dataclass
class ComplexityDisplay:
    """Training and test error against a parameter, with bands of one corrected standard error.

    Attributes
    ----------
    lines_, ax_, figure_
        Matplotlib artists
        Set by `plot`.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from markone.data import load
    >>> from markone.evaluation import ComplexityDisplay, complexity_curve
    >>> iris = load("iris")
    >>> curve = complexity_curve(KNeighborsClassifier(), iris.X, iris.y, "n_neighbors", [1, 5], cv=3)
    >>> ComplexityDisplay(curve).plot().ax_.get_xlabel()
    'n_neighbors'
    """

    curve: Annotated[ComplexityCurve, "ComplexityCurve: What `complexity_curve` returns."]

    def __post_init__(self) -> None:
        if not isinstance(self.curve, ComplexityCurve):
            raise TypeError(
                f"ComplexityDisplay takes the result of complexity_curve, not {type(self.curve).__name__}: "
                "compute the curve first, or call from_estimator."
            )

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        name: str,
        values: Sequence[Any],
        *,
        ax: Any = None,
        **settings: Any,
    ) -> "ComplexityDisplay":
        return cls(complexity_curve(estimator, X, y, name, values, **settings)).plot(ax=ax)

    def plot(self, *, ax: Any = None) -> "ComplexityDisplay":
        self.ax_, self.figure_ = single_axes(ax)
        c = self.curve
        numbers = all(isinstance(v, int | float | np.number) and np.isfinite(v) for v in c.values)
        places = np.array(c.values, dtype=float) if numbers else np.arange(len(c.values))
        self.lines_: list[Any] = []
        for errors, label in ((c.train, "training"), (c.test, "test")):
            mean, band = errors.mean(axis=1), c.band(errors)
            self.lines_ += self.ax_.plot(places, mean, "o-", ms=3, label=label)
            self.ax_.fill_between(places, mean - band, mean + band, alpha=0.2, lw=0)
        if numbers and places.min() > 0 and places.max() > 50 * places.min():
            self.ax_.set_xscale("log")
        elif not numbers:
            self.ax_.set_xticks(places, [str(v) for v in c.values])
        self.ax_.axvline(places[c.values.index(c.best)], color="0.6", ls=":", lw=1)
        self.ax_.set(xlabel=c.name, ylabel="error", ylim=(min(0.0, self.ax_.get_ylim()[0]), None))
        self.ax_.legend(frameon=False)
        return self
