"""The theory engine: catalogue, identities, an independent quadrature, corners, bad input, simulation."""

import numpy as np
import pytest
from scipy.optimize import minimize

from markone import theory
from markone.perceptron.theory import logistic_teacher, max_stability
from markone.perceptron.theory.engine.channels import Logistic, find_teacher
from markone.perceptron.theory.engine.solve import find_world
from markone.perceptron.theory.engine.worlds.separability import find_separable_alpha

ALPHA = np.array([0.05, 0.5, 2.0, 10.0])


@pytest.mark.parametrize("loss", ["logistic", "squared_hinge"])
@pytest.mark.parametrize("noise", [0.0, 0.1])
def test_catalogue_curves_are_solutions(loss, noise):
    found = theory.solve(ALPHA, loss, {"gamma": 2.0}, noise=noise)
    want = theory.curve(loss)(ALPHA, noise=noise, gamma=2.0)
    np.testing.assert_allclose(found.epsilon_rule, want, rtol=1e-10)
    np.testing.assert_allclose(
        found.norm, theory.curve(f"{loss}.norm")(ALPHA, noise=noise, gamma=2.0), rtol=1e-10
    )
    np.testing.assert_allclose(found.epsilon_g, noise + (1 - 2 * noise) * want, rtol=1e-10)


def test_the_hinge_is_the_soft_margin():
    found = theory.solve(ALPHA, "hinge", {"gamma": 2.0}, noise=0.1)
    np.testing.assert_allclose(
        found.epsilon_rule, theory.curve("soft_margin")(ALPHA, noise=0.1, gamma=2.0), rtol=1e-9
    )


@pytest.mark.parametrize(
    ("name", "text", "function"),
    [
        ("logistic", "log(1 + exp(-E))", lambda E: np.logaddexp(0, -E)),
        ("hinge", "max(0, 1 - E)", lambda E: np.maximum(0, 1 - E)),
        ("squared_hinge", "max(0, 1-E)**2/2", lambda E: np.maximum(0, 1 - E) ** 2 / 2),
        ("exponential", "exp(-E)", lambda E: np.exp(-E)),
        ("square", "(1-E)**2/2", lambda E: (1 - E) ** 2 / 2),
    ],
)
def test_formulas_and_functions_are_the_named_losses(name, text, function):
    want = theory.solve(ALPHA, name, 0.3, noise=0.05)
    for loss in (text, function):
        found = theory.solve(ALPHA, loss, 0.3, noise=0.05)
        for column in ("epsilon_g", "loss", "norm", "support", "epsilon_t"):
            np.testing.assert_allclose(getattr(found, column), getattr(want, column), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("text", ["0.2*exp(-E)", "exp(-E)/5", "exp(-E)*(0.2 + 0*E)"])
def test_a_multiple_of_a_loss_is_a_multiple_of_the_penalty(text):
    """Far to the left the exponential overflows: times a constant it is still infinite."""
    want = theory.solve(ALPHA, "exponential", 1.5, noise=0.05)
    found = theory.solve(ALPHA, text, 0.3, noise=0.05)
    np.testing.assert_allclose(found.epsilon_g, want.epsilon_g, rtol=1e-9)
    np.testing.assert_allclose(found.loss, 0.2 * want.loss, rtol=1e-9)


def test_a_function_without_jets_has_seven_digits():
    want = theory.solve(ALPHA, "hinge", 0.3)
    found = theory.solve(ALPHA, lambda E: np.where(E < 1, 1 - E, 0.0), 0.3, kinks=[1.0])
    np.testing.assert_allclose(found.epsilon_g, want.epsilon_g, rtol=1e-6)


def test_the_logistic_mixture_is_the_logistic_function():
    z = np.linspace(-30, 30, 601)
    found, _ = Logistic(3.0).label_probability(z, 0.0, 0.0)
    np.testing.assert_allclose(found, 1 / (1 + np.exp(-3 * z)), atol=2e-15)


def test_equations_by_another_quadrature():
    """mpmath, over the field before learning, the proximal point by root finding."""
    mp = pytest.importorskip("mpmath")
    c = theory.solve(2.0, "logistic", 1.0, noise=0.1)
    m, q, V = (mp.mpf(float(x)) for x in (c.m, c.q, c.V))

    def moved(a):
        return mp.findroot(lambda h: h - a - V / (1 + mp.exp(h)), a + V / 2)

    def force(a):
        return (moved(a) - a) / V

    rest = 1 - m * m / q
    normal = lambda a: mp.npdf(a / mp.sqrt(q)) / mp.sqrt(q)  # noqa: E731
    label = lambda a: mp.mpf("0.1") + mp.mpf("0.8") * mp.ncdf(m * a / q / mp.sqrt(rest))  # noqa: E731
    slope = lambda a: mp.mpf("0.8") * mp.npdf(m * a / q / mp.sqrt(rest)) / mp.sqrt(rest)  # noqa: E731
    edges = [-6 * mp.sqrt(q), 0, 6 * mp.sqrt(q)]
    m_hat = 4 * mp.quad(lambda a: normal(a) * slope(a) * force(a), edges)
    q_hat = 4 * mp.quad(lambda a: normal(a) * label(a) * force(a) ** 2, edges)
    V_hat = 1 / V - 1
    assert float(m_hat / (1 + V_hat) - m) == pytest.approx(0, abs=1e-8)
    assert float((m_hat**2 + q_hat) / (1 + V_hat) ** 2 - q) == pytest.approx(0, abs=1e-8)


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (lambda z: 1 / (1 + np.exp(-2 * z)), "logistic(2)"),
        (lambda z: 0.1 + 0.8 * (z > 0), "flips(.1, .1)"),
        (lambda z: 1.0 * (z > -0.8), "threshold(.8)"),
    ],
)
def test_functions_are_teachers(function, name):
    found, want = (theory.solve(ALPHA[1:3], "logistic", 0.5, t, intercept=True) for t in (function, name))
    for column in ("epsilon_g", "m", "q", "b", "loss"):
        np.testing.assert_allclose(getattr(found, column), getattr(want, column), rtol=1e-10, atol=1e-12)
    best = theory.bayes(2.0, function).optimal.epsilon_g
    assert best == pytest.approx(theory.bayes(2.0, name).optimal.epsilon_g, rel=1e-10)


def test_losses_of_y_and_h():
    margin, residual = (
        theory.solve(2.0, "max(0, 1 - y*h)"),
        theory.solve(2.0, "(y - h)**2/2", 0.3, "linear", 0.1),
    )
    assert margin.epsilon_g == pytest.approx(theory.solve(2.0, "hinge").epsilon_g, rel=1e-12)
    assert residual.mse == pytest.approx(theory.solve(2.0, "square", 0.3, "linear", 0.1).mse, rel=1e-12)


def test_l1_with_a_diagonal_covariance():
    """Weights +-1 given one by one are the binary prior; for l1 -> 0 the spectrum is enough."""
    signs = np.where(np.arange(60) % 2, 1.0, -1.0)
    penalty = {"l1": 0.3, "l2": 0.4}
    given = theory.solve(ALPHA, "logistic", penalty, noise=0.1, inputs=theory.Covariance(np.eye(60), signs))
    prior = theory.solve(ALPHA, "logistic", penalty, noise=0.1, prior="binary")
    e = np.arange(1, 61) ** -1.2
    world = theory.Covariance(e, signs + 0.3, missing=0.2)
    small = theory.solve(ALPHA, "logistic", {"l1": 1e-13, "l2": 0.4}, inputs=world)
    none = theory.solve(ALPHA, "logistic", 0.4, inputs=world)
    for column in ("epsilon_g", "q", "V", "norm", "nonzero"):
        np.testing.assert_allclose(getattr(given, column), getattr(prior, column), rtol=1e-10)
        np.testing.assert_allclose(getattr(small, column), getattr(none, column), rtol=1e-9)


def test_labels_of_online_curves():
    flow = theory.online([0.0, 2.0], "1", "probit(.5)")
    assert flow.epsilon_g[0] == 0.5
    # The field of a probit has the correlation R/sqrt(1 + sigma^2) with that of the student.
    assert flow.epsilon_g[1] == pytest.approx(np.arccos(flow.R[1] / np.sqrt(1.25)) / np.pi, rel=1e-10)
    exact = theory.online(2.0, "1", noise=0.1)
    assert exact.epsilon_g == pytest.approx(0.1 + 0.8 * exact.epsilon_rule, rel=1e-12)


def test_separability():
    def limit(teacher, noise=0.0, intercept=False):
        world = find_world(teacher, None, intercept)[0]
        return find_separable_alpha(world, np.array([noise]), intercept, 1.0)[0]

    assert limit("sign", 0.1) == pytest.approx(max_stability.alpha_c(0.1), rel=1e-9)
    assert limit(Logistic(5**0.5)) == pytest.approx(logistic_teacher.alpha_c(5**0.5), rel=1e-9)
    assert limit("sign") == np.inf
    c = theory.solve([2.9, 3.1], "logistic", 0.0, noise=0.1)
    assert c.ok.tolist() == [False, True]
    assert c.reason[0].startswith("separable: the minimiser runs away")
    assert np.isnan(c.epsilon_g[0])
    assert "not unique" in str(theory.solve(0.9, "square", 0.0).reason)


def test_two_equal_clusters_are_two_gaussians():
    means = np.eye(4)[:1] * [[1.0], [-1.0]]
    for shape in (np.ones(4), np.eye(4)):
        pair = theory.Clusters(means, [shape, shape], [0.3, 0.7], [1, -1])
        a = theory.solve(ALPHA, "hinge", 0.3, inputs=pair, intercept=True)
        b = theory.solve(ALPHA, "hinge", 0.3, inputs=theory.TwoGaussians(1.0, 0.3), intercept=True)
        for name in ("epsilon_g", "loss", "b", "norm"):
            np.testing.assert_allclose(getattr(a, name), getattr(b, name), rtol=1e-9, atol=1e-13)


def test_random_corners_have_a_root_or_a_reason():
    rng = np.random.default_rng(1)
    losses = ["logistic", "hinge", "squared_hinge", "exponential", "square"]
    teachers = ["sign", "probit(0.3)", "logistic(5)", "threshold(0.7)", "flips(0.1, 0.3)"]
    for k in range(20):
        alpha, l2 = 10 ** rng.uniform(-3, 4), 10 ** rng.uniform(-6, 6)
        c = theory.solve(
            alpha, losses[k % 5], l2, teachers[k // 4], noise=rng.uniform(0, 0.4), intercept=k % 3 == 0
        )
        assert bool(c.ok) == (str(c.reason) == "") == bool(np.isfinite(c.epsilon_g))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"loss": "E**3"}, "not convex"),
        ({"loss": "max(0, -E)"}, "does not fall at E = 0"),
        ({"loss": "log(E)"}, "not finite"),
        ({"loss": "hinj"}, "hinge"),
        ({"loss": "foo(E)"}, "not allowed"),
        ({"loss": "x + 1"}, "unknown"),
        ({"noise": 0.5}, "no information"),
        ({"teacher": "flips(.6, .6)"}, "sum below 1"),
        ({"teacher": "sgn"}, "There is no teacher"),
        ({"teacher": lambda z: np.exp(-z * z)}, "even in z"),
        ({"teacher": lambda z: 1 / (1 + np.exp(z))}, "anti-correlated"),
        ({"teacher": lambda z: z}, "probabilities of the label"),
        ({"loss": "max(0, 1 - y*h)*(2 + y)"}, "no function of the margin"),
        ({"prior": "sparse(2)", "penalty": {"l1": 1}}, "share of non-zero"),
        ({"penalty": {"l3": 1}}, "keys l1 and l2"),
        ({"penalty": -1.0}, "at least 0"),
        ({"inputs": theory.Covariance([[1.0, 2.0], [2.0, 1.0]])}, "positive semi-definite"),
        (
            {"inputs": theory.Covariance([[1, 0.5], [0.5, 2]]), "penalty": {"l1": 1}},
            "l1 penalty with correlated",
        ),
        ({"inputs": theory.Clusters(np.eye(2), [np.ones(2)] * 2, [0.5, 0.6], [1, -1])}, "sum to one"),
        ({"inputs": theory.TwoGaussians(), "noise": 0.1}, "no noise of labels"),
        ({"alpha": -1.0}, "alpha must be"),
    ],
)
def test_bad_input_gets_a_sentence(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        theory.solve(**{"alpha": 1.0, **arguments})


@pytest.mark.parametrize("f", ["1 if E <= 0 else 0", lambda E, **_: 1.0 * (E <= 0)])
def test_a_modulation_at_negative_potentials_starts_at_zero(f):
    alpha = [0.5, 2.0, 8.0]
    want = theory.curve("online.rosenblatt")(np.array(alpha), noise=0.1)
    np.testing.assert_allclose(theory.online(alpha, f, noise=0.1).epsilon_rule, want, rtol=1e-8)


def test_bad_flows():
    with pytest.raises(ValueError, match="vanishes at E = 0"):
        theory.online(1.0, "max(0, -E)")
    with pytest.raises(ValueError, match="two classes"):
        theory.twin(np.ones((3, 2)), [0, 1, 2])


def test_far_clusters_with_an_intercept():
    """Least squares: linear equations of w and b, at means far beyond the widths."""
    rng = np.random.default_rng(2)
    N, alpha, l2 = 30, 2.6, 15.0
    means, spreads = rng.normal(size=(3, N)) * 60, 10 ** rng.uniform(-2, 2, (3, N))
    world = theory.Clusters(means, spreads, [0.2, 0.3, 0.5], [1, -1, 1])
    found = theory.solve(alpha, "square", l2, inputs=world, intercept=True)
    assert found.ok
    assert 0 < found.norm < 1
    # The formula is not known to be quadratic, and has other nodes.
    np.testing.assert_allclose(
        theory.solve(alpha, "(1-E)**2/2", l2, inputs=world, intercept=True).b, found.b, rtol=1e-9
    )


def test_both_branches_of_a_sparse_prior_are_numbers():
    found = theory.bayes([0.1, 0.15, 0.2, 0.3], "linear", "sparse(0.1)", 1e-4)
    for branch in (found.amp, found.informed, found.optimal):
        assert np.isfinite(branch.free_entropy).all()
        assert np.isfinite(branch.mse).all()
    assert (found.optimal.free_entropy >= found.amp.free_entropy).all()
    assert 0.1 < found.alpha_IT < found.alpha_spinodal < 0.21


def test_finite_size():
    least = theory.solve([0.5, 2.0], "square", 0.0, N=50)
    np.testing.assert_allclose(least.epsilon_rule, theory.curve("adaline_at_n")([0.5, 2.0], N=50))
    values = theory.solve([2.0, 1.0], "square", 0.0, "linear", 0.3, N=50)
    assert values.mse[0] == pytest.approx(0.3 * 50 / (100 - 50 - 1))
    assert np.isnan(values.mse[1])
    limit = theory.solve(2.0, "hinge", N=50)
    assert limit.epsilon_g == theory.solve(2.0, "hinge").epsilon_g
    assert "the deviation at N = 50 is not known" in limit.note
    with pytest.raises(ValueError, match="at least 2"):
        theory.solve(2.0, "hinge", N=1)


def test_extrapolation_of_two_sizes():
    runs = {10: [1.0, 1.2], 20: [0.9, 1.0]}
    value, error = theory.extrapolate(lambda N: runs[N], 10)
    assert value == pytest.approx(2 * 0.95 - 1.1)
    assert error == pytest.approx(np.hypot(2 * 0.05, 0.1))
    with pytest.raises(ValueError, match="two runs"):
        theory.extrapolate(lambda N: [1.0], 10)


def test_a_solution_at_other_alpha():
    c = theory.solve(1.0, "hinge", 0.5, noise=0.1).at([2.0, 3.0])
    np.testing.assert_array_equal(c.epsilon_g, theory.solve([2.0, 3.0], "hinge", 0.5, noise=0.1).epsilon_g)


def test_random_features_without_a_linear_part():
    with pytest.raises(ValueError, match="no linear part"):
        theory.solve(1.0, inputs=theory.RandomFeatures("x**2"))
    named = theory.solve(1.0, inputs=theory.RandomFeatures("relu", 2.0)).epsilon_g
    typed = theory.solve(1.0, inputs=theory.RandomFeatures("max(0, x)", 2.0)).epsilon_g
    assert named == pytest.approx(typed, rel=1e-12)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"alpha": 0.29, "loss": "hinge", "penalty": {"l1": 20.0}}, "w = 0"),
        (
            {
                "alpha": 200.0,
                "loss": "hinge",
                "penalty": 0.01,
                "teacher": "threshold(2.5)",
                "intercept": True,
            },
            "",
        ),
        ({"alpha": 1e-3, "loss": "hinge", "penalty": 1e6, "intercept": True}, "b is not determined"),
        ({"alpha": 5000.0, "loss": "absolute", "penalty": 1e-3, "teacher": "linear"}, "is the teacher"),
    ],
)
def test_points_without_a_root_say_why(arguments, words):
    c = theory.solve(**arguments)
    assert words in str(c.reason)
    assert bool(c.ok) == (str(c.reason) == "")


def test_large_penalties_of_a_kinked_loss():
    """The kink is far from all fields: s is that of Hebb, alpha/l2^2."""
    c = theory.solve(2.0, "hinge", 1e5)
    hebb = theory.curve("hebb")(2.0)
    assert c.epsilon_rule == pytest.approx(hebb, rel=1e-4)
    assert c.q - c.m**2 == pytest.approx(2.0 / 1e10, rel=1e-4)


def test_the_record():
    c = theory.solve([0.0, 1.0], "hinge")
    assert c.epsilon_g[0] == 0.5
    assert c.ok.all()
    assert "loss hinge, teacher sign" in theory.explain(c)
    flow, best = theory.online([1.0, 2.0], "1"), theory.bayes([1.0, 2.0])
    assert "f = 1, teacher sign" in theory.explain(flow)
    assert "Bayes-optimal student" in theory.explain(best)
    pytest.importorskip("pandas")
    assert len(c.to_frame()) == len(flow.to_frame()) == len(best.to_frame()) == 2


def simulate_errors(alpha, penalty, teacher, N, repeats, seed):
    """Fresh errors and training losses of logistic regression on a teacher of labels, by the definition."""
    rng = np.random.default_rng(seed)
    found, P = find_teacher(teacher), int(alpha * N)
    B = rng.normal(size=N)
    B /= np.linalg.norm(B)
    out = []
    for _ in range(repeats):
        x = rng.normal(size=(P + 4000, N))
        p, _ = found.label_probability(x @ B, 1e-300, 0.0)
        y = np.where(rng.random(len(x)) < p, 1.0, -1.0)
        xi = x[:P] * y[:P, None]

        def cost(w, xi=xi):
            E = xi @ w
            return np.logaddexp(0, -E).sum() + N * penalty / 2 * w @ w, -xi.T @ (
                1 / (1 + np.exp(E))
            ) + N * penalty * w

        w = minimize(cost, np.zeros(N), jac=True, method="L-BFGS-B", options={"ftol": 1e-13, "gtol": 1e-7}).x
        out.append([np.mean((x[P:] @ w) * y[P:] < 0), np.logaddexp(0, -xi @ w).mean()])
    return np.array(out)


@pytest.mark.parametrize(
    ("alpha", "penalty", "teacher"),
    [(2.0, 0.5, "flips(.1, .1)"), (1.0, 0.2, "probit(.5)"), (4.0, 1.0, "logistic(2)")],
)
def test_simulations_agree(alpha, penalty, teacher):
    out = simulate_errors(alpha, penalty, teacher, 100, 40, 3)
    c = theory.solve(alpha, "logistic", penalty, teacher)
    deviation = out.mean(0) - [c.epsilon_g, c.loss]
    # 3.5 standard errors, and the 1/N term.
    assert (np.abs(deviation) < 3.5 * out.std(0, ddof=1) / np.sqrt(len(out)) + 0.3 / 100).all()
