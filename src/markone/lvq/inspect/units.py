"""Prototypes behind scalers in the original units of the features, and the linear scorer of one metric.

-d_j + x' Lambda x = 2 w_j' Lambda x - w_j' Lambda w_j is linear in x, and x' Lambda x is the same for all
prototypes: the nearest prototype has the largest score.
"""

import json
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MaxAbsScaler,
    MinMaxScaler,
    RobustScaler,
    StandardScaler,
)
from sklearn.utils.validation import check_is_fitted

from markone.base.onnx_graph import linear_model
from markone.base.parameters import documented
from markone.lvq.inspect.borders import global_metric, mixture_width, one_per_class
from markone.numerics.arrays import Array

# Scalers that shift and scale every feature separately.
SCALERS = (StandardScaler, MinMaxScaler, MaxAbsScaler, RobustScaler)


@documented
@dataclass(frozen=True)
class OriginalUnits:
    """Prototypes (M, N) and their labels in the original units.

    Returned by `in_original_units`.
    """

    names: Annotated[list[str], "list of str: The features."]
    prototypes: Annotated[Array, "array (M, N): In the original units."]
    labels: Annotated[Array, "array (M,): Class of each prototype."]
    relevance: Annotated[
        Array | None, "array (N,), array (groups, N) or None: Relevances of the scaled features, if learned."
    ]
    lambda_: Annotated[Array | None, "array (N, N) or None: Metric for unscaled differences."]

    def frame(self) -> Any:
        """Prototypes as a pandas data frame, one row each, indexed by class."""
        import pandas as pd

        return pd.DataFrame(self.prototypes, index=pd.Index(self.labels, name="class"), columns=self.names)


def in_original_units(pipeline: Any) -> OriginalUnits:
    """Prototypes of a fitted pipeline of scalers and one prototype classifier in the original units.

    Parameters
    ----------
    pipeline : fitted Pipeline or classifier
        Scalers and one prototype classifier, or the classifier alone.

    Returns
    -------
    OriginalUnits
        Prototypes, labels and metric in the original units.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from markone import NearestPrototype
    >>> from markone.lvq import in_original_units
    >>> pipeline = make_pipeline(StandardScaler(), NearestPrototype()).fit([[0.0], [2.0], [11.0]], [0, 0, 1])
    >>> in_original_units(pipeline).prototypes.round(9).tolist()
    [[1.0], [11.0]]
    """
    model, shift, gain = _affine_scaling(pipeline)
    if not hasattr(model, "prototypes_"):
        raise ValueError(f"{type(model).__name__} has no prototypes among the inputs.")
    Lambda = getattr(model, "lambda_", None)
    return OriginalUnits(
        names=feature_names_of(pipeline, len(gain)),
        prototypes=(model.prototypes_ - shift) / gain,
        labels=np.array(model.prototype_labels_),
        relevance=getattr(model, "relevance_", None),
        lambda_=None if Lambda is None else gain[:, None] * Lambda * gain,
    )


def _affine_scaling(pipeline: Any) -> tuple[Any, Array, Array]:
    """Last step of the pipeline, and shift and gain of z = shift + gain x by feature."""
    check_is_fitted(pipeline)
    steps = [step for _, step in pipeline.steps] if isinstance(pipeline, Pipeline) else [pipeline]
    model, N = steps[-1], steps[-1].n_features_in_
    z = np.stack([np.zeros(N), np.ones(N)])
    for step in steps[:-1]:
        if step is None or step == "passthrough":
            continue
        clips = getattr(step, "clip", False)
        identity = isinstance(step, FunctionTransformer) and step.func is None
        if clips or not (isinstance(step, SCALERS) or identity):
            raise ValueError(
                f"The step {step!r} does more than scale each feature. Use StandardScaler, MinMaxScaler, "
                "MaxAbsScaler or RobustScaler (without clipping) before the prototypes."
            )
        z = np.asarray(step.transform(_as_fitted(step, z)), dtype=float)
    return model, z[0], z[1] - z[0]


def _as_fitted(step: Any, z: Array) -> Any:
    """Rows as a data frame if the step was fitted on one, since it warns otherwise."""
    names = getattr(step, "feature_names_in_", None)
    if names is None:
        return z
    import pandas as pd

    return pd.DataFrame(z, columns=names)


def feature_names_of(pipeline: Any, N: int) -> list[str]:
    """Feature names of the data frame it was fitted on, or x0, x1, ..."""
    known = getattr(pipeline, "feature_names_in_", None)
    return [f"x{i}" for i in range(N)] if known is None else [str(name) for name in known]


@documented
@dataclass(frozen=True)
class LinearScorer:
    """score = X @ weights.T + offsets, one column per prototype; the label of the largest is predicted.

    Returned by `linear_scorer`.
    """

    weights: Annotated[Array, "array (M, N): One row per prototype."]
    offsets: Annotated[Array, "array (M,): Constants of the scores."]
    labels: Annotated[Array, "array (M,): The class of each prototype."]
    feature_names: Annotated[tuple[str, ...], "tuple of str: Names of the columns of X, if known."] = ()

    def scores(self, X: Any) -> Array:
        return np.asarray(np.asarray(X, dtype=float) @ self.weights.T + self.offsets)

    def predict(self, X: Any) -> Array:
        return self.labels[self.scores(X).argmax(axis=1)]

    def to_json(self) -> str:
        """JSON text with the rule, features, labels, weights and offsets."""
        return json.dumps(
            {
                "rule": "label[argmax_j(sum_i weights[j][i] * x[i] + offsets[j])]",
                "features": list(self.feature_names),
                "labels": self.labels.tolist(),
                "weights": self.weights.tolist(),
                "offsets": self.offsets.tolist(),
            },
            indent=1,
        )

    @classmethod
    def from_json(cls, text: str) -> "LinearScorer":
        content = json.loads(text)
        weights, offsets, labels = (np.array(content[name]) for name in ("weights", "offsets", "labels"))
        return cls(weights, offsets, labels, tuple(content["features"]))

    def to_onnx(self) -> Any:
        """ONNX model with input X (n, N) float64, outputs label and scores. Needs markone[onnx]."""
        return linear_model(self.weights, self.offsets, self.labels)


def linear_scorer(model: Any) -> LinearScorer:
    """Linear scorer of a fitted prototype classifier with one quadratic metric (GLVQ, GMLVQ, LVQ1, ...).

    In a pipeline behind scalers, the scorer takes unscaled rows: the scaling is included in its weights.

    Parameters
    ----------
    model : fitted prototype classifier or Pipeline
        With one quadratic metric.

    Returns
    -------
    LinearScorer
        The model as a matrix product; it can be written as JSON or ONNX.

    Examples
    --------
    >>> from markone import NearestPrototype
    >>> from markone.lvq import linear_scorer
    >>> model = NearestPrototype().fit([[0.0], [2.0], [10.0], [12.0]], ["low", "low", "high", "high"])
    >>> scorer = linear_scorer(model)
    >>> scorer.labels[([[5.0]] @ scorer.weights.T + scorer.offsets).argmax(axis=1)].tolist()
    ['low']
    """
    last, shift, gain = _affine_scaling(model)
    metric = global_metric(last)
    if mixture_width(last) is not None and not one_per_class(last):
        raise ValueError(
            f"This {type(last).__name__} adds the probabilities of several prototypes of a class, which is "
            "not a linear rule. Use prototypes_per_class=1, or GMLVQ, which uses the nearest prototype."
        )
    # -d + z' Lambda z with z = shift + gain x, without the term common to all prototypes.
    W = (np.asarray(last.prototypes_, dtype=float) - shift) / gain
    directions = W @ (gain[:, None] * metric * gain)
    names = tuple(map(str, getattr(model, "feature_names_in_", ())))
    labels = np.array(last.prototype_labels_)
    return LinearScorer(2 * directions, -(W * directions).sum(axis=1), labels, names)
