"""Students for real data: the perceptron of the digits report, later variants, and prototypes."""

from typing import Any

import numpy as np

from markone import lvq
from markone.numerics.arrays import Array
from markone.perceptron import AdaTron, KernelAdaTron, Rosenblatt

# The digits report: learning rate in w + lr x, and largest number of epochs.
RATE, EPOCHS = 0.5, 1000
# Prototype classifiers by their names in experiments, each with default parameters.
PROTOTYPES = {
    "class_means": "NearestPrototype",
    "lvq1": "LVQ1",
    "glvq": "GLVQ",
    "grlvq": "GRLVQ",
    "gmlvq": "GMLVQ",
    "lgmlvq": "LGMLVQ",
    "rslvq": "RSLVQ",
    "mrslvq": "MRSLVQ",
}


def _report_perceptron(N: int, seed: int) -> Rosenblatt:
    """Algorithm 1: examples in the order of the file, from small random weights. Updates here are
    eta xi S/(N + 1) with the clamped input, hence the factor."""
    return Rosenblatt(eta=RATE * (N + 1), start="random", max_iter=EPOCHS, random_state=seed)


def _make_digit_student(name: str, N: int, seed: int) -> Any:
    """Build a student for unscaled pixels; the width of the Gaussian kernel is the typical image distance."""
    if name == "perceptron":
        return _report_perceptron(N, seed)
    if name == "optimal_stability":
        return AdaTron()
    if name == "soft_margin":
        return AdaTron(C=0.1)
    return KernelAdaTron(kernel="rbf", C=10.0)


def train_student(name: str, X: Array, y: Array, seed: int) -> Any:
    """Return a fitted student. Failure to separate the examples is a measure, not a warning."""
    made = _make_digit_student(name, X.shape[1], seed)
    # `warnings.catch_warnings` would act on the whole process, and other threads may be training.
    vars(made)["_warn"] = lambda trained: None
    return made.fit(X, y)


def train_prototypes(name: str, per_class: int, X: Array, y: Array, seed: int) -> Any:
    """Return a fitted prototype classifier."""
    model = getattr(lvq, PROTOTYPES[name])(prototypes_per_class=per_class)
    if "random_state" in model.get_params():
        model.set_params(random_state=seed)
    return model.fit(X, y)


def repeat_seed(seed: int, repeat: int) -> int:
    """Seed of the student's random numbers, independent of the shuffle."""
    return int(np.random.SeedSequence((seed, 1_000_003, repeat)).generate_state(1)[0] % 2**31)
