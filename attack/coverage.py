"""Simulated coverage of every nominal 95 % interval: the table of docs/evaluation.md."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy.special import ndtr

from markone import LinearUnit
from markone.evaluation.measures.score_table import confusion_measures, confusion_scores
from markone.lab.statistics import estimate_mean
from markone.numerics import intervals
from markone.numerics.arrays import Floats

PAGE = Path(__file__).resolve().parent.parent / "docs" / "evaluation.md"
START, END = "<!-- coverage: written by python -m attack coverage --write -->", "<!-- end of coverage -->"

# One repeat: (low, high, true value).
Repeat = Callable[[np.random.Generator], tuple[float, float, float]]


def fraction(p: float, n: int) -> Repeat:
    """A measure of the lab that is 0 or 1 in each of n runs."""

    def repeat(rng: np.random.Generator) -> tuple[float, float, float]:
        return *estimate_mean((rng.random(n) < p).astype(float), fraction=True).confidence_interval(), p

    return repeat


def mean_of(draw: Callable[[np.random.Generator, int], Floats], true: float, n: int) -> Repeat:
    """A measure of the lab over n runs: a point of a learning curve."""

    def repeat(rng: np.random.Generator) -> tuple[float, float, float]:
        return *estimate_mean(draw(rng, n)).confidence_interval(), true

    return repeat


def folds(distance: float, P: int, rare: float = 0.5, n_folds: int = 10) -> Repeat:
    """Accuracy of nearest class means in one dimension over folds; the true one of these students."""

    def repeat(rng: np.random.Generator) -> tuple[float, float, float]:
        y = np.arange(P) < max(2, round(rare * P))
        x = rng.normal(size=P) + distance * (y - 0.5)
        scores, true, parts = [], [], np.array_split(rng.permutation(P), n_folds)
        for fold in parts:
            train = np.ones(P, bool)
            train[fold] = False
            if not y[train].any():
                train[:2] = True
            cut = (x[train & y].mean() + x[train & ~y].mean()) / 2
            scores.append(np.mean((x[fold] > cut) == y[fold]))
            share = y.mean()
            true.append(share * ndtr(distance / 2 - cut) + (1 - share) * ndtr(cut + distance / 2))
        sizes = np.array([len(fold) for fold in parts])
        ends = intervals.fold_interval(np.array(scores), P - sizes, sizes, (0.0, 1.0))
        return *ends, float(np.mean(true))

    return repeat


def score(measure: str, n: int, rare: float, tpr: float, tnr: float) -> Repeat:
    """A measure of one test set of n examples of two classes."""
    true = np.array([[(1 - rare) * tnr, (1 - rare) * (1 - tnr)], [rare * (1 - tpr), rare * tpr]])
    value = float(confusion_measures(true[None])[measure][0])

    def repeat(rng: np.random.Generator) -> tuple[float, float, float]:
        counts = rng.multinomial(n, true.ravel()).reshape(2, 2).astype(float)
        found = {row.measure: row for row in confusion_scores(counts, seed=rng)}[measure]
        return found.low, found.high, value

    return repeat


def roc_area(distance: float, n: int, rare: float) -> Repeat:
    """The area under the ROC of two Gaussians."""

    def repeat(rng: np.random.Generator) -> tuple[float, float, float]:
        positive = max(2, round(rare * n))
        a, b = rng.normal(size=positive) + distance, rng.normal(size=n - positive)
        area = float(np.mean(a[:, None] > b))
        return *intervals.roc_area_interval(area, positive, n - positive), float(ndtr(distance / 2**0.5))

    return repeat


def prediction(P: int, N: int) -> Repeat:
    """A new value of `LinearUnit().predict_interval`."""

    def repeat(rng: np.random.Generator) -> tuple[float, float, float]:
        X, w = rng.standard_normal((P + 1, N)), rng.standard_normal(N)
        y = X @ w + 0.5 * rng.standard_normal(P + 1)
        low, high = LinearUnit().fit(X[:P], y[:P]).predict_interval(X[P:])
        return float(low[0]), float(high[0]), float(y[P])

    return repeat


def paired_difference(P: int) -> Repeat:
    """Difference of two students over folds (`markone compare`): both nearest means, one on a noisy copy."""

    def repeat(rng: np.random.Generator) -> tuple[float, float, float]:
        y = np.arange(P) % 2 == 0
        x = rng.normal(size=(P, 2)) + np.array([2.0, 1.0]) * (y[:, None] - 0.5)
        scores, true, parts = [], [], np.array_split(rng.permutation(P), 10)
        for fold in parts:
            train = np.ones(P, bool)
            train[fold] = False
            cut = (x[train & y].mean(axis=0) + x[train & ~y].mean(axis=0)) / 2
            right = ((x[fold] > cut) == y[fold, None]).mean(axis=0)
            half = np.array([1.0, 0.5])
            real = 0.5 * (ndtr(half - cut) + ndtr(cut + half))
            scores.append(right[0] - right[1])
            true.append(real[0] - real[1])
        sizes = np.array([len(fold) for fold in parts])
        ends = intervals.fold_interval(np.array(scores), P - sizes, sizes, (-np.inf, np.inf))
        return *ends, float(np.mean(true))

    return repeat


ENTRIES: dict[str, Repeat] = {
    "fraction .5 of 10 runs": fraction(0.5, 10),
    "fraction .1 of 30 runs": fraction(0.1, 30),
    "fraction .98 of 100 runs": fraction(0.98, 100),
    "mean of 10 Gaussian values": mean_of(lambda rng, n: rng.standard_normal(n), 0.0, 10),
    "mean of 10 exponential values": mean_of(lambda rng, n: rng.exponential(size=n), 1.0, 10),
    "mean of 100 exponential values": mean_of(lambda rng, n: rng.exponential(size=n), 1.0, 100),
    "mean of 10 folds, P = 40, error .01": folds(4.7, 40),
    "mean of 10 folds, P = 100, error .16": folds(2.0, 100),
    "mean of 10 folds, P = 200, 5 % in one class": folds(2.0, 200, 0.05),
    "difference of two students, 10 folds, P = 100": paired_difference(100),
    "accuracy, n = 100": score("accuracy", 100, 0.3, 0.8, 0.9),
    "accuracy without errors, n = 100": score("accuracy", 100, 0.3, 0.99, 0.99),
    "balanced accuracy, n = 200, 5 % in one class": score("balanced_accuracy", 200, 0.05, 0.7, 0.95),
    "F1, n = 200, 5 % in one class": score("f1", 200, 0.05, 0.7, 0.95),
    "Matthews, n = 100": score("matthews", 100, 0.3, 0.8, 0.9),
    "area under ROC, n = 100": roc_area(1.0, 100, 0.5),
    "area under ROC .98, n = 100, 10 % in one class": roc_area(2.9, 100, 0.1),
    "prediction, P = 6, N = 3": prediction(6, 3),
    "prediction, P = 50, N = 5": prediction(50, 5),
}


def simulate_coverage(name: str, repeats: int, seed: int = 0) -> float:
    """Fraction of repeats in which the interval contains the true value."""
    rng, repeat, inside = np.random.default_rng(seed), ENTRIES[name], 0
    for _ in range(repeats):
        low, high, true = repeat(rng)
        inside += low <= true <= high
    return inside / repeats


def coverage_table(repeats: int, seed: int = 0) -> str:
    """The table in Markdown."""
    lines = [f"| interval of nominal 95 % ({repeats} repeats) | covers |", "|---|---|"]
    lines += [f"| {name} | {simulate_coverage(name, repeats, seed):.3f} |" for name in ENTRIES]
    return "\n".join(lines)


def write_table(table: str) -> None:
    """Replace the table of the page."""
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(START)
    PAGE.write_text(f"{before}{START}\n\n{table}\n\n{END}{rest.split(END)[1]}", encoding="utf-8")
