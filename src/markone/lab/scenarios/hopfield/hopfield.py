"""Recall of random patterns in a Hopfield network: load, initial overlap, temperature.

A repeat draws P = round(alpha N) patterns of N independent bits, starts near the first one and runs the
dynamics. The start agrees with the pattern at each neuron with probability (1 + start)/2.
"""

import math
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from pydantic import Field, model_validator

from markone.hopfield.network import SMALL_N, SMALL_SUM
from markone.hopfield.theory import couplings, dynamics, retrieval, temperature
from markone.lab.scenario import OVERLAP, ExampleSettings, Mark, Scenario, Values, named_columns
from markone.lab.scenarios.hopfield import _hopfield

NAMES = ["first", "second", "overlap", "energy", "sweeps_done", "fixed", "cycle"]
CAPACITY = {"hebb": retrieval.capacity(), "pseudo_inverse": 1.0, "optimal": 2.0}


class Parameters(ExampleSettings):
    """`sweeps`: largest number of sweeps (N visits) or parallel steps; at T > 0 all are done."""

    couplings: Literal["hebb", "pseudo_inverse", "optimal"] = "hebb"
    start: float = Field(1.0, ge=-1, le=1)
    T: float = Field(0.0, ge=0)
    dynamics: Literal["sequential", "parallel"] = "sequential"
    sweeps: int = Field(100, ge=2)

    @model_validator(mode="after")
    def _check_capacity(self) -> "Parameters":
        if self.couplings != "hebb" and self.alpha >= CAPACITY[self.couplings]:
            raise ValueError(
                f"alpha = {self.alpha:g} is beyond the capacity {CAPACITY[self.couplings]:g} of couplings "
                f"{self.couplings!r}: choose a smaller alpha."
            )
        if self.couplings == "optimal" and self.N < 40:
            raise ValueError(
                f"N = {self.N} is too small for couplings 'optimal': two patterns of so few bits may be "
                "equal. Choose N = 40 or more."
            )
        return self


def run(p: Parameters, seed: int, start: int, stop: int) -> Values:
    out, at_once = np.empty((stop - start, len(NAMES))), p.dynamics == "parallel"
    if p.couplings == "hebb":
        small = p.N < SMALL_N and p.P * p.N < SMALL_SUM
        xi, M = np.empty((p.N, p.P), dtype=np.int8), np.empty(p.P, dtype=np.int16 if small else np.int64)
        _hopfield.recall_hebb_block(seed, start, xi, M, p.start, p.T, at_once, p.sweeps, out)
    else:
        # Learn and recall in separate calls, so that optimal stability is compiled only where it is
        # used.
        learn = _hopfield.optimal_couplings if p.couplings == "optimal" else _hopfield.projection_couplings
        xi, columns = np.empty((p.N, p.P), dtype=np.int8), np.empty((p.N, p.N))
        S, state = np.empty(p.N, dtype=np.int8), np.empty(1, dtype=np.uint64)
        for k, row in enumerate(out):
            _hopfield.draw_start_state(seed, start + k, p.start, state, xi, S)
            learn(xi, state, columns)
            _hopfield.recall_pattern(xi, columns, S, p.T, p.dynamics == "parallel", p.sweeps, state, row)
    values = named_columns(NAMES, out)
    return values | {"recalled": (values["overlap"] > 0.95).astype(np.float64)}


def cost(p: Parameters) -> float:
    """Cost of patterns, couplings, and a typical number of sweeps."""
    P, N = p.P, p.N
    sweeps = 1.0 * p.sweeps if p.T > 0 else min(p.sweeps, 15)
    if p.couplings == "hebb":
        return 3.0 * P * N + 0.15 * P * N * sweeps
    learning = 2.0 * P * P * N + P * N * N if p.couplings == "pseudo_inverse" else 40.0 * P * N * N
    return learning + N * N * (4.0 + 0.2 * sweeps)


@lru_cache(maxsize=10_000)
def _retrieval_overlap(alpha: float, T: float) -> float:
    try:
        return float(temperature.overlap(alpha, T))
    except ValueError:
        return math.nan


def _overlap_theory(p: Parameters) -> float:
    """Overlap of the retrieval state, reached from a start at the pattern."""
    known = p.couplings == "hebb" and p.start == 1 and (p.T == 0 or p.dynamics == "sequential")
    return _retrieval_overlap(p.alpha, p.T) if known else math.nan


FIRST_STEPS: dict[str, Any] = {
    "hebb": dynamics.one_step,
    "pseudo_inverse": couplings.pseudo_inverse_first_step,
    "optimal": couplings.optimal_first_step,
}
theory_of = Parameters.theory_of

SCENARIO = Scenario(
    name="hopfield",
    version=1,
    parameters=Parameters,
    measures={
        "first": "overlap with the pattern after one parallel step at T = 0",
        "second": "overlap with the pattern after two parallel steps at T = 0",
        "overlap": "overlap with the pattern at the end; T > 0: mean over the second half of the sweeps",
        "recalled": "1 if that overlap is above 0.95",
        "energy": "energy per neuron H/N at the end",
        "sweeps_done": "sweeps or parallel steps done",
        "fixed": "1 if the end is a fixed point",
        "cycle": "1 if the end is a cycle of two states",
    },
    cost=cost,
    run=run,
    ranges=dict.fromkeys(("first", "second", "overlap"), OVERLAP),
    # Change when one of N neurons flips.
    steps=dict.fromkeys(("first", "second", "overlap"), lambda p: 2 / p["N"]),
    theories={
        "first": theory_of(
            "one step, N to infinity", "first", lambda p: FIRST_STEPS[p.couplings](p.start, p.alpha)
        ),
        "second": theory_of(
            "two steps, N to infinity",
            "second",
            lambda p: dynamics.two_steps(p.start, p.alpha) if p.couplings == "hebb" else math.nan,
        ),
        "retrieval": theory_of("retrieval state (Amit et al.)", "overlap", _overlap_theory),
        "energy": theory_of(
            "retrieval state (Amit et al.)",
            "energy",
            lambda p: (
                retrieval.energy(p.alpha) if (p.couplings, p.start, p.T) == ("hebb", 1, 0) else math.nan
            ),
        ),
    },
    marks={"capacity": Mark("capacity for N to infinity", lambda p: CAPACITY[p.get("couplings", "hebb")])},
    # The old name was that of a parameter; a table cannot have two columns of one name.
    former={"sweeps": "sweeps_done"},
)
