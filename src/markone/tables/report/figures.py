"""Figures of a classification: ROC with band, confusion, reliability, grid search."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from markone.evaluation import AveragedRoc, averaged_roc, confusion_percent
from markone.numerics.arrays import Array
from markone.numerics.text import format_number
from markone.show.drawing import COLOURS, DOUBLE, GREY, SINGLE, new_axes
from markone.tables.fit_result import FitResult
from markone.tables.inspect.reliability import Reliability
from markone.tables.report.short_names import shorten_names
from markone.tables.validation import Validation

MOST_LINES = 8
# Largest number of coloured curves, and the number of named ones if there are more.
COLOURED, NAMED = 8, 5


def roc_curves(fitted: FitResult) -> dict[str, AveragedRoc]:
    """ROC of each class averaged over the folds; leave-one-out has one curve and no band."""
    found: dict[str, list[tuple[Array, Array]]] = {}
    for test, scores in _pool_folds(fitted.validation):
        for label, pair in fitted.judge.against_rest(fitted.y[test], scores).items():
            found.setdefault(label, []).append(pair)
    return {label: averaged_roc(pairs) for label, pairs in found.items()}


def _pool_folds(validation: Validation) -> list[tuple[Array, Array]]:
    folds = [(fold.test, fold.scores) for fold in validation.folds if fold.scores is not None]
    if not validation.how.leave_one_out or not folds:
        return folds
    return [(np.concatenate([test for test, _ in folds]), np.concatenate([s for _, s in folds]))]


def draw_roc(found: dict[str, AveragedRoc]) -> Figure:
    """Draw all curves; of more than COLOURED, those with the least area have a name and a colour."""
    order = sorted(found, key=lambda label: _area_under_curve(found[label]))
    named = list(found) if len(found) <= COLOURED else order[:NAMED]
    with new_axes((SINGLE, SINGLE * 0.95)) as axes:
        axes.plot([0, 1], [0, 1], color=GREY, linewidth=0.7, linestyle=":")
        for label in (label for label in found if label not in named):
            curve = found[label]
            axes.plot([0, *curve.fpr], [0, *curve.mean], color=GREY, linewidth=0.5, alpha=0.6)
        legend = dict(zip(found, shorten_names(list(found), 20), strict=True))
        for k, label in enumerate(named):
            curve, colour = found[label], COLOURS[k % len(COLOURS)]
            name = legend[label] if len(found) > 1 else None
            axes.plot([0, *curve.fpr], [0, *curve.mean], color=colour, label=name)
            low, high = np.clip([curve.mean - curve.sd, curve.mean + curve.sd], 0, 1)
            if len(found) <= 3:
                axes.fill_between(curve.fpr, low, high, color=colour, alpha=0.2, linewidth=0)
        axes.set(xlabel="false positives", ylabel="true positives", xlim=(-0.01, 1.01), ylim=(-0.01, 1.02))
        axes.set_aspect("equal")
        if len(found) > 1:
            axes.legend(loc="lower right")
    figure: Figure = axes.figure
    return figure


def _area_under_curve(curve: AveragedRoc) -> float:
    return float(np.trapezoid(np.r_[0.0, curve.mean], np.r_[0.0, curve.fpr]))


def draw_confusion(fitted: FitResult) -> Figure:
    """Confusion matrix in per cent of the rows of each class, as Fig. 6.4 of the notes."""
    classes, counts = fitted.judge.classes, fitted.validation.confusion
    shares = confusion_percent(counts)
    K = len(classes)
    size = min(SINGLE + 0.28 * max(K - 3, 0), DOUBLE)
    names = shorten_names(classes, 16)
    # Font size such that four digits fit into a cell.
    letters = min(7.0, 72 * 0.7 * size / K / 2.5)

    with new_axes((size, size * 0.85)) as axes:
        axes.imshow(shares, cmap="Blues", vmin=0, vmax=110)
        for i in range(K if K <= 20 else 0):
            for j in range(K):
                colour = "white" if shares[i, j] > 60 else "#1b1b1b"
                text = f"{shares[i, j]:.{1 if K < 8 else 0}f}" if shares[i, j] else "0"
                axes.text(j, i, text, ha="center", va="center", color=colour, fontsize=letters)
        every = max(1, -(-K // 40))
        wide = max(map(len, names)) * K > 30
        turn = {"rotation": 90 if K > 12 else 45, "ha": "center" if K > 12 else "right"} if wide else {}
        axes.set_xticks(range(0, K, every), names[::every], fontsize=min(letters + 1, 8), **turn)
        axes.set_yticks(range(0, K, every), names[::every], fontsize=min(letters + 1, 8))
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        axes.set(xlabel="predicted", ylabel="true class")
    figure: Figure = axes.figure
    return figure


def draw_reliability(found: Reliability) -> Figure:
    """Observed frequency against predicted probability."""
    said = [b.said for b in found.bins]
    true = [b.true.mean for b in found.bins]
    low = [b.true.mean - b.true.low for b in found.bins]
    high = [b.true.high - b.true.mean for b in found.bins]
    with new_axes((SINGLE, SINGLE * 0.95)) as axes:
        axes.plot([0, 1], [0, 1], color=GREY, linewidth=0.7, linestyle=":")
        axes.errorbar(said, true, yerr=[low, high], marker="o", color=COLOURS[0], elinewidth=0.8)
        axes.set(
            xlabel="predicted probability", ylabel="observed share", xlim=(-0.02, 1.02), ylim=(-0.02, 1.02)
        )
        axes.set_aspect("equal")
    figure: Figure = axes.figure
    return figure


def draw_grid_search(fitted: FitResult) -> Figure:
    """Score of the search against the first parameter, one line per value of the others."""
    tried, mean, sd = (fitted.search[key] for key in ("tried", "mean", "sd"))
    first = next(iter(tried[0]))
    lines: dict[str, list[int]] = {}
    for k, point in enumerate(tried):
        name = ", ".join(f"{key} = {format_number(v)}" for key, v in point.items() if key != first)
        lines.setdefault(name, []).append(k)
    values = [point[first] for point in tried]
    numeric = all(isinstance(v, int | float) and np.isfinite(v) for v in values)
    ratio = numeric and min(values) > 0 and max(values) / min(values) >= 20

    with new_axes((SINGLE * 1.2, SINGLE * 0.8)) as axes:
        for c, (name, rows) in enumerate(list(lines.items())[:MOST_LINES]):
            x = [values[k] if numeric else str(values[k]) for k in rows]
            look = {"marker": "o", "color": COLOURS[c % len(COLOURS)], "label": name or None}
            axes.errorbar(x, mean[rows], yerr=sd[rows], linewidth=0.9, elinewidth=0.7, **look)
        axes.set(xlabel=first, ylabel="balanced accuracy of the search")
        if ratio:
            axes.set_xscale("log")
        elif numeric and all(isinstance(v, int) for v in values):
            axes.set_xticks(sorted(set(values)))
        if len(lines) > 1:
            axes.legend()
    figure: Figure = axes.figure
    return figure
