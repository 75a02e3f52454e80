"""The solvers: the toolbox's algorithm in plain words, descent, and where they all end."""

import numpy as np
import pytest
from labelled import clusters, scaled

from markone.lvq import GLVQ, GMLVQ, GRLVQ, LGMLVQ, MRSLVQ, RSLVQ, solvers
from markone.lvq.base.classifier import one_thread, threadpool_controller


def toolbox_cost(X, y, W, Omega):
    """mean (dJ - dK) / (dJ + dK), and the winners."""
    D = np.array([[((Omega @ (x - w)) ** 2).sum() for w in W] for x in X])
    P = np.arange(len(X))
    right = D[P, y]
    D[P, y] = np.inf
    K = D.argmin(axis=1)
    return ((right - D[P, K]) / (right + D[P, K])).mean(), right, D[P, K], K


def toolbox_step(X, y, W, Omega, ep, em):
    _, dJ, dK, K = toolbox_cost(X, y, W, Omega)
    chW, chO, Lambda = np.zeros_like(W), np.zeros_like(Omega), Omega.T @ Omega
    for mu, x in enumerate(X):
        s = (dJ[mu] + dK[mu]) ** 2
        J, k = y[mu], K[mu]
        chW[J] += dK[mu] / s * Lambda @ (x - W[J])
        chW[k] -= dJ[mu] / s * Lambda @ (x - W[k])
        chO -= dK[mu] / s * Omega @ np.outer(x - W[J], x - W[J]) - dJ[mu] / s * Omega @ np.outer(
            x - W[k], x - W[k]
        )
    W = W + ep * chW / np.linalg.norm(chW)
    Omega = Omega + em * chO / np.linalg.norm(chO)
    Z = np.vstack([X, W]).T
    Omega = (Omega @ Z) @ np.linalg.pinv(Z)
    return W, Omega / np.linalg.norm(Omega)


def toolbox(X, y, seed, steps, ep=1.0, em=2.0, ncop=5):
    """GMLVQ toolbox v2.2, mode 1, mu = 0, one prototype a class, as its manual and code have it."""
    C, N = y.max() + 1, X.shape[1]
    means = np.array([X[y == k].mean(axis=0) for k in range(C)])
    W = means * (0.99 + 0.02 * np.random.RandomState(seed).rand(N, C).T)
    Omega = np.eye(N) / np.sqrt(N)
    copies = []
    for t in range(steps):
        W1, O1 = toolbox_step(X, y, W, Omega, ep, em)
        if t >= ncop:
            Wm = np.mean([w for w, _ in copies[-ncop:]], axis=0)
            Om = np.mean([o for _, o in copies[-ncop:]], axis=0)
            Om /= np.linalg.norm(Om)
            ep, em = ep * 1.1, em * 1.1
            better_mean_W = toolbox_cost(X, y, Wm, Omega)[0] <= toolbox_cost(X, y, W1, Omega)[0]
            better_mean_O = toolbox_cost(X, y, W, Om)[0] <= toolbox_cost(X, y, W, O1)[0]
            if better_mean_W:
                ep, W1 = ep / 1.5, Wm
            if better_mean_O:
                em, O1 = em / 1.5, Om
        W, Omega = W1, O1
        copies.append((W, Omega))
    return W, Omega.T @ Omega, toolbox_cost(X, y, W, Omega)[0]


def test_waypoint_equals_the_toolbox():
    X, y = scaled("iris")
    X, y = X[::3], y[::3]
    X = (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)
    W, Lambda, E = toolbox(X, y, seed=4, steps=25)
    model = GMLVQ(initial="toolbox", random_state=4, max_iter=25).fit(X, y)
    np.testing.assert_allclose(model.prototypes_, W, atol=1e-9)
    np.testing.assert_allclose(model.lambda_, Lambda, atol=1e-9)
    assert model.cost_ == pytest.approx(E, abs=1e-11)


def test_iris_at_fifty_steps():
    """Features 3 and 4 dominate, .63 +- .012 and .33 +- .012 over the seeds of the toolbox's start."""
    X, y = scaled("iris")
    models = [GMLVQ(initial="toolbox", random_state=seed).fit(X, y) for seed in range(10)]
    relevances = np.array([model.relevance_ for model in models])
    np.testing.assert_allclose(relevances.sum(axis=1), 1)
    np.testing.assert_allclose(relevances.mean(axis=0)[2:], [0.625, 0.329], atol=0.012)
    assert (relevances.std(axis=0)[2:] < 0.02).all()
    assert (relevances[:, 2:].sum(axis=1) >= 0.95).all()
    off = np.abs(models[0].lambda_ - np.diag(models[0].relevance_))
    assert np.unravel_index(off.argmax(), off.shape) == (2, 3)
    assert 0.42 < off[2, 3] < 0.46


@pytest.mark.parametrize("model", [GMLVQ(max_iter=1000), GMLVQ(solver="lbfgs")], ids=["waypoint", "lbfgs"])
def test_iris_converged(model):
    X, y = scaled("iris")
    model.fit(X, y)
    np.testing.assert_allclose(model.relevance_, [0.0301, 0.0165, 0.6944, 0.2590], atol=5e-4)
    assert model.eigenvalues_[0] == pytest.approx(1.0, abs=1e-3)
    assert model.cost_ == pytest.approx(-0.891142, abs=2e-6)
    assert (model.predict(X) != y).sum() == 2


MODELS = [
    GLVQ(),
    GRLVQ(),
    GMLVQ(solver="lbfgs"),
    LGMLVQ(solver="lbfgs"),
    RSLVQ(),
    RSLVQ(sigma2="learned"),
    MRSLVQ(),
]


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_the_cost_never_increases_with_lbfgs(model):
    X, y = scaled("wine")
    trace = model.fit(X, y).trace_
    assert (np.diff(trace["cost"]) <= 0).all()
    assert trace["errors"][-1] == (model.predict(X) != y).sum()


def test_what_waypoint_keeps_is_never_worse_than_what_it_discards():
    """Each part of each step is the better of its two candidates, the other part held."""
    seen = []

    class Watched(solvers.Waypoint):
        def _choose_waypoints(self, objective, theta, moved, mean, eta):
            candidates = {n: [self._partial_cost(objective, theta, o, n) for o in (moved, mean)] for n in eta}
            super()._choose_waypoints(objective, theta, moved, mean, eta)
            seen.extend((self._partial_cost(objective, theta, moved, n), *candidates[n]) for n in eta)

    X, y = scaled("wine")
    model = GMLVQ(solver=Watched()).fit(X, y)
    assert len(seen) == 2 * (model.n_iter_ - 5)
    assert all(kept == min(step, mean) for kept, step, mean in seen)


@pytest.mark.parametrize("cls", [GLVQ, GRLVQ, GMLVQ, LGMLVQ, RSLVQ, MRSLVQ])
@pytest.mark.parametrize("solver", solvers.NAMES)
def test_every_solver_trains_every_model(cls, solver):
    X, y = clusters(P=150, N=5)
    start = cls(solver=solver, max_iter=1, random_state=0).fit(X, y)
    end = cls(solver=solver, max_iter=30, random_state=0).fit(X, y)
    assert end.cost_ < start.cost_
    assert end.score(X, y) > 0.8


def test_batches_of_all_are_plain_gradient_descent():
    """One batch: W <- W - eta dE/dW in units of the spread, as (5.17) with the mean over all examples."""
    X, y = clusters(P=30)
    X = X - X.mean(axis=0)
    means = np.array([X[y == k].mean(axis=0) for k in range(3)])
    solver = solvers.Stochastic(epochs=1, batch_size=30, eta_w=0.3)
    model = GLVQ(solver=solver, phi="identity").fit(X, y)
    gradient = np.zeros_like(means)
    for x, label in zip(X, y, strict=True):
        d = ((x - means) ** 2).sum(axis=1)
        K = min((j for j in range(3) if j != label), key=lambda j: d[j])
        total = d[label] + d[K]
        gradient[label] += 2 * d[K] / total**2 * 2 * (means[label] - x) / 30
        gradient[K] -= 2 * d[label] / total**2 * 2 * (means[K] - x) / 30
    unit2 = X.var(axis=0, ddof=1).mean() * X.shape[1]
    np.testing.assert_allclose(model.prototypes_, means - 0.3 * unit2 * gradient, atol=1e-12)


def test_units_of_x_do_not_matter():
    X, y = clusters(P=90)
    for model in (GLVQ(), GMLVQ(), LGMLVQ(), RSLVQ(), GLVQ(solver="stochastic", random_state=1)):
        near = model.fit(X, y).predict(X)
        far = model.fit(1e3 * X + 5e3, y)
        assert (far.predict(1e3 * X + 5e3) == near).mean() > 0.98
    np.testing.assert_allclose(GMLVQ().fit(1e3 * X + 5e3, y).lambda_, GMLVQ().fit(X, y).lambda_, atol=1e-5)


def test_small_fits_have_one_thread_of_blas_and_openmp():
    with one_thread(np.zeros((150, 4)), 3):
        threads = [library["num_threads"] for library in threadpool_controller().info()]
    assert set(threads) == {1}


def test_waypoint_settings_are_the_toolboxs():
    solver = solvers.Waypoint()
    assert (solver.eta_w, solver.eta_omega, solver.copies, solver.grow, solver.shrink) == (
        1.0,
        2.0,
        5,
        1.1,
        1.5,
    )


@pytest.mark.slow
def test_the_penalty_spreads_the_eigenvalues():
    """Those of the toolbox (200 steps, mode 0), whose mu is our 4 mu: its data term lacks the factor."""
    X, y = scaled("iris")
    published = {
        0.1: [0.965, 0.030, 0.004, 0.001],
        1: [0.80, 0.13, 0.055, 0.012],
        10: [0.42, 0.24, 0.20, 0.14],
    }
    for mu, eigenvalues in published.items():
        waypoint = GMLVQ(mu=4 * mu, max_iter=200).fit(X, y).eigenvalues_
        np.testing.assert_allclose(waypoint, eigenvalues, atol=0.03)
        lbfgs = GMLVQ(mu=4 * mu, solver="lbfgs").fit(X, y).eigenvalues_
        np.testing.assert_allclose(waypoint, lbfgs, atol=2e-3)


@pytest.mark.parametrize("eta_w", [1.0, 0.3])
def test_the_width_takes_steps_a_tenth_as_long_as_the_prototypes(eta_w):
    """Gradients are normalised, so that the first step in ln sigma^2 is 0.1 eta_w, up or down."""
    X, y = clusters()
    start = RSLVQ(solver=solvers.Waypoint(eta_w=eta_w), max_iter=1).fit(X, y).sigma2_
    moved = RSLVQ(sigma2="learned", solver=solvers.Waypoint(eta_w=eta_w), max_iter=1).fit(X, y).sigma2_
    assert abs(np.log(moved / start)) == pytest.approx(0.1 * eta_w, rel=1e-9)
