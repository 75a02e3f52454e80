"""Inputs that differ by little: kernels are mostly rounding, what is claimed holds and can be verified.

The numbers were found by `python -m attack`.
"""

from fractions import Fraction

import numpy as np
import pytest

from markone import KernelAdaTron
from markone.perceptron import verify

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

THIN = [-0.3315481766463715, -0.3315481766463713, -0.33154817664637165, -0.33154817664637143]
TENTHS = [
    [999998.8, 999997.9, 1000000.4], [999999.6, 999998.3, 999999.8], [1000001.2, 999999.2, 999999.8],
    [999998.9, 1000000.0, 1000000.2], [999999.9, 999998.6, 999999.7], [1000002.0, 1000000.6, 999999.5],
]  # fmt: skip
SHIFTED = [[2158855.1458389224, 2158854.510721174], [2158855.7314247284, 2158854.3874897705],
           [2158853.4222640903, 2158855.5878442703], [2158855.179539167, 2158854.718330264]]  # fmt: skip
KELVIN = [300.15999999999997, 300.15999999999997, 300.15999999999997, 300.15, 300.2, 300.19]


def fit(X, S, **how):
    student = KernelAdaTron(kernel="poly", fit_intercept="free", random_state=0, **how)
    return student.fit(np.array(X), np.array(S))


def exact_gap(student, X, S):
    """(cost of the student - dual value of its strengths) / cost in fractions."""
    kernel = student._kernel
    gamma, coef0 = Fraction(float(kernel.gamma)), Fraction(float(kernel.coef0))
    rows = [[Fraction(v) for v in row] for row in np.array(X).tolist()]
    x, b = [Fraction(v) for v in student.embedding_.tolist()], Fraction(float(student.intercept_[0]))

    def element(p, q):
        return (gamma * sum(a * c for a, c in zip(p, q, strict=True)) + coef0) ** int(kernel.degree)

    v = [sum(element(p, q) * a * int(s) for q, a, s in zip(rows, x, S, strict=True)) for p in rows]
    square = sum(a * int(s) * value for a, s, value in zip(x, S, v, strict=True))
    hinge = sum(max(1 - int(s) * (value + b), Fraction(0)) for s, value in zip(S, v, strict=True))
    primal = square / 2 + Fraction(student.C) * hinge
    return (primal - sum(x) + square / 2) / primal


def test_a_gap_above_one_is_not_claimed():
    # The dual is negative: rounding the primal up made this gap smaller than it is, 1.30422930848.
    S = [1.0, 1.0, -1.0, -1.0, -1.0, 1.0]
    student = fit(TENTHS, S, degree=2, C=0.021941814211085438)
    assert student.gap_ >= exact_gap(student, TENTHS, S)
    assert student.gap_ <= 1e-6 or student.status_ == "max_epochs"


@pytest.mark.parametrize(
    ("X", "S", "how"),
    [
        ([[313526651.1913027], [313526650.917529]], [-1.0, 1.0], {"degree": 4, "C": 141.6}),
        ([[THIN[k]] for k in (0, 1, 0, 2, 0, 3, 1)], [1, 1, -1, -1, -1, -1, 1], {"degree": 2, "C": 0.0955}),
        ([[1e9 + k] for k in (0.914085, 1.21, 4.75, 2.12)], [-1, 1, 1, -1], {"degree": 3, "C": 0.3}),
    ],
)
def test_a_matrix_that_rounding_makes_indefinite_is_fitted(X, S, how):
    student = fit(X, S, **how)
    assert student.gap_ >= exact_gap(student, X, S)


def test_newton_without_free_examples_is_left_out():
    low, lower = 300.17999999999995, 300.15999999999997
    X, S = [[300.19, 300.2], [low, 300.2], [low, 300.2], [300.19, lower]], [1.0, -1.0, 1.0, -1.0]
    how = {"degree": 3, "gamma": 4.8774011636862475, "intercept_scaling": 0.1, "C": 0.03943820762332363}
    student = KernelAdaTron(kernel="poly", random_state=0, **how).fit(np.array(X), np.array(S))
    assert student.gap_ <= 1e-6 or student.status_ == "max_epochs"


@pytest.mark.parametrize(
    ("X", "S", "how"),
    [
        ([[v] for v in [*KELVIN, 300.17999999999995, 300.15]], [1, -1] * 4, {"degree": 3, "gamma": 1.0}),
        (SHIFTED, [1.0, -1.0, 1.0, -1.0], {"degree": 3, "gamma": 0.7349792425185797}),
    ],
)
def test_potentials_beyond_the_floats_are_not_used(X, S, how):
    student = fit(X, S, **how)
    assert np.isfinite(student.embedding_).all()
    assert student.status_ == "undecided" or verify(np.array(X), S, student)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_strengths_whose_potentials_overflow_prove_no_more_than_the_longest_example():
    X = [
        [999999.3, 1000001.2, 999997.9], [1000003.4, 999997.5, 999999.5], [999999.2, 1000000.4, 999998.8],
        [1000000.7, 1000000.1, 1000000.2], [1000001.1, 1000000.4, 1000000.1],
        [1000000.2, 999999.2, 1000001.2], [999999.1, 1000001.8, 999998.6],
    ]  # fmt: skip
    S = [-1.0, -1.0, -1.0, 1.0, 1.0, 1.0, -1.0]
    student = fit(X, S, degree=3, gamma=0.0023595296456574103)
    assert np.isfinite(student.stability_bounds_).all()
    assert verify(np.array(X), S, student)


def test_bounds_beyond_the_longest_example_hold_for_any_student():
    X, S = np.array([[300.17999999999995], [300.19], [300.17999999999995]]), [-1.0, 1.0, -1.0]
    student = fit(X, S, degree=2)
    student.embedding_ = np.zeros(3)
    longest = (student._kernel.gamma * 300.19**2 + 1.0) * (1.0 + 1e-12)
    student.stability_bounds_ = (-longest, longest)
    assert verify(X, S, student)
    student.stability_bounds_ = (-longest, np.inf)
    assert verify(X, S, student)
    for bounds in ((-longest, 0.99 * longest), (-0.99 * longest, longest), (-longest, -longest)):
        student.stability_bounds_ = bounds
        assert not verify(X, S, student)


COLLINEAR = [
    [0.9978416762505302, -0.210368044613779, 1.3773856699697706, 0.30360011952637167],
    [0.9904225862578414, -4.370925259197625, 2.6746230506660758, -2.0902267497747165],
    [-0.0049487398411583085, -2.775207642651587, 0.8652934949728381, -1.596749252619903],
    [0.0010515060274065315, 0.589674878295843, -0.18385717468361382, 0.3392765668186177],
    [0.001544866730153853, 0.8663470083320528, -0.27012192499680954, 0.498463220122144],
    [-0.0008348003458956688, -0.46814833157113145, 0.14596590891622296, -0.2693547996420336],
]


def test_a_bound_is_verified_if_the_rounded_strengths_do_not_reach_it():
    X, S = np.array(COLLINEAR), [1.0, 1.0, -1.0, 1.0, -1.0, -1.0]
    student = KernelAdaTron(kernel="linear", fit_intercept=False, random_state=0).fit(X, np.array(S))
    student.embedding_ = np.array(
        [0.0, 0, 0, 1.1780111654286217e32, 3.6413577848908359e32, 5.2548213177338996e32]
    )
    lower = student.stability_bounds_[0]
    # kappa_max is 1.5244e-17 in fractions.
    for upper, true in ((2.7793896444740575e-17, True), (1.5245e-17, True), (1.5e-17, False), (np.inf, True)):
        student.stability_bounds_ = (lower, upper)
        assert verify(X, S, student) == true


def test_a_bound_of_a_free_threshold_is_verified_if_the_rounded_strengths_do_not_reach_it():
    X = np.array([
        [2.842847289523074e-09, 3.5490600442726175, 1.3036986824899441, 0.0004092968784890013],
        [-1.5038314612096888, 786688149.7734076, -2303461621.1684413, -13374.99510862406],
        [5.6961733652232275e-06, -1658.9100723708445, -17221.636879882346, -0.24182898853007914],
        [0.04641244894828779, -30235745.864823315, 16082676.020771278, -583.5641783434532],
        [-8.432018191507211e-12, -0.012965519363519041, -0.008747044024587888, -1.2168337341669611e-06],
    ])  # fmt: skip
    S = [1.0, -1.0, 1.0, -1.0, -1.0]
    student = KernelAdaTron(kernel="linear", fit_intercept="free", random_state=0).fit(X, np.array(S))
    student.embedding_ = np.array([
        3.1082644486783551e-01, 1.8165630919497744e-06, 1.8917355513216308e-01, 5.7623332736511657e-05,
        4.9994056010417010e-01,
    ])  # fmt: skip
    # kappa_max is 1.6364e-4 in fractions; the means with these strengths are 1.1 from each other.
    for upper, true in ((0.5339400846288943, True), (1.6365e-4, True), (1.6363e-4, False)):
        student.stability_bounds_ = (-1.0, upper)
        assert verify(X, S, student) == true
