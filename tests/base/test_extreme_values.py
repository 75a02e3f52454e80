"""Parameters that lead to overflow."""

import numpy as np
import pytest

import markone

rng = np.random.default_rng(0)
X = rng.normal(size=(40, 3))
y = (X[:, 0] > 0).astype(int)


@pytest.mark.parametrize(
    ("student", "message"),
    [
        (markone.Rosenblatt(c=10**30), "c has 31 digits"),
        (markone.Rosenblatt(max_iter=10**18), r"max_iter = 1e\+18 would never end: at most 1e\+12"),
        (markone.Rosenblatt(eta=1e308), r"not finite with eta = 1e\+308: choose values nearer to one"),
        (markone.MarginCost(c=1e308), r"not finite with c = 1e\+308"),
        (markone.Adaline(ridge=1e-320), "not finite with ridge = 9.99989e-321"),
    ],
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_they_are_refused(student, message):
    with pytest.raises(ValueError, match=message):
        student.fit(X, y)


def test_a_tolerance_beyond_all_bounds_stops_at_once():
    assert markone.LVQ1(tol=1e308).fit(X, y).n_iter_ == 1


@pytest.mark.parametrize("model", [markone.MRSLVQ(), markone.RelationalGLVQ()], ids=type)
def test_rows_that_are_all_zero_are_a_sentence(model):
    with pytest.raises(ValueError, match=r"All (rows|dissimilarities)"):
        model.fit(np.zeros((20, 20)), np.arange(20) % 2)


def test_a_display_of_something_else():
    from markone.evaluation import ComplexityDisplay, polynomial_errors

    with pytest.raises(TypeError, match="takes the result of complexity_curve, not PolynomialErrors"):
        ComplexityDisplay(polynomial_errors())
