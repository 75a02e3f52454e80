"""The answer of `separation` in sentences."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Coefficients named one by one; more are counted.
MOST_NAMED = 12
SIGNS = {"+inf": " (+)", "-inf": " (-)", "inf": " (+ or -)", "inf?": ""}


def describe_separation(
    kind: str,
    names: Sequence[str],
    states: Sequence[str],
    rows: NDArray[np.intp],
    inputs: Any,
    y: NDArray[Any],
    S: NDArray[np.float64],
    free_threshold: bool,
) -> str:
    """Kind, infinite coefficients, and for single columns which rows cause it."""
    P = len(S)
    parts = {
        "overlap": f"Overlap: no direction separates any of the {P} rows, the estimates exist.",
        "complete": f"Complete separation: a hyperplane has all {P} rows strictly on their side.",
        "quasi-complete": f"Quasi-complete separation: a hyperplane has {len(rows)} of {P} rows strictly on "
        "their side and contains the others.",
    }
    sentences = [parts[kind]]
    infinite = [j for j, state in enumerate(states) if state in SIGNS]
    if infinite:
        shown = ", ".join(f"{names[j]}{SIGNS[states[j]]}" for j in infinite[:MOST_NAMED])
        more = f" and {len(infinite) - MOST_NAMED} more" if len(infinite) > MOST_NAMED else ""
        one = len(infinite) == 1
        words = ("coefficient", "is") if one else ("coefficients", "are")
        sentences.append(f"The {words[0]} of {shown}{more} {words[1]} infinite.")
    for j in infinite[:MOST_NAMED]:
        if j < inputs.shape[1]:
            reason = _describe_column(names[j], inputs[:, j], y, S, free_threshold)
            sentences += [f"{reason[0].upper()}{reason[1:]}."] if reason else []
    missing = [names[j] for j, state in enumerate(states) if state == "not identified"]
    if missing:
        sentences.append(f"Not identified, as their columns are collinear: {', '.join(missing)}.")
    return " ".join(sentences)


def _describe_column(
    name: str, values: NDArray[np.float64], y: NDArray[Any], S: NDArray[np.float64], free_threshold: bool
) -> str:
    """How this column alone separates: "all 13 rows with neovasc > 0 are of class 1"; "" if it does not."""
    last, first = y[S > 0][0], y[S < 0][0]
    for upper, lower, sign in ((last, first, 1.0), (first, last, -1.0)):
        top, bottom = values[sign * S < 0].max(), values[sign * S > 0].min()
        if bottom < top or values.min() == values.max() or not (free_threshold or bottom >= 0.0 >= top):
            continue
        edge = top if free_threshold else 0.0
        above, below = values > edge, values < (bottom if free_threshold else 0.0)
        clauses = (
            [f"all {above.sum()} rows with {name} > {edge:g} are of class {upper}"] if above.any() else []
        )
        clauses += (
            [f"all {below.sum()} rows with {name} < {bottom:g} are of class {lower}"] if below.any() else []
        )
        return " and ".join(clauses)
    return ""
