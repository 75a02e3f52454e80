"""The typical volume of version space: limits, the replica saddle point, independent integration."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from markone.perceptron.theory import gibbs, volume


@pytest.mark.parametrize("noise", [0.0, 0.1, 0.3])
@pytest.mark.parametrize("alpha", [0.01, 0.5, 2.0, 20.0])
def test_one_more_label_takes_its_entropy(alpha, noise):
    h = 1e-4 * alpha
    slope = (volume.log_volume(alpha + h, noise) - volume.log_volume(alpha - h, noise)) / (2 * h)
    assert slope == pytest.approx(-volume.label_entropy(alpha, noise), rel=1e-6)


@pytest.mark.parametrize(("alpha", "noise"), [(0.5, 0.0), (3.0, 0.0), (3.0, 0.2), (30.0, 0.05)])
def test_it_is_the_replica_free_energy_at_its_saddle_point(alpha, noise):
    def energy(q):
        g = np.sqrt(q / (1 - q))

        def inside(t):
            H = noise + (1 - 2 * noise) * norm.sf(g * t)
            return 2 * norm.pdf(t) * (H * np.log(H) if H > 0 else 0.0)

        integral = quad(inside, -9, 9, points=[-3 / g, 0, 3 / g], limit=400, epsabs=1e-12)[0]
        return 0.5 * (np.log(1 - q) + q) + alpha * integral

    q = gibbs.overlap(alpha, noise)
    assert volume.log_volume(alpha, noise) == pytest.approx(energy(q), rel=1e-8)
    h = 1e-4 * (1 - q)
    assert (energy(q + h) - energy(q - h)) / (2 * h) == pytest.approx(0, abs=1e-4 / (1 - q))


def test_limits():
    assert volume.log_volume(0.0) == 0
    assert volume.label_entropy(0.0) == pytest.approx(np.log(2), rel=1e-12)
    # Without noise ln(V)/N ~ -ln(alpha): a label brings 1/alpha.
    assert volume.label_entropy(1e6) * 1e6 == pytest.approx(1, rel=1e-4)
    lam = 0.1
    entropy = -lam * np.log(lam) - (1 - lam) * np.log(1 - lam)
    assert volume.label_entropy(1e7, lam) == pytest.approx(entropy, rel=1e-5)
    assert volume.log_volume([1.0, 2.0], 0.1).shape == (2,)
