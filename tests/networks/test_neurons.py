"""Neurons: spike times against a fine Euler walk and the closed form, activations, Hebb's law."""

import math

import numpy as np
import pytest
from scipy.integrate import quad

from markone.networks import (
    IntegrateAndFire,
    conditioning,
    firing_rate,
    grow,
    mcculloch_pitts,
    sigmoid,
    symmetric,
)


def euler(neuron, current, dt, kicks, fine=4000):
    """tau dV/dt = -V + R I in many small steps; spike times to the order of one of them."""
    V, rest, times, h = neuron.reset, 0.0, [], dt / fine
    for k in range(len(current)):
        if rest <= 0:
            V += kicks[k]
        for i in range(fine):
            if rest > 0:
                rest -= h
                continue
            if neuron.threshold <= V:
                times.append(k * dt + i * h)
                V, rest = neuron.reset, neuron.refractory
            V += h / neuron.tau * (neuron.R * current[k] - V)
    return np.array(times)


def test_spike_times_are_those_of_a_fine_integration():
    rng = np.random.default_rng(0)
    neuron = IntegrateAndFire(tau=10.0, R=2.0, threshold=1.5, reset=-0.2, refractory=1.3)
    current, kicks = rng.uniform(0, 4, 60), rng.normal(0, 0.3, 60)
    spikes = neuron.run(current, 2.0, kicks)
    expected = euler(neuron, current, 2.0, kicks)
    assert len(spikes.times) == len(expected) > 10
    assert np.abs(spikes.times - expected).max() < 0.01
    assert (np.diff(spikes.times) >= 1.3).all()
    assert spikes.duration == 120
    assert spikes.potential.max() < 1.5


@pytest.mark.parametrize("refractory", [0.0, 3.0])
def test_a_constant_current_fires_at_the_rate_of_the_closed_form(refractory):
    neuron = IntegrateAndFire(tau=20.0, refractory=refractory)
    for current in (1.001, 1.3, 2.0, 10.0):
        times = neuron.run(np.full(70, current), 50.0).times
        assert np.diff(times) == pytest.approx(1 / neuron.rate(current), rel=1e-9)
    assert neuron.run(np.ones(100), 50.0).times.size == 0
    assert neuron.rate([0.0, 1.0, -2.0]).tolist() == [0, 0, 0]
    # Far above threshold: rate -> RI/(tau (threshold - reset)), or 1/refractory.
    limit = 1 / refractory if refractory else 1e6 / 20
    assert neuron.rate(1e6) == pytest.approx(limit, rel=1e-4)


def test_steps_may_be_cut_without_changing_a_spike():
    rng = np.random.default_rng(1)
    current = rng.uniform(0, 3, 40)
    neuron = IntegrateAndFire(refractory=1.0)
    coarse = neuron.run(current, 4.0)
    fine = neuron.run(np.repeat(current, 8), 0.5)
    assert fine.times == pytest.approx(coarse.times)
    assert fine.potential[7::8] == pytest.approx(coarse.potential)


def test_inhibition_delays_and_excitation_advances():
    neuron = IntegrateAndFire()
    first = [neuron.run(np.full(100, 1.5), 1.0, np.eye(100)[3] * kick).times[0] for kick in (-0.3, 0.0, 0.3)]
    assert first[0] > first[1] > first[2]


def test_noise_makes_siegerts_rate():
    """Against the formula with its inner integral written out; without noise the closed form."""
    neuron = IntegrateAndFire(refractory=2.0)
    mu, sigma = 0.9, 0.4
    low, high = (0 - mu) / (math.sqrt(2) * sigma), (1 - mu) / (math.sqrt(2) * sigma)
    inner = quad(lambda u: math.exp(u * u) * (1 + math.erf(u)), low, high)[0]
    assert neuron.noisy_rate(mu, sigma) == pytest.approx(1 / (2 + 20 * math.sqrt(math.pi) * inner), rel=1e-8)
    assert neuron.noisy_rate(1.5, 0.0) == neuron.rate(1.5)
    assert neuron.noisy_rate(1.5, 1e-3) == pytest.approx(neuron.rate(1.5), rel=1e-4)
    assert neuron.noisy_rate(0.0, 0.01) == 0
    assert neuron.noisy_rate(mu, sigma, dt=0.1) < neuron.noisy_rate(mu, sigma)


def test_rates_are_counts_in_windows():
    centres, rates = firing_rate([1, 2, 11, 29.5], 30, 10)
    assert centres.tolist() == [5, 15, 25]
    assert rates.tolist() == [0.2, 0.1, 0.1]
    with pytest.raises(ValueError, match="longer than the record"):
        firing_rate([], 5, 10)


def test_activations_have_the_limits_of_the_notes():
    x = np.linspace(-3, 3, 101)
    assert sigmoid([-50, 0.5, 50], 2.0, 0.5).tolist() == [0, 0.5, 1]
    assert symmetric(x, 2.0, 0.5) == pytest.approx(2 * sigmoid(x, 2.0, 0.5) - 1)
    assert (np.diff(symmetric(x)) > 0).all()
    assert np.array_equal(symmetric(x, math.inf, 0.5), mcculloch_pitts(x, 0.5))
    assert symmetric(x[x != 0], 1e6) == pytest.approx(mcculloch_pitts(x[x != 0]))
    assert mcculloch_pitts(0.0) == 1
    with pytest.raises(ValueError, match="gain = 0"):
        symmetric(x, 0)


def test_hebbs_law_sees_only_the_two_neurons():
    w = grow(np.zeros((2, 3)), [1, -1], [0.5, 0, -1], eta=2)
    assert w.tolist() == [[1, 0, -2], [-1, 0, 2]]
    with pytest.raises(ValueError, match=r"need \(2, 3\)"):
        grow(np.zeros((3, 2)), [1, -1], [0.5, 0, -1])


def test_the_bell_alone_rings_after_enough_pairings():
    dog = conditioning(6, eta=0.15, threshold=0.5)
    assert dog.w == pytest.approx(0.15 * np.arange(7))
    assert dog.answers.tolist() == [False, False, False, False, True, True, True]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"tau": 0}, "tau must be a positive"),
        ({"reset": 1.0}, "fire without end"),
        ({"refractory": -1}, "zero or more"),
    ],
)
def test_impossible_neurons_are_refused(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        IntegrateAndFire(**options)


def test_bad_signals_are_refused():
    with pytest.raises(ValueError, match="kicks has 2 steps, current has 3"):
        IntegrateAndFire().run([1, 1, 1], 1.0, [0, 0])
    with pytest.raises(ValueError, match="row of finite numbers"):
        IntegrateAndFire().run([1, np.nan], 1.0)
