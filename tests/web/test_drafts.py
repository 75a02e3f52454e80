"""Drafts of a hostile page: a sentence for each."""

import random
import runpy
from pathlib import Path

import pytest

from markone.web.drafts import find_draft_problems

DRILL = runpy.run_path(str(Path(__file__).parents[2] / "drills" / "drafts.py"))
DRAFT = """name = "x"
title = "t"
scenario = "estimator"
seed = 1
repeats = 1
[grid]
alpha = {{ start = 1, stop = {size}, step = 1 }}
student = ["{student}"]
[fixed]
N = 10
"""


@pytest.mark.parametrize("opening", ["[", "{a="])
def test_a_draft_nested_5000_deep_gets_a_sentence(opening):
    (problem,) = find_draft_problems("a=" + opening * 5000)
    assert problem["text"] == "It is nested too deeply to be read."


def test_nested_students_are_refused_before_they_are_built():
    student = "AdaTron"
    for _ in range(4):
        student = f"sklearn.pipeline.Pipeline(steps=[('a', {student}), ('b', {student})])"
    problems = find_draft_problems(DRAFT.format(size=2, student=student))
    assert "values, more than the 30 allowed" in problems[0]["text"]


def test_tasks_of_a_large_grid_are_not_counted_on_the_page():
    assert "2 grid points, 2 tasks." in find_draft_problems(DRAFT.format(size=2, student="Hebb"))[0]["text"]
    (fine,) = find_draft_problems(DRAFT.format(size=30_000, student="Hebb"))
    assert fine["text"] == "Fine: 30000 grid points; `markone check` counts tasks."


def test_random_drafts_are_answered():
    chosen = random.Random(7)
    for _ in range(40):
        assert all(one["text"] for one in find_draft_problems(DRILL["write_draft"](chosen)))
