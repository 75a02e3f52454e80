"""Warnings that point at the user's line, however many calls of ours and of scikit-learn lie between."""

import os
import sys
import warnings
from pathlib import Path

import sklearn
from sklearn.exceptions import ConvergenceWarning

INSIDE = (str(Path(__file__).parent.parent) + os.sep, str(Path(sklearn.__file__).parent) + os.sep)


def not_converged(message: str) -> None:
    """A ConvergenceWarning."""
    warnings.warn(message, ConvergenceWarning, stacklevel=_depth() + 1)


def _depth() -> int:
    """Calls between the user's line and the function that asks."""
    frame, depth = sys._getframe(1), 0
    while frame.f_back is not None and frame.f_code.co_filename.startswith(INSIDE):
        frame, depth = frame.f_back, depth + 1
    return depth
