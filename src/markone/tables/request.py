"""The request of `markone fit`, and the parsing of its options: C=0.1, C=0.01,0.1,1, 5x10."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from markone.data.reading.cell_table import CellTable

# Largest number of fits of one cross-validation.
MAX_FITS = 100_000
LITERAL_WORDS: dict[str, Any] = {"true": True, "false": False, "none": None, "inf": float("inf")}


@dataclass
class ColumnOptions:
    """Options for the columns of a table.

    Parameters
    ----------
    target : str or None, default=None
        Column to predict; required for files, None for built-in data sets.
    missing : {"auto", "refuse", "drop", "median", "mean", "indicator", "mask"}, default="auto"
        Treatment of missing values; "auto" is "indicator", with `strict` "refuse".
    drop : list of str
        Columns to leave out.
    categorical : list of str
        Numeric columns to treat as categories.
    keep : list of str
        Columns to use although they look like identifiers.
    group : str or None, default=None
        Rows of one value of this column stay in one fold.
    time : str or None, default=None
        Train on earlier rows and test on later ones, by this column.
    strict : bool, default=False
        Refuse missing values, texts of very many values, numbers written as text and classes with fewer
        rows than folds; leave out dates; set no class weights.
    missing_words : list of str
        Further texts that mean a missing value.
    ordered : list of str
        Words in an order, which become 1, 2, 3: "size=small,medium,large".

    Examples
    --------
    >>> from markone.tables import ColumnOptions
    >>> ColumnOptions(target="diagnosis", missing="median").written
    ['diagnosis']
    """

    target: str | None = None
    missing: str = "auto"
    drop: list[str] = field(default_factory=list)
    categorical: list[str] = field(default_factory=list)
    keep: list[str] = field(default_factory=list)
    group: str | None = None
    time: str | None = None
    strict: bool = False
    missing_words: list[str] = field(default_factory=list)
    ordered: list[str] = field(default_factory=list)

    @property
    def orders(self) -> dict[str, list[str]]:
        """The words of each column in `ordered`."""
        pairs = (_split_name_value(text, "--ordered size=small,medium,large") for text in self.ordered)
        return {name: [word.strip() for word in words.split(",")] for name, words in pairs}

    @property
    def treatment(self) -> str:
        """Treatment of missing values, with "auto" resolved."""
        return ("refuse" if self.strict else "indicator") if self.missing == "auto" else self.missing

    @property
    def written(self) -> list[str]:
        """Columns whose cells are kept as text, even if numeric."""
        return [*filter(None, [self.target, self.group]), *self.categorical, *self.orders]


@dataclass
class AnswerOptions:
    """Options for the predictions: costs of errors, rejection, prediction sets.

    Parameters
    ----------
    costs : list of str
        "fraud:ok=10": predicting ok where fraud is true costs 10.
    reject : float or None, default=None
        Reject uncertain rows so that this share of the answers to new rows is right, with 90 % confidence.
    sets : float or None, default=None
        Predict sets of classes, this share of which contains the true class.
    sets_per_class : bool, default=False
        The share holds in each class.

    Examples
    --------
    >>> from markone.tables import AnswerOptions
    >>> AnswerOptions(reject=0.99).costs
    []
    """

    costs: list[str] = field(default_factory=list)
    reject: float | None = None
    sets: float | None = None
    sets_per_class: bool = False


@dataclass
class FitRequest:
    """Data, model and options of `markone fit`.

    Parameters
    ----------
    data : str
        A file, or the name of a built-in data set.
    model : str, default=""
        Name of the model as in `markone fit --model`; several with commas, or "all". Empty: the simplest
        student within one standard error of the best.
    options : ColumnOptions
        Options for the columns.
    settings : list of str
        Parameters of the model, "C=0.1".
    grid : list of str
        Values to choose from, "C=0.01,0.1,1".
    cv : str, default="5x10"
        Folds: "10", or "5x10" for five repetitions of ten.
    scale : {"standard", "none"}, default="standard"
        Whether numbers are scaled to z-scores.
    positive : str or None, default=None
        The positive of two classes; None: the rarer one.
    seed : int, default=0
        Random seed of folds and models.
    header : bool, default=True
        Whether the file's first row has names.
    rows : int or None, default=None
        Number of rows to sample at random; None: all.
    answers : AnswerOptions
        Costs, rejection, prediction sets.
    task : {"auto", "classification", "regression"}, default="auto"
        Kind of target.
    workers : int or None, default=None
        Number of processes; None: one, or all cores if the fits take long.
    backend : {"processes", "loky", "dask"}, default="processes"
        How the folds are executed.
    scheduler : str or None, default=None
        The address of a Dask cluster.
    more : bool, default=False
        Measure the learning curve and forecast it to more rows.
    table : CellTable or None, default=None
        The table, if it is in memory; `data` is then its name.

    Examples
    --------
    >>> from markone.tables import FitRequest
    >>> FitRequest("iris", model="hebb", cv="3").scale
    'standard'
    """

    data: str
    model: str = ""  # the default of the task
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
    more: bool = False
    table: CellTable | None = field(default=None, repr=False, compare=False)


def _parse_option_value(text: str) -> Any:
    """'3' -> 3, '0.1' -> 0.1, 'inf' -> inf, 'true' -> True, 'none' -> None, else the text."""
    if text.lower() in LITERAL_WORDS:
        return LITERAL_WORDS[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def parse_model_settings(texts: Sequence[str]) -> dict[str, Any]:
    """['C=0.1', 'order=cyclic'] -> {'C': 0.1, 'order': 'cyclic'}."""
    return {
        name: _parse_option_value(right)
        for name, right in map(_split_name_value, texts, ["--set C=0.1"] * len(texts))
    }


def parse_grid(texts: Sequence[str]) -> dict[str, list[Any]]:
    """['C=0.01,0.1,1'] -> {'C': [0.01, 0.1, 1]}."""
    found = {}
    for text in texts:
        name, right = _split_name_value(text, "--grid C=0.01,0.1,1")
        values = [_parse_option_value(word.strip()) for word in right.split(",") if word.strip()]
        if not values:
            raise ValueError(f"--grid {text!r} gives no value to try. Write --grid {name}=0.01,0.1,1.")
        found[name] = values
    return found


def _split_name_value(text: str, example: str) -> tuple[str, str]:
    name, equals, right = text.partition("=")
    if not equals or not name.strip():
        raise ValueError(f"{text!r} is not of the form name=value, as in {example}.")
    return name.strip(), right.strip()


def parse_costs(texts: Sequence[str], classes: Sequence[str]) -> list[list[float]] | None:
    """['fraud:ok=10'] -> cost of predicting each class (column) for each true class (row): 0, 1, and 10."""
    if not texts:
        return None
    found = [[float(a != b) for b in classes] for a in classes]
    for text in texts:
        pair_of, equals, right = text.rpartition("=")
        places = [
            (k, m) for k, a in enumerate(classes) for m, b in enumerate(classes) if f"{a}:{b}" == pair_of
        ]
        price = _parse_option_value(right.strip())
        if not equals or not places:
            raise ValueError(
                f"--cost {text!r} is not of the form true:predicted=cost with two classes of the target, as "
                f"in --cost {classes[-1]}:{classes[0]}=10. The classes: {', '.join(classes)}."
            )
        if isinstance(price, bool) or not isinstance(price, int | float) or not 0 <= price < float("inf"):
            raise ValueError(f"--cost {text!r}: the cost must be a number from 0 on.")
        true, predicted = places[0]
        if true == predicted:
            raise ValueError(f"--cost {text!r}: a correct prediction costs nothing.")
        found[true][predicted] = float(price)
    return found


@dataclass(frozen=True)
class Folds:
    """Number of repeats and folds; `folds` = 0 is leave-one-out."""

    repeats: int
    folds: int

    @property
    def leave_one_out(self) -> bool:
        return self.folds == 0

    def __str__(self) -> str:
        return "leave-one-out" if self.leave_one_out else f"{self.repeats} x {self.folds} folds"


def parse_folds(text: str) -> Folds:
    """'5x10' (repeats x folds), '10' (once), 'loo'."""
    if text.strip().lower() in ("loo", "loocv", "leave-one-out"):
        return Folds(1, 0)
    match = re.fullmatch(r"(?:(\d+)\s*[x*×])?\s*(\d+)", text.strip().lower())
    repeats, number = (int(match[1] or 1), int(match[2])) if match else (0, 0)
    if repeats < 1 or number < 2:
        raise ValueError(f"--cv {text!r} must be repeats x folds as in 5x10, folds alone as in 10, or loo.")
    if repeats * number > MAX_FITS:
        raise ValueError(f"--cv {text} asks for {repeats * number} fits: at most {MAX_FITS}.")
    return Folds(repeats, number)


def requested_folds(asked: FitRequest) -> Folds:
    """Folds of the request; folds in the order of time are not repeated."""
    how = parse_folds(asked.cv)
    return Folds(1, how.folds) if asked.options.time else how
