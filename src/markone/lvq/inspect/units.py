"""Prototypes of a classifier behind scalers in the original units of the features."""

from dataclasses import dataclass
from typing import Any

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

from markone.numerics.arrays import Array

# Scalers that shift and scale every feature separately.
SCALERS = (StandardScaler, MinMaxScaler, MaxAbsScaler, RobustScaler)


@dataclass(frozen=True)
class OriginalUnits:
    """Prototypes (M, N) and their labels in the original units.

    Parameters
    ----------
    names : list of str
        The features.
    prototypes : array (M, N)
        In the original units.
    labels : array (M,)
        Class of each prototype.
    relevance : array (N,), array (groups, N) or None
        Relevances of the scaled features, of sum one; None if none were learned.
    lambda_ : array (N, N) or None
        Metric for unscaled differences.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from markone import GMLVQ
    >>> from markone.data import load
    >>> from markone.lvq import in_original_units
    >>> iris = load("iris")
    >>> pipeline = make_pipeline(StandardScaler(), GMLVQ(random_state=0)).fit(iris.X, iris.y)
    >>> in_original_units(pipeline).prototypes.shape
    (3, 4)
    """

    names: list[str]
    prototypes: Array
    labels: Array
    relevance: Array | None
    lambda_: Array | None

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
    model, shift, gain = affine_scaling(pipeline)
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


def affine_scaling(pipeline: Any) -> tuple[Any, Array, Array]:
    """Last step of the pipeline, and shift and gain of z = shift + gain x by feature."""
    check_is_fitted(pipeline)
    steps = [step for _, step in pipeline.steps] if isinstance(pipeline, Pipeline) else [pipeline]
    model, N = steps[-1], steps[-1].n_features_in_
    z = np.stack([np.zeros(N), np.ones(N)])
    for step in steps[:-1]:
        if step is None or step == "passthrough":
            continue
        clips = getattr(step, "clip", False)
        if clips or not (isinstance(step, SCALERS) or _is_identity(step)):
            raise ValueError(
                f"The step {step!r} does more than scale each feature. Use StandardScaler, MinMaxScaler, "
                "MaxAbsScaler or RobustScaler (without clipping) before the prototypes."
            )
        z = np.asarray(step.transform(_as_fitted(step, z)), dtype=float)
    return model, z[0], z[1] - z[0]


def _is_identity(step: Any) -> bool:
    return isinstance(step, FunctionTransformer) and step.func is None


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
