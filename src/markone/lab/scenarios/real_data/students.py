"""Students for real data, their predictions for each fold, and their scores."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from sklearn.metrics import precision_recall_fscore_support

from markone import lvq
from markone.evaluation._neighbours import count_neighbour_votes
from markone.evaluation.neighbours import WEIGHTINGS
from markone.lab.scenarios.real_data.data_sets import fold_splits, load_examples
from markone.lvq.models.nearest_neighbours import nearest_rows
from markone.networks import FeedForwardClassifier
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


def _make_digit_student(name: str, N: int, classes: int, seed: int) -> Any:
    """Build a student for unscaled pixels; the width of the Gaussian kernel is the typical image distance.
    Of the sigmoid there is one unit, or one for each class."""
    if name == "perceptron":
        # Algorithm 1: examples in the order of the file, from small random weights. Updates here are
        # eta xi S/(N + 1) with the clamped input, hence the factor.
        return Rosenblatt(eta=RATE * (N + 1), start="random", max_iter=EPOCHS, random_state=seed)
    if name == "sigmoid":
        return FeedForwardClassifier(K=1 if classes == 2 else classes, random_state=seed)
    if name == "optimal_stability":
        return AdaTron()
    if name == "soft_margin":
        return AdaTron(C=0.1)
    return KernelAdaTron(kernel="rbf", C=10.0)


def fit_silently(student: Any, X: Array, y: Array) -> Any:
    """Return the fitted student. That it did not converge is a measure, not a warning."""
    # `warnings.catch_warnings` would act on the whole process, and other threads may be training.
    vars(student)["_warn"] = lambda message: None
    return student.fit(X, y)


def train_student(name: str, X: Array, y: Array, seed: int) -> Any:
    """Return a fitted student."""
    return fit_silently(_make_digit_student(name, X.shape[1], len(np.unique(y)), seed), X, y)


def train_prototypes(name: str, per_class: int, X: Array, y: Array, seed: int) -> Any:
    """Return a fitted prototype classifier."""
    model = getattr(lvq, PROTOTYPES[name])(prototypes_per_class=per_class)
    if "random_state" in model.get_params():
        model.set_params(random_state=seed)
    return model.fit(X, y)


def repeat_seed(seed: int, repeat: int) -> int:
    """Seed of the student's random numbers, independent of the shuffle."""
    return int(np.random.SeedSequence((seed, 1_000_003, repeat)).generate_state(1)[0] % 2**31)


DigitStudent = Literal["knn", "perceptron", "sigmoid", "optimal_stability", "soft_margin", "gaussian_kernel"]
NAMES = ("accuracy", "precision", "recall", "f1")


def predict_folds(
    p: Any, digit: int, y: Array, seed: int, start: int, stop: int
) -> Iterator[tuple[Array, Array]]:
    """Yield (labels, predictions) of the test examples of each fold; digit is -1 for all ten classes."""
    X = load_examples(p.data)[0]
    for k, (train, test) in enumerate(fold_splits(p.data, digit, p.folds, seed, start, stop), start):
        if p.student == "knn":
            yield y[test], predict_by_neighbours(p.data, y, train, test, p.k, p.weights)
        else:
            yield y[test], train_student(p.student, X[train], y[train], repeat_seed(seed, k)).predict(X[test])


@lru_cache(maxsize=2)
def _sorted_neighbours(data: str) -> tuple[Array, Array]:
    """Neighbours sorted once, for all folds, k and weights."""
    X, _ = load_examples(data)
    return nearest_rows(X, X, len(X) - 1, without_itself=True)


def predict_by_neighbours(data: str, y: Array, train: Array, test: Array, k: int, weights: str) -> Array:
    """Predict the test examples by the k nearest training examples; ties in the order of the file."""
    classes, code = np.unique(y, return_inverse=True)
    voters, out = np.zeros(len(y), bool), np.empty((1, 1, len(test)), np.int64)
    voters[train] = True
    order, distance = _sorted_neighbours(data)
    if not count_neighbour_votes(
        order, distance, code, voters, test, np.array([k]), np.array([WEIGHTINGS[weights]]), len(classes), out
    ):
        raise ValueError(f"k = {k} neighbours, but only {len(train)} training examples.")
    return np.asarray(classes[out[0, 0]])


def classification_scores(y: Array, predicted: Array, average: str) -> tuple[float, float, float, float]:
    """Accuracy; precision, recall and F1 of the class +1 ("binary") or their mean over classes ("macro").

    A fold without positive predictions has precision 0, as in the tables of the digits report.
    """
    p, r, f, _ = precision_recall_fscore_support(
        y, predicted, average=average, pos_label=1, zero_division=0.0
    )
    return float(np.mean(y == predicted)), float(p), float(r), float(f)
