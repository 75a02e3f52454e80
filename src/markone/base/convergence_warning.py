"""Warnings that point at the user's line, not at a call inside markone or scikit-learn."""

import os
import sys
import warnings
from pathlib import Path

import sklearn
from sklearn.exceptions import ConvergenceWarning

INSIDE = (str(Path(__file__).parent.parent) + os.sep, str(Path(sklearn.__file__).parent) + os.sep)


def warn_not_converged(message: str) -> None:
    """Issue a ConvergenceWarning at the user's line: of the calls, the first one outside."""
    frame, depth = sys._getframe(), 1
    while frame.f_back is not None and frame.f_code.co_filename.startswith(INSIDE):
        frame, depth = frame.f_back, depth + 1
    warnings.warn(message, ConvergenceWarning, stacklevel=depth)
