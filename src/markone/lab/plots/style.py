"""Styles of lines, measures and theories; display names of students, measures and parameters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from markone.lab.formatting import format_keys
from markone.lab.statistics import Line
from markone.show.drawing import COLOURS

MARKS = ["o", "s", "^", "D", "v", "P", "X", "<", ">"]
FILLS = ["full", "none", "left", "top", "right", "bottom"]
DASHES: list[Any] = ["-", "--", "-.", ":"]
MARK_DASHES: list[Any] = [(0, (1, 1.5)), (0, (4, 1, 1, 1))]  # vertical lines at thresholds


def line_style(line: Line, labels: Sequence[str], measures: Sequence[str]) -> dict[str, Any]:
    """Style of a line: colour and marker by line, fill by measure; with one line all by measure, and every
    second one open, so that marks at the same place are seen."""
    which, measure = labels.index(format_keys(line.keys)), measures.index(line.measure)
    if len(labels) == 1:
        return numbered_style(measure)
    return numbered_style(which, measure if len(measures) > 1 else None)


def numbered_style(which: int, fill: int | None = None) -> dict[str, Any]:
    """Colour and marker by number; markers are filled and open alternately unless a fill is given."""
    return {
        "color": COLOURS[which % len(COLOURS)],
        "marker": MARKS[which % len(MARKS)],
        "fillstyle": FILLS[which % 2 if fill is None else fill % len(FILLS)],
    }


NAMES = {
    "hebb": "Hebb",
    "rosenblatt": "Rosenblatt",
    "minover": "MinOver",
    "minover_optimal": "MinOver, optimal",
    "adaline": "Adaline",
    "adatron": "AdaTron",
    "knn": "k-NN",
    "lms": "LMS",
    "lvq1": "LVQ1",
    "glvq": "GLVQ",
    "grlvq": "GRLVQ",
    "gmlvq": "GMLVQ",
    "lgmlvq": "LGMLVQ",
    "rslvq": "RSLVQ",
    "mrslvq": "MRSLVQ",
    "gibbs": "Gibbs",
    "bayes": "Bayes",
    "pseudo_inverse": "pseudo-inverse",
    "one_against_rest": "one against the rest",
    "epsilon_g": "$\\epsilon_g$",
    "epsilon_t": "$\\epsilon_t$",
    "alpha_c": "$\\alpha_c$",
}
NAMES |= {
    "alpha": "α",
    "gamma": "γ",
    "epsilon": "ε",
    "eta": "η",
    "kappa": "κ",
    "lambda": "λ",
    "sigma": "σ",
    "tau": "τ",
    "to infinity": "→ ∞",
}
# A dotted name is a class of a package: its last part is displayed.
DOTTED = re.compile(r"\b(?:[A-Za-z_]\w*\.)+([A-Z]\w*)")
WORD = re.compile(r"\b(" + "|".join(sorted(NAMES, key=len, reverse=True)) + r")\b|_")


def display_text(text: str) -> str:
    """ "minover, alpha = 2" -> "MinOver, α = 2"; text between $ signs is unchanged."""
    parts = text.split("$")
    for k in range(0, len(parts), 2):
        short = DOTTED.sub(r"\1", parts[k])
        parts[k] = WORD.sub(lambda found: NAMES.get(found[0], " "), short)
    return "$".join(parts) if text.count("$") % 2 == 0 else text.replace("_", " ")
