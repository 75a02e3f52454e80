"""Memory: store patterns in a Hopfield network, flip bits of one, and follow its recall."""

from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from markone.data import load
from markone.hopfield import Hopfield
from markone.hopfield.theory import retrieval, temperature
from markone.numerics.arrays import Array
from markone.web.screens.base import Frames, Screen, State, make_control, read_choices, seed_control

COUPLINGS = read_choices("memory", "couplings")
SOURCES = read_choices("memory", "source")
ORDERS = read_choices("memory", "dynamics")
DIGITS_SIDE = 8
# Bits as hexadecimal digits, first bit first.
Bits = Annotated[str, Field(max_length=100, pattern="^[0-9a-f]+$")]


class Memory(State):
    source: Literal["random", "digits"] = make_control("random", choices=SOURCES)
    side: int = make_control(12, ge=6, le=20, step=1, when={"source": ["random"]})
    P: int = make_control(8, ge=1, le=60, step=1)
    seed: int = seed_control()
    spoil: float = make_control(0.2, ge=0, le=0.5, step=0.01)
    couplings: Literal["hebb", "pseudo_inverse", "optimal"] = make_control("hebb", choices=COUPLINGS)
    dynamics: Literal["sequential", "parallel"] = make_control("sequential", choices=ORDERS)
    temperature: float = make_control(0.0, ge=0, le=1.5, step=0.05)
    sweeps: int = make_control(15, ge=1, le=40, step=1)
    which: int = make_control(0, hidden=True, ge=0, le=79)
    start: Bits | None = make_control(None, hidden=True)
    drawn: list[Bits] = make_control([], hidden=True, max_length=20)
    t: int = make_control(0, hidden=True, ge=0, le=40)


def _grid_side(state: Memory) -> int:
    return DIGITS_SIDE if state.source == "digits" else state.side


def unpack_bits(bits: str, N: int) -> Array:
    """Convert hexadecimal digits to N values +-1; missing bits are -1."""
    found = np.array([int(b) for digit in bits for b in f"{int(digit, 16):04b}"][:N])
    return np.where(np.r_[found, np.zeros(N - len(found), dtype=int)] > 0, 1, -1)


def load_memory_patterns(state: Memory) -> Array:
    N = _grid_side(state) ** 2
    rng = np.random.default_rng(state.seed)
    if state.source == "digits":
        table = load("digits")
        first = [np.flatnonzero(table.y == label) for label in np.unique(table.y)]
        # One of each class in turn.
        order = [kind[(k // len(first)) % len(kind)] for k, kind in enumerate(first * 8)]
        xi = np.where(np.asarray(table.X)[order[: state.P]] > 7, 1, -1)
    else:
        xi = rng.choice([-1, 1], (state.P, N))
    return np.vstack([xi, *[unpack_bits(bits, N)[None] for bits in state.drawn]])


def initial_state(state: Memory, xi: Array) -> Array:
    if state.start is not None:
        return unpack_bits(state.start, xi.shape[1])
    S: Array = xi[state.which % len(xi)].copy()
    S[draw_flips(state)[: round(state.spoil * xi.shape[1])]] *= -1
    return S


def draw_flips(state: Memory) -> Array:
    """The order in which the bits of the start are flipped."""
    return np.random.default_rng([state.seed, 1]).permutation(_grid_side(state) ** 2)


def _make_memory(state: Memory) -> Hopfield:
    return Hopfield(
        couplings=state.couplings,
        dynamics=state.dynamics,
        temperature=state.temperature,
        max_iter=state.sweeps,
        random_state=state.seed,
    )


def frames(state: Memory) -> Frames:
    xi = load_memory_patterns(state)
    S = initial_state(state, xi)
    P, N = xi.shape
    yield {
        "patterns": xi.tolist(),
        "side": _grid_side(state),
        "start": S.tolist(),
        "load": P / N,
        "which": state.which % P,
    }
    memory = _make_memory(state).fit(xi)
    path = memory.trajectory(S)
    yield {
        "states": path.states.tolist(),
        "energy": (path.energy / N).tolist(),
        "overlaps": path.overlaps.tolist(),
        "status": path.status,
        "stable": int(np.sum((memory.stabilities() > 0).all(axis=1))),
    }
    yield {"theory": theory_curve(state), "capacity": retrieval.capacity(), "last": True}


def theory_curve(state: Memory) -> list[list[float]]:
    """Return m against the load, for Hebb's couplings and random patterns."""
    if state.couplings != "hebb":
        return []
    alphas = np.linspace(0.002, 0.16, 40 if state.temperature else 80)
    values = [
        float(temperature.overlap(float(a), state.temperature))
        if state.temperature
        else float(retrieval.overlap(a))
        for a in alphas
    ]
    return [[float(a), m] for a, m in zip(alphas, values, strict=True) if np.isfinite(m)]


def python(state: Memory) -> str:
    xi = load_memory_patterns(state)
    S = initial_state(state, xi)
    return f'''# Memory, as plain Python.
import numpy as np

from markone import Hopfield

xi = np.array({xi.tolist()})
start = np.array({S.tolist()})
memory = Hopfield(
    couplings="{state.couplings}", dynamics="{state.dynamics}", temperature={state.temperature!r},
    max_iter={state.sweeps}, random_state={state.seed},
).fit(xi)
path = memory.trajectory(start)
print(path.status, "after", len(path.states) - 1, "sweeps")
print("energy per neuron", path.energy / xi.shape[1])
print("overlaps at the end", path.overlaps[-1])
'''


SCREEN = Screen(
    name="memory",
    title="Memory",
    state=Memory,
    frames=frames,
    python=python,
    warm=(
        {"side": 6, "P": 2},
        {"side": 6, "P": 2, "couplings": "pseudo_inverse", "dynamics": "parallel"},
        {"source": "digits", "couplings": "optimal", "temperature": 0.1},
    ),
)
