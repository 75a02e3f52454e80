"""Problems solved with the full kernel matrix in memory give the same student."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.datasets import make_classification

from markone.perceptron import KernelAdaTron
from markone.perceptron.margin.kernel import make_kernel, working_set
from markone.perceptron.margin.kernel.kernel_certificate import potential_sums
from markone.perceptron.margin.kernel.solve import _Ascent, train_kernel_student
from markone.perceptron.margin.kernel.working_set import WorkingSet, full_matrix_pays

X, Y = make_classification(700, 10, n_informative=6, random_state=0)
S = 2.0 * Y - 1.0


def solve_at_once(kernel, S, bounds, tol, exact, budget):
    """The optimum with all examples active, None if not reached, and the state."""
    state = WorkingSet(kernel, S, bounds, 200.0)
    return _Ascent(state, tol, exact, budget, np.random.default_rng(0)).solve_at_once(), state


@pytest.mark.parametrize("C", [0.01, 1.0, 100.0, np.inf])
def test_all_solvers_give_the_same_student(C):
    kernel, bounds = make_kernel("rbf", X, clamp=1.0), np.full(len(S), C)
    expected = train_kernel_student(kernel, S, bounds, 1e-6, True, 1000, 1.0, 0, np.zeros(len(S)))
    for found in (
        solve_at_once(kernel.with_matrix(), S, bounds, 1e-6, True, 10**6)[0],
        train_kernel_student(kernel, S, bounds, 1e-6, True, 1000, 200.0, 0),
    ):
        if found is not None:  # if not reached, the other solvers continue
            assert found.status == "exact"
            np.testing.assert_allclose(found.E, expected.E, atol=1e-6)


def test_many_free_examples_or_a_small_budget_are_left_to_the_working_set(monkeypatch):
    bounds, few = np.full(len(S), 1.0), make_kernel("rbf", X)
    assert solve_at_once(few.with_matrix(), S, bounds, 1e-6, True, 10)[0] is None
    monkeypatch.setattr(working_set, "MOST_FREE", 20)
    found, state = solve_at_once(few.with_matrix(), S, bounds, 1e-6, True, 10**6)
    assert found is None
    assert state.steps > 0
    assert np.isfinite(state.x).all()
    student = KernelAdaTron(C=1.0, gamma=100.0).fit(X, S)
    assert student.status_ == "exact"


def test_examples_of_two_classes_at_any_position():
    """Runs of examples are read in place, others are gathered: the same sums."""
    order = np.random.default_rng(1).permutation(len(S))
    kernel = make_kernel("rbf", X, clamp=1.0).with_matrix()
    for chosen in (np.arange(100, 300), np.r_[0:80, 200:300], order[:150], np.r_[0:50, 100:150, 200:250]):
        part, bounds = kernel.subset_kernel(chosen), np.full(len(chosen), 10.0)
        alone = make_kernel("rbf", X[chosen], gamma=kernel.gamma, clamp=1.0)
        one = train_kernel_student(part, S[chosen], bounds, 1e-6, True, 1000, 200.0, 0)
        two = train_kernel_student(alone, S[chosen], bounds, 1e-6, True, 1000, 200.0, 0)
        np.testing.assert_allclose(one.E, two.E, atol=1e-8)
        np.testing.assert_allclose([one.lower, one.upper], [two.lower, two.upper], rtol=1e-8)
        np.testing.assert_allclose(
            part.kernel_block(np.arange(5), np.arange(7)), alone.kernel_block(np.arange(5), np.arange(7))
        )


def test_the_full_matrix_pays_for_long_inputs():
    """A working set computes kernels more than once; the cost of a callable is unknown."""
    short, long = np.zeros((1900, 4)), np.zeros((1900, 64))
    short[:, 0], long[:, 0] = np.arange(1900.0), np.arange(1900.0)
    assert not full_matrix_pays(make_kernel("rbf", short))
    assert full_matrix_pays(make_kernel("rbf", short[:1500]))
    assert full_matrix_pays(make_kernel("rbf", long))
    assert not full_matrix_pays(make_kernel("rbf", csr_matrix(long)))
    assert not full_matrix_pays(make_kernel(lambda a, b: a @ b.T, long))
    assert full_matrix_pays(make_kernel("rbf", short).with_matrix())


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0, np.inf])
def test_the_potentials_of_a_solved_problem_belong_to_its_strengths(C, exact):
    far, labels = make_classification(700, 10, n_informative=6, class_sep=2.0, flip_y=0.0, random_state=0)
    own = 2.0 * labels - 1.0
    kernel, bounds = make_kernel("rbf", far, gamma=0.05, clamp=1.0).with_matrix(), np.full(700, C)
    found = solve_at_once(kernel, own, bounds, 1e-7, exact, 10**6)[0]
    assert found.gap <= (1e-11 if exact else 1e-7)
    np.testing.assert_allclose(found.E, own * (kernel.rows(np.arange(700)) @ (own * found.x)), atol=1e-9)
    # Potentials for the proof must belong to this student.
    assert found.fresh
    np.testing.assert_allclose(found.E, potential_sums(kernel, own, found.x), rtol=1e-12, atol=1e-12)


def test_the_budget_is_respected():
    kernel, bounds = make_kernel("rbf", X, clamp=1.0).with_matrix(), np.full(len(S), 10.0)
    for budget in (1, 50, 60, 100):
        found, state = solve_at_once(kernel, S, bounds, 1e-12, True, budget)
        assert found is None
        # A step on two may be the last.
        assert 0 < state.steps <= budget + 1
        assert (state.x >= 0).all()
        assert (state.x <= 10.0).all()
