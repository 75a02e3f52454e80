"""Diagnose separation: does a logistic regression of these rows have finite coefficients?

With rows z = S (xi, 1) the likelihood rises without end along w if all z . w >= 0 and one is positive (Albert
and Anderson 1984). These w, the recession cone, are found without rounding (`cone`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from markone.perceptron.recession.cone import coefficient_states, find_recession
from markone.perceptron.recession.sentences import describe_separation
from markone.perceptron.separable.two_classes import check_examples, examples_and_signs

INTERCEPT = "intercept"


@dataclass(frozen=True, eq=False)
class Separation:
    """The answer of `separation`.

    Parameters
    ----------
    kind : {"complete", "quasi-complete", "overlap"} or None
        The proven answer; None if it could not be proven.
    names : tuple of str
        The coefficients: the columns of X, then the intercept, if one was added.
    states : tuple of str
        For each coefficient "finite", "+inf", "-inf", "inf" (infinite, and both signs raise the likelihood),
        "inf?" (infinite, its sign not proven) or "not identified" (collinear columns).
    rows : array of int
        The rows responsible: their probability tends to 0 or 1. All rows if complete, none if overlap.
    direction : tuple of Fraction
        Coefficients along which the likelihood rises without end: S (xi, 1) . direction is positive for
        `rows` and zero for the others, exactly. Empty if overlap.
    message : str
        The answer in sentences.

    Examples
    --------
    >>> from markone import separation
    >>> separation([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]).kind
    'overlap'
    """

    kind: str | None
    names: tuple[str, ...]
    states: tuple[str, ...]
    rows: NDArray[np.intp] = field(repr=False)
    direction: tuple[Fraction, ...] = field(repr=False)
    message: str = field(repr=False)

    @property
    def infinite(self) -> dict[str, str]:
        """The infinite coefficients by name, with their sign: "+", "-", "+ or -" or "?"."""
        signs = {"+inf": "+", "-inf": "-", "inf": "+ or -", "inf?": "?"}
        return {n: signs[s] for n, s in zip(self.names, self.states, strict=True) if s in signs}

    @property
    def not_identified(self) -> tuple[str, ...]:
        """The coefficients that collinear columns leave undetermined."""
        return tuple(n for n, s in zip(self.names, self.states, strict=True) if s == "not identified")

    def __str__(self) -> str:
        return self.message


def separation(
    X: Any, y: ArrayLike, *, fit_intercept: bool = True, names: Sequence[str] | None = None
) -> Separation:
    """Diagnose complete or quasi-complete separation of two classes, with a proof.

    Complete: a hyperplane has every row strictly on its side. Quasi-complete: some rows strictly, all others
    on it. In both cases the likelihood of a logistic (or probit) regression has no maximum, and the reported
    coefficients and standard errors depend on where the iteration stopped. Overlap: the maximum exists.

    Parameters
    ----------
    X : array (P, N), DataFrame, design matrix or scipy sparse matrix
        The inputs, of finite numbers. Column names are used in the answer. Sparse matrices are made dense.
    y : array (P,)
        Two labels of any kind; signs are for the one that sorts last.
    fit_intercept : bool, default=True
        Add a constant column, unless X has one that is not zero (as a formula's design matrix has).
    names : sequence of str, optional
        Names of the columns, instead of those of X.

    Returns
    -------
    Separation
        `kind`, `infinite`, `rows`, `message` and more; every statement is proven for the numbers in X.

    Examples
    --------
    >>> import pandas as pd
    >>> from markone import separation
    >>> X = pd.DataFrame({"age": [50, 61, 47, 58, 66, 52], "neovasc": [0, 1, 0, 0, 1, 0]})
    >>> found = separation(X, [1, 1, 0, 1, 1, 0])
    >>> found.kind, found.infinite, found.rows.tolist()
    ('quasi-complete', {'neovasc': '+'}, [1, 4])
    """
    names = _column_names(X) if names is None else names
    table = X.toarray() if hasattr(X, "toarray") else X
    inputs = check_examples(table)
    constant = bool(((inputs == inputs[0]).all(axis=0) & (inputs[0] != 0.0)).any())
    added = fit_intercept and not constant
    xi, S = examples_and_signs(inputs, y, 1.0 if added else None)
    names = names or [f"x{j}" for j in range(inputs.shape[1])]
    names = [*names, INTERCEPT] if added else names
    found = find_recession(xi * S[:, None])
    if found is None:
        message = "Not decided: the set is too large for exact arithmetic. Round the inputs to fewer digits."
        nothing = np.zeros(0, dtype=np.intp)
        return Separation(None, tuple(names), ("undecided",) * len(names), nothing, (), message)
    kind = "complete" if len(found.rows) == len(S) else "quasi-complete" if len(found.rows) else "overlap"
    states = coefficient_states(found)
    free = constant or added
    message = describe_separation(kind, names, states, found.rows, inputs, np.asarray(y), S, free)
    return Separation(kind, tuple(names), states, found.rows, found.original_direction(), message)


def _column_names(X: Any) -> Sequence[str] | None:
    """Names of the columns of a frame or of a formula's design matrix."""
    info = getattr(X, "design_info", None)
    columns = getattr(X, "columns", None) if info is None else info.column_names
    return None if columns is None else [str(name) for name in columns]
