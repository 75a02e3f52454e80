"""Fit a model to partitions; models that need all rows at once are refused."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.pipeline import Pipeline

from markone.errors import BadTable
from markone.lvq.base.gradient_base import GradientLVQ
from markone.networks.linear_unit import LinearUnit
from markone.numerics.arrays import Array
from markone.perceptron.students.adaline import Adaline
from markone.perceptron.students.adatron import AdaTron
from markone.perceptron.students.hebb import Hebb
from markone.perceptron.students.margin_cost import MarginCost
from markone.tables.partitions import linear_models
from markone.tables.partitions.linear_models import soft_margin
from markone.tables.partitions.partition_summary import exact_quantiles
from markone.tables.partitions.partition_sums import Moments, PartitionSums, compute_moments
from markone.tables.partitions.prototypes import fit_prototypes
from markone.tables.partitions.sources import ChangedPartitions, as_partitions
from markone.tables.scaling import Scaling

Weights = Callable[[Any, PartitionSums, Moments], Array]
WEIGHTS_BY_SUMS: dict[type, Weights] = {
    Hebb: lambda model, sums, found: linear_models.hebb_weights(model, sums, found.classes),
    Adaline: lambda model, sums, found: linear_models.adaline_weights(model, sums, found.classes),
    MarginCost: lambda model, sums, found: linear_models.margin_cost_weights(
        model, sums, found.classes, found.P, len(found.mean)
    ),
}


def fit_partitions(
    estimator: Any,
    data: Any,
    target: str | None = None,
    *,
    scale: bool = False,
    missing: str = "refuse",
    client: Any = None,
    threads: int = 1,
) -> Any:
    """Fit an estimator to partitions, with the same weights as `estimator.fit` on all rows.

    Parameters
    ----------
    estimator : estimator
        Hebb, Adaline (closed), LinearUnit, MarginCost, AdaTron with C finite, or a model of the LVQ family
        that minimises a cost by L-BFGS or waypoints (GLVQ, GRLVQ, GMLVQ, LGMLVQ, RSLVQ, MRSLVQ, ...).
    data : str, pathlib.Path, dask.dataframe or list of (X, y)
        A Parquet file, a folder of them, a frame, or the partitions.
    target : str or None, default=None
        The target column of files and frames.
    scale : bool, default=False
        Whether to scale inputs to z-scores first; the result is then a pipeline.
    missing : {"refuse", "median", "mean"}, default="refuse"
        Replacement of missing values, by the column over all rows; the result is then a pipeline.
    client : dask.distributed.Client or None, default=None
        Client whose workers load the partitions and can read the files; None: `threads` of this process.
    threads : int, default=1
        Number of threads without a client.

    Returns
    -------
    estimator or sklearn.pipeline.Pipeline
        A fitted copy of the estimator, or a pipeline with its scaling.

    Examples
    --------
    >>> import numpy as np
    >>> from markone import Hebb
    >>> from markone.tables import fit_partitions
    >>> X = np.array([[1.0, 2.0], [2.0, 1.0], [-1.0, -2.0], [-2.0, -1.0]])
    >>> y = np.array([1, 1, 0, 0])
    >>> fit_partitions(Hebb(), [(X[:2], y[:2]), (X[2:], y[2:])]).coef_
    array([[2., 2.]])
    """
    parts = as_partitions(data, target)
    model = clone(estimator)
    _check_partition_model(model)
    how = {"client": client, "threads": threads}
    fill = None
    if missing != "refuse":
        fill = _fill_values(parts, missing, **how)
        parts = ChangedPartitions(parts, partial(_fill_missing, fill))
    with closing(PartitionSums(parts, client, threads)) as sums:
        found = compute_moments(sums, is_classifier(model))
        if not np.isfinite(found.mean).all():
            raise BadTable(_bad_column_message(parts.names, found.mean))
        if not scale and fill is None:
            return _fit_by_sums(model, sums, found)
    scaling = Scaling(len(found.mean), "standard" if scale else "none", "mask" if fill is None else missing)
    none, one = np.zeros(len(found.mean)), np.ones(len(found.mean))
    scaling.mean_, scaling.deviation_ = (found.mean, found.deviation) if scale else (none, one)
    scaling.fill_, scaling.n_features_in_ = found.mean if fill is None else fill, len(found.mean)
    parts = ChangedPartitions(parts, partial(_scale_inputs, found.mean, found.deviation)) if scale else parts
    return Pipeline([("scaling", scaling), ("model", fit_partitions(estimator, parts, **how))])


def _fill_missing(fill: Array, k: int, X: Array, y: Array) -> tuple[Array, Array]:
    return np.where(np.isnan(X), fill, X), y


def _scale_inputs(mean: Array, deviation: Array, k: int, X: Array, y: Array) -> tuple[Array, Array]:
    return (X - mean) / deviation, y


def _fill_values(parts: Any, missing: str, **how: Any) -> Array:
    """Medians or means of the given values; 0 for an empty column."""
    if missing not in ("median", "mean"):
        raise ValueError(f"missing = {missing!r}: must be 'refuse', 'median' or 'mean' for partitions.")
    with closing(PartitionSums(parts, **how)) as sums:
        if missing == "median":
            return np.asarray(np.nan_to_num(exact_quantiles(sums, [0.5])[0][0]))
        total, given = sums.total(_sum_given_values)
    return np.asarray(total / np.maximum(given, 1))


def _sum_given_values(X: Array, y: Array) -> tuple[Array, Array]:
    return np.nansum(X, axis=0), (~np.isnan(X)).sum(axis=0)


def _bad_column_message(names: list[str], mean: Array) -> str:
    k = int(np.flatnonzero(~np.isfinite(mean))[0])
    what = "missing values" if np.isnan(mean[k]) else "infinite values"
    return (
        f"Column {names[k]!r} has {what}. Choose missing='median' or 'mean' (--missing median), or correct "
        "the files."
    )


def _check_partition_model(model: Any) -> None:
    name = type(model).__name__
    supported = isinstance(model, (*WEIGHTS_BY_SUMS, LinearUnit, AdaTron, GradientLVQ))
    if isinstance(model, Adaline) and model.solver != "closed":
        raise ValueError(f"On partitions Adaline needs solver='closed', not {model.solver!r}.")
    if getattr(model, "class_weight", None) is not None:
        raise ValueError(f"On partitions {name} does not support class_weight.")
    if isinstance(model, AdaTron) and not np.isfinite(model.C):
        raise ValueError(
            "The hard margin (C = inf) depends on single rows and needs all at once. Give AdaTron a finite "
            "C, or fit it to a sample of n rows: for a learnable rule its error decreases like 0.5 N/n."
        )
    if not supported:
        raise ValueError(
            f"{name} needs all rows at once: its solution is not a sum over examples. Fit it to a sample "
            "(for a learnable rule the error decreases like 1/rows), or stream markone.data.chunks into "
            "partial_fit, if it has it. Partitions support Hebb, Adaline, LinearUnit, MarginCost, AdaTron "
            "with C finite, and cost-based models of the LVQ family."
        )


def _fit_by_sums(model: Any, sums: PartitionSums, found: Moments) -> Any:
    model.n_features_in_ = len(found.mean)
    if isinstance(model, LinearUnit):
        return linear_models.fit_linear_unit(model, sums)
    if len(found.classes) < 2:
        raise ValueError(f"There is only one class, {found.classes.tolist()[0]!r}, in all partitions.")
    if isinstance(model, GradientLVQ):
        return fit_prototypes(model, sums, found)
    model.classes_ = found.classes
    if isinstance(model, AdaTron):
        model.coef_, model.intercept_, model.n_working_ = soft_margin(model, sums, found.classes, found.P)
        return model
    W = next(make for kind, make in WEIGHTS_BY_SUMS.items() if isinstance(model, kind))(model, sums, found)
    model._set_weights([SimpleNamespace(w=w) for w in W])
    return model


def score_partitions(
    model: Any, data: Any, target: str | None = None, *, client: Any = None, threads: int = 1
) -> float:
    """Accuracy of a classifier or R2 of a regressor, by partial sums.

    Parameters
    ----------
    model : estimator
        As returned by `fit_partitions`.
    data : str, pathlib.Path, dask.dataframe or list of (X, y)
        A Parquet file, a folder of them, a frame, or the partitions.
    target : str or None, default=None
        The target column of files and frames.
    client : dask.distributed.Client or None, default=None
        Client whose workers load the partitions; None: `threads` of this process.
    threads : int, default=1
        Number of threads without a client.

    Returns
    -------
    float
        Score over all rows.

    Examples
    --------
    >>> import numpy as np
    >>> from markone import Hebb
    >>> from markone.tables import fit_partitions, score_partitions
    >>> X = np.array([[1.0, 2.0], [2.0, 1.0], [-1.0, -2.0], [-2.0, -1.0]])
    >>> y = np.array([1, 1, 0, 0])
    >>> parts = [(X[:2], y[:2]), (X[2:], y[2:])]
    >>> score_partitions(fit_partitions(Hebb(), parts), parts)
    1.0
    """
    parts = as_partitions(data, target)
    with closing(PartitionSums(parts, client, threads)) as sums:
        if is_classifier(model):
            right, P = sums.total(_count_hits, model)
            return float(right / P)
        residual, total, squares, _, P = sums.total(residual_sums, model)
        return float(1 - residual / (squares - total**2 / P))


def _count_hits(X: Array, y: Array, model: Any) -> tuple[int, int]:
    return int((model.predict(X) == y).sum()), len(y)


def residual_sums(X: Array, y: Array, model: Any) -> tuple[float, float, float, float, int]:
    """Squared errors, target, its squares and absolute errors of all rows, and their number."""
    if not len(y):
        return 0.0, 0.0, 0.0, 0.0, 0
    r = y - model.predict(X)
    return float(r @ r), float(y.sum()), float(y @ y), float(np.abs(r).sum()), len(y)
