"""Plane: every student learns two classes of points, step by step."""

import warnings
from collections.abc import Iterator
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field
from scipy.optimize import linprog
from sklearn.exceptions import ConvergenceWarning

from markone.numerics.arrays import Array
from markone.perceptron import AdaTron, MinimalErrors, separability
from markone.web.plane import epoch_fits, presentations
from markone.web.plane.examples import Examples, load_plane_examples
from markone.web.plane.script import python
from markone.web.screens.base import Frames, Screen, State, make_control, read_choices, seed_control

STUDENTS = read_choices("plane", "students")
PRESETS = read_choices("plane", "preset")
KERNELS = read_choices("plane", "kernel")
Student: Any = Literal[tuple(STUDENTS)]
Preset: Any = Literal[tuple(PRESETS)]
Coordinate = Annotated[float, Field(ge=-1000, le=1000)]
Point = tuple[Coordinate, Coordinate, Literal[-1, 1]]
PROTOTYPES = ["lvq1", "glvq", "gmlvq"]
KINDS = {
    "A line": ["hebb", "rosenblatt", "pocket", "minover", "adaline", "lms", "adatron", "soft_adatron", "own"],
    "A machine or kernel": ["kernel_adatron", "committee", "parity"],
    "Nearest points": ["neighbours", *PROTOTYPES],
}
# Rows a frame.
CHUNK = 200
# Seconds for the fewest errors of any line. One worker computes them after the first rows.
SEARCH_SECONDS = 0.5


class Plane(State):
    students: list[Student] = make_control(
        ["rosenblatt"], choices=STUDENTS, kinds=KINDS, min_length=1, max_length=3
    )
    preset: Preset = make_control("apart", choices=PRESETS)
    P: int = make_control(40, ge=4, le=300, step=1)
    seed: int = seed_control()
    points: list[Point] | None = make_control(None, hidden=True, max_length=500)
    threshold: bool = make_control(True)
    rule: str = make_control("1 if E <= 0 else 0", when={"students": ["own"]}, min_length=1, max_length=200)
    c: float = make_control(0.0, ge=0, le=5, step=0.05, when={"students": ["rosenblatt", "own"]})
    eta: float = make_control(
        1.0,
        ge=0.05,
        le=presentations.SAFE,
        step=0.05,
        when={"students": ["rosenblatt", "adaline", "adatron", "soft_adatron", "own"]},
    )
    C: float = make_control(
        1.0, ge=0.01, le=1000, log=True, when={"students": ["soft_adatron", "kernel_adatron"]}
    )
    kernel: Literal["rbf", "poly"] = make_control(
        "rbf", choices=KERNELS, when={"students": ["kernel_adatron"]}
    )
    gamma: float = make_control(1.0, ge=0.01, le=100, log=True, when={"students": ["kernel_adatron"]})
    degree: int = make_control(
        3, ge=1, le=6, step=1, when={"students": ["kernel_adatron"], "kernel": ["poly"]}
    )
    units: Literal[1, 3, 5, 7] = make_control(3, when={"students": ["committee"]})
    neighbours: int = make_control(3, ge=1, le=25, step=2, when={"students": ["neighbours"]})
    prototypes: int = make_control(1, ge=1, le=5, step=1, when={"students": PROTOTYPES})
    t: int = make_control(0, hidden=True, ge=0, le=presentations.MOST + 1)
    # Students that were stopped after the last presentation go on until they have converged.
    whole: bool = make_control(False, hidden=True)


def frames(state: Plane, search: float | None = None) -> Frames:
    """search: seconds for the fewest errors of any line, SEARCH_SECONDS by default."""
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
    found = _separability_answer(data, state.threshold)
    yield {"separable": found}
    if data.P == 0:
        return
    searching = found is not None and "fewest" in found
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
        yield {"rows": some, "last": all(done) and not searching}
        if searching:
            searching = False
            yield {
                "fewest": _bound_errors(data, state.threshold, search or SEARCH_SECONDS),
                "last": all(done),
            }


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
        # Announces a later frame.
        **({"fewest": None} if found.separable is False else {}),
    }


def _bound_errors(data: Examples, threshold: bool, seconds: float) -> list[int]:
    """Proven bounds on the fewest errors of any line; they agree if the minimum is found in time."""
    student = MinimalErrors(fit_intercept=threshold, time_limit=seconds, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        lower, upper = student.fit(data.X, data.S).errors_bounds_
    return [int(lower), int(upper)]


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
    warm=({"preset": "xor", "P": 8}, *({"students": [name], "P": 8} for name in STUDENTS)),
)
