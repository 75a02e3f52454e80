"""Displays: the data of the artists are those of the student."""

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pytest

from markone import GMLVQ, AdaTron, FeedForwardClassifier, Hebb, Hopfield, KernelAdaTron, Rosenblatt, theory
from markone.data import load, teacher_examples, two_classes
from markone.lvq.displays import ProjectionDisplay
from markone.perceptron import MinOver
from markone.show import (
    ConvergenceDisplay,
    FeatureSpaceDisplay,
    LearningCurveDisplay,
    NetworkDisplay,
    PerceptronDisplay,
    RecallDisplay,
    SphereDisplay,
    StabilityDisplay,
)
from markone.show.displays.spaces import dietrich_map
from markone.show.displays.stability import stability_distribution


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def points():
    rng = np.random.default_rng(3)
    y = np.repeat([1, -1], 20)
    return np.array([[1.3, 0.9]]) * y[:, None] + 0.6 * rng.standard_normal((40, 2)), y


def on_line(line, w, w0, level=0.0):
    """Both points of an axline fulfil w.x + w0 = level."""
    ends = np.array([line.get_xy1(), line.get_xy2()])
    np.testing.assert_allclose(ends @ w + w0, level, atol=1e-9)


def test_boundary_margin_and_support_vectors(points):
    student = AdaTron().fit(*points)
    display = PerceptronDisplay.from_estimator(student, *points)
    assert display.ax_.figure is display.figure_
    w, w0 = student.coef_[0], student.intercept_[0]
    on_line(display.boundary_, w, w0)
    for line, level in zip(display.margins_, (-1, 1), strict=True):
        on_line(line, w, w0, level)
    assert sorted(display.free) == sorted(student.support_)
    assert len(display.clipped) == 0
    plus = display.examples_[0].get_offsets()
    np.testing.assert_allclose(np.sort(plus[:, 0]), np.sort(points[0][points[1] == 1, 0]))
    # The larger the strength, the larger the mark.
    sizes = np.concatenate([scatter.get_sizes() for scatter in display.examples_])
    strengths = np.concatenate([student.embedding_[points[1] == s] for s in (1, -1)])
    order = np.argsort(strengths)
    assert (np.diff(sizes[order]) >= -1e-9).all()


def test_clipped_support_vectors_are_distinguished(points):
    rng = np.random.default_rng(0)
    X = points[0] + rng.standard_normal((40, 2))
    student = AdaTron(C=0.3).fit(X, points[1])
    display = PerceptronDisplay.from_estimator(student, X, points[1])
    assert [len(display.free), len(display.clipped)] == student.n_support_.tolist()
    labels = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert "clipped (x = γ)" in labels
    kernel = KernelAdaTron(C=0.5).fit(X, points[1])
    curved = PerceptronDisplay.from_estimator(kernel, X, points[1])
    assert [len(curved.free), len(curved.clipped)] == kernel.n_support_.tolist()


def test_last_updates_and_teacher(points):
    student = Rosenblatt(fit_intercept=False, record="updates").fit(*points)
    display = PerceptronDisplay.from_estimator(student, *points, teacher=[1.0, 2.0], arrows=2)
    history = student.history_
    np.testing.assert_array_equal(display.steps[-1], [history.w[-2], history.w[-1]])
    on_line(display.teacher_, np.array([1.0, 2.0]), 0.0)
    one = PerceptronDisplay.from_history(history, 1)
    np.testing.assert_array_equal(one.steps[0], history.w[:2])
    assert one.current == history["example"][1]


def test_many_inputs_are_projected_with_a_note():
    xi, S, _ = teacher_examples(50, 12, seed=0)
    student = MinOver().fit(xi, S)
    display = PerceptronDisplay.from_estimator(student, xi, S)
    assert "12 inputs, projected on w" in display.ax_.get_title()
    potentials = display.points @ display.w[:2] + display.w[2]
    np.testing.assert_allclose(potentials, student.decision_function(xi), rtol=1e-9, atol=1e-9)


def test_stabilities_and_their_bounds():
    xi, S, _ = teacher_examples(40, 12, seed=0)
    student = MinOver().fit(xi, S)
    display = StabilityDisplay.from_estimator(student, xi, S)
    heights = [bar.get_height() for bar in display.bars_]
    assert heights == sorted(heights)
    assert heights[0] == pytest.approx(student.stability_)
    assert display.bounds == pytest.approx(student.stability_bounds_)
    StabilityDisplay.from_estimator(student, xi, S, kind="histogram")
    with pytest.raises(ValueError, match="choose 'sorted' or 'histogram'"):
        display.plot(kind="pie")


@pytest.mark.parametrize(("c", "eta"), [(0.0, 1.0), (0.4, 0.5)])
def test_the_bounds_of_the_proof_hold_at_every_step(c, eta):
    xi, S, _ = teacher_examples(60, 20, seed=0)
    student = Rosenblatt(c=c, eta=eta, fit_intercept=False, record="updates").fit(xi, S)
    display = ConvergenceDisplay.from_estimator(student)
    assert display.holds
    assert (display.R_bound - 1e-12 <= display.R).all()
    assert (display.Q_bound + 1e-12 >= display.Q).all()
    assert display.M[-1] == student.n_updates_ <= display.M_bound
    np.testing.assert_allclose(display.axes_[0].lines[0].get_ydata(), display.R)
    np.testing.assert_allclose(display.axes_[1].lines[1].get_ydata(), display.Q_bound)
    other = ConvergenceDisplay.from_estimator(MinOver(record="updates").fit(xi, S))
    assert not other.holds
    with pytest.raises(ValueError, match=r"Set Rosenblatt\(record='updates'\)"):
        ConvergenceDisplay.from_estimator(Rosenblatt().fit(xi, S))


def test_learning_curves_over_theory():
    display = LearningCurveDisplay.from_estimators(
        {"Hebb": Hebb()}, [0.5, 2.0], N=30, repeats=4, theory=["hebb"]
    )
    mean, error = display.measured["Hebb"]
    theory = np.interp([0.5, 2.0], *display.theory["hebb"])
    assert (np.abs(mean - theory) < 5 * error + 0.03).all()
    np.testing.assert_array_equal(display.lines_["hebb"].get_ydata(), display.theory["hebb"][1])
    with pytest.raises(ValueError, match="alpha N at least 2"):
        LearningCurveDisplay.from_estimators({"Hebb": Hebb()}, [0.01], N=30)


def test_feature_space_in_three_panels():
    X = np.random.default_rng(1).uniform(-1, 1, (50, 2))
    f = dietrich_map(X) @ [1.0, 1.0, -1.0]
    display = FeatureSpaceDisplay.from_map(dietrich_map, [1.0, 1.0, -1.0], X, np.sign(f))
    assert len(display.axes_) == 3
    assert (np.sign(display.images @ display.W) == display.S).all()
    np.testing.assert_allclose(dietrich_map(np.array([[2.0, 3.0]])), [[4, 6 * np.sqrt(2), 3]])
    with pytest.raises(ValueError, match="takes points of the plane"):
        FeatureSpaceDisplay.from_map(dietrich_map, [1.0, 1.0, -1.0], np.zeros((3, 4)), [1, 1, 1])


def test_the_best_student_is_the_most_stable_on_the_sphere():
    xi, S, _ = teacher_examples(5, 3, seed=2)
    display = SphereDisplay.from_examples(xi, S)
    w = np.random.default_rng(0).standard_normal((5000, 3))
    w /= np.linalg.norm(w, axis=1, keepdims=True)
    assert display.stability(w).max() <= display.kappa + 1e-9
    assert display.stability(display.best) == pytest.approx(display.kappa)
    with pytest.raises(ValueError, match="three inputs"):
        SphereDisplay.from_examples(np.zeros((2, 2)), [1, -1])


def test_recall_is_drawn_from_start_to_pattern():
    rng = np.random.default_rng(0)
    memory = Hopfield(random_state=0).fit(np.sign(rng.standard_normal((2, 36))))
    start = memory.patterns_[0] * np.where(rng.random(36) < 0.15, -1, 1)
    display = RecallDisplay.from_estimator(memory, start)
    np.testing.assert_array_equal(display.images_[0].get_array().ravel(), start)
    np.testing.assert_array_equal(display.images_[-1].get_array().ravel(), memory.patterns_[0])
    with pytest.raises(ValueError, match="does not match 36 neurons"):
        RecallDisplay.from_estimator(memory, start, shape=(5, 5))


def test_networks_have_their_units_and_weights():
    display = NetworkDisplay([4, 3, 1], fixed=1).plot()
    assert [len(places) for places in display.places_] == [4, 3, 1]
    assert len(display.ax_.lines) == 4 * 3 + 3
    net = FeedForwardClassifier(K=3, random_state=0).fit([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [0, 1, 1])
    drawn = NetworkDisplay.from_estimator(net)
    assert [len(places) for places in drawn.places_] == [2, 3, 1]
    np.testing.assert_array_equal(drawn.weights[0], net.w_)
    with pytest.raises(ValueError, match="has no weights that could be drawn"):
        NetworkDisplay.from_estimator(Hopfield())


def test_eigenvectors_with_and_without_scaling():
    iris = load("iris")
    model = GMLVQ(random_state=0, max_iter=5).fit(iris.X, iris.y)
    plain = ProjectionDisplay.from_estimator(model, iris.X, iris.y, scaled=False)
    scaled = ProjectionDisplay.from_estimator(model, iris.X, iris.y)
    values, vectors = np.linalg.eigh(model.lambda_)
    np.testing.assert_allclose(
        np.ptp(scaled.points, axis=0), np.ptp(plain.points, axis=0) * np.sqrt(values[:1:-1])
    )
    np.testing.assert_allclose(np.abs(plain.points[:, 0]), np.abs(iris.X @ vectors[:, -1]))
    assert plain.shares == pytest.approx(values[:1:-1])
    assert (len(plain.ax_.collections), len(scaled.ax_.collections)) == (0, 1)
    with pytest.raises(ValueError, match="has no prototypes among the inputs"):
        ProjectionDisplay.from_estimator(Hebb().fit(iris.X[:100], iris.y[:100]), iris.X, iris.y)


def test_more_than_two_classes_are_refused():
    iris = load("iris")
    with pytest.warns(match="stopped after"):
        student = Rosenblatt(max_iter=5).fit(iris.X, iris.y)
    with pytest.raises(ValueError, match="a boundary is drawn between two"):
        PerceptronDisplay.from_estimator(student, iris.X, iris.y)


def test_panels_are_placed_in_given_axes():
    """scikit-learn's convention also where a display needs several panels: `plot(ax=)` fills their place."""
    figure, (left, right) = plt.subplots(1, 2, layout="constrained")
    X, S, _ = two_classes("easy", 20)
    display = ConvergenceDisplay.from_estimator(Rosenblatt(record="updates").fit(X, S), ax=left)
    assert len(display.axes_) == 3
    assert display.figure_ in figure.subfigs
    assert display.plot(ax=right) is display
    assert len(figure.subfigs) == 2
    assert not right.axison


def test_a_student_on_its_sphere():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((12, 3))
    y = np.where(X @ [1.0, 0.5, -0.3] > 0, "b", "a")
    student = Hebb(fit_intercept=False).fit(X, y)
    display = SphereDisplay.from_estimator(student, X, y)
    w = student.coef_[0] / np.linalg.norm(student.coef_[0])
    shown = [line.get_xydata()[0] for line in display.ax_.lines if len(line.get_xydata()) == 1]
    assert any(np.allclose(place, (display.basis @ w)[:2]) for place in shown)
    with pytest.raises(ValueError, match=r"no threshold: Hebb\(fit_intercept=False\)"):
        SphereDisplay.from_estimator(Hebb().fit(X, y), X, y)


def test_a_learning_curve_of_one_student():
    display = LearningCurveDisplay.from_estimator(Hebb(fit_intercept=False), [1.0, 2.0], N=20, repeats=2)
    assert list(display.measured) == ["Hebb"]


@pytest.mark.parametrize(("kind", "curves"), [("labels", ""), ("rule", "max_stability.")])
def test_stabilities_over_theory(kind, curves):
    """The density is normalized, the mass at kappa is the support vectors, and a trained student agrees."""
    found = stability_distribution(kind, 1.5)
    assert np.trapezoid(found.density, found.t) + found.mass == pytest.approx(1, abs=1e-4)
    assert found.kappa == pytest.approx(theory.curve(f"{curves}stability")(1.5))
    assert found.mass * 1.5 == pytest.approx(theory.curve(f"{curves}support_vectors")(1.5), rel=1e-6)
    xi, S, _ = teacher_examples(300, 200, seed=1)
    S = S if kind == "rule" else np.where(np.random.default_rng(2).random(300) < 0.5, 1, -1)
    student = AdaTron(fit_intercept=False).fit(xi, S)
    display = StabilityDisplay.from_estimator(student, xi, S, kind="histogram", theory=kind)
    line = next(line for line in display.ax_.lines if len(line.get_xdata()) == 400)
    np.testing.assert_array_equal(line.get_ydata(), found.density)
    at_kappa = np.mean(display.stabilities < student.stability_ * (1 + 1e-6))
    assert at_kappa == pytest.approx(found.mass, abs=0.06)
    far = found.t[200]
    expected = np.trapezoid(found.density[200:], found.t[200:])
    assert np.mean(display.stabilities > far) == pytest.approx(expected, abs=0.05)


def test_unknown_theories():
    with pytest.raises(ValueError, match="theory is 'lables': choose 'labels' or 'rule'"):
        stability_distribution("lables", 1.0)
    with pytest.raises(ValueError, match="beyond 2 random labels are not separable"):
        stability_distribution("labels", 2.5)
