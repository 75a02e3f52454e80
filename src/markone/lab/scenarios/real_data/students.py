"""Who learns from real data: the perceptron of the digits report and what came after it, and prototypes."""

from typing import Any

import numpy as np

from markone import lvq
from markone.numerics.arrays import Array
from markone.perceptron import AdaTron, KernelAdaTron, Rosenblatt

# The digits report: the rate in w + lr x, and the limit of epochs of its class.
RATE, EPOCHS = 0.5, 1000
# Classifiers by prototypes as the experiments name them, each with its zero-argument defaults.
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


def perceptron(N: int, seed: int) -> Rosenblatt:
    """Algorithm 1: examples in the order of the file, from small random weights. Our updates are
    eta xi S/(N + 1) with the clamped input, hence the factor."""
    return Rosenblatt(eta=RATE * (N + 1), start="random", max_iter=EPOCHS, random_state=seed)


def student(name: str, N: int, seed: int) -> Any:
    """Pixels go in as they are; the Gaussian kernel's width is the typical distance of two images."""
    if name == "perceptron":
        return perceptron(N, seed)
    if name == "optimal_stability":
        return AdaTron()
    if name == "soft_margin":
        return AdaTron(C=0.1)
    return KernelAdaTron(kernel="rbf", C=10.0)


def trained(name: str, X: Array, y: Array, seed: int) -> Any:
    """A fitted student. That one did not separate its examples is counted, not warned of."""
    made = student(name, X.shape[1], seed)
    # Not `warnings.catch_warnings`: it is of the whole process, and others may train in other threads.
    vars(made)["_warn"] = lambda trained: None
    return made.fit(X, y)


def with_prototypes(name: str, per_class: int, X: Array, y: Array, seed: int) -> Any:
    """A fitted classifier by prototypes."""
    model = getattr(lvq, PROTOTYPES[name])(prototypes_per_class=per_class)
    if "random_state" in model.get_params():
        model.set_params(random_state=seed)
    return model.fit(X, y)


def seed_of(seed: int, repeat: int) -> int:
    """Of the student's own random numbers, apart from those of the shuffle."""
    return int(np.random.SeedSequence((seed, 1_000_003, repeat)).generate_state(1)[0] % 2**31)
