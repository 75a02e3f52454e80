"""The picture as a Python script with the same examples, students and weights."""

from typing import Any

from markone.web.plane import epoch_fits, presentations
from markone.web.plane.examples import Examples, load_plane_examples

HEAD = """# The plane of the laboratory, as plain Python.
import warnings

import numpy as np

{imports}

X = np.array({X})
S = np.array({S})

warnings.simplefilter("ignore")  # training is stopped early on purpose
students, weights = {{}}, {{}}
"""
TAIL = """for name, student in students.items():
    print(name, student)
    if name in weights:
        print("  w =", weights[name], "(that of the threshold last)")
    else:
        print("  errors:", int(np.sum(student.predict(X) != S)), "of", len(S))
"""


def python(state: Any) -> str:
    data = load_plane_examples(state.preset, state.P, state.seed, state.points)
    if not data.P:
        raise ValueError("There are no examples yet: click into the plane to place some.")
    calls = {name: _make_estimator(name, state, data) for name in state.students}
    head = HEAD.format(imports=_import_lines(calls), X=data.X.tolist(), S=data.S.tolist())
    return head + "".join(_fit_lines(name, calls[name], state, data) for name in calls) + TAIL


def _make_estimator(name: str, state: Any, data: Examples) -> Any:
    """Return the estimator shown after t presentations, rounded down to epochs for students that need it."""
    if name in presentations.NAMES:
        return presentations.make_plane_student(name, state, max(1, presentations.MOST // data.P))
    return epoch_fits.FITS[name][0](state, max(1, min(state.t // data.P, epoch_fits.FITS[name][1])))


def _import_lines(calls: dict[str, Any]) -> str:
    homes = {type(one).__name__: type(one).__module__.partition(".")[0] for one in calls.values()}
    ours = sorted(name for name, home in homes.items() if home == "markone")
    lines = ["from sklearn.neighbors import KNeighborsClassifier"] if len(ours) < len(homes) else []
    return "\n".join([*lines, *([f"from markone import {', '.join(ours)}"] if ours else [])])


def _fit_lines(name: str, estimator: Any, state: Any, data: Examples) -> str:
    call = repr(estimator).replace("\n", "")
    if name not in presentations.NAMES:
        return f'students["{name}"] = {call}.fit(X, S)\n'
    repeats = min(presentations.count_passes(name), max(1, presentations.MOST // data.P))
    seen = "X, S" if repeats == 1 else f"np.tile(X, ({repeats}, 1)), np.tile(S, {repeats})"
    kept = 'history.states["pocket_w"]' if name == "pocket" else "history.w"
    return (
        f'students["{name}"] = {call}.fit({seen})\n'
        f'history = students["{name}"].history_\n'
        f'weights["{name}"] = {kept}[min({state.t}, len(history) - 1)]\n'
    )
