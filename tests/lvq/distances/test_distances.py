"""Every distance: its definition in plain words, its gradient, its invariances, its refusals."""

import math
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from labelled import clusters, with_gaps

from markone.lvq import distances
from markone.lvq.distances import Rows, find_distance
from markone.lvq.distances.divergences import Divergence


def own(X, w):
    return ((X - w) ** 4).sum(axis=1)


def own_gradient(X, w):
    return 4 * (w - X) ** 3


ALL = [find_distance(name) for name in distances.NAMES]
ALL += [distances.Minkowski(p=p) for p in (1.0, 1.5, 3.0, 40.0, np.inf)]
ALL += [
    distances.Angle(beta=0.0),
    distances.Gamma(g=1.0),
    distances.Renyi(a=2.0),
    distances.Local(per="prototype"),
]
ALL += [
    distances.Tangent(directions=2),
    distances.Mahalanobis(pooled=False),
    find_distance((own, own_gradient)),
]
# Whatever else the registry has is defined in a test file of its own.
HERE = {
    "Angle", "CauchySchwarz", "Diagonal", "Euclidean", "Gamma", "Gaussian", "KullbackLeibler", "Local",
    "Mahalanobis", "Minkowski", "Own", "Quadratic", "Renyi", "Tangent",
}  # fmt: skip
WITH_AND_WITHOUT_GAPS = [(d, False) for d in ALL] + [(d, True) for d in ALL if d.masks]


def prepared(distance, gaps=False, seed=0):
    """The distance with rows, prototypes (two of class 0), labels and a matrix to measure with."""
    X, y = clusters(seed=seed, histograms=isinstance(distance, Divergence))
    X = with_gaps(X) if gaps else X
    rng = np.random.default_rng(seed + 1)
    c = np.array([0, 0, 1, 2])
    W = np.nan_to_num(X[[0, 3, 1, 2]]) + 0.1 * rng.random((4, X.shape[1]))
    distance = distance.fit_constants(X, y, c)
    groups = 1 if distance.of is None else int(distance.of.max()) + 1
    N = X.shape[1]
    Omega = {"diagonal": rng.random((1, N)), "matrix": rng.standard_normal((3, N)), "": None}.get(
        distance.adapts, rng.standard_normal((groups, 3, N))
    )
    return distance, X, y, W, c, Omega


def by_the_book(distance, x, w, j, Omega):
    """One distance, element by element."""
    name = type(distance).__name__
    seen = ~np.isnan(x)
    D = np.where(seen, x - w, 0.0)
    if name in ("Quadratic", "Local", "Mahalanobis", "Tangent"):
        O = {"Quadratic": Omega, "Mahalanobis": getattr(distance, "omega", None)}.get(name)
        O = Omega[distance.of[j]] if name == "Local" else O
        O = distance.omegas[distance.of[j]] if name == "Tangent" else O
        return sum(sum(row[i] * D[i] for i in range(len(D))) ** 2 for row in O)
    if name == "Minkowski":
        return max(abs(D)) if math.isinf(distance.p) else sum(abs(D) ** distance.p) ** (1 / distance.p)
    if name == "Gaussian":
        return 2 - 2 * math.exp(-sum(D**2) / (2 * distance.s**2))
    if name == "Angle":
        b = sum(x[seen] * w[seen]) / math.sqrt(sum(x[seen] ** 2) * sum(w[seen] ** 2))
        beta = distance.beta
        return (math.exp(-beta * (b - 1)) - 1) / (math.exp(2 * beta) - 1) if beta else (1 - b) / 2
    g, a = getattr(distance, "g", 1.0), getattr(distance, "a", None)
    return {
        "Euclidean": lambda: sum(D**2),
        "Diagonal": lambda: sum(Omega[0] ** 2 * D**2),
        "KullbackLeibler": lambda: sum(
            p * math.log(p / q) - p + q if p > 0 else q for p, q in zip(x, w, strict=True)
        ),
        "CauchySchwarz": lambda: math.log(math.sqrt(sum(x**2) * sum(w**2)) / sum(x * w)),
        "Gamma": lambda: (
            math.log(sum(x ** (g + 1))) / (g * (g + 1))
            + math.log(sum(w ** (g + 1))) / (g + 1)
            - math.log(sum(x * w**g)) / g
        ),
        "Renyi": lambda: math.log(sum(x**a * w ** (1 - a))) / (a - 1),
        "Own": lambda: sum(D**4),
    }[name]()


@pytest.mark.parametrize(
    ("distance", "gaps"),
    [(d, gaps) for d, gaps in WITH_AND_WITHOUT_GAPS if type(d).__name__ in HERE],
    ids=lambda d: type(d).__name__,
)
def test_equals_its_definition(distance, gaps):
    distance, X, _, W, _, Omega = prepared(distance, gaps)
    W = distance.decode(distance.encode(W))
    D, _ = distance.evaluate(Rows.from_array(X), W, Omega)
    expected = [[by_the_book(distance, x, w, j, Omega) for j, w in enumerate(W)] for x in X]
    np.testing.assert_allclose(D, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("distance", "gaps"), WITH_AND_WITHOUT_GAPS, ids=lambda d: type(d).__name__)
def test_the_gradient_is_that_of_the_values(distance, gaps):
    """d/dV and d/dOmega of sum R D by central differences."""
    distance, X, _, W, _, Omega = prepared(distance, gaps)
    rows, V = Rows.from_array(X), distance.encode(W)
    R = np.random.default_rng(5).standard_normal((len(X), len(W)))
    R[::2, 1] = 0

    def total(V, Omega):
        return float((R * distance.evaluate(rows, distance.decode(V), Omega)[0]).sum())

    _, pull = distance.evaluate(rows, distance.decode(V), Omega)
    dW, dOmega = pull(R)
    dV = distance.pull_back(distance.decode(V), dW)
    assert (dOmega is None) == (distance.adapts == "")
    for index in np.ndindex(V.shape):
        step = np.zeros_like(V)
        step[index] = 1e-6
        numeric = (total(V + step, Omega) - total(V - step, Omega)) / 2e-6
        assert dV[index] == pytest.approx(numeric, rel=2e-5, abs=2e-6)
    for index in np.ndindex(dOmega.shape) if dOmega is not None else ():
        step = np.zeros_like(Omega)
        step[index] = 1e-6
        numeric = (total(V, Omega + step) - total(V, Omega - step)) / 2e-6
        assert dOmega[index] == pytest.approx(numeric, rel=2e-5, abs=2e-6)


@pytest.mark.parametrize("distance", ALL, ids=lambda d: type(d).__name__)
def test_single_precision_stays_single_and_agrees(distance):
    distance, X, y, W, c, Omega = prepared(distance)
    D, _ = distance.evaluate(Rows.from_array(X), distance.decode(distance.encode(W)), Omega)
    single = distance.fit_constants(X.astype(np.float32), y, c)
    W32 = single.decode(single.encode(W.astype(np.float32)))
    O32 = None if Omega is None else Omega.astype(np.float32)
    D32, pull = single.evaluate(Rows.from_array(X.astype(np.float32)), W32, O32)
    assert D32.dtype == np.float32
    assert pull(D32)[0].dtype == np.float32
    np.testing.assert_allclose(D32, D, rtol=2e-4, atol=2e-5)


@pytest.mark.parametrize("distance", [d for d in ALL if d.moved], ids=lambda d: type(d).__name__)
def test_moving_everything_changes_nothing(distance):
    distance, X, y, W, c, Omega = prepared(distance)
    far = distance.fit_constants(X + 3.0, y, c)
    D, _ = distance.evaluate(Rows.from_array(X), W, Omega)
    np.testing.assert_allclose(
        far.evaluate(Rows.from_array(X + 3.0), W + 3.0, Omega)[0], D, rtol=1e-9, atol=1e-12
    )


@pytest.mark.parametrize("name", ["euclidean", "gaussian", "angle", "mahalanobis", "tangent"])
def test_turning_everything_changes_nothing(name):
    distance, X, y, W, c, _ = prepared(find_distance(name))
    turn = np.linalg.qr(np.random.default_rng(2).standard_normal((4, 4)))[0]
    D, _ = distance.evaluate(Rows.from_array(X), W)
    turned = distance.fit_constants(X @ turn, y, c)
    np.testing.assert_allclose(
        turned.evaluate(Rows.from_array(X @ turn), W @ turn)[0], D, rtol=1e-8, atol=1e-12
    )


def test_mahalanobis_does_not_know_the_units_of_the_features():
    distance, X, y, W, c, _ = prepared(find_distance("mahalanobis"))
    units = np.array([1e-3, 1.0, 7.0, 1e4])
    rescaled = distance.fit_constants(X * units, y, c)
    D, _ = distance.evaluate(Rows.from_array(X), W)
    np.testing.assert_allclose(rescaled.evaluate(Rows.from_array(X * units), W * units)[0], D, rtol=1e-7)


def test_limits():
    _, X, _, W, _, _ = prepared(find_distance("euclidean"))
    rows = Rows.from_array(X)
    euclid, _ = find_distance("euclidean").evaluate(rows, W)
    np.testing.assert_allclose(
        distances.Minkowski(p=2.0).evaluate(rows, W)[0] ** 2, euclid, rtol=1e-9, atol=1e-12
    )
    large = distances.Minkowski(p=500.0).evaluate(rows, W)[0]
    np.testing.assert_allclose(
        large, distances.Minkowski(p=np.inf).evaluate(rows, W)[0], rtol=math.log(4) / 500
    )
    wide, _ = distances.Gaussian(s=1e4).evaluate(rows, W)
    np.testing.assert_allclose(wide * 1e8, euclid, rtol=1e-6, atol=1e-9)
    _, H, _, V, _, _ = prepared(find_distance("gamma"))
    rows, V = Rows.from_array(H), V / V.sum(axis=1, keepdims=True)
    kl, _ = find_distance("kullback_leibler").evaluate(rows, V)
    np.testing.assert_allclose(distances.Gamma(g=1e-5).evaluate(rows, V)[0], kl, atol=1e-4)
    np.testing.assert_allclose(distances.Renyi(a=1 - 1e-6).evaluate(rows, V)[0], kl, atol=1e-4)
    cs, _ = find_distance("cauchy_schwarz").evaluate(rows, V)
    np.testing.assert_allclose(distances.Gamma(g=1.0).evaluate(rows, V)[0], cs, atol=1e-12)


def test_prototypes_of_divergences_are_histograms():
    distance = find_distance("renyi")
    V = np.random.default_rng(0).standard_normal((3, 5)) * 20
    W = distance.decode(V)
    assert (W > 0).all()
    np.testing.assert_allclose(W.sum(axis=1), 1)
    inside = np.full((1, 5), 0.2)
    np.testing.assert_allclose(distance.decode(distance.encode(inside)), inside)


def test_tangent_ignores_the_first_direction_of_the_class():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 3)) * [10.0, 1.0, 1.0]
    y = np.arange(200) % 2
    distance = find_distance("tangent").fit_constants(X, y, np.array([0, 1]))
    along, across = np.array([[50.0, 0, 0]]), np.array([[0, 5.0, 0]])
    near, far = (distance.evaluate(Rows.from_array(Z), np.zeros((2, 3)))[0].max() for Z in (along, across))
    assert near < 0.02 * 50**2
    assert far == pytest.approx(25, rel=0.05)


@pytest.mark.parametrize(("distance", "gaps"), WITH_AND_WITHOUT_GAPS, ids=lambda d: type(d).__name__)
def test_memory_is_linear_in_the_number_of_rows(distance, gaps):
    """No temporary of P x M x N: 64 MB here, where X has 1.3 MB and the distances 2.6."""
    P, M, N = 4000, 80, 40
    rng = np.random.default_rng(0)
    X = rng.random((P, N))
    X = X / X.sum(axis=1, keepdims=True) if isinstance(distance, Divergence) else X
    X = with_gaps(X) if gaps else X
    y, c = np.arange(P) % 4, np.arange(M) % 4
    # Local matrices are counted by class: their projections are G P r numbers, whatever M is.
    distance = distances.Local() if isinstance(distance, distances.Local) else distance
    distance = distance.fit_constants(X, y, c)
    shape = {"diagonal": (1, N), "matrix": (N, N), "local": (4, N, N)}.get(distance.adapts)
    Omega = None if shape is None else rng.random(shape)
    rows, W = Rows.from_array(X), distance.decode(distance.encode(rng.random((M, N))))
    tracemalloc.start()
    D, pull = distance.evaluate(rows, W, Omega)
    pull(D)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 0.35 * 8 * P * M * N


def refuses(distance: distances.Distance, X, match, y=None):
    y = np.arange(len(X)) % 2 if y is None else y

    def use():
        distance.check_rows(X)
        distance.fit_constants(X, y, np.array([0, 1]))

    with pytest.raises(ValueError, match=match):
        use()


def test_bad_input_in_sentences():
    X, _ = clusters()
    H, _ = clusters(histograms=True)
    refuses(
        find_distance("mahalanobis"),
        X * [1, 0, 1, 1],
        "constant within the classes, the first of them feature 1",
    )
    refuses(find_distance("mahalanobis"), np.hstack([X, X[:, :1]]), "no inverse")
    refuses(find_distance("kullback_leibler"), X, "is negative")
    refuses(find_distance("gamma"), 2 * H, "of X has the sum 2")
    refuses(find_distance("angle"), 0 * X, "row 0 of X is all zero")
    refuses(distances.Minkowski(p=0.5), X, "needs p >= 1; p is 0.5")
    refuses(distances.Renyi(a=1.0), H, "other than 1")
    refuses(distances.Gamma(g=0.0), H, "needs g > 0")
    refuses(distances.Gaussian(s=-1.0), X, "must be positive")
    refuses(distances.Tangent(directions=4), X, "fewer than the 4 feature")
    with pytest.raises(ValueError, match="is none of angle"):
        find_distance("manhattan")


def test_an_own_distance_is_checked_before_it_is_used():
    X, _ = clusters()
    refuses(
        find_distance((own, lambda X, w: 4 * (X - w) ** 3)),
        X,
        "in feature 0 it differs from central differences",
    )
    refuses(find_distance((lambda X, w: -own(X, w), own_gradient)), X, "not negative")
    refuses(find_distance((lambda X, w: own(X, w)[:2], own_gradient)), X, "they are")


def test_a_ridge_lets_mahalanobis_live_with_constant_features():
    X, y = clusters()
    distance = distances.Mahalanobis(ridge=0.1).fit_constants(X * [1, 0, 1, 1], y, np.array([0, 1, 2]))
    assert np.isfinite(distance.omega).all()


def test_every_distance_has_its_definition_tested():
    others = {name for name in distances.NAMES if type(find_distance(name)).__name__ not in HERE}
    missing = [name for name in others if not Path(__file__).with_name(f"test_{name}.py").exists()]
    assert not missing
