"""Students and sets to watch by name: what `markone watch` and the laboratory in the browser offer."""

import warnings
from typing import Any

from markone.data import two_classes
from markone.numerics.arrays import Array
from markone.numerics.text import no_such

KEPT: dict[str, Any] = {"record": "presentations"}
BOOK: dict[str, Any] = {"solver": "sequential", "order": "cyclic", "max_iter": 60}
# How each student is told to learn one example at a time.
STUDENTS: dict[str, tuple[str, dict[str, Any]]] = {
    "rosenblatt": ("Rosenblatt", {"max_iter": 1000}),
    "pocket": ("Pocket", {"max_iter": 30, "random_state": 0}),
    "minover": ("MinOver", {"max_iter": 60}),
    "adaline": ("Adaline", {"solver": "sequential", "eta": 0.3, "max_iter": 30}),
    "lms": ("LMS", {"max_iter": 30}),
    "perceptron_rule": ("PerceptronRule", {"max_iter": 1000}),
    "adatron": ("AdaTron", {"solver": "sequential", "order": "cyclic", "max_iter": 60}),
    "soft_adatron": ("AdaTron", {"solver": "sequential", "order": "cyclic", "C": 0.5, "max_iter": 60}),
    "kernel_adatron": (
        "KernelAdaTron",
        {"solver": "sequential", "C": 10.0, "order": "cyclic", "max_iter": 60},
    ),
    "online": ("OnlineStudent", {}),
}
SETS = ("easy", "tight", "noisy", "halo", "dense", "arcs", "rings")


def learn(student: str, data: str, points: int = 40, seed: int = 0) -> tuple[Any, str]:
    """(the fitted student with its history, a sentence that says what it learned)."""
    import markone

    name = student.lower().replace("-", "_")
    if name not in STUDENTS:
        raise ValueError(no_such("student", student, STUDENTS))
    X, S = examples(data, points, seed)
    kind, options = STUDENTS[name]
    model = getattr(markone, kind)(**options, **KEPT)
    with warnings.catch_warnings():
        # That it did not converge is seen in the film.
        warnings.simplefilter("ignore")
        model.fit(X, S)
    return model, f"{kind} learns {len(S)} examples, {data}"


def examples(data: str, points: int, seed: int) -> tuple[Array, Array]:
    """Points of the plane with labels +-1: one of `two_classes`."""
    if data not in SETS:
        raise ValueError(no_such("set of examples", data, SETS))
    X, S, _ = two_classes(data, points, seed=seed)
    return X, S
