"""The picture as a script: the same examples, the same student, the same weights."""

from typing import Any

from markone.web.plane import walks
from markone.web.plane.examples import examples


def python(state: Any) -> str:
    data = examples(state.preset, state.P, state.seed, state.points)
    if not data.P:
        raise ValueError("There are no examples yet: click into the plane to place some.")
    lines = [
        "# The plane of the laboratory, as plain Python.",
        "import warnings",
        "",
        "import numpy as np",
        "",
        *_imports(state),
        "",
        f"X = np.array({data.X.tolist()})",
        f"S = np.array({data.S.tolist()})",
        "",
        'warnings.simplefilter("ignore")  # a student stopped on the way says so',
        f"students = {{}}{'' if state.t else '  # nothing was presented yet'}",
    ]
    for name in state.students:
        lines += _fit(name, state, data.P)
    return "\n".join([*lines, *_print(state)]) + "\n"


def _imports(state: Any) -> list[str]:
    names = sorted({_call(name, state, 1).partition("(")[0] for name in state.students})
    ours = [name for name in names if name != "KNeighborsClassifier"]
    lines = [f"from markone import {', '.join(ours)}"] if ours else []
    return lines + (["from sklearn.neighbors import KNeighborsClassifier"] if ours != names else [])


def _fit(name: str, state: Any, P: int) -> list[str]:
    epochs, rest = divmod(state.t, P)
    if name not in walks.WALKS:
        return [f'students["{name}"] = {_call(name, state, max(1, epochs))}.fit(X, S)']
    if not state.t:
        return []
    if name in ("hebb", "rosenblatt") and rest:
        return [
            f'students["{name}"] = {_call(name, state, 1)}',
            f"for t in range({state.t if name == 'rosenblatt' else min(state.t, P)}):",
            "    mu = t % len(S)",
            f'    students["{name}"].partial_fit(X[[mu]], S[[mu]], classes=[-1.0, 1.0])',
        ]
    if not rest:
        return [f'students["{name}"] = {_call(name, state, max(1, epochs))}.fit(X, S)']
    note = f"# {state.t} presentations are {epochs} epochs and {rest} more: here after {epochs + 1} epochs."
    return [note, f'students["{name}"] = {_call(name, state, epochs + 1)}.fit(X, S)']


def _call(name: str, state: Any, k: int) -> str:
    """The estimator with what differs from its defaults; k is max_iter."""
    here = "" if state.threshold else ", fit_intercept=False"
    eta = f", eta={state.eta!r}" if state.eta != 1.0 else ""
    C = f"C={state.C!r}, " if state.C < 1000 else ""
    per_class, random = f"prototypes_per_class={state.prototypes}, ", f"random_state={state.seed}"
    book = f'solver="sequential", order="cyclic", tol=1e-15, max_iter={k}{eta}{here}'
    calls = {
        "hebb": f"Hebb({here[2:]})",
        "rosenblatt": f"Rosenblatt(c={state.c!r}, max_iter={k}{eta}{here})",
        "pocket": f"Pocket(max_iter={k}, {random}{here})",
        "minover": f'MinOver(stop="never", max_iter={k}{here})',
        "adaline": f'Adaline(solver="sequential", tol=0.0, max_iter={k}{eta}{here})',
        "lms": f"LMS(max_iter={k}{here})",
        "adatron": f"AdaTron({book})",
        "soft_adatron": f"AdaTron(C={state.C!r}, {book})",
        "kernel_adatron": f'KernelAdaTron(kernel="{state.kernel}", gamma={state.gamma!r}, '
        f"degree={state.degree}, "
        f'{C}solver="sequential", order="cyclic", max_iter={k})',
        "committee": f"CommitteeMachine({state.units}, max_iter={k}, n_restarts=1, pocket=False, {random})",
        "parity": f"ParityMachine({k}, {random})",
        "neighbours": f"KNeighborsClassifier({state.neighbours})",
        "lvq1": f'LVQ1({per_class}max_iter={k}, keep="last", tol=0.0, {random})',
        "glvq": f"GLVQ({per_class}max_iter={k}, {random})",
        "gmlvq": f"GMLVQ({per_class}max_iter={k}, {random})",
    }
    return calls[name]


def _print(state: Any) -> list[str]:
    return [
        "for name, student in students.items():",
        "    wrong = int(np.sum(student.predict(X) != S))",
        '    print(f"{name}: {wrong} of {len(S)} wrong")',
        '    if hasattr(student, "coef_"):',
        '        print("  w =", student.coef_[0], " threshold input:", student.intercept_[0])',
        '    if hasattr(student, "stability_bounds_"):',
        '        print("  kappa =", student.stability_, " bounds:", student.stability_bounds_)',
    ]
