"""Students and data sets for demonstrations, used by `markone watch` and the web laboratory."""

import warnings
from typing import Any

import numpy as np

from markone.data import two_classes
from markone.numerics.arrays import Array
from markone.numerics.text import no_such

KEPT: dict[str, Any] = {"record": "presentations"}
BOOK: dict[str, Any] = {"solver": "sequential", "order": "cyclic", "max_iter": 60}
PATH: dict[str, Any] = {"prototypes_per_class": 2, "random_state": 0}
EPOCHS: dict[str, Any] = PATH | {"max_iter": 5, "keep": "last"}
# Options with which each student learns one example (its solver: one step) at a time.
STUDENTS: dict[str, tuple[str, dict[str, Any]]] = {
    "rosenblatt": ("Rosenblatt", {"max_iter": 1000}),
    "pocket": ("Pocket", {"max_iter": 30, "random_state": 0}),
    "minover": ("MinOver", {"max_iter": 60}),
    "adaline": ("Adaline", {"solver": "sequential", "eta": 0.3, "max_iter": 30}),
    "lms": ("LMS", {"max_iter": 30}),
    "perceptron_rule": ("PerceptronRule", {"max_iter": 1000}),
    "adatron": ("AdaTron", BOOK),
    "soft_adatron": ("AdaTron", BOOK | {"C": 0.5}),
    "kernel_adatron": ("KernelAdaTron", BOOK | {"C": 10.0}),
    "online": ("OnlineStudent", {}),
    "bayes_point": ("BayesPoint", {"n_students": 100, "random_state": 0}),
    "committee": ("CommitteeMachine", {"n_units": 3, "max_iter": 60, "n_restarts": 1, "random_state": 0}),
    "parity": (
        "ParityMachine",
        {"n_units": 2, "rule": "least_action", "max_iter": 60, "n_restarts": 1, "random_state": 0},
    ),
    "tiling": ("ParityMachine", {"random_state": 0}),
    "lvq1": ("LVQ1", EPOCHS),
    "olvq1": ("OLVQ1", EPOCHS),
    "lvq21": ("LVQ21", EPOCHS),
    "lvq3": ("LVQ3", EPOCHS),
    "matrix_lvq1": ("MatrixLVQ1", EPOCHS),
    "glvq": ("GLVQ", PATH),
    "grlvq": ("GRLVQ", PATH),
    "gmlvq": ("GMLVQ", PATH),
    "lgmlvq": ("LGMLVQ", PATH),
    "rslvq": ("RSLVQ", PATH),
    "mrslvq": ("MRSLVQ", PATH),
    "lmrslvq": ("LMRSLVQ", PATH),
    "hopfield": ("Hopfield", {"couplings": "pseudo_inverse", "random_state": 0}),
}
SETS = ("easy", "tight", "noisy", "halo", "dense", "arcs", "rings")
SIDE, WRONG = 12, 0.3  # side of the memory's image, fraction of wrong pixels at the start


def learn(student: str, data: str, points: int = 40, seed: int = 0) -> tuple[Any, str]:
    """Train a student by name; return (fitted student with history, or a history; title)."""
    import markone
    from markone.show.retraced import growth_history, recall_history

    name = student.lower().replace("-", "_")
    if name not in STUDENTS:
        raise ValueError(no_such("student", student, STUDENTS))
    X, S = examples(data, points, seed)
    kind, options = STUDENTS[name]
    if name == "hopfield":
        memory = markone.Hopfield(**options).fit(pictures())
        start = np.where(np.random.default_rng(seed).random(SIDE * SIDE) < WRONG, -1, 1) * pictures()[0]
        title = f"Hopfield recalls one of three pictures, {WRONG:.0%} wrong at the start"
        return recall_history(memory, start, record="presentations"), title
    grows = name == "tiling"
    model = getattr(markone, kind)(**options, **({} if grows else KEPT))
    with warnings.catch_warnings():
        # Missing convergence is visible in the animation.
        warnings.simplefilter("ignore")
        model.fit(X, S)
    title = f"{kind} learns {len(S)} examples, {data}"
    return (growth_history(model, X, S) if grows else model), title


def pictures() -> Array:
    """Three patterns of SIDE x SIDE neurons: a cross, a frame, stripes."""
    row, column = np.indices((SIDE, SIDE))
    frame = (np.minimum(row, SIDE - 1 - row) < 2) | (np.minimum(column, SIDE - 1 - column) < 2)
    cross = (np.abs(row - column) < 2) | (np.abs(row + column - SIDE + 1) < 2)
    return np.where(np.stack([cross, frame, row % 4 < 2]), 1, -1).reshape(3, -1)


def examples(data: str, points: int, seed: int) -> tuple[Array, Array]:
    """Points of the plane with labels +-1, from `two_classes`."""
    if data not in SETS:
        raise ValueError(no_such("set of examples", data, SETS))
    X, S, _ = two_classes(data, points, seed=seed)
    return X, S
