"""What was asked for, as it was typed: settings C=0.1, grids C=0.01,0.1,1 and folds 5x10."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

# Of one cross-validation: more tell nothing more.
MOST_FITS = 100_000
WORDS: dict[str, Any] = {"true": True, "false": False, "none": None, "inf": float("inf")}


@dataclass
class ColumnOptions:
    """What the user decided about the columns.

    Parameters
    ----------
    target : str or None, default=None
        The column to be predicted; None: that of a named set. A file needs one.
    missing : {"refuse", "drop", "median", "mean", "indicator", "mask"}, default="refuse"
        What is done about missing values.
    drop : list of str
        Columns to leave out.
    categorical : list of str
        Columns of numbers that are categories.
    keep : list of str
        Columns to use although they look like names or numbers of rows.
    group : str or None, default=None
        Rows of one value of this column stay in one fold.
    time : str or None, default=None
        The past predicts the future, by this column.

    Examples
    --------
    >>> from markone.tables import ColumnOptions
    >>> ColumnOptions(target="diagnosis", missing="median").written
    ['diagnosis']
    """

    target: str | None = None
    missing: str = "refuse"
    drop: list[str] = field(default_factory=list)
    categorical: list[str] = field(default_factory=list)
    keep: list[str] = field(default_factory=list)
    group: str | None = None
    time: str | None = None

    @property
    def written(self) -> list[str]:
        """The columns whose cells matter as they are written, be they numbers or not."""
        return [*filter(None, [self.target, self.group]), *self.categorical]


@dataclass
class AnswerOptions:
    """What the answers are to be: prices of errors, probabilities, no answer where too many would be wrong.

    Parameters
    ----------
    costs : list of str
        "fraud:ok=10": to answer ok where fraud is true costs 10.
    calibrate : bool, default=False
        Turn scores into probabilities, inside the folds.
    reject : float or None, default=None
        Answer only where this share would be right, 0.99.
    compare_missing : bool, default=False
        Try the ways to treat missing values on the same folds.

    Examples
    --------
    >>> from markone.tables import AnswerOptions
    >>> AnswerOptions(calibrate=True).costs
    []
    """

    costs: list[str] = field(default_factory=list)
    calibrate: bool = False
    reject: float | None = None
    compare_missing: bool = False


@dataclass
class FitRequest:
    """What `markone fit` was asked for.

    Parameters
    ----------
    data : str
        A file, or the name of a set.
    model : str, default=""
        The name of the model, as `markone fit --model` knows it; several with commas, or "all". None: the
        soft margin for classes, ridge for numbers.
    options : ColumnOptions
        What was decided about the columns.
    settings : list of str
        Parameters of the model, "C=0.1".
    grid : list of str
        Values to choose from, "C=0.01,0.1,1".
    cv : str, default="5x10"
        Folds: "10", or "5x10" for five repetitions of ten.
    scale : {"standard", "none"}, default="standard"
        Whether numbers are scaled to z-scores.
    positive : str or None, default=None
        The class that is looked for; None: the rarest.
    seed : int, default=0
        Of folds and models.
    header : bool, default=True
        Whether the file's first row has names.
    rows : int or None, default=None
        Use so many rows at the most, drawn at random.
    answers : AnswerOptions
        Prices, probabilities, refusals.
    task : {"auto", "classification", "regression"}, default="auto"
        What the target asks for.
    workers : int or None, default=None
        Processes; None: one, and all cores where that would take long.
    backend : {"processes", "loky", "dask"}, default="processes"
        Who runs the folds.
    scheduler : str or None, default=None
        The address of a Dask cluster.

    Examples
    --------
    >>> from markone.tables import FitRequest
    >>> FitRequest("iris", model="hebb", cv="3").scale
    'standard'
    """

    data: str
    model: str = ""  # that of the task
    options: ColumnOptions = field(default_factory=ColumnOptions)
    settings: list[str] = field(default_factory=list)
    grid: list[str] = field(default_factory=list)
    cv: str = "5x10"
    scale: str = "standard"
    positive: str | None = None
    seed: int = 0
    header: bool = True
    rows: int | None = None
    answers: AnswerOptions = field(default_factory=AnswerOptions)
    task: str = "auto"
    workers: int | None = None
    backend: str = "processes"
    scheduler: str | None = None


def value(text: str) -> Any:
    """'3' -> 3, '0.1' -> 0.1, 'inf', 'true', 'none' as they say, the rest is a word."""
    if text.lower() in WORDS:
        return WORDS[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def settings(texts: Sequence[str]) -> dict[str, Any]:
    """['C=0.1', 'order=cyclic'] -> {'C': 0.1, 'order': 'cyclic'}."""
    return {name: value(right) for name, right in map(pair, texts, ["--set C=0.1"] * len(texts))}


def grid(texts: Sequence[str]) -> dict[str, list[Any]]:
    """['C=0.01,0.1,1'] -> {'C': [0.01, 0.1, 1]}."""
    found = {}
    for text in texts:
        name, right = pair(text, "--grid C=0.01,0.1,1")
        values = [value(word.strip()) for word in right.split(",") if word.strip()]
        if not values:
            raise ValueError(f"--grid {text!r} gives no value to try. Write --grid {name}=0.01,0.1,1.")
        found[name] = values
    return found


def pair(text: str, example: str) -> tuple[str, str]:
    name, equals, right = text.partition("=")
    if not equals or not name.strip():
        raise ValueError(f"{text!r} is not of the form name=value, as in {example}.")
    return name.strip(), right.strip()


def prices(texts: Sequence[str], classes: Sequence[str]) -> list[list[float]] | None:
    """['fraud:ok=10'] -> the price of calling each class (row) each class (column): 0, 1, and 10 for
    that one."""
    if not texts:
        return None
    found = [[float(a != b) for b in classes] for a in classes]
    for text in texts:
        pair_of, equals, right = text.rpartition("=")
        places = [
            (k, m) for k, a in enumerate(classes) for m, b in enumerate(classes) if f"{a}:{b}" == pair_of
        ]
        price = value(right.strip())
        if not equals or not places:
            raise ValueError(
                f"--cost {text!r} is not of the form true:said=price with two classes of the target, as in "
                f"--cost {classes[-1]}:{classes[0]}=10. The classes: {', '.join(classes)}."
            )
        if isinstance(price, bool) or not isinstance(price, int | float) or not 0 <= price < float("inf"):
            raise ValueError(f"--cost {text!r}: the price must be a number from 0 on.")
        true, said = places[0]
        if true == said:
            raise ValueError(f"--cost {text!r}: a right answer costs nothing.")
        found[true][said] = float(price)
    return found


@dataclass(frozen=True)
class Folds:
    """repeats x folds; `folds` = 0 leaves one out."""

    repeats: int
    folds: int

    @property
    def leave_one_out(self) -> bool:
        return self.folds == 0

    def __str__(self) -> str:
        return "leave-one-out" if self.leave_one_out else f"{self.repeats} x {self.folds} folds"


def folds(text: str) -> Folds:
    """'5x10' (repeats x folds), '10' (once), 'loo'."""
    if text.strip().lower() in ("loo", "loocv", "leave-one-out"):
        return Folds(1, 0)
    match = re.fullmatch(r"(?:(\d+)\s*[x*×])?\s*(\d+)", text.strip().lower())
    repeats, number = (int(match[1] or 1), int(match[2])) if match else (0, 0)
    if repeats < 1 or number < 2:
        raise ValueError(f"--cv {text!r} must be repeats x folds as in 5x10, folds alone as in 10, or loo.")
    if repeats * number > MOST_FITS:
        raise ValueError(f"--cv {text} asks for {repeats * number} fits: at most {MOST_FITS}.")
    return Folds(repeats, number)
