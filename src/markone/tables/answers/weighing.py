"""Errors that count in training what they cost."""

from __future__ import annotations

from typing import Any

from markone.numerics.text import number
from markone.tables.scores import Judge


def weigh(model: Any, judge: Judge) -> list[str]:
    """Give a model that can weigh its classes the prices of two classes, and say so.

    A working point alone cannot help a student that has learned to answer always the same.
    """
    if judge.prices is None or len(judge.classes) != 2:
        return []
    weights = {judge.classes[k]: float(judge.prices[k][1 - k]) for k in (0, 1)}
    known = model.get_params(deep=False)
    if "class_weight" not in known or known["class_weight"] is not None or min(weights.values()) <= 0:
        return []
    model.set_params(class_weight=weights)
    words = ", ".join(f"{label} {number(weight)}" for label, weight in weights.items())
    return [f"Rows weigh in training what it costs to miss them: {words}."]
