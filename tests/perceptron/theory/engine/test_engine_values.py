"""Values of the theory engine computed by an independent program, families of section by section, to 1e-8."""

import numpy as np
import pytest

from markone import theory

POWER = np.arange(1, 101) ** -1.2 / np.mean(np.arange(1, 101) ** -1.2)
SLOW = np.arange(1, 101) ** -0.5
CLUSTERS = np.zeros((4, 120))
CLUSTERS[[0, 1, 2, 3], [0, 0, 1, 1]] = 1.5, -0.5, 1.0, -1.5
RISING = np.linspace(0.2, 2, 120)
FOUR = theory.Clusters(
    CLUSTERS, [np.full(120, 0.5), np.ones(120), RISING, RISING[::-1]], [0.4, 0.1, 0.2, 0.3], [1, -1, 1, -1]
)
# (alpha, loss, penalty), further arguments, values
# fmt: off
VALUES = [
    ((2, "logistic", 1.0), {"noise": 0.1}, {"epsilon_g": 0.301696122, "m": 0.391858198, "q": 0.311251856,
     "V": 0.720712340, "epsilon_t": 0.106688001, "loss": 0.486889216}),
    ((2, "hinge", 0.5), {"noise": 0.1}, {"epsilon_g": 0.300238026, "m": 0.755374571, "q": 1.143318867,
     "V": 0.753217339, "epsilon_t": 0.094565804, "loss": 0.271448305, "support": 0.709848545}),
    ((2, "logistic", 0.5), {"teacher": "logistic(2)"}, {"epsilon_g": 0.325376596, "m": 0.572581176,
     "q": 0.698296501, "V": 1.206800421, "epsilon_t": 0.104710866, "loss": 0.426024907}),
    ((3, "exponential", 0.5), {"teacher": "flips(.05, .25)", "intercept": True}, {"epsilon_g": 0.307617147,
     "m": 0.760447273, "q": 1.119984084, "V": 0.606484635, "epsilon_t": 0.134377497, "loss": 0.563012377,
     "b": 0.407135615}),
    ((4, "logistic", 0.2), {"teacher": "threshold(.8)", "noise": 0.05, "intercept": True},
     {"epsilon_g": 0.172311805, "m": 1.312381952, "q": 2.573188335, "V": 1.713354435,
      "epsilon_t": 0.078938609, "loss": 0.262176729, "b": 1.682774698}),
    ((4, "logistic", 0.2), {"teacher": "threshold(.8)", "noise": 0.05}, {"epsilon_g": 0.341230169,
     "m": 1.078306754, "q": 2.082231512, "V": 1.303078373, "epsilon_t": 0.182297878, "loss": 0.428501320}),
    ((1, "squared_hinge", 0.3), {"teacher": "probit(.5)"}, {"epsilon_g": 0.314544353, "m": 0.442927572,
     "q": 0.518423598, "V": 1.585854125, "epsilon_t": 0.001365891, "loss": 0.064065071}),
    ((0.6, "square", {"l1": 0.5}), {"teacher": "linear", "noise": 0.1, "prior": "sparse(.2)"},
     {"mse": 0.272373800, "nonzero": 0.205083666, "m": 0.593314803, "q": 0.459003406}),
    ((1.2, "square", {"l1": 0.3, "l2": 0.4}), {"teacher": "linear", "noise": 0.2, "prior": "binary"},
     {"mse": 0.498916460, "nonzero": 0.801258881, "mse_t": 0.232549218}),
    ((2, "huber(1)", 0.2), {"teacher": "linear", "noise": 1.0}, {"mse": 0.585654107, "loss": 0.244892004}),
    ((3, "huber(.5)", 0.0), {"teacher": "linear", "noise": 1.0}, {"mse": 0.611862643}),
    ((1, "logistic", {"l1": 0.5}), {"prior": "sparse(.1)"}, {"epsilon_rule": 0.129766068,
     "nonzero": 0.122167802, "q": 3.049234823}),
    ((2, "logistic", 0.1), {"noise": 0.1, "inputs": theory.Covariance(POWER, SLOW)},
     {"epsilon_g": 0.206809680, "m": 2.250580682, "q": 6.072201843, "loss": 0.289554471}),
    ((2, "hinge", 0.3), {"inputs": theory.Covariance(POWER, missing=0.2)},
     {"epsilon_g": 0.215790430, "support": 0.543486081}),
    ((0.5, "square", 0.01), {"teacher": "linear", "noise": 0.1, "inputs": theory.Covariance(POWER, SLOW)},
     {"mse": 0.127480394, "mse_t": 0.000677774}),
    ((2, "logistic", 0.5), {"inputs": theory.TwoGaussians(1.0, 0.2), "intercept": True},
     {"epsilon_g": 0.172900497, "m": 0.572411004, "q": 0.615299214, "b": -1.334631695,
      "epsilon_t": 0.106633923, "loss": 0.264158201}),
    ((1, "hinge", 1.0), {"inputs": theory.TwoGaussians(2.0)}, {"epsilon_g": 0.148314536, "m": 0.650142175,
     "q": 0.388037819, "support": 0.712817812}),
    ((3, "square", 0.1), {"inputs": theory.TwoGaussians(1.0, 0.3), "intercept": True},
     {"epsilon_g": 0.209875568, "b": -0.222115103}),
    ((2, "logistic", 0.05), {"noise": 0.05, "inputs": theory.RandomFeatures("tanh", 1.5)},
     {"epsilon_g": 0.260961562, "loss": 0.314442095}),
    ((2, "logistic", 0.2), {"inputs": FOUR, "intercept": True},
     {"epsilon_g": 0.213744975, "b": 0.449478844, "loss": 0.273774266}),
    ((2, "softmax", 0.1), {"inputs": theory.Classes(3, 2.0)},
     {"epsilon_g": 0.384909882, "loss": 0.245187295, "norm": 5.717715969**0.5}),
]
BAYES = [
    ((2.0, "sign", "gauss"), {"q": 0.728298174, "epsilon_g": 0.174534186, "free_entropy": -1.031038156}),
    ((3.0, "sign", "gauss", 0.1), {"q": 0.652461476, "epsilon_g": 0.260547714, "free_entropy": -1.804048527}),
    ((1.0, "sign", "binary"), {"q": 0.560714737, "epsilon_g": 0.230626087, "free_entropy": -0.587038913}),
    ((4.0, "logistic(2)", "gauss"), {"q": 0.661974668, "epsilon_g": 0.287022710,
     "free_entropy": -2.425856829}),
    ((0.6, "linear", "sparse(.2)", 0.1), {"mse": 0.144941110}),
]
ONLINE = [
    ({"f": "expit(-E)", "noise": 0.1}, [0.549970463, 0.765089908, 0.892651607],
     [0.266205878, 0.833837865, 2.127053510]),
    ({"f": "0.5*step(1-E)", "noise": 0.05, "drift": 0.05, "decay": 0.1},
     [0.572697572, 0.749948474, 0.820313230], [0.314599748, 0.788049203, 1.209879498]),
]
# fmt: on


@pytest.mark.parametrize(("first", "others", "values"), VALUES)
def test_solutions(first, others, values):
    found = theory.solve(*first, **others)
    assert found.ok
    for name, value in values.items():
        assert getattr(found, name) == pytest.approx(value, abs=1e-8), name


def test_separability_thresholds():
    below, above = 3.071360504 - 1e-6, 3.071360504 + 1e-3
    found = theory.solve([below, above], penalty=0.0, teacher=theory.Logistic(5**0.5))
    assert found.ok.tolist() == [False, True]
    assert theory.curve("logistic_teacher.alpha_c")(5**0.5) == pytest.approx(3.071360504, abs=1e-8)
    assert theory.curve("max_stability.alpha_c")(0.1) == pytest.approx(2.992286007, abs=1e-8)


def test_maximum_likelihood_of_sur_and_candes():
    """kappa = N/P = 0.2, signal strength 5: bias, and the variance of theirs is theirs to four digits."""
    c = theory.solve(5.0, penalty=0.0, teacher=theory.Logistic(5**0.5))
    assert c.m / 5**0.5 == pytest.approx(1.49935, abs=1e-5)
    # sigma/sqrt(kappa) of theirs, of weights scaled by sqrt(N).
    assert np.sqrt((c.q - c.m**2) / 0.2) == pytest.approx(4.74355, abs=1e-5)
    assert pytest.approx(3.02693, abs=1e-5) == c.V


@pytest.mark.parametrize(("arguments", "values"), BAYES)
def test_bayes(arguments, values):
    found = theory.bayes(*arguments).amp
    for name, value in values.items():
        assert getattr(found, name) == pytest.approx(value, abs=1e-8), name


def test_thresholds_of_a_binary_prior():
    found = theory.bayes([1.3, 1.6], prior="binary")
    assert found.alpha_IT == pytest.approx(1.2446839899, abs=1e-8)
    assert found.alpha_spinodal == pytest.approx(1.4926318182, abs=1e-8)
    np.testing.assert_allclose(found.optimal.q, 1, atol=1e-12)
    assert found.amp.q[0] < 0.8
    assert found.amp.q[1] == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(("rule", "R", "Q"), ONLINE)
def test_flows(rule, R, Q):
    found = theory.online([1.0, 3.0, 8.0], **rule)
    np.testing.assert_allclose(found.R, R, atol=2e-8)
    np.testing.assert_allclose(found.Q, Q, atol=2e-8)
