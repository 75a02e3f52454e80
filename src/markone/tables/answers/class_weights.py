"""Class weights from the costs of errors."""

from __future__ import annotations

from typing import Any

from markone.numerics.text import format_number
from markone.tables.scores import ClassScoring


def set_class_weights(model: Any, judge: ClassScoring) -> list[str]:
    """Set `class_weight` of the model to the costs of two classes; return a note.

    A threshold alone does not help if the model has learned a constant prediction.
    """
    if judge.prices is None or len(judge.classes) != 2:
        return []
    weights = {judge.classes[k]: float(judge.prices[k][1 - k]) for k in (0, 1)}
    known = model.get_params(deep=False)
    if "class_weight" not in known or known["class_weight"] is not None or min(weights.values()) <= 0:
        return []
    model.set_params(class_weight=weights)
    words = ", ".join(f"{label} {format_number(weight)}" for label, weight in weights.items())
    return [f"Class weights in training, by the cost of an error: {words}."]
