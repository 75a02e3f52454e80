"""A table of examples: the result of `load` and `chunks`."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from markone.numerics.arrays import Array


@dataclass(frozen=True)
class Table:
    """Inputs X, labels y, their names, their source and notes about them.

    X is an array of floats, or a pandas frame where some columns hold text (these are categories for the
    user to encode). Missing values are NaN in either. `notes` lists everything that was found in the data or
    done to them.

    Parameters
    ----------
    name : str
        Name of the set.
    X : array (P, N) or pandas.DataFrame
        The inputs.
    y : array (P,)
        The labels.
    feature_names : list of str
        One name a column of X.
    class_names : list of str
        Names of the classes.
    source : str
        Where the data come from.
    notes : list of str
        What was found and done.

    Examples
    --------
    >>> from markone.data import load
    >>> iris = load("iris")
    >>> iris.X.shape, iris.class_names
    ((150, 4), ['setosa', 'versicolor', 'virginica'])
    """

    name: str
    X: Any
    y: Array
    feature_names: list[str]
    class_names: list[str]
    source: str
    notes: list[str] = field(default_factory=list)

    @property
    def text_columns(self) -> list[str]:
        """The columns of X that hold text."""
        if isinstance(self.X, np.ndarray):
            return []
        return [name for name in self.feature_names if self.X[name].dtype.kind not in "fiub"]

    def __str__(self) -> str:
        P, N = self.X.shape
        head = f"{self.name}: {P} examples, {N} columns, {len(self.class_names)} classes"
        return "\n".join([head, f"source: {self.source}", *self.notes])
