"""Summary of a fitted model in the names and units of the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from markone.numerics.arrays import Array
from markone.numerics.intervals import draws_interval
from markone.numerics.text import format_count, format_number
from markone.tables.scoring import ROUNDING

STANDARD_ERROR = "standard error"


@dataclass(frozen=True)
class SortedInputs:
    """A value of each input, the largest first; one line, or one per class."""

    title: str
    features: list[str]
    values: Array  # (lines, features)
    lines: list[str]
    # 2.5 % and 97.5 % quantiles over the folds, shaped like `values`.
    low: Array | None = None
    high: Array | None = None

    @property
    def has_errors(self) -> bool:
        """Whether the second line holds the standard errors of the first."""
        return self.lines[-1] == STANDARD_ERROR


# Above this number of binary problems, a table replaces the sentences.
MAX_PROBLEM_SENTENCES = 3


@dataclass
class ModelSummary:
    """`problems`: for each binary problem its facts by column name, if there are many."""

    sentences: list[str] = field(default_factory=list)
    problems: dict[str, dict[str, str]] = field(default_factory=dict)
    bars: SortedInputs | None = None
    prototypes: tuple[list[str], Array] | None = None
    support: dict[str, list[int]] = field(default_factory=dict)


def summarise_classifier(
    pipeline: Any, feature_names: list[str], rows: list[int], scale: str, folds: Sequence[Array | None] = ()
) -> ModelSummary:
    """Summarise the fitted model.

    `rows` are the row numbers of the training rows in the table, `folds` are the weights or relevances of
    the models of the folds.
    """
    model, found = pipeline["model"], ModelSummary()
    binary = _binary_problem_names(model)
    _add_stability(model, binary, found)
    _add_support_vectors(model, binary, rows, found)
    if hasattr(model, "relevance_"):
        relevance = np.atleast_2d(model.relevance_)
        found.bars = _sort_inputs(
            "Relevance of each input", feature_names, relevance.mean(axis=0)[None], [""]
        )
        if len(relevance) > 1:
            found.sentences.append(f"Relevances are the mean over {len(relevance)} local metrics.")
    elif hasattr(model, "coef_") and np.shape(model.coef_)[-1] == len(feature_names):
        units = "of z-scores" if scale == "standard" else "in the units of the table"
        title = f"Weight of each input ({units})"
        weights = model_weights(model)
        found.bars = _sort_inputs(title, feature_names, weights, binary)
        if not weights.any():
            found.sentences.append("All weights are zero: every row gets the same prediction.")
    _add_prototypes(pipeline, found)
    if found.bars is not None:
        found.bars = _add_fold_spread(found.bars, feature_names, folds)
    return found


def _add_fold_spread(bars: SortedInputs, names: list[str], folds: Sequence[Array | None]) -> SortedInputs:
    """Add the spread of each value over the folds."""
    same = [part for part in folds if part is not None and part.shape == bars.values.shape]
    if len(same) < 2 or len(same) < len(folds):
        return bars
    place = {name: k for k, name in enumerate(names)}
    order = [place[name] for name in bars.features]
    low, high = draws_interval(np.stack(same)[:, :, order])
    return replace(bars, low=low, high=high)


def model_weights(model: Any) -> Array:
    """Weights; those at rounding level of the largest weight or threshold are set to zero."""
    weights = np.atleast_2d(model.coef_)
    size = np.maximum(np.abs(weights).max(axis=1), np.abs(np.ravel(getattr(model, "intercept_", 0.0))))
    return np.where(np.abs(weights) <= ROUNDING * size[:, None], 0.0, weights)


def _binary_problem_names(model: Any) -> list[str]:
    """Names of the binary problems: one for two classes, one per class for more."""
    classes = [str(label) for label in model.classes_]
    return (
        [f"{classes[1]} against {classes[0]}"]
        if len(classes) == 2
        else [f"{c} against the rest" for c in classes]
    )


def _sort_inputs(title: str, names: list[str], values: Array, lines: list[str]) -> SortedInputs:
    order = np.argsort(-np.abs(values).max(axis=0), kind="stable")
    if len(lines) != len(values):
        lines = [str(k + 1) for k in range(len(values))]
    return SortedInputs(title, [names[k] for k in order], values[:, order], lines)


def _add_stability(model: Any, binary: list[str], found: ModelSummary) -> None:
    """Add the stability kappa and its proven upper bound."""
    if not hasattr(model, "stability_"):
        return
    values = np.atleast_1d(model.stability_)
    bounds = np.atleast_2d(getattr(model, "stability_bounds_", np.full((len(values), 2), np.nan)))
    status = np.atleast_1d(getattr(model, "status_", [""] * len(values)))
    if not len(values) == len(bounds) == len(binary) == len(status):
        return
    for name, kappa, (_, high), state in zip(binary, values, bounds, status, strict=True):
        if len(binary) > MAX_PROBLEM_SENTENCES:
            found.problems[name] = {
                "stability": format_number(float(kappa)),
                "at most (proved)": format_number(float(high)) if np.isfinite(high) else "–",
                "solver": str(state).replace("_", " "),
            }
            continue
        side = (
            "all rows are on the correct side"
            if kappa > 0
            else "some rows are on the wrong side, as C allows"
        )
        if kappa <= 0 and not np.isfinite(getattr(model, "C", np.inf)):
            side = "some rows are on the wrong side"
        proof = (
            f"; no weights reach more than {format_number(float(high))} (proved)" if np.isfinite(high) else ""
        )
        ended = f" Solver: {str(state).replace('_', ' ')}." if state else ""
        found.sentences.append(
            f"{name}: stability kappa = {format_number(float(kappa))}, {side}{proof}.{ended}"
        )


def _add_support_vectors(model: Any, binary: list[str], rows: list[int], found: ModelSummary) -> None:
    if not hasattr(model, "support_"):
        return
    indices = model.support_ if len(binary) > 1 else [model.support_]
    counts = np.atleast_2d(getattr(model, "n_support_", [[]]))
    for k, (name, some) in enumerate(zip(binary, indices, strict=False)):
        found.support[name] = [rows[i] for i in some]
        if len(binary) > MAX_PROBLEM_SENTENCES:
            found.problems.setdefault(name, {})["support vectors"] = str(len(some))
            if counts.shape == (len(binary), 2):
                found.problems[name] |= {
                    "on the margin": str(counts[k][0]),
                    "clipped at C": str(counts[k][1]),
                }
            continue
        parts = ""
        if counts.shape == (len(binary), 2):
            parts = f", {counts[k][0]} of them on the margin and {counts[k][1]} clipped at C"
        found.sentences.append(
            f"{name}: {format_count(len(some), 'support vector')} of {len(rows)} rows{parts}; rows "
            f"{_list_first_rows(found.support[name])}."
        )


def _list_first_rows(rows: list[int], most: int = 10) -> str:
    return ", ".join(str(row) for row in rows[:most]) + (", ..." if len(rows) > most else "")


def _add_prototypes(pipeline: Any, found: ModelSummary) -> None:
    """Add the prototypes in the units of the table."""
    model = pipeline["model"]
    if not hasattr(model, "prototypes_") or np.ndim(model.prototypes_) != 2:
        return
    labels = [str(label) for label in model.prototype_labels_]
    found.prototypes = labels, pipeline["scaling"].inverse_transform(np.asarray(model.prototypes_))
    found.sentences.append(f"{format_count(len(labels), 'prototype')}, given in the units of the table.")


def summarise_regressor(pipeline: Any, names: list[str], scale: str) -> ModelSummary:
    """Summary of a linear regressor: weights in units of the target, with their standard errors."""
    scaled = pipeline["model"]
    model, sentences = scaled.regressor_, []
    if np.shape(getattr(model, "coef_", 0.0)) not in ((len(names),), (1, len(names))):
        return ModelSummary()
    weights = np.reshape(model.coef_, (1, -1)) * scaled.deviation_
    what = "one standard deviation" if scale == "standard" else "one unit"
    what += " (0/1: one step)" if len(names) > pipeline["scaling"].n_numbers else ""
    lines = ["change of the target"]
    covariance = getattr(model, "covariance_", None)
    if covariance is not None:
        errors = np.sqrt(np.diag(covariance))[: len(names)] * scaled.deviation_
        weights, lines = np.vstack([weights, errors]), [*lines, STANDARD_ERROR]
        sigma = float(model.sigma_) * scaled.deviation_
        sentences.append(f"Noise of one row: {sigma:.4g} (standard deviation, sigma of (2.11)).")
    order = np.argsort(-np.abs(weights[0]), kind="stable")
    title = f"Change of the target for {what} of each input"
    return ModelSummary(
        sentences, bars=SortedInputs(title, [names[k] for k in order], weights[:, order], lines)
    )
