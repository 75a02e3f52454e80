"""A fitted model with its plan in one skops file, which contains no code; unknown types are refused."""

from __future__ import annotations

import copy
import struct
import zlib
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, is_zipfile

import numpy as np

from markone.numerics.files import write_atomically
from markone.tables import models
from markone.tables.answers.decision import DecisionPipeline, ScoreCalibration
from markone.tables.answers.drift import TrainingRange
from markone.tables.fit_result import FitResult, RegressionResult
from markone.tables.plan.column_plan import ColumnPlan
from markone.tables.report.to_dict import class_fit_to_dict, number_fit_to_dict
from markone.tables.scoring import ClassScoring

FORMAT = 3
LARGEST = 4_000_000_000  # bytes of all parts, unpacked
# Exceptions raised by reading a damaged archive.
UNREADABLE = (
    *(BadZipFile, zlib.error, EOFError, LookupError, ValueError, TypeError, AttributeError),
    *(ImportError, RuntimeError, OSError, struct.error),
)
# Trusted besides the estimators of markone: nearest neighbours and the scaling.
TRUSTED = {
    "markone.tables.answers.decision.ScoreCalibration",
    "markone.tables.answers.decision.DecisionPipeline",
    "markone.tables.scaling.ScaledTarget",
    "markone.tables.scaling.Scaling",
    "sklearn.metrics._dist_metrics.EuclideanDistance64",
    "sklearn.neighbors._classification.KNeighborsClassifier",
}


@dataclass(frozen=True)
class SavedModel:
    """A fitted pipeline, the plan of its columns, its classes, and the results of the fit.

    Parameters
    ----------
    plan : ColumnPlan
        How each column is used.
    pipeline : sklearn.pipeline.Pipeline
        Scaling and model.
    judge : Judge
        Classes and positive class.
    facts : dict
        The results of the fit.
    training : TrainingRange
        Distribution of the training rows.
    reject : float or None
        Rows less certain than this are rejected.
    sets : list of float or None
        Least margin of each class in a prediction set.
    calibration : ScoreCalibration or None
        Probabilities of the classes from the scores.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from markone.tables import FitRequest, fit, load_model, save_model
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "iris.skops")
    ...     save_model(fit(FitRequest("iris", model="hebb", cv="3")), path)
    ...     print(load_model(path).judge.classes)
    ['setosa', 'versicolor', 'virginica']
    """

    plan: ColumnPlan
    pipeline: Any
    judge: ClassScoring
    facts: dict[str, Any]
    training: TrainingRange | None = None
    reject: float | None = None
    sets: list[float] | None = None
    calibration: ScoreCalibration | None = None

    @property
    def task(self) -> str:
        return str(self.facts.get("task", "classification"))


def model_of_fit(fitted: FitResult | RegressionResult) -> SavedModel:
    """What is saved of a fit, and predicts."""
    if isinstance(fitted, FitResult):
        judge, facts = fitted.judge, class_fit_to_dict(fitted)
        reject = None if fitted.rejection is None else fitted.rejection.threshold
        sets = None if fitted.sets is None else fitted.sets.thresholds
        calibration = fitted.calibration
    else:
        judge, facts, reject, sets = ClassScoring([], ""), number_fit_to_dict(fitted), None, None
        calibration = None
    return SavedModel(fitted.plan, fitted.pipeline, judge, facts, fitted.training, reject, sets, calibration)


def write_model_file(model: SavedModel, path: Path) -> None:
    """Write the model file atomically."""
    import skops.io

    content = {
        "format": FORMAT,
        "plan": asdict(model.plan),
        "pipeline": _without_training_records(model.pipeline),
        "classes": list(model.judge.classes),
        "positive": model.judge.positive,
        "prices": model.judge.prices,
        "facts": model.facts,
        "training": None if model.training is None else asdict(model.training),
        "reject": model.reject,
        "sets": model.sets,
        "calibration": model.calibration,
    }
    # Percentiles of wide tables are long lists of decimal numbers: compressed, a tenth of the size.
    data = skops.io.dumps(content, compression=ZIP_DEFLATED)
    unknown = _untrusted_types(skops.io.get_untrusted_types(data=data))
    if unknown:
        raise ValueError(
            f"This model contains {', '.join(unknown)}, which `markone predict` would refuse to load. "
            "The model was not saved."
        )
    write_atomically(path, data)


def _without_training_records(pipeline: Any) -> Any:
    """Copy the pipeline without training records (`trace_` and the like), which predictions do not need."""
    copied = copy.copy(pipeline)
    if isinstance(pipeline, DecisionPipeline):
        copied.pipeline = _without_training_records(pipeline.pipeline)
        return copied
    copied.steps = [(name, copy.copy(step)) for name, step in pipeline.steps]
    attributes = vars(copied["model"])
    for name, value in list(attributes.items()):
        parts = value if isinstance(value, list) else [value]
        if any(isinstance(part, np.ndarray) and part.dtype.names for part in parts):
            del attributes[name]
    return copied


def load_model(path: Path) -> SavedModel:
    """Load a model from a skops file; a file with unknown types is refused.

    Parameters
    ----------
    path : pathlib.Path
        A file that `save_model` wrote.

    Returns
    -------
    SavedModel
        The pipeline, the plan of its columns and the results of the fit.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from markone.tables import FitRequest, fit, load_model, save_model
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "iris.skops")
    ...     save_model(fit(FitRequest("iris", model="hebb", cv="3")), path)
    ...     print(load_model(path).plan.target)
    class
    """
    import skops.io

    if not path.is_file():
        raise FileNotFoundError(f"There is no model {path}. `markone fit ... --save {path.name}` writes one.")
    if not is_zipfile(path):
        raise ValueError(
            f"{path} is not a model of `markone fit`: it is not a skops file. Pickles are not loaded."
        )
    try:
        with ZipFile(path) as archive:
            size = sum(part.file_size for part in archive.infolist())
        types = skops.io.get_untrusted_types(file=path) if size <= LARGEST else []
    except UNREADABLE:
        raise ValueError(
            f"{path} is not a model of `markone fit`, or damaged: it is a zip file, but not one of skops."
        ) from None
    if size > LARGEST:
        raise ValueError(f"{path} unpacks to {size / 1e9:.0f} GB, more than any model: it was not loaded.")
    unknown = _untrusted_types(types)
    if unknown:
        raise ValueError(
            f"{path} contains types unknown to markone: {', '.join(unknown)}. It was not loaded: such a "
            "file may run arbitrary code. Load only models from sources you trust."
        )
    try:
        content = skops.io.load(path, trusted=types)
    except UNREADABLE as error:
        why = str(error).strip().rstrip(".") or type(error).__name__
        raise ValueError(f"{path} is damaged ({why}): copy it again, or fit it again.") from error
    return _model_of_content(content, path)


def _model_of_content(content: Any, path: Path) -> SavedModel:
    if not isinstance(content, dict) or "plan" not in content:
        raise ValueError(
            f"{path} is a skops file, but not one that `markone fit` wrote: it has no plan of columns."
        )
    if content.get("format") != FORMAT:
        raise ValueError(
            f"{path} has format {content.get('format')}; this markone reads {FORMAT}. Fit it again."
        )
    get = content.get
    try:
        judge = ClassScoring(content["classes"], content["positive"], get("prices"))
        plan, known = ColumnPlan.from_dict(content["plan"]), get("training")
        training = TrainingRange(**known) if known else None
        options = (get("reject"), get("sets"), get("calibration"))
        return SavedModel(plan, content["pipeline"], judge, content["facts"], training, *options)
    except (AttributeError, KeyError, TypeError, IndexError) as error:
        raise ValueError(
            f"{path} is a skops file, but not one that `markone fit` wrote: parts are missing ({error})."
        ) from error


def _untrusted_types(types: list[str]) -> list[str]:
    return sorted(name for name in types if name not in TRUSTED and not is_own_class(name))


def is_own_class(name: str) -> bool:
    """Return whether the name is a class defined (not only imported) in a package with estimators."""
    module, _, last = name.rpartition(".")
    if not f"{module}.".startswith(tuple(f"{package}." for package in models.estimator_packages())):
        return False
    try:
        found = getattr(import_module(module), last)
    except (ImportError, AttributeError):
        return False
    return isinstance(found, type) and found.__module__ == module
