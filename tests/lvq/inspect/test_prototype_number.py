"""Adding and removing prototypes of a fitted model."""

import numpy as np
from labelled import scaled

from markone.lvq import GLVQ, RSLVQ, grow_prototypes, prune_prototypes


def two_moons_of_four():
    """Class 0 is two clusters on either side of class 1: one prototype per class is not enough."""
    rng = np.random.default_rng(0)
    X = np.concatenate(
        [np.array([[-4.0, 0], [4.0, 0], [0.0, 0.0]])[k] + rng.standard_normal((60, 2)) for k in range(3)]
    )
    return X, np.repeat([0, 0, 1], 60)


def test_growing_puts_a_prototype_where_the_errors_are():
    X, y = two_moons_of_four()
    model = GLVQ().fit(X, y)
    before = model.score(X, y)
    W, labels = grow_prototypes(model, X, y)
    assert len(W) == 3
    model = GLVQ(initial_prototypes=W, initial_labels=labels).fit(X, y)
    assert model.score(X, y) > before + 0.1
    perfect = GLVQ().fit(X[y == 1][:4], [0, 0, 1, 1])
    where = perfect.prototypes_
    assert len(grow_prototypes(perfect, where, perfect.prototype_labels_)[0]) == 2


def test_pruning_takes_what_is_not_needed():
    X, y = two_moons_of_four()
    model = GLVQ(prototypes_per_class=5, random_state=0).fit(X, y)
    W, labels = prune_prototypes(model, X, y)
    assert len(W) < 10
    assert set(labels) == {0, 1}
    small = RSLVQ(initial_prototypes=W, initial_labels=labels).fit(X, y)
    assert small.score(X, y) > 0.93
    few, _ = prune_prototypes(model, X, y, tolerance=len(y))
    assert len(few) == 2


def test_pruning_judges_by_the_sums_of_probabilities_where_these_decide():
    X, y = two_moons_of_four()
    model = RSLVQ(prototypes_per_class=5, random_state=0, max_iter=5).fit(X, y)
    W, labels = prune_prototypes(model, X, y)
    assert len(W) < 10
    f = np.exp(-((X[:, None] - W) ** 2).sum(axis=2) / (2 * model.sigma2_))
    answers = f[:, labels == 1].sum(axis=1) > f[:, labels == 0].sum(axis=1)
    assert (answers != y).sum() <= (model.predict(X) != y).sum()


def test_more_prototypes_help_on_digits():
    X, y = scaled("digits")
    one, three = (GLVQ(prototypes_per_class=k, random_state=0, max_iter=30) for k in (1, 3))
    train = np.arange(len(y)) % 3 > 0
    scores = [m.fit(X[train], y[train]).score(X[~train], y[~train]) for m in (one, three)]
    assert scores[1] > scores[0]
