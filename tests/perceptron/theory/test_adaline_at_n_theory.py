"""Adaline at finite N: against students trained on drawn examples, and the limit of large N."""

import numpy as np
import pytest

from markone.perceptron.theory import adaline, adaline_at_n, label_overlap


def trained(P, N, noise, sets, rng):
    X = rng.standard_normal((sets, P, N))
    y = np.where(X[:, :, 0] >= 0, 1.0, -1.0) * np.where(rng.random((sets, P)) < noise, -1.0, 1.0)
    w = (np.linalg.pinv(X) @ y[:, :, None])[:, :, 0]
    return w[:, 0] / np.linalg.norm(w, axis=1)


@pytest.mark.parametrize(
    ("P", "N", "noise"),
    [
        (2, 2, 0.0),
        (3, 2, 0.0),
        (8, 2, 0.1),
        (9, 3, 0.4),
        (2, 10, 0.0),
        (9, 10, 0.1),
        (10, 10, 0.0),
        (11, 10, 0.0),
        (25, 10, 0.2),
        (80, 20, 0.0),
        (50, 60, 0.1),
    ],
)
def test_the_means_are_those_of_trained_students(P, N, noise):
    sets = 20_000 if P * N <= 110 else 2000
    R = trained(P, N, noise, sets, np.random.default_rng(P))
    for found, law in (
        (np.arccos(R) / np.pi, adaline_at_n.generalization_error(P / N, noise, N=N)),
        (R, adaline_at_n.overlap(P / N, noise, N=N)),
    ):
        assert abs(found.mean() - law) < 3 * found.std() / np.sqrt(sets)


@pytest.mark.parametrize(("N", "noise"), [(2, 0.4), (5, 0.45), (10, 0.2), (900, 0.1), (1100, 0.0)])
def test_many_examples_need_two_moments(N, noise, monkeypatch):
    exact = adaline_at_n._mean_error_and_overlap.__wrapped__(1000, N, noise)
    monkeypatch.setattr(label_overlap, "MANY", 999)
    np.testing.assert_allclose(
        adaline_at_n._mean_error_and_overlap.__wrapped__(1000, N, noise), exact, atol=1e-6
    )


def test_more_nodes_change_nothing(monkeypatch):
    sizes = [(4, 2, 0.4), (3, 2, 0.0), (9, 10, 0.1), (40, 3, 0.3)]
    before = [adaline_at_n._mean_error_and_overlap.__wrapped__(*size) for size in sizes]
    monkeypatch.setattr(adaline_at_n, "NODES", 48)
    monkeypatch.setattr(label_overlap, "NODES", 44)
    monkeypatch.setattr(label_overlap, "TERMS", 20)
    after = [adaline_at_n._mean_error_and_overlap.__wrapped__(*size) for size in sizes]
    np.testing.assert_allclose(after, before, atol=2e-5)


def test_label_overlaps_have_the_moments_of_drawn_ones():
    rng = np.random.default_rng(0)
    for P, noise in ((2, 0.1), (3, 0.0), (7, 0.3), (1500, 0.2)):
        u = rng.standard_normal((4000, P))
        y = np.sign(u) * np.where(rng.random(u.shape) < noise, -1.0, 1.0)
        c = (u * y).sum(axis=1) / np.sqrt((u * u).sum(axis=1))
        for smooth in (False, True):
            nodes, weights = label_overlap.label_overlap_rule(P, noise, smooth)
            assert weights.sum() == pytest.approx(1, abs=1e-10)
            for k in (1, 2, 3):
                assert abs((c**k).mean() - weights @ nodes**k) < 4 * (c**k).std() / np.sqrt(4000)


@pytest.mark.parametrize("alpha", [0.3, 0.8, 1.5, 4.0])
def test_the_limit_of_large_N(alpha):
    """What is left falls as 1/N."""
    limit = adaline.generalization_error(alpha, 0.1)
    off = [float(adaline_at_n.generalization_error(alpha, 0.1, N=N)) - limit for N in (50, 2000)]
    assert abs(off[1]) < 1e-3
    assert abs(off[1]) < max(abs(off[0]), 1e-3)


def test_the_peak_is_rounded():
    at_peak = float(adaline_at_n.generalization_error(1.0, N=200))
    assert at_peak == pytest.approx(0.476254, abs=1e-6)
    assert float(adaline_at_n.overlap(1.0, N=200)) > 0


def test_one_example_and_bad_input():
    assert 0.3 < float(adaline_at_n.generalization_error(0.1, N=10)) < 0.5
    with pytest.raises(ValueError, match="N = 1 must be 2"):
        adaline_at_n.generalization_error(1.0, N=1)
    with pytest.raises(ValueError, match="alpha is 0"):
        adaline_at_n.overlap([0.0, 1.0], N=5)
