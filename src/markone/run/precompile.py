"""Compile in advance: the first fit of each student, in parallel processes."""

import os
import warnings
from collections.abc import Callable
from concurrent.futures import as_completed
from typing import Any

from markone.run.executors import process_workers

# Student, its options, and True if the labels are linearly separable.
FIRST_FITS: dict[str, tuple[str, dict[str, Any], bool]] = {
    "Rosenblatt": ("Rosenblatt", {}, True),
    "Pocket": ("Pocket", {"max_iter": 20, "random_state": 0}, False),
    "MinOver": ("MinOver", {}, True),
    "AdaTron": ("AdaTron", {}, True),
    "AdaTron with errors": ("AdaTron", {"C": 1.0}, False),
    "KernelAdaTron": ("KernelAdaTron", {"C": 1.0}, False),
    "separability": ("separability", {}, True),
    "BayesPoint": ("BayesPoint", {"random_state": 0}, True),
    "CommitteeMachine": ("CommitteeMachine", {"random_state": 0}, True),
    "ParityMachine": ("ParityMachine", {"random_state": 0}, True),
    "LVQ1": ("LVQ1", {"random_state": 0}, True),
}


def fit_first_time(label: str) -> str:
    """Fit 60 examples of 20 inputs: compilation depends on the types, not on the size. Prints nothing."""
    os.environ.setdefault("MARKONE_COMPILE_NOTICE", "0")
    import numpy as np

    import markone

    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 20))
    y = X @ rng.normal(size=20) > 0
    name, options, learnable = FIRST_FITS[label]
    labels = y if learnable else y ^ (rng.random(60) < 0.1)
    with warnings.catch_warnings():
        # Convergence does not matter here.
        warnings.simplefilter("ignore")
        made = getattr(markone, name)
        made(X, labels) if name == "separability" else made(**options).fit(X, labels)
    return label


def precompile_students(progress: Callable[[int, int, Any], None], workers: int | None = None) -> int:
    """Fit all students, which compiles or loads their code; return their number."""
    with process_workers(workers)() as pool:
        waiting = [pool.submit(fit_first_time, label) for label in FIRST_FITS]
        for done, future in enumerate(as_completed(waiting), 1):
            progress(done, len(waiting), future.result())
    return len(waiting)
