"""The integrate-and-fire neuron of section 1.1, and the firing rates of section 1.2."""

import math
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import quad
from scipy.special import erfcx

from markone.base.parameters import documented
from markone.networks._spikes import integrate_spikes
from markone.numerics.arrays import Array, check_positive

# -zeta(1/2)/sqrt(2 pi): a random walk with steps of size s overshoots a threshold by about this times s.
OVERSHOOT = 0.5825971579390107


@documented
@dataclass(frozen=True)
class Spikes:
    """The times of the spikes, and the membrane potential at the end of each step.

    Returned by `IntegrateAndFire.run`.
    """

    times: Annotated[Array, "array: When the neuron fired."]
    potential: Annotated[Array, "array: The membrane potential at the end of each step."]
    dt: Annotated[float, "Length of a step."]

    @property
    def duration(self) -> float:
        return len(self.potential) * self.dt


@documented
@dataclass(frozen=True)
class IntegrateAndFire:
    """tau dV/dt = -V + R I; at V = threshold a spike, V is set to `reset` and constant for `refractory`.

    Spikes have no shape: only their times count (Lapicque 1907). Times are in the unit of tau (20: ms).

    Examples
    --------
    >>> from markone.networks import IntegrateAndFire
    >>> IntegrateAndFire().run([2.0] * 1000, dt=0.1).times.round(1)[:3].tolist()
    [13.9, 27.7, 41.6]
    """

    tau: Annotated[float, "Time constant of the membrane."] = 20.0
    R: Annotated[float, "Its resistance."] = 1.0
    threshold: Annotated[float, "Potential at which it fires."] = 1.0
    reset: Annotated[float, "Potential after a spike."] = 0.0
    refractory: Annotated[float, "Refractory period after a spike."] = 0.0

    def __post_init__(self) -> None:
        check_positive("tau", self.tau)
        check_positive("R", self.R)
        if not self.reset < self.threshold:
            raise ValueError(
                f"reset = {self.reset} is not below threshold = {self.threshold}: it would fire without end."
            )
        if not 0 <= self.refractory < math.inf:
            raise ValueError(f"refractory = {self.refractory} must be a time, zero or more.")

    def run(self, current: ArrayLike, dt: float, kicks: ArrayLike | None = None) -> Spikes:
        """Spikes for a current that is constant in each step of length dt; exact for such a current.

        kicks: jumps of V at the beginning of each step by spikes of other neurons, positive through
        excitatory and negative through inhibitory synapses.
        """
        check_positive("dt", dt)
        level = self.R * self._check_signal("current", current)
        jumps = np.zeros(len(level)) if kicks is None else self._check_signal("kicks", kicks)
        if len(jumps) != len(level):
            raise ValueError(f"kicks has {len(jumps)} steps, current has {len(level)}: give one for each.")
        limits = (self.threshold, self.reset, self.refractory, self.reset)
        path, times = np.empty(len(level)), np.empty(64)
        n = integrate_spikes(level, jumps, dt, self.tau, *limits, times, path)
        if n > len(times):
            times = np.empty(n)
            integrate_spikes(level, jumps, dt, self.tau, *limits, times, path)
        return Spikes(times[:n], path, dt)

    @staticmethod
    def _check_signal(name: str, values: ArrayLike) -> Array:
        signal = np.atleast_1d(np.asarray(values, dtype=np.float64))
        if signal.ndim != 1 or not np.isfinite(signal).all():
            raise ValueError(f"{name} must be a row of finite numbers, one for each step.")
        return signal

    def rate(self, current: ArrayLike) -> Any:
        """Spikes per time at constant current: 1/(refractory + tau ln((RI - reset)/(RI - threshold)))."""
        RI = self.R * np.asarray(current, dtype=np.float64)
        with np.errstate(divide="ignore", invalid="ignore"):
            wait = self.tau * np.log((RI - self.reset) / (RI - self.threshold))
            return np.where(self.threshold < RI, 1.0 / (self.refractory + wait), 0.0)[()]

    def noisy_rate(self, current: float, sigma: float, dt: float = 0.0) -> float:
        """Spikes per unit time when white noise makes V fluctuate by sigma (Siegert 1951).

        dt > 0: for a simulation that tests V only every dt, which acts like a threshold that is higher by
        0.583 sigma sqrt(2 dt/tau) (Broadie, Glasserman, Kou 1997); good to order dt.
        """
        if sigma == 0:
            return float(self.rate(current))
        check_positive("sigma", sigma)
        RI, unit = self.R * current, math.sqrt(2.0) * sigma
        top = self.threshold + OVERSHOOT * sigma * math.sqrt(2.0 * dt / self.tau)
        low, high = (self.reset - RI) / unit, (top - RI) / unit
        if high > 26:
            return 0.0  # below exp(-26^2)
        # exp(u^2) (1 + erf u) = erfcx(-u), without overflow for negative u.
        integral = quad(lambda u: erfcx(-u), low, high, epsabs=0, epsrel=1e-10, limit=200)[0]
        return float(1.0 / (self.refractory + self.tau * math.sqrt(math.pi) * integral))


def firing_rate(times: ArrayLike, duration: float, window: float) -> tuple[Array, Array]:
    """Spikes per unit time in adjacent windows (Fig. 1.2, right): their centres and the rates.

    Parameters
    ----------
    times : array
        When the neuron fired.
    duration : float
        Duration of the recording.
    window : float
        Length of a window.

    Returns
    -------
    centres : array
        The middle of each window.
    rates : array
        Spikes per unit time in it.

    Examples
    --------
    >>> from markone.networks import firing_rate
    >>> centres, rates = firing_rate([1.0, 2.0, 3.0, 12.0], duration=20.0, window=10.0)
    >>> centres.tolist(), rates.tolist()
    ([5.0, 15.0], [0.3, 0.1])
    """
    check_positive("duration", duration)
    check_positive("window", window)
    if window > duration:
        raise ValueError(f"window = {window} is longer than the record of {duration}: choose a shorter one.")
    edges = window * np.arange(int(duration / window + 1e-9) + 1)
    counts, _ = np.histogram(np.asarray(times, dtype=np.float64), edges)
    return 0.5 * (edges[1:] + edges[:-1]), counts / window
