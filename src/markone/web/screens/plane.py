"""Plane: every student learns two classes of points, step by step."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field
from scipy.optimize import linprog

from markone.numerics.arrays import Array
from markone.perceptron import AdaTron, separability
from markone.web.plane import epoch_fits, presentations
from markone.web.plane.examples import TITLES, Examples, load_plane_examples
from markone.web.plane.script import python
from markone.web.screens.base import Frames, Screen, State, make_control, seed_control

Student = Literal[
    "hebb",
    "rosenblatt",
    "pocket",
    "minover",
    "adaline",
    "lms",
    "adatron",
    "soft_adatron",
    "kernel_adatron",
    "committee",
    "parity",
    "neighbours",
    "lvq1",
    "glvq",
    "gmlvq",
    "own",
]
STUDENTS = {
    "hebb": "Hebb",
    "rosenblatt": "Rosenblatt",
    "pocket": "Pocket",
    "minover": "MinOver",
    "adaline": "Adaline",
    "lms": "LMS",
    "adatron": "AdaTron",
    "soft_adatron": "AdaTron, soft margin",
    "kernel_adatron": "Kernel AdaTron",
    "committee": "Committee machine",
    "parity": "Parity machine",
    "neighbours": "Nearest neighbours",
    "lvq1": "LVQ1",
    "glvq": "GLVQ",
    "gmlvq": "GMLVQ",
    "own": "Your own f(E)",
}
Preset = Literal["apart", "tight", "noisy", "xor", "spiral", "rare", "halo", "dense", "arcs", "rings"]
Coordinate = Annotated[float, Field(ge=-1000, le=1000)]
Point = tuple[Coordinate, Coordinate, Literal[-1, 1]]
PROTOTYPES = ["lvq1", "glvq", "gmlvq"]
# Rows a frame.
CHUNK = 200


class Plane(State):
    students: list[Student] = make_control(
        ["rosenblatt"],
        "Students",
        "Up to three, side by side on the same examples.",
        choices=STUDENTS,
        min_length=1,
        max_length=3,
    )
    preset: Preset = make_control(
        "apart", "Data set", "Or click into the plane to place your own.", group="Examples", choices=TITLES
    )
    P: int = make_control(
        40, "Examples P", "How many points a data set has.", group="Examples", ge=4, le=300, step=1
    )
    seed: int = seed_control()
    points: list[Point] | None = make_control(None, "Points", "Placed by hand.", hidden=True, max_length=500)
    threshold: bool = make_control(
        True, "Threshold θ", "An input that is always 1. Without it all boundaries go through the origin."
    )
    rule: str = make_control(
        "1 if E <= 0 else 0",
        "Modulation f(E)",
        "Of E, w = |w|, h = |ξ|²/N, eta, c, alpha; with exp, log, sqrt, tanh, abs, min, max, step, sign.",
        when={"students": ["own"]},
        min_length=1,
        max_length=200,
    )
    c: float = make_control(
        0.0, "Margin c", "Learn while E ≤ c.", ge=0, le=5, step=0.05, when={"students": ["rosenblatt", "own"]}
    )
    eta: float = make_control(
        1.0,
        "Learning rate η",
        "Adaline and AdaTron: in units of 1/C, stable below 2.",
        ge=0.05,
        le=presentations.SAFE,
        step=0.05,
        when={"students": ["rosenblatt", "adaline", "adatron", "soft_adatron", "own"]},
    )
    C: float = make_control(
        1.0,
        "Cost of errors C",
        "Largest strength is C N. From 1000 on the kernel machine's margin is hard.",
        ge=0.01,
        le=1000,
        log=True,
        when={"students": ["soft_adatron", "kernel_adatron"]},
    )
    kernel: Literal["rbf", "poly"] = make_control(
        "rbf",
        "Kernel",
        "Gaussian, or polynomial.",
        choices={"rbf": "Gaussian", "poly": "Polynomial"},
        when={"students": ["kernel_adatron"]},
    )
    gamma: float = make_control(
        1.0,
        "Kernel γ",
        "exp(−γ|ξ−ξ'|²), or (γ ξ·ξ' + 1)^degree.",
        ge=0.01,
        le=100,
        log=True,
        when={"students": ["kernel_adatron"]},
    )
    degree: int = make_control(
        3,
        "Degree",
        "Of the polynomial.",
        ge=1,
        le=6,
        step=1,
        when={"students": ["kernel_adatron"], "kernel": ["poly"]},
    )
    units: Literal[1, 3, 5, 7] = make_control(
        3, "Hidden units K", "Odd, so that there is a majority.", when={"students": ["committee"]}
    )
    neighbours: int = make_control(
        3,
        "Neighbours k",
        "Number of neighbours that vote.",
        ge=1,
        le=25,
        step=2,
        when={"students": ["neighbours"]},
    )
    prototypes: int = make_control(
        1, "Prototypes per class", "", ge=1, le=5, step=1, when={"students": PROTOTYPES}
    )
    t: int = make_control(
        0, "Presentations", "How far learning has come.", hidden=True, ge=0, le=presentations.MOST
    )


def frames(state: Plane) -> Frames:
    data = load_plane_examples(state.preset, state.P, state.seed, state.points)
    yield {
        "points": data.rows(),
        "domain": data.domain,
        "students": [
            {
                "name": name,
                "title": STUDENTS[name],
                "line": name in presentations.NAMES,
                "gamma": _strength_limit(name, state),
            }
            for name in state.students
        ],
    }
    # After the points, which are drawn at once: the proof may have to be compiled.
    yield {"separable": _separability_answer(data, state.threshold)}
    if data.P == 0:
        return
    streams = [_student_rows(name, data, state) for name in state.students]
    places, done = [0] * len(streams), [False] * len(streams)
    while not all(done):
        some: list[list[dict[str, Any]]] = []
        for k, stream in enumerate(streams):
            # A row is one presentation for walks, one epoch for fits: equal numbers of presentations.
            n = CHUNK if state.students[k] in presentations.NAMES else max(1, CHUNK // data.P)
            new = [] if done[k] else [row for _, row in zip(range(n), stream, strict=False)]
            places[k] += len(new)
            done[k] = done[k] or len(new) < n or new[-1]["done"]
            some.append(new)
        yield {"rows": some, "last": all(done)}


def _strength_limit(name: str, state: Plane) -> float | None:
    return state.C * (3 if state.threshold else 2) if name == "soft_adatron" else None


def _student_rows(name: str, data: Examples, state: Plane) -> Iterator[dict[str, Any]]:
    if len(np.unique(data.S)) < 2:
        raise ValueError("A student needs examples of both classes: shift-click places the other one.")
    if name in presentations.NAMES:
        return presentations.yield_presentation_rows(name, data, state)
    return epoch_fits.yield_epoch_rows(name, data, state, presentations.MOST)


def _separability_answer(data: Examples, threshold: bool) -> dict[str, Any] | None:
    if len(np.unique(data.S)) < 2:
        return None
    found = separability(data.X, data.S, fit_intercept=threshold)
    return {
        "answer": found.separable,
        "message": found.message,
        "prove": _proving_points(data, np.asarray(found.embedding), found.separable, threshold),
        "bounds": list(found.stability_bounds),
        "widest": _widest_gap(data, threshold) if found.separable else None,
    }


def _proving_points(data: Examples, x: Array, separable: bool | None, threshold: bool) -> list[int]:
    """Examples with a strength in the proof; if no line exists, at most four that prove it by themselves."""
    proof = np.flatnonzero(x > 1e-9 * x.max(initial=0.0))
    if separable is False:
        Z = data.S[proof, None] * np.column_stack([data.X[proof], np.full(len(proof), threshold)])
        # A vertex of {x >= 0, sum x S xi = 0, sum x = 1} has as many strengths as there are equations.
        A, b = np.vstack([Z.T, np.ones(len(proof))]), [0.0, 0.0, 0.0, 1.0]
        vertex = linprog(np.zeros(len(proof)), A_eq=A, b_eq=b, method="highs-ds")
        some = np.flatnonzero(vertex.x > 1e-9) if vertex.success else np.arange(len(proof))
        # They may be of one class: signs that alternate state the same problem with two.
        signs = np.where(np.arange(len(some)) % 2, -1.0, 1.0)
        if separability(signs[:, None] * Z[some], signs).separable is False:
            proof = proof[some]
    indices: list[int] = proof.tolist()
    return indices


def _widest_gap(data: Examples, threshold: bool) -> float:
    """Half the width of the widest gap between the classes; the threshold does not count into |w|."""
    student = AdaTron(fit_intercept="free" if threshold else False).fit(data.X, data.S)
    return float(student.stability_)


SCREEN = Screen(
    name="plane",
    title="Plane",
    state=Plane,
    frames=frames,
    python=python,
    warm=tuple({"students": [name], "P": 8} for name in STUDENTS),
)
