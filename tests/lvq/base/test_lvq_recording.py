"""`record=` of prototypes: the fit is the same fit, and each row is what one step of the rule does."""

import numpy as np
import pytest
from labelled import scaled
from sklearn.base import clone

from markone.base.history import history_of_estimator
from markone.lvq import (
    GLVQ,
    GMLVQ,
    GRLVQ,
    LGMLVQ,
    LMRSLVQ,
    LVQ1,
    LVQ3,
    LVQ21,
    MRSLVQ,
    OLVQ1,
    RSLVQ,
    MatrixLVQ1,
)

X, y = scaled("iris")
NAMES = np.array(["a", "b", "c"])[y]
ONLINE = [
    LVQ1(max_iter=4),
    LVQ1(order="random", max_iter=4, keep="last"),
    LVQ1(order="cyclic", max_iter=4),
    LVQ1(distance="minkowski", max_iter=2),
    OLVQ1(max_iter=4),
    LVQ21(max_iter=4),
    LVQ3(prototypes_per_class=2, max_iter=4),
]
STEPPING = [
    GLVQ(),
    GRLVQ(),
    GMLVQ(),
    LGMLVQ(),
    RSLVQ(),
    MRSLVQ(),
    LMRSLVQ(),
    GLVQ(solver="waypoint"),
    GLVQ(solver="stochastic"),
]


def fitted(model, **options):
    return clone(model).set_params(random_state=0, **options).fit(X, NAMES)


@pytest.mark.parametrize("model", [*ONLINE, *STEPPING, MatrixLVQ1(max_iter=4)], ids=str)
def test_a_recorded_fit_is_the_same_fit(model):
    plain, recorded = fitted(model), fitted(model, record="updates")
    if model in STEPPING:
        np.testing.assert_array_equal(recorded.prototypes_, plain.prototypes_)
        np.testing.assert_array_equal(recorded.trace_, plain.trace_)
    np.testing.assert_allclose(recorded.prototypes_, plain.prototypes_, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(recorded.trace_["cost"], plain.trace_["cost"], rtol=1e-11)
    assert recorded.trace_["errors"].tolist() == plain.trace_["errors"].tolist()
    assert not hasattr(plain, "history_")
    assert not hasattr(recorded.set_params(record=None).fit(X, NAMES), "history_")


def test_the_matrix_of_an_on_line_rule():
    recorded = fitted(MatrixLVQ1(max_iter=4), record="updates")
    assert recorded.history_.states["lambda"].shape[1:] == (4, 4)
    assert np.trace(recorded.history_.states["lambda"][-1]) == pytest.approx(1)


def test_each_step_of_lvq1_is_5_4():
    """w* <- w* + eta(t) Psi (xi - w*), E = Psi |xi - w*|^2 before and after, in plain words."""
    eta, P = 0.1, len(y)
    model = fitted(LVQ1(eta=eta, schedule="constant", max_iter=2, keep="last"), record="updates")
    history = model.history_
    assert history.complete
    assert len(history) == 2 * P + 1
    W, c = history.states["prototypes"], history.states["prototype_classes"][0]
    for k in range(1, len(history)):
        row, before = history.table[k], W[k - 1].copy()
        xi, label = X[row["example"]], y[row["example"]]
        d = ((xi - before) ** 2).sum(axis=1)
        winner = int(d.argmin())
        psi = 1 if c[winner] == label else -1
        before[winner] += eta * psi * (xi - before[winner])
        np.testing.assert_allclose(W[k], before, rtol=1e-10, atol=1e-12)
        after = ((xi - before) ** 2).sum(axis=1)
        nearest = int(after.argmin())
        assert row["E"] == pytest.approx(psi * d[winner])
        assert row["E_after"] == pytest.approx((1 if c[nearest] == label else -1) * after[nearest])
        assert row["change"] == pytest.approx(eta * np.sqrt(d[winner]))
        assert (row["step"], row["epoch"]) == (k, (k - 1) // P + 1)
    wrong = [int((c[((X[:, None] - w) ** 2).sum(-1).argmin(axis=1)] != y).sum()) for w in W]
    assert history.states["errors"].tolist() == wrong
    np.testing.assert_array_equal(W[-1], model.prototypes_)


def test_updates_are_the_presentations_that_moved_something():
    updates, shown = (
        fitted(LVQ21(max_iter=4), record=record).history_ for record in ("updates", "presentations")
    )
    moved = shown.table[shown["change"] > 0]
    assert len(shown) == 4 * len(y) + 1
    assert 1 < len(updates) < len(shown)
    np.testing.assert_array_equal(updates["example"][1:], moved["example"])
    assert (updates["change"][1:] > 0).all()
    assert updates["updates"].tolist() == list(range(len(updates)))


@pytest.mark.parametrize("model", STEPPING, ids=str)
def test_steps_of_a_solver(model):
    trained = fitted(model, record="updates")
    history = trained.history_
    steps = trained.n_iter_ * (-(-len(X) // 64) if model.solver == "stochastic" else 1)
    assert len(history) == steps + 1
    np.testing.assert_allclose(history.states["prototypes"][-1], trained.prototypes_, rtol=1e-10)
    cost = history.states["cost"]
    np.testing.assert_array_equal(history["E_after"][1:], cost[1:])
    np.testing.assert_array_equal(history["E"][1:], cost[:-1])
    moved = np.linalg.norm(np.diff(history.states["prototypes"], axis=0), axis=(1, 2))
    np.testing.assert_allclose(history["change"][1:], moved, rtol=1e-6, atol=1e-12)
    assert history.states["errors"][-1] == (trained.predict(X) != NAMES).sum()
    if model.solver != "stochastic":
        np.testing.assert_allclose(cost[1:], trained.trace_["cost"], rtol=1e-12)
        assert history.states["errors"][1:].tolist() == trained.trace_["errors"].tolist()
    if "lambda" in history.states:
        np.testing.assert_allclose(history.states["lambda"][-1], trained.lambda_, rtol=1e-8, atol=1e-12)


def test_long_runs_are_kept_in_a_bounded_number_of_rows(monkeypatch):
    monkeypatch.setattr("markone.base.history.ROWS", 32)
    history = fitted(LVQ1(max_iter=4, keep="last"), record="updates").history_
    assert len(history) <= 33
    assert history.n_events == 4 * len(y)
    assert history["step"][-1] == 4 * len(y)
    steps = fitted(RSLVQ(solver="stochastic", max_iter=40), record="updates").history_
    assert len(steps) <= 33
    assert np.isfinite(steps["E_after"][1:]).all()


def test_a_stream_has_the_history_of_its_last_batch():
    model = clone(OLVQ1()).set_params(record="updates", random_state=0)
    model.partial_fit(X[::2], NAMES[::2], classes=["a", "b", "c"]).partial_fit(X[1::2], NAMES[1::2])
    plain = clone(OLVQ1()).set_params(random_state=0)
    plain.partial_fit(X[::2], NAMES[::2], classes=["a", "b", "c"]).partial_fit(X[1::2], NAMES[1::2])
    np.testing.assert_allclose(model.prototypes_, plain.prototypes_, rtol=1e-11, atol=1e-12)
    assert len(model.history_) == len(X[1::2]) + 1
    assert model.history_["epoch"][-1] == 2


def test_as_a_table_and_without_one():
    frame = fitted(GMLVQ(), record="updates").history_.to_pandas()
    assert {"step", "example", "E", "E_after", "change"} <= set(frame.columns)
    with pytest.raises(ValueError, match=r"This LVQ1 kept no history\. Set LVQ1\(record='updates'\)"):
        history_of_estimator(fitted(LVQ1()))
    with pytest.raises(ValueError, match="'record' parameter"):
        fitted(LVQ1(), record="everything")
