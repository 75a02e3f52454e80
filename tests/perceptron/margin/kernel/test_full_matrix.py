"""Problems solved with the full kernel matrix in memory give the same student."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.datasets import make_classification

from markone.perceptron import KernelAdaTron
from markone.perceptron.margin.kernel import full_matrix, make_kernel
from markone.perceptron.margin.kernel.kernel_certificate import potential_sums
from markone.perceptron.margin.kernel.solve import train_kernel_student

X, Y = make_classification(700, 10, n_informative=6, random_state=0)
S = 2.0 * Y - 1.0


@pytest.mark.parametrize("C", [0.01, 1.0, 100.0, np.inf])
def test_all_solvers_give_the_same_student(C):
    kernel, bounds = make_kernel("rbf", X, clamp=1.0), np.full(len(S), C)
    expected = train_kernel_student(kernel, S, bounds, 1e-6, True, 1000, 1.0, 0, np.zeros(len(S)))
    for found in (
        full_matrix.solve_in_memory(kernel.with_matrix(), S, bounds, 1e-6, True, 10**6)[0],
        train_kernel_student(kernel, S, bounds, 1e-6, True, 1000, 200.0, 0),
    ):
        if found is not None:  # if not reached, the other solvers continue
            assert found.status == "exact"
            np.testing.assert_allclose(found.E, expected.E, atol=1e-6)


def test_many_free_examples_or_a_small_budget_are_left_to_the_working_set(monkeypatch):
    bounds, few = np.full(len(S), 1.0), make_kernel("rbf", X)
    assert full_matrix.solve_in_memory(few.with_matrix(), S, bounds, 1e-6, True, 10)[0] is None
    monkeypatch.setattr(full_matrix, "MOST_FREE", 20)
    found, x, steps, _ = full_matrix.solve_in_memory(few.with_matrix(), S, bounds, 1e-6, True, 10**6)
    assert found is None
    assert steps > 0
    assert np.isfinite(x).all()
    student = KernelAdaTron(C=1.0, gamma=100.0).fit(X, S)
    assert student.status_ == "exact"


def test_examples_of_two_classes_at_any_position():
    """Runs of examples are read in place, others are gathered: the same sums."""
    order = np.random.default_rng(1).permutation(len(S))
    kernel = make_kernel("rbf", X, clamp=1.0).with_matrix()
    for who in (np.arange(100, 300), np.r_[0:80, 200:300], order[:150], np.r_[0:50, 100:150, 200:250]):
        part, bounds = kernel.subset_kernel(who), np.full(len(who), 10.0)
        alone = make_kernel("rbf", X[who], gamma=kernel.gamma, clamp=1.0)
        one = train_kernel_student(part, S[who], bounds, 1e-6, True, 1000, 200.0, 0)
        two = train_kernel_student(alone, S[who], bounds, 1e-6, True, 1000, 200.0, 0)
        np.testing.assert_allclose(one.E, two.E, atol=1e-8)
        np.testing.assert_allclose([one.lower, one.upper], [two.lower, two.upper], rtol=1e-8)
        np.testing.assert_allclose(
            part.kernel_block(np.arange(5), np.arange(7)), alone.kernel_block(np.arange(5), np.arange(7))
        )


def test_the_full_matrix_pays_for_long_inputs():
    """A working set computes kernels more than once; the cost of a callable is unknown."""
    short, long = np.zeros((1900, 4)), np.zeros((1900, 64))
    short[:, 0], long[:, 0] = np.arange(1900.0), np.arange(1900.0)
    assert not full_matrix.full_matrix_pays(make_kernel("rbf", short))
    assert full_matrix.full_matrix_pays(make_kernel("rbf", short[:1500]))
    assert full_matrix.full_matrix_pays(make_kernel("rbf", long))
    assert not full_matrix.full_matrix_pays(make_kernel("rbf", csr_matrix(long)))
    assert not full_matrix.full_matrix_pays(make_kernel(lambda a, b: a @ b.T, long))
    assert full_matrix.full_matrix_pays(make_kernel("rbf", short).with_matrix())


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0, np.inf])
def test_candidates_of_many_examples_are_solved_separately(C, exact, monkeypatch):
    far, labels = make_classification(700, 10, n_informative=6, class_sep=2.0, flip_y=0.0, random_state=0)
    own = 2.0 * labels - 1.0
    kernel, bounds = make_kernel("rbf", far, gamma=0.05, clamp=1.0).with_matrix(), np.full(700, C)
    take, sizes = full_matrix._State.merge_subset, []

    def counted(state, chosen, part):
        sizes.append(chosen.size)
        take(state, chosen, part)

    monkeypatch.setattr(full_matrix._State, "merge_subset", counted)
    monkeypatch.setattr(full_matrix, "MANY", 10**9)
    together = full_matrix.solve_in_memory(kernel, own, bounds, 1e-7, exact, 10**6)[0]
    assert not sizes
    monkeypatch.setattr(full_matrix, "MANY", 100)
    apart = full_matrix.solve_in_memory(kernel, own, bounds, 1e-7, exact, 10**6)[0]
    assert sizes or C < 1.0
    assert all(size <= 350 for size in sizes)
    assert apart.gap <= (1e-11 if exact else 1e-7)
    np.testing.assert_allclose(apart.E, together.E, atol=1e-8 if exact else 1e-3)
    np.testing.assert_allclose(apart.E, own * (kernel.rows(np.arange(700)) @ (own * apart.x)), atol=1e-9)
    if apart.sums is not None:  # they must belong to this student
        for given, anew in zip(apart.sums, potential_sums(kernel, own, apart.x), strict=True):
            np.testing.assert_array_equal(given, anew)


def test_subsets_respect_the_budget(monkeypatch):
    monkeypatch.setattr(full_matrix, "MANY", 100)
    kernel, bounds = make_kernel("rbf", X, clamp=1.0).with_matrix(), np.full(len(S), 10.0)
    for budget in (1, 50, 60, 100):
        found, x, steps, _ = full_matrix.solve_in_memory(kernel, S, bounds, 1e-12, True, budget)
        assert found is None
        # A step on two may be the last.
        assert 0 < steps <= budget + 1
        assert (x >= 0).all()
        assert (x <= 10.0).all()
