"""The recorded history of BayesPoint."""

import numpy as np
import pytest

from markone import BayesPoint
from markone.data import teacher_examples
from markone.show import animate, history_of

XI, S, _ = teacher_examples(40, 10, seed=0)


def test_the_mean_of_the_students_until_then():
    model = BayesPoint(n_students=30, random_state=0, record="updates").fit(XI, S)
    history, students = model.history_, model.sample_.students
    assert len(history) == 31
    np.testing.assert_array_equal(history.states["student"][1:], students)
    np.testing.assert_allclose(history.w[7], students[:7].mean(axis=0))
    np.testing.assert_allclose(history.w[-1, :-1], model.coef_[0], rtol=1e-12)
    assert history["change"][5] == pytest.approx(np.linalg.norm(history.w[5] - history.w[4]))
    # Every student is of version space.
    assert (history.states["student"][1:] @ (history.xi * history.S[:, None]).T >= 0).all()
    plain = BayesPoint(n_students=30, random_state=0).fit(XI, S)
    np.testing.assert_array_equal(plain.coef_, model.coef_)
    assert not hasattr(plain, "history_")
    np.testing.assert_allclose(history_of(plain, XI, S).w, history.w)
    assert len(animate(model).film["frames"]) == 31


def test_one_for_each_of_several_classes():
    y = np.digitize(XI[:, 0], [-0.5, 0.5])
    with pytest.warns(match="empty version space"):
        model = BayesPoint(n_students=10, random_state=0, record="updates").fit(XI, y)
    assert [len(history) for history in model.history_] == [11, 11, 11]
