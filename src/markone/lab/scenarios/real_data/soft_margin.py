"""Error against complexity on real data: the error weight C of the soft margin   (4.3), Fig. 6.2.

A repeat is a fold, as in `one_digit`. Features are z-scored in the fold.
"""

from operator import itemgetter
from typing import Any, Literal

from pydantic import ConfigDict, Field

from markone.lab.scenario import SHARE, Scenario, Settings
from markone.lab.scenarios.real_data.data_sets import (
    binary_targets,
    fold_splits,
    load_examples,
    standardize_features,
)
from markone.perceptron import AdaTron


class Parameters(Settings):
    """C = gamma/N, gamma of (4.3): the weight of errors; one class against the rest."""

    # C = inf is the hard margin.
    model_config = ConfigDict(allow_inf_nan=True)

    data: Literal["iris", "wine", "breast_cancer", "digits", "semeion"]
    positive: int = Field(1, ge=0)
    C: float = Field(gt=0)
    folds: int = Field(10, ge=2)


def run(p: Parameters, seed: int, start: int, stop: int) -> list[Any]:
    X, S = load_examples(p.data)[0], binary_targets(p.data, p.positive)
    rows = []
    for train, test in fold_splits(p.data, p.positive, p.folds, seed, start, stop):
        Z = standardize_features(X, train)
        student = AdaTron(C=p.C).fit(Z[train], S[train])
        errors = [1 - student.score(Z[part], S[part]) for part in (test, train)]
        rows.append((*errors, len(student.support_) / len(train)))
    return rows


def cost(p: Parameters) -> float:
    return 200.0 * load_examples(p.data)[0].size


SCENARIO = Scenario(
    name="soft_margin",
    version=1,
    parameters=Parameters,
    measures={
        "test_error": "fraction wrong in the fold",
        "training_error": "fraction wrong among the training examples",
        "support": "support vectors, as a fraction of the training examples",
    },
    cost=cost,
    run=run,
    ranges=dict.fromkeys(("test_error", "training_error", "support"), SHARE),
    data=itemgetter("data"),
)
