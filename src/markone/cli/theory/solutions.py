"""`markone theory --loss ...`: a solution of the theory engine in a terminal."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from markone import theory
from markone.cli.terminal import echo
from markone.cli.theory.curves import draw_lines, parse_numbers, parse_options, show_curve
from markone.numerics.arrays import Array
from markone.numerics.text import format_number, unknown_name_text

NUMBERS = ("noise", "l1", "l2", "gamma", "drift", "decay")
OPTIONS = ("alpha", "loss", "f", "teacher", "prior", "intercept", "show", *NUMBERS)
# Size of the drawing in a terminal, in characters.
WIDTH, HEIGHT = 64, 16


def show_theory(name: str | None, options: list[str], draw: Path | None, as_json: bool) -> None:
    """A curve of the catalogue by its name, or a solution if there is none but a loss or a rule."""
    if name is not None and name.startswith("--"):
        # An option that typer does not know, in the place of the name.
        options = [name, *options]
        name = None
    given = {} if name else parse_options(options)
    if "loss" in given or "f" in given:
        show_solution(given, draw, as_json)
    else:
        show_curve(name, options, draw, as_json)


def show_solution(given: dict[str, str], draw: Path | None, as_json: bool) -> None:
    """Print, and draw, the curve of a student given by a loss or of an on-line rule given by f."""
    for key in given:
        if key not in OPTIONS:
            raise ValueError(unknown_name_text("option", f"--{key}", [f"--{name}" for name in OPTIONS]))
    if "alpha" not in given:
        raise ValueError("Give the values of alpha: --alpha 0:8:0.1 or --alpha 0.5,1,2")
    alpha = np.asarray(parse_numbers(given["alpha"]), dtype=float)
    found, title = _solve_curve(given, alpha)
    quantity = given.get("show", "epsilon_g")
    values = getattr(found, quantity, None)
    if not isinstance(values, np.ndarray):
        raise ValueError(f"--show {quantity} is no value of a solution; try epsilon_g, epsilon_t, R or norm.")
    if as_json:
        numbers = [None if np.isnan(value) else value for value in values.tolist()]
        echo(json.dumps({"title": title, "quantity": quantity, "alpha": alpha.tolist(), "values": numbers}))
        return
    echo(f"{title}: {quantity}, N to infinity")
    for a, value in zip(alpha, values, strict=True):
        echo(f"alpha = {a:<8.6g} {value:.6g}")
    for reason in sorted({str(one) for one in getattr(found, "reason", []) if one}):
        echo(f"nan: {reason}")
    echo(text_plot(alpha, values))
    if draw:
        draw_lines(draw, alpha, {"": values}, {"xlabel": "alpha", "ylabel": quantity, "title": title})


def _solve_curve(given: dict[str, str], alpha: Array) -> tuple[Any, str]:
    numbers = {key: _read_number(key, given[key]) for key in NUMBERS if key in given}
    teacher, noise = given.get("teacher", "sign"), numbers.get("noise", 0.0)
    if "f" in given:
        rates = {key: numbers[key] for key in ("drift", "decay") if key in numbers}
        return theory.online(
            alpha, given["f"], teacher, noise, **rates
        ), f"f = {given['f']}, teacher {teacher}"
    penalty = {key: numbers[key] for key in ("l1", "l2", "gamma") if key in numbers} or {"l2": 1.0}
    how = {
        "prior": given.get("prior", "gauss"),
        "intercept": given.get("intercept", "") in ("1", "true", "yes"),
    }
    found = theory.solve(alpha, given["loss"], penalty, teacher, noise, **how)
    return found, found.family


def _read_number(key: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"--{key} {text!r} is not a number.") from None


def text_plot(x: Array, y: Array) -> str:
    """A curve as lines of text, with the ends of both axes."""
    known = np.isfinite(y)
    if known.sum() < 2 or not np.ptp(x[known]) > 0:
        return ""
    low, high = float(y[known].min()), float(y[known].max())
    across = np.linspace(x[known].min(), x[known].max(), WIDTH)
    order = np.argsort(x[known])
    values = np.interp(across, x[known][order], y[known][order])
    rows = np.rint((HEIGHT - 1) * (values - low) / ((high - low) or 1.0)).astype(int)
    canvas = [["." if row == k else " " for row in rows] for k in reversed(range(HEIGHT))]
    labels = [format_number(high), *[""] * (HEIGHT - 2), format_number(low)]
    wide = max(map(len, labels))
    lines = [f"{label:>{wide}} |{''.join(line)}" for label, line in zip(labels, canvas, strict=True)]
    left, right = (format_number(float(one)) for one in (across[0], across[-1]))
    ends = left + right.rjust(WIDTH - len(left))
    return "\n".join([*lines, " " * wide + " +" + "-" * WIDTH, " " * (wide + 2) + ends])
