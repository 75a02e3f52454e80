"""ROC by the threshold of a discriminant, areas as ordered pairs, averages over folds, working points."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import precision_recall_curve, roc_auc_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import LocalOutlierFactor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from markone.data import gaussian_mixture
from markone.evaluation import (
    averaged_roc,
    discriminant,
    prototype_margin,
    roc,
    working_point,
)
from markone.evaluation.roc_curves.averaged import tpr_at_fpr
from markone.lvq import GLVQ, GMLVQ, LVQ1
from markone.numerics.intervals import roc_area_interval
from markone.perceptron import AdaTron, Hebb


def pairs(S, g):
    """Every pair of one positive and one negative example; ties count one half."""
    right = [1.0 if a > b else 0.5 if a == b else 0.0 for a in g[S] for b in g[~S]]
    return sum(right) / len(right)


@settings(max_examples=25)
@given(st.lists(st.tuples(st.booleans(), st.integers(-3, 3)), min_size=2, max_size=30))
def test_the_area_is_the_fraction_of_correctly_ordered_pairs(cases):
    S, g = np.array([s for s, _ in cases]), np.array([float(v) for _, v in cases])
    if S.all() or not S.any():
        with pytest.raises(ValueError, match="both classes are needed"):
            roc(S, g, positive=True)
        return
    area = roc(S, g).area
    assert area == pytest.approx(pairs(S, g))
    assert area == pytest.approx(roc_auc_score(S, g))
    curve = roc(S, g)
    assert area == pytest.approx(np.trapezoid(curve.tpr, curve.fpr))
    assert curve.fpr[0] == curve.tpr[0] == 0
    assert curve.fpr[-1] == curve.tpr[-1] == 1


def test_every_point_of_the_curve_is_the_rates_of_a_threshold():
    rng = np.random.default_rng(0)
    y, g = rng.integers(0, 2, 50), np.round(rng.standard_normal(50), 1)
    curve = roc(y, g)
    for fpr, tpr, threshold in zip(curve.fpr, curve.tpr, curve.thresholds, strict=True):
        said = g >= threshold
        assert fpr == np.sum(said & (y == 0)) / np.sum(y == 0)
        assert tpr == np.sum(said & (y == 1)) / np.sum(y == 1)


def test_the_discriminant_of_students_and_the_column_of_a_class():
    two = gaussian_mixture(80, [[-1.0], [1.0]], seed=0)
    student = Hebb().fit(two.X, two.y)
    np.testing.assert_array_equal(discriminant(student, two.X), student.decision_function(two.X))
    np.testing.assert_array_equal(discriminant(student, two.X, positive=0), -student.decision_function(two.X))
    three = gaussian_mixture(80, [[-3.0], [0.0], [3.0]], seed=0)
    with pytest.warns(ConvergenceWarning, match="ignores the inputs"):  # no line singles out the middle class
        many = AdaTron(C=1).fit(three.X, three.y)
    np.testing.assert_array_equal(
        discriminant(many, three.X, positive=1), many.decision_function(three.X)[:, 1]
    )
    bayes = GaussianNB().fit(two.X, two.y)
    np.testing.assert_array_equal(discriminant(bayes, two.X), bayes.predict_proba(two.X)[:, 1])
    with pytest.raises(ValueError, match="There is no class 7"):
        discriminant(student, two.X, positive=7)
    silent = LocalOutlierFactor().fit(two.X)
    silent.classes_ = np.array([0, 1])
    with pytest.raises(ValueError, match="neither decision_function nor predict_proba"):
        discriminant(silent, two.X)


def test_nearest_prototypes_by_the_margin_of_distances():
    """(6.10): class +1 where d(w+) < d(w-) - Theta."""
    d = np.array([[1.0, 4.0, 2.0], [3.0, 0.5, 9.0], [2.0, 2.0, 2.0]])
    labels = np.array([0, 1, 0])
    g = prototype_margin(d, labels, 1)
    np.testing.assert_array_equal(g, [1 - 4, 3 - 0.5, 0])
    prototypes = SimpleNamespace(
        classes_=np.array([0, 1]), prototype_labels_=labels, distances=lambda X: d, decision_function=None
    )
    np.testing.assert_array_equal(discriminant(prototypes, None), g)
    np.testing.assert_array_equal(discriminant(prototypes, None, positive=0), -g)
    with pytest.raises(ValueError, match="3 of 3 prototypes are of the class 'a'"):
        prototype_margin(d, ["a", "a", "a"], "a")


@pytest.mark.parametrize(
    "model", [GLVQ(prototypes_per_class=2), GMLVQ(), LVQ1()], ids=lambda m: type(m).__name__
)
def test_the_working_point_of_a_trained_lvq_classifier_lies_on_its_curve(model):
    """Theta = 0 in (6.10) is the nearest prototype classifier itself: the filled circle of Fig 6.3."""
    drawn = gaussian_mixture(200, [[0.0, 0.0], [1.5, 1.0]], [1.0, 2.0], priors=[0.7, 0.3], seed=4)
    student = make_pipeline(StandardScaler(), model).fit(drawn.X, drawn.y)
    Z = student[0].transform(drawn.X)
    d, labels = student[-1].distances(Z), student[-1].prototype_labels_
    g = d[:, labels == 0].min(axis=1) - d[:, labels == 1].min(axis=1)
    np.testing.assert_array_equal(discriminant(student, drawn.X), g)
    curve, said = roc(drawn.y, g), student.predict(drawn.X)
    rates = [np.mean(said[drawn.y == k] == 1) for k in (0, 1)]
    assert curve.at(0.0) == pytest.approx(rates)
    assert averaged_roc([(drawn.y, g)] * 3).at(0.0) == pytest.approx(rates)
    assert curve.at(np.inf) == (0, 0)
    assert curve.at(-np.inf) == (1, 1)
    for theta in (-1.0, 0.5):
        moved = d[:, labels == 1].min(axis=1) < d[:, labels == 0].min(axis=1) - theta
        assert curve.at(theta) == pytest.approx([np.mean(moved[drawn.y == k]) for k in (0, 1)])


def test_precision_and_recall_of_a_discriminant_are_those_of_each_threshold():
    drawn = gaussian_mixture(150, [[0.0], [1.5]], priors=[0.8, 0.2], seed=5)
    g = discriminant(GLVQ().fit(drawn.X, drawn.y), drawn.X)
    precision, recall, thresholds = precision_recall_curve(drawn.y, g)
    for p, r, threshold in zip(precision, recall, thresholds, strict=False):
        said = g >= threshold
        assert p == pytest.approx(np.mean(drawn.y[said] == 1))
        assert r == pytest.approx(np.mean(said[drawn.y == 1]))


def test_the_interval_of_the_area_covers_and_does_not_vanish_at_one():
    rng, truth, hits = np.random.default_rng(2), norm.cdf(1 / np.sqrt(2)), 0
    S = np.repeat([False, True], [30, 20])
    for _ in range(400):
        area = roc_auc_score(S, rng.standard_normal(50) + S)
        low, high = roc_area_interval(area, 20, 30)
        assert low < area < high
        hits += low <= truth <= high
    assert abs(hits / 400 - 0.95) < 0.035
    low, high = roc_area_interval(1.0, 20, 20)
    assert 0.8 < low < 0.95
    assert high == 1
    assert roc_area_interval(0.0, 20, 20) == pytest.approx((0.0, 1 - low))


def test_vertical_averages():
    rng = np.random.default_rng(3)
    folds = []
    for _ in range(4):
        y = np.repeat([0, 1], 50)
        folds.append((y, rng.standard_normal(100) + y))
    average = averaged_roc(folds, points=21)
    by_hand = np.array([[tpr_at(y, g, f) for f in average.fpr] for y, g in folds])
    np.testing.assert_allclose(average.mean, by_hand.mean(0))
    np.testing.assert_allclose(average.sd, by_hand.std(0, ddof=1))
    np.testing.assert_allclose(average.areas, [roc(*fold).area for fold in folds])
    assert (np.diff(average.mean) >= 0).all()
    assert np.isnan(averaged_roc(folds[:1]).sd).all()
    with pytest.raises(ValueError, match="no folds"):
        averaged_roc([])


def tpr_at(y, g, fpr):
    """The largest share of positives found by a threshold with at most this fpr; linear between."""
    rates = sorted({(np.mean(g[y == 0] >= c), np.mean(g[y == 1] >= c)) for c in [np.inf, *g]})
    top = {f: max(t for a, t in rates if a == f) for f, _ in rates}
    return np.interp(fpr, list(top), list(top.values()))


def test_the_height_at_zero_is_the_top_of_the_first_rise():
    curve = roc([0, 0, 1, 1], [1.0, 0.0, 2.0, 0.5])
    np.testing.assert_allclose(tpr_at_fpr(curve, np.array([0, 0.5, 1])), [0.5, 1, 1])


def test_working_points():
    y = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    g = np.array([0.0, 1.0, 2.0, 5.0, 3.0, 4.0, 6.0, 7.0])
    youden = working_point(y, g)
    assert (youden.fpr, youden.tpr, youden.threshold) == (0.25, 1.0, 2.5)
    assert youden.value == 0.75
    strict = working_point(y, g, "fpr", fpr=0.1)
    assert (strict.fpr, strict.tpr, strict.threshold) == (0.0, 0.5, 5.5)
    # Misses cost nothing: never cry wolf. False alarms cost nothing: always.
    assert working_point(y, g, "cost", cost=(1, 0)).fpr == 0
    assert working_point(y, g, "cost", cost=(0, 1)).tpr == 1
    rare = working_point(y, g, "cost", cost=(1, 1), prevalence=0.05)
    assert rare.fpr == 0
    assert rare.value == pytest.approx(0.05 * 0.5)
    with pytest.raises(ValueError, match="no rule 'best'"):
        working_point(y, g, "best")
    with pytest.raises(ValueError, match="fpr = 2 is a rate"):
        working_point(y, g, "fpr", fpr=2)


def test_the_threshold_gives_the_rates_promised():
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 60)
    g = rng.standard_normal(60) + y
    for rule in ("youden", "fpr", "cost"):
        found = working_point(y, g, rule)
        assert np.mean(g[y == 0] >= found.threshold) == found.fpr
        assert np.mean(g[y == 1] >= found.threshold) == found.tpr


def test_unclear_questions_get_a_sentence():
    with pytest.raises(ValueError, match="y has 3 classes: name the positive one"):
        roc([0, 1, 2], [0.0, 1.0, 2.0])
    with pytest.raises(ValueError, match="0 of 3 labels are 5"):
        roc([0, 1, 2], [0.0, 1.0, 2.0], positive=5)
