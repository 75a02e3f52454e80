"""Random declarations of a hostile page: each is answered in at most one second of processor time."""

import json
import random
import time
from collections.abc import Iterator
from pathlib import Path

Outcomes = Iterator[bool]
LONGEST = 1.0
LARGEST = 30_000


def check_drafts(folder: Path, tries: int = 10_000, seed: int = 1) -> Outcomes:
    """Check random drafts: sentences with line numbers, in at most LONGEST seconds of processor time."""
    from markone.web.drafts import find_draft_problems

    chosen = random.Random(seed)
    find_draft_problems(write_draft(random.Random(0)))  # imports
    for _ in range(tries):
        text = write_draft(chosen)
        before = time.process_time()
        problems = find_draft_problems(text)
        yield bool(problems) and time.process_time() - before <= LONGEST


def write_draft(chosen: random.Random) -> str:
    """A declaration of at most LARGEST characters: mostly valid TOML, nested, long, or with large grids."""
    kind = chosen.choice([_write_declaration] * 5 + [_write_valid_grid] * 3 + [_write_brackets, _write_noise])
    return kind(chosen)[:LARGEST]


def _write_brackets(chosen: random.Random) -> str:
    opening = chosen.choice(["a=[", "a={b=", "[[", "a.", "a=[{b="])
    return opening[:2] + opening[2:] * chosen.choice([10, 500, 5000, 20_000]) + chosen.choice(["", "]", "1"])


def _write_noise(chosen: random.Random) -> str:
    return "".join(
        chosen.choice("[]{}=\".,'#\n\\ab1e-_ \x00é") for _ in range(chosen.choice([10, 1000, 30_000]))
    )


def _write_valid_grid(chosen: random.Random) -> str:
    students = [f"AdaTron(C={k}.0)" for k in range(1, chosen.choice([2, 10, 1000]))]
    size = chosen.choice([10, 1000, 20_000, 900_000]) // len(students) + 2
    scenario = chosen.choice(["estimator", "teacher_student"])
    return f"""name = "x"
title = "t"
scenario = "{scenario}"
seed = 1
repeats = {chosen.choice([1, 1000])}
[grid]
alpha = {{ start = 2, stop = {size}, step = 1 }}
student = {json.dumps(students)}
[fixed]
N = 10
"""


def _write_declaration(chosen: random.Random) -> str:
    scenario = chosen.choice(["estimator", "teacher_student", "capacity", "nothing", "sklearn.svm.SVC"])
    depths = [chosen.choice([1, 2, 3, 4, 5, 22]) for _ in range(chosen.choice([1, 3, 40]))]
    students = sorted({write_student(chosen, depth) for depth in depths})
    if chosen.random() < 0.5:
        students = ["hebb", "AdaTron(C=2.0)"]
    axes = {key: _write_axis(chosen) for key in ("alpha", "N", "noise", "K")}
    if chosen.random() < 0.5:
        axes |= {"noise": "[0.0, 0.1]", "K": "[3]"}
    axes["student"] = json.dumps(students)
    lines = ['name = "x"', 'title = "t"', f'scenario = "{scenario}"', "seed = 1"]
    lines += [f"repeats = {chosen.choice([1, 1, 10, 10**9, 10**17])}", "[grid]"]
    lines += [f"{key} = {values}" for key, values in axes.items() if chosen.random() < 0.7]
    for _ in range(chosen.choice([0, 1, 200])):
        where = ", ".join(f"{key} = {axes[key]}" for key in axes if chosen.random() < 0.2)
        lines += [
            "[[figure]]",
            'name = "f"',
            'x = "alpha"',
            'measures = ["epsilon_g"]',
            f"where = {{ {where} }}",
        ]
    return "\n".join(lines)


def _write_axis(chosen: random.Random) -> str:
    if chosen.random() < 0.3:
        size = chosen.choice([10, 1000, 10**6, 10**15])
        step = chosen.choice([1, 1, 1, 1, 1, 0, -1])
        return f"{{ start = 2, stop = {size}, step = {step} }}"
    scale = chosen.choice([1, 8])
    return str([k / scale if scale > 1 else k for k in range(2, 2 + chosen.choice([1, 5, 50, 2000]))])


def write_student(chosen: random.Random, depth: int) -> str:
    """An estimator nested `depth` deep, two parts on each level."""
    student = chosen.choice(["AdaTron", "sklearn.svm.SVC(C=2.0)", "Hebb(eta=[[1, 2], 3])", "os.system"])
    for _ in range(depth - 1):
        kind = chosen.choice(["sklearn.pipeline.Pipeline(steps=[('a', X), ('b', X)])", "x.Y(a=X, b=X)"])
        kind = chosen.choice([kind, "sklearn.multiclass.OneVsRestClassifier(estimator=X)"])
        if len(student) > 4000:
            kind = kind.replace("('a', X), ", "").replace("a=X, ", "")
        student = kind.replace("X", student)
    return student


DRILLS = {"random drafts": check_drafts}
