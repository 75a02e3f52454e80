"""Relevances of a learned metric   (Fig. 5.2 of the notes and the end of section 5.2).

A repeat is a fold: the student is trained on the other folds, with z-scored features. Lambda has trace 1.
"""

from operator import itemgetter
from typing import Any, Literal

import numpy as np
from pydantic import Field

from markone.lab.scenario import SHARE, Scenario, Settings
from markone.lab.scenarios.real_data.data_sets import fold_splits, load_examples, standardize_features
from markone.lab.scenarios.real_data.students import repeat_seed
from markone.lvq import GMLVQ
from markone.numerics.arrays import Floats


class Parameters(Settings):
    """A data set of scikit-learn, GMLVQ with one prototype per class, and its number of training steps;
    `first` and `second` are the two features of interest, counted from 1."""

    data: Literal["iris", "wine", "breast_cancer"]
    first: int = Field(3, ge=1)
    second: int = Field(4, ge=1)
    steps: int = Field(300, ge=1)
    folds: int = Field(10, ge=2)


def run(p: Parameters, seed: int, start: int, stop: int) -> list[Any]:
    X, y = load_examples(p.data)
    rows = []
    for k, (train, _) in enumerate(fold_splits(p.data, -1, p.folds, seed, start, stop), start):
        student = GMLVQ(max_iter=p.steps, random_state=repeat_seed(seed, k))
        student.fit(standardize_features(X, train)[train], y[train])
        rows.append(relevance_measures(np.asarray(student.lambda_), p.first - 1, p.second - 1))
    return rows


def relevance_measures(matrix: Floats, i: int, j: int) -> tuple[float, ...]:
    """Relevances of two features and their off-diagonal term, the largest of the others, and the spectrum."""
    relevances = np.diag(matrix) / np.trace(matrix)
    off = np.abs(matrix - np.diag(np.diag(matrix))) / np.trace(matrix)
    pair = off[i, j]
    off[i, j] = off[j, i] = 0.0
    others = np.delete(relevances, [i, j])
    values = np.linalg.eigvalsh(matrix)
    values = np.clip(values, 0.0, None) / values.sum()
    return (
        float(min(relevances[i], relevances[j])),
        float(others.max()),
        float(pair),
        float(off.max()),
        float(values[-1]),
        float(1 / np.sum(values**2)),
    )


def cost(p: Parameters) -> float:
    """P x M x N x N multiplications per step, times a factor for the gradients."""
    X, y = load_examples(p.data)
    return 10.0 * X.size * X.shape[1] * len(np.unique(y)) * (p.steps + 10)


SCENARIO = Scenario(
    name="relevances",
    version=1,
    parameters=Parameters,
    measures={
        "pair_relevance": "the smaller relevance of the two features",
        "others": "the largest relevance of all other features",
        "pair_term": "absolute value of their off-diagonal term in Lambda",
        "other_term": "absolute value of the largest other off-diagonal term",
        "leading": "largest eigenvalue of Lambda, whose trace is 1",
        "effective_rank": "1 / sum of the squared eigenvalues: N at the start, 1 for one direction",
    },
    cost=cost,
    run=run,
    ranges=dict.fromkeys(("pair_relevance", "others", "leading"), SHARE),
    data=itemgetter("data"),
    miniature={"steps": 2},
)
