import numpy as np
import pytest

from markone.perceptron.theory import capacity, convergence, max_stability


def rosenblatt(xi, S, c):
    """The book's algorithm: number of updates and the final w."""
    P, N = xi.shape
    w, updates = np.zeros(N), 0
    while True:
        before = updates
        for mu in range(P):
            if S[mu] * (xi[mu] @ w) <= c:
                w = w + xi[mu] * S[mu] / N
                updates += 1
        if updates == before:
            return updates, w


@pytest.mark.parametrize("c", [0.0, 0.5, 20.0])
def test_no_run_breaks_the_bound(c):
    rng = np.random.default_rng(4)
    for _ in range(10):
        xi, teacher = rng.standard_normal((30, 15)), rng.standard_normal(15)
        S = np.sign(xi @ teacher)
        Gamma = (xi**2).sum(1).max() / 15
        # Any solution gives a bound; the teacher is one.
        kappa = (S * (xi @ teacher)).min() / np.linalg.norm(teacher)
        updates, w = rosenblatt(xi, S, c)
        assert updates <= convergence.updates_bound(kappa, 15, c, Gamma)
        reached = (S * (xi @ w)).min() / np.linalg.norm(w)
        assert reached >= convergence.guaranteed_stability(kappa, c, Gamma)


def test_notes_own_form():
    """(3.29): M <= (2c + Gamma) N Q*/c^2 with E* >= c and Q* = |w*|^2."""
    c, Q, N, Gamma = 0.7, 3.0, 40, 1.2
    assert convergence.updates_bound(c / np.sqrt(Q), N, c, Gamma) == pytest.approx(
        (2 * c + Gamma) * N * Q / c**2
    )


def test_limits():
    assert convergence.updates_bound(0.0) == np.inf
    assert np.isnan(convergence.updates_bound(np.nan))
    assert convergence.guaranteed_stability(0.4, 0.0) == 0
    assert convergence.guaranteed_stability(0.4, np.inf) == pytest.approx(0.2)


def test_bounds_for_random_and_for_teachers_labels():
    alpha = np.array([0.5, 1.0, 1.9])
    np.testing.assert_allclose(convergence.storage_bound(alpha), capacity.stability(alpha) ** -2.0)
    np.testing.assert_allclose(
        convergence.rule_bound(alpha, 0.1), max_stability.stability(alpha, 0.1) ** -2.0
    )
    np.testing.assert_allclose(convergence.rule_bound(alpha, c=1.0), 3 * convergence.rule_bound(alpha))
    # Near alpha = 2, M*/P ~ 5.1/(2 - alpha)^2.
    assert convergence.storage_bound(1.999) / 1.999 * 0.001**2 == pytest.approx(64 / (4 * np.pi), rel=0.01)
    assert np.isnan(convergence.storage_bound(2.5))


def test_refusals():
    with pytest.raises(ValueError, match=r"kappa is -0\.1: without a solution"):
        convergence.updates_bound([0.2, -0.1])
    with pytest.raises(ValueError, match=r"c is -1\.0"):
        convergence.guaranteed_stability(0.2, -1)
    with pytest.raises(ValueError, match=r"Gamma is 0\.0"):
        convergence.updates_bound(0.2, Gamma=0)
