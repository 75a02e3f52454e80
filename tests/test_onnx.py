"""Students as ONNX graphs: onnxruntime gives their labels, and their scores to rounding."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris

from markone import AdaTron, KernelAdaTron, perceptron
from markone.base.onnx_graph import linear_model
from markone.lvq import GLVQ, GMLVQ, GRLVQ, LVQ1, NearestPrototype, linear_scorer

onnxruntime = pytest.importorskip("onnxruntime")
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
X, Y = load_iris(return_X_y=True)
LINEAR = [
    cls()
    for name in perceptron.__all__
    if isinstance(cls := getattr(perceptron, name), type) and hasattr(cls, "_append_clamped_input")
]
KERNELS = [
    KernelAdaTron(C=1.0),
    KernelAdaTron(C=1.0, fit_intercept=False, normalize=True),
    KernelAdaTron(C=1.0, kernel="poly", degree=2, gamma=0.1),
    KernelAdaTron(C=1.0, kernel="linear", normalize=True),
    KernelAdaTron(C=1.0, multi_class="one_vs_one"),
    KernelAdaTron(C=1.0, kernel="linear", multi_class="one_vs_one"),
    KernelAdaTron(C=1.0, kernel="poly", degree=2, gamma=0.1, multi_class="one_vs_one", normalize=True),
]
NAMES = {"text": np.array([*"abc"]), "whole": np.array([5, -1, 7]), "numbers": np.array([1.0, -1.0, 2.0])}


def answers(model, rows):
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(["label", "scores"], {"X": rows})


@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
@pytest.mark.parametrize("rows", [slice(0, 100), slice(None)], ids=["two classes", "three"])
@pytest.mark.parametrize("student", [*LINEAR, AdaTron(C=1.0, normalize=True), *KERNELS], ids=str)
def test_perceptrons_in_input_and_in_feature_space(student, rows, names):
    student = clone(student)
    if "random_state" in student.get_params():
        student.set_params(random_state=0)
    student.fit(X[rows], names[Y[rows]])
    label, scores = answers(student.to_onnx(), X)
    expected = student.decision_function(X)
    np.testing.assert_allclose(np.squeeze(scores), expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())
    sure = np.abs(expected) > 1e-9 if expected.ndim == 1 else np.ptp(expected, axis=1) > 1e-9
    np.testing.assert_array_equal(label[sure], student.predict(X)[sure])


@pytest.mark.parametrize(
    "model", [GLVQ(), GRLVQ(), GMLVQ(), LVQ1(random_state=0), NearestPrototype()], ids=str
)
def test_prototypes(model):
    label, _ = answers(linear_scorer(model.fit(X, NAMES["text"][Y])).to_onnx(), X)
    np.testing.assert_array_equal(label, model.predict(X))


def test_a_score_of_zero_is_the_second_class():
    label, scores = answers(linear_model(np.eye(1), np.zeros(1), np.array(["no", "yes"])), np.zeros((1, 1)))
    assert (label.tolist(), scores.tolist()) == (["yes"], [[0.0]])


@pytest.mark.parametrize("kernel", ["precomputed", np.dot])
def test_kernels_that_cannot_be_written_down_are_refused(kernel):
    rows = X[:100] @ X[:100].T
    kernel = kernel if kernel == "precomputed" else lambda a, b: a @ b.T
    student = KernelAdaTron(C=1.0, kernel=kernel).fit(rows if kernel == "precomputed" else X[:100], Y[:100])
    with pytest.raises(ValueError, match="cannot be exported to ONNX: use 'rbf', 'poly' or 'linear'"):
        student.to_onnx()
