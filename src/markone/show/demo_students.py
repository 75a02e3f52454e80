"""Students and data sets for demonstrations, used by `markone watch` and the web laboratory."""

import warnings
from typing import Any

import numpy as np

from markone.data import two_classes
from markone.numerics.arrays import Array
from markone.numerics.text import unknown_name_text

RECORD_OPTIONS: dict[str, Any] = {"record": "presentations"}
SEQUENTIAL_OPTIONS: dict[str, Any] = {"solver": "sequential", "order": "cyclic", "max_iter": 60}
PROTOTYPE_OPTIONS: dict[str, Any] = {"prototypes_per_class": 2, "random_state": 0}
EPOCH_OPTIONS: dict[str, Any] = PROTOTYPE_OPTIONS | {"max_iter": 5, "keep": "last"}
# Options with which each student learns one example (its solver: one step) at a time.
STUDENTS: dict[str, tuple[str, dict[str, Any]]] = {
    "rosenblatt": ("Rosenblatt", {"max_iter": 1000}),
    "pocket": ("Pocket", {"max_iter": 30, "random_state": 0}),
    "minover": ("MinOver", {"max_iter": 60}),
    "adaline": ("Adaline", {"solver": "sequential", "eta": 0.3, "max_iter": 30}),
    "lms": ("LMS", {"max_iter": 30}),
    "perceptron_rule": ("PerceptronRule", {"max_iter": 1000}),
    "adatron": ("AdaTron", SEQUENTIAL_OPTIONS),
    "soft_adatron": ("AdaTron", SEQUENTIAL_OPTIONS | {"C": 0.5}),
    "kernel_adatron": ("KernelAdaTron", SEQUENTIAL_OPTIONS | {"C": 10.0}),
    "online": ("OnlineStudent", {}),
    "bayes_point": ("BayesPoint", {"n_students": 100, "random_state": 0}),
    "committee": ("CommitteeMachine", {"n_units": 3, "max_iter": 60, "n_restarts": 1, "random_state": 0}),
    "parity": (
        "ParityMachine",
        {"n_units": 2, "rule": "least_action", "max_iter": 60, "n_restarts": 1, "random_state": 0},
    ),
    "tiling": ("ParityMachine", {"random_state": 0}),
    "lvq1": ("LVQ1", EPOCH_OPTIONS),
    "olvq1": ("OLVQ1", EPOCH_OPTIONS),
    "lvq21": ("LVQ21", EPOCH_OPTIONS),
    "lvq3": ("LVQ3", EPOCH_OPTIONS),
    "matrix_lvq1": ("MatrixLVQ1", EPOCH_OPTIONS),
    "glvq": ("GLVQ", PROTOTYPE_OPTIONS),
    "grlvq": ("GRLVQ", PROTOTYPE_OPTIONS),
    "gmlvq": ("GMLVQ", PROTOTYPE_OPTIONS),
    "lgmlvq": ("LGMLVQ", PROTOTYPE_OPTIONS),
    "rslvq": ("RSLVQ", PROTOTYPE_OPTIONS),
    "mrslvq": ("MRSLVQ", PROTOTYPE_OPTIONS),
    "lmrslvq": ("LMRSLVQ", PROTOTYPE_OPTIONS),
    "hopfield": ("Hopfield", {"couplings": "pseudo_inverse", "random_state": 0}),
}
SETS = ("easy", "tight", "noisy", "halo", "dense", "arcs", "rings")
SIDE, WRONG = 12, 0.3  # side of the memory's image, fraction of wrong pixels at the start


def train_demo(student: str, data: str, points: int = 40, seed: int = 0) -> tuple[Any, str]:
    """Train a student by name; return (fitted student with history, or a history; title)."""
    import markone
    from markone.show.histories import growth_history, recall_history

    name = student.lower().replace("-", "_")
    if name not in STUDENTS:
        raise ValueError(unknown_name_text("student", student, STUDENTS))
    X, S = plane_examples(data, points, seed)
    kind, options = STUDENTS[name]
    if name == "hopfield":
        memory = markone.Hopfield(**options).fit(memory_patterns())
        flips = np.random.default_rng(seed).random(SIDE * SIDE) < WRONG
        start = np.where(flips, -1, 1) * memory_patterns()[0]
        title = f"Hopfield recalls one of three pictures, {WRONG:.0%} wrong at the start"
        return recall_history(memory, start, record="presentations"), title
    grows = name == "tiling"
    model = getattr(markone, kind)(**options, **({} if grows else RECORD_OPTIONS))
    with warnings.catch_warnings(action="ignore"):  # missing convergence is visible in the animation
        model.fit(X, S)
    title = f"{kind} learns {len(S)} examples, {data}"
    return (growth_history(model, X, S) if grows else model), title


def memory_patterns() -> Array:
    """Three patterns of SIDE x SIDE neurons: a cross, a frame, stripes."""
    row, column = np.indices((SIDE, SIDE))
    frame = (np.minimum(row, SIDE - 1 - row) < 2) | (np.minimum(column, SIDE - 1 - column) < 2)
    cross = (np.abs(row - column) < 2) | (np.abs(row + column - SIDE + 1) < 2)
    return np.where(np.stack([cross, frame, row % 4 < 2]), 1, -1).reshape(3, -1)


def plane_examples(data: str, points: int, seed: int) -> tuple[Array, Array]:
    """Points of the plane with labels +-1, from `two_classes`."""
    if data not in SETS:
        raise ValueError(unknown_name_text("set of examples", data, SETS))
    X, S, _ = two_classes(data, points, seed=seed)
    return X, S
