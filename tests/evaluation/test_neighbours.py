"""k-NN for all k and weightings at once: the plain twin, scikit-learn without ties, the digits report."""

import numpy as np
import pytest
from sklearn.model_selection import (
    LeaveOneOut,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    check_cv,
    cross_val_score,
)
from sklearn.neighbors import KNeighborsClassifier

from markone.data import gaussian_mixture
from markone.evaluation import neighbour_grid

KS = [1, 2, 3, 7]


def weigh_by_rank(distances):
    """Votes 1, 1/2, 1/3, ... for scikit-learn's classifier."""
    return np.tile(1.0 / np.arange(1, distances.shape[1] + 1), (len(distances), 1))


def plain(X, y, train, mu, k, weights):
    """Neighbours by distance, then by place; votes added up; the first of the classes that tie."""
    train = sorted(train)
    d = [np.sqrt(np.sum((X[nu] - X[mu]) ** 2)) for nu in train]
    nearest = sorted(range(len(train)), key=lambda i: (d[i], i))[:k]
    votes = dict.fromkeys(sorted(set(y)), 0.0)
    exact = d[nearest[0]] == 0
    for rank, i in enumerate(nearest):
        inverse = float(d[i] == 0) if exact else 1 / d[i]
        votes[y[train[i]]] += {"equal": 1.0, "rank": 1 / (rank + 1), "inverse": inverse}[weights]
    return max(votes, key=votes.get)


@pytest.mark.parametrize("cv", [3, ShuffleSplit(2, random_state=0)])
def test_it_is_the_plain_vote_with_all_its_ties(cv):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (60, 5)).astype(float)
    y = np.array(["a", "b", "c"])[rng.integers(0, 3, 60)]
    found = neighbour_grid(X, y, KS, cv=cv)
    for fold, (train, test) in enumerate(check_cv(cv, y, classifier=True).split(X, y)):
        for weights in found.weights:
            for k in KS:
                truth, answer = found.folds(k, weights)[fold]
                np.testing.assert_array_equal(truth, y[test])
                assert answer.tolist() == [plain(X, y, train, mu, k, weights) for mu in test]


def test_it_is_scikit_learn_where_nothing_ties():
    drawn = gaussian_mixture(150, [[-1.0, 0, 0], [1, 0, 0], [0, 1, 0]], seed=1)
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    found = neighbour_grid(drawn.X, drawn.y, KS, cv=cv)
    for name, theirs in (("equal", "uniform"), ("inverse", "distance"), ("rank", weigh_by_rank)):
        for k in KS:
            student = KNeighborsClassifier(k, weights=theirs, algorithm="brute")
            np.testing.assert_allclose(
                found.table(k, name).scores["accuracy"], cross_val_score(student, drawn.X, drawn.y, cv=cv)
            )
    best = found.best
    assert best["accuracy"] == found.accuracy.mean(axis=2).max()
    assert found.table(best["n_neighbors"], best["weights"]).mean("accuracy") == pytest.approx(
        best["accuracy"]
    )


def test_other_distances():
    drawn = gaussian_mixture(60, [[-1.0, 0], [1, 0]], seed=2)
    found = neighbour_grid(drawn.X, drawn.y, [3], ("equal",), cv=4, metric="manhattan")
    student = KNeighborsClassifier(3, metric="manhattan")
    np.testing.assert_allclose(found.accuracy[0, 0], cross_val_score(student, drawn.X, drawn.y, cv=4))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"ks": [0, 1]}, r"ks = \[0, 1\] must be whole"),
        ({"ks": []}, "must be whole"),
        ({"weights": ("gauss",)}, "must be among equal, inverse, rank"),
        ({"ks": [9]}, "k = 9 neighbours, but a training set has 8"),
        ({"ks": [9], "cv": [(np.arange(9), np.arange(3))]}, "fewer than 9 others"),
    ],
)
def test_nonsense_gets_a_sentence(change, sentence):
    X, y = np.arange(12.0)[:, None], np.repeat([0, 1], 6)
    with pytest.raises(ValueError, match=sentence):
        neighbour_grid(X, y, **({"cv": 3} | change))


@pytest.mark.slow
def test_leave_one_out_of_seed_003(semeion):
    """Table II: accuracy .9743, standard deviation .1584, with five neighbours, digit 1 against the rest."""
    found = neighbour_grid(semeion.X, semeion.y == 1, [5], ("equal",), cv=LeaveOneOut())
    table = found.table(5, "equal")
    assert round(table.mean("accuracy"), 4) == 0.9743
    assert round(table.sd("accuracy"), 4) == 0.1584
