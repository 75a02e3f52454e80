import subprocess
import sys

import numpy as np
import pytest

from markone import theory
from markone.perceptron.theory import hebb, max_stability


def test_names_are_unique_and_described():
    curves = theory.list()
    assert len({c.name for c in curves}) == len(curves)
    for c in curves:
        assert all((c.title, c.quantity, c.valid, c.reference, c.variable)), c.name
        assert c.kind in ("prediction", "upper bound", "asymptote")
        assert c.finite_size in (theory.EXACT, theory.FIRST_ORDER, theory.LIMIT, theory.KINK)


@pytest.mark.parametrize("name", [c.name for c in theory.list()])
def test_every_curve_can_be_drawn(name):
    curve = theory.curve(name)
    grids = {"alpha": np.linspace(0.1, 1.9, 5), "P": np.arange(5, 25, 5), "K": np.arange(1, 6)}
    x = grids.get(curve.variable, np.linspace(0.05, 0.4, 5))
    if curve.valid.startswith("0 <= alpha <= 0.13"):
        x = np.linspace(0.0, 0.13, 5)
    if name.startswith("machines.committee"):
        x = np.array([1, 3])
    if name in ("machines.tree.spinodal", "machines.tree.transition"):
        x = np.array([2, 3])
    given = {"N": 10, "alpha": 0.1, "eta": 0.5}
    values = curve(x, **{name: given[name] for name in curve.needs})
    assert values.shape == x.shape
    assert np.isfinite(values).all()
    assert curve.function.__doc__


def test_a_curve_is_its_function():
    assert theory.curve("max_stability").function is max_stability.generalization_error
    assert theory.curve("hebb")(2.0, noise=0.1) == hebb.generalization_error(2.0, 0.1)


def test_unknown_names_get_help():
    with pytest.raises(ValueError, match=r"There is no curve 'maxstability'\. Did you mean max_stability"):
        theory.curve("maxstability")
    with pytest.raises(ValueError, match=r"See theory\.list"):
        theory.curve("???")


def test_the_list_is_a_copy():
    theory.list().clear()
    assert theory.list()


def test_import_is_cheap():
    """No compiler, no plotting, no optimiser; the curves' own modules only when one is called."""
    code = (
        "import sys; from markone import theory; print('markone.perceptron.theory' in sys.modules); "
        "theory.curve('logistic')(1.0); "
        "print(sorted({'numba', 'matplotlib', 'sklearn', 'scipy.optimize'} & set(sys.modules)))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.split("\n")[:2] == ["False", "[]"]


EDGES = (float("nan"), 0.0, 1e-300, 1e-12, 0.5, 3.0, 1e4, 1e8, 1e12, 1e100, 1e300)


@pytest.mark.parametrize("curve", theory.list(), ids=lambda c: c.name)
def test_no_curve_answers_an_odd_question_with_a_warning_or_a_foreign_sentence(curve):
    needed = {"N": 20, "alpha": 0.1, "eta": 0.5}
    refusals = []
    for x in EDGES:
        try:
            value = curve(x, **{name: needed[name] for name in curve.needs})
        except ValueError as refusal:
            refusals.append(str(refusal))
        else:
            assert np.isnan(value) or not np.isnan(x)
    # Our messages name the argument.
    assert all(curve.variable in sentence.split() for sentence in refusals), refusals


@pytest.mark.parametrize("curve", theory.list(), ids=lambda c: c.name)
def test_a_gap_in_x_is_a_gap_in_the_curve(curve):
    needed = {"N": 20, "alpha": 0.1, "eta": 0.5}
    needed = {name: needed[name] for name in curve.needs}
    inside = {"noise": 0.1, "P": 10, "K": 3}.get(curve.variable, 0.1)
    values = curve(np.array([[np.nan, inside], [inside, np.nan]]), **needed)
    assert np.isnan(values).tolist() == [[True, False], [False, True]]
    assert values[0, 1] == values[1, 0] == pytest.approx(curve(inside, **needed), rel=1e-12)
    assert np.isnan(curve(float("nan"), **needed))
    assert np.isnan(curve(np.array([np.nan]), **needed)).all()


@pytest.mark.parametrize("noise", [0.485, 0.49, 0.4999999, 0.5 - 1e-12])
def test_version_space_curves_are_numbers_up_to_the_last_bit_of_noise(noise):
    alpha = np.logspace(-12, 8, 41)
    for name in ("gibbs", "bayes", "volume", "volume.label_entropy"):
        assert np.isfinite(theory.curve(name)(alpha, noise=noise)).all()
    gibbs = theory.curve("gibbs")(alpha, noise=noise)
    assert (np.diff(gibbs) <= 1e-15).all()


def test_a_little_noise_leaves_the_on_line_adatron_an_error_that_goes_like_its_third_root():
    error = theory.curve("online.adatron.stationary_error")
    tiny = np.array([1e-300, 1e-200, 1e-100, 1e-32, 1e-29, 1e-20])
    assert error(tiny) / np.cbrt(tiny) == pytest.approx(np.cbrt(0.75 * np.pi) / np.pi, rel=1e-6)


def test_bounds_lie_above_what_they_bound():
    K = np.array([1, 3])
    for machine in ("committee", "parity"):
        least, most = (theory.curve(f"machines.{machine}.{how}") for how in ("one_step", "replica_symmetric"))
        assert most.kind == "upper bound"
        assert (least(K) <= most(K) * (1 + 1e-12)).all()
        assert (least(K) <= theory.curve("machines.bound")(K) * (1 + 1e-12)).all()


def test_asymptotes_are_where_the_curve_goes():
    end = theory.curve("online.adatron.stationary_error")(0.1)
    assert theory.curve("online.adatron")(1e5, noise=0.1) == pytest.approx(end, rel=1e-3)


def test_exact_at_n_and_its_limit():
    exact, limit = theory.curve("hebb.mean_error"), theory.curve("hebb")(4.0)
    b = [N * (exact(4 * N, N=N) - limit) for N in (100, 200)]
    assert exact.finite_size == theory.EXACT
    assert b[1] == pytest.approx(hebb.finite_size_term(4.0), rel=0.02)
    assert b[0] == pytest.approx(b[1], rel=0.03)


@pytest.mark.slow
def test_adaline_at_its_kink_is_off_by_one_over_root_n():
    """At alpha = 1 the pseudo-inverse has error 1/2 in the limit: (1/2 - eps) sqrt(N) is 0.33 at any N."""
    rng = np.random.default_rng(0)
    for N, sets in ((25, 2000), (100, 500), (400, 60)):
        X = rng.standard_normal((sets, N, N))
        w = np.linalg.solve(X, np.sign(X[:, :, :1]))[..., 0]
        eps = np.arccos(w[:, 0] / np.linalg.norm(w, axis=1)) / np.pi
        error = np.std(eps) / np.sqrt(sets)
        assert abs((0.5 - eps.mean()) - 0.33 / np.sqrt(N)) < 4 * error + 0.01 / np.sqrt(N)
