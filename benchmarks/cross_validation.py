"""Cross-validation against the plain scikit-learn way: folds, leave-one-out, a grid of neighbours.

The digits are those of semeion if the file is found (MARKONE_DATA, or shared/data beside the repository),
else scikit-learn's. Leave-one-out of a peer is timed on some of its folds and scaled to all of them.
"""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import Perceptron, RidgeClassifier
from sklearn.model_selection import (
    GridSearchCV,
    LeaveOneOut,
    RepeatedStratifiedKFold,
    cross_val_score,
    train_test_split,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from benchmarks.timing import Row, compare_in_turn, measure_seconds, row_of_pairs
from markone.data import Table, find_semeion, load
from markone.evaluation import fold_potentials, leave_one_out, neighbour_grid
from markone.lvq.models.nearest_neighbours import vote_weights
from markone.perceptron import Adaline, AdaTron, Rosenblatt

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "data"
ROUNDS, SOME = 3, 60


def load_handwritten() -> Table:
    found = find_semeion() or find_semeion(BESIDE)
    return load("semeion", folder=found) if found else load("digits")


def compare_folds(table: Table) -> Iterator[Row]:
    """Ten students one against the rest in 5 x 10 folds, each trained until all examples are learned."""
    cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=5, random_state=0)
    student = Rosenblatt(max_iter=300)
    ours: dict[str, float] = {}

    def fast() -> None:
        ours["accuracy"] = np.mean(
            [np.mean(a == b) for a, b in fold_potentials(student, table.X, table.y, cv).pairs()]
        )

    theirs = Perceptron(shuffle=False)
    stopped = float(np.mean(cross_val_score(theirs, table.X, table.y, cv=cv)))
    fast()
    same = float(np.mean(cross_val_score(student, table.X, table.y, cv=cv)))
    assert same == ours["accuracy"], "the fast way must equal the plain one"
    name = f"5 x 10 CV of ten students, {table.name}"
    yield compare_in_turn(
        name,
        fast,
        "cross_val_score(Rosenblatt)",
        lambda: cross_val_score(student, table.X, table.y, cv=cv),
        target=3,
        rounds=1,
        warm=False,
        note=f"same accuracy {same:.4f}",
    )
    yield compare_in_turn(
        name,
        fast,
        "cross_val_score(Perceptron)",
        lambda: cross_val_score(theirs, table.X, table.y, cv=cv),
        target=5,
        rounds=1,
        warm=False,
        note=f"which stops early (tol): {stopped:.4f}",
    )


def against_some_folds(
    case: str,
    ours: Callable[[], object],
    peer: str,
    theirs: Any,
    X: np.ndarray,
    y: np.ndarray,
    target: float,
    note: str,
) -> Row:
    """Leave-one-out; `SOME` of the peer's P folds are run, and its time is multiplied by P / SOME."""
    every = list(LeaveOneOut().split(X))
    chosen = [every[k] for k in np.random.default_rng(0).choice(len(every), SOME, replace=False)]
    ours()
    pairs = []
    for _ in range(ROUNDS):
        plain = measure_seconds(lambda: cross_val_score(theirs, X, y, cv=chosen))
        pairs.append((measure_seconds(ours), plain * len(every) / SOME))
    mine, other = np.array(pairs).T
    return row_of_pairs(case, mine, peer, other, target, f"{note}; {SOME} of {len(every)} folds of the peer")


def compare_leave_one_out(table: Table) -> Iterator[Row]:
    X, y = table.X, table.y == 1
    epochs = int(Rosenblatt().fit(X, y).n_iter_)
    case = f"LOOCV of the perceptron, {table.name} digit 1"

    def fast() -> object:
        return leave_one_out(Rosenblatt(), X, y)

    note = f"{leave_one_out(Rosenblatt(), X, y).refits} refits"
    # The same number of epochs.
    peer = Perceptron(shuffle=False, tol=None, max_iter=epochs)
    yield against_some_folds(case, fast, f"Perceptron, {epochs} epochs", peer, X, y, 5, note)
    yield against_some_folds(case, fast, "Perceptron() as it is", Perceptron(), X, y, 5, note)
    yield against_some_folds(case, fast, "Rosenblatt a fold", Rosenblatt(), X, y, 5, note)


def compare_leave_one_out_adatron() -> Iterator[Row]:
    cancer = load("breast_cancer")
    X, y = StandardScaler().fit_transform(cancer.X), cancer.y

    def fast() -> object:
        return leave_one_out(AdaTron(C=0.1), X, y)

    case, note = (
        "LOOCV of AdaTron(C=0.1), breast_cancer",
        f"{leave_one_out(AdaTron(C=0.1), X, y).refits} refits",
    )
    yield against_some_folds(case, fast, "SVC(linear)", SVC(kernel="linear", C=0.1), X, y, 5, note)
    yield against_some_folds(case, fast, "AdaTron a fold", AdaTron(C=0.1), X, y, 5, note)
    closed = "LOOCV of Adaline(ridge=1), breast_cancer"
    yield against_some_folds(
        closed,
        lambda: leave_one_out(Adaline(ridge=1.0), X, y),
        "RidgeClassifier",
        RidgeClassifier(),
        X,
        y,
        5,
        "no refit",
    )


def compare_neighbours(table: Table) -> Row:
    """Fig. 6 of the digits report: 5 x 5 folds of one half of the digits, for all k and weightings."""
    X, _, y, _ = train_test_split(table.X, table.y, train_size=0.5, stratify=table.y, random_state=0)
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=5, random_state=0)
    ks = [1, 2, 3, 5, 8, 10, 15, 20]
    grid = {"n_neighbors": ks, "weights": ["uniform", "distance", partial(vote_weights, weights="rank")]}
    search = GridSearchCV(KNeighborsClassifier(), grid, cv=cv, refit=False)
    search.fit(X, y)
    best = neighbour_grid(X, y, ks, cv=cv).best
    return compare_in_turn(
        f"k-NN grid, 8 k x 3 weights, 5 x 5 CV, {table.name}",
        lambda: neighbour_grid(X, y, ks, cv=cv),
        "GridSearchCV(KNeighbors)",
        lambda: search.fit(X, y),
        target=5,
        rounds=ROUNDS,
        warm=False,
        note=f"best {best['accuracy']:.4f}, theirs {search.best_score_:.4f} (ties)",
    )


def compare() -> Iterator[Row]:
    table = load_handwritten()
    yield compare_neighbours(table)
    yield from compare_leave_one_out(table)
    yield from compare_leave_one_out_adatron()
    yield from compare_folds(table)


if __name__ == "__main__":
    from benchmarks.timing import print_rows

    print_rows(compare())
