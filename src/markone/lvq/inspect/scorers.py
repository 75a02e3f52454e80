"""Linear scorer equivalent to a classifier with one metric.

-d_j + x' Lambda x = 2 w_j' Lambda x - w_j' Lambda w_j is linear in x, and x' Lambda x is the same for all
prototypes: the nearest prototype has the largest score.
"""

import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from markone.base.onnx_graph import linear_model
from markone.lvq.inspect.borders import global_metric, mixture_width, one_per_class
from markone.lvq.inspect.units import affine_scaling
from markone.numerics.arrays import Array


@dataclass(frozen=True)
class LinearScorer:
    """score = X @ weights.T + offsets, one column per prototype; the label of the largest is predicted.

    Parameters
    ----------
    weights : array (M, N)
        One row per prototype.
    offsets : array (M,)
        Constants of the scores.
    labels : array (M,)
        The class of each prototype.
    feature_names : tuple of str, default=()
        Names of the columns of X, if known.

    Examples
    --------
    >>> from markone import GMLVQ
    >>> from markone.data import load
    >>> from markone.lvq import linear_scorer
    >>> iris = load("iris")
    >>> scorer = linear_scorer(GMLVQ(random_state=0).fit(iris.X, iris.y))
    >>> scores = iris.X @ scorer.weights.T + scorer.offsets
    >>> scorer.labels[scores[:3].argmax(axis=1)].tolist()
    [0, 0, 0]
    """

    weights: Array
    offsets: Array
    labels: Array
    feature_names: tuple[str, ...] = ()

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
    last, shift, gain = affine_scaling(model)
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
