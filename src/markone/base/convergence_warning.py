"""Warnings that point at the user's line, not at a call inside markone or scikit-learn."""

import os
import sys
import warnings
from pathlib import Path

import sklearn
from sklearn.exceptions import ConvergenceWarning

INSIDE = (str(Path(__file__).parent.parent) + os.sep, str(Path(sklearn.__file__).parent) + os.sep)


def warn_not_converged(message: str) -> None:
    """Issue a ConvergenceWarning."""
    warnings.warn(message, ConvergenceWarning, stacklevel=_user_depth() + 1)


def _user_depth() -> int:
    """Number of calls between the user's line and the caller of this function."""
    frame, depth = sys._getframe(1), 0
    while frame.f_back is not None and frame.f_code.co_filename.startswith(INSIDE):
        frame, depth = frame.f_back, depth + 1
    return depth
