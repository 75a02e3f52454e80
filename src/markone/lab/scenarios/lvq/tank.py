"""The tank (section 6.4): a hidden bias of the data that validation cannot detect.

The features are noise, independent of the class. In a fraction q of the rows of one class the first feature
is missing. Rows collected in the same way have the same gaps, so validation reports a low error; in the field
gaps are independent of the class, and the error is one half.
"""

from typing import Literal

import numpy as np
from pydantic import Field

from markone.lab.scenario import SHARE, Scenario, Settings, Theory, each_repeat
from markone.lvq import GMLVQ
from markone.numerics.arrays import Array


class Parameters(Settings):
    """P rows of N noise features, half of either class; gaps in a fraction q of the first class.

    The student is GMLVQ. Gaps are skipped ("mask"), replaced by the mean ("mean"), or by the mean and an
    indicator input ("indicator").
    """

    q: float = Field(ge=0, lt=1)
    gaps: Literal["mask", "mean", "indicator"]
    P: int = Field(200, ge=8)
    N: int = Field(3, ge=2)


def _measure_errors(p: Parameters, seed: int, repeat: int) -> list[float]:
    """The error on rows collected like the training rows, and the error in the field."""
    rng = np.random.default_rng((seed, repeat))
    X, y = draw_rows(p, rng, (p.q, 0.0))
    student = GMLVQ(random_state=0).fit(treat_gaps(X, p.gaps), y)
    errors = []
    for shares in ((p.q, 0.0), (p.q / 2, p.q / 2)):
        new, truth = draw_rows(p, rng, shares)
        errors.append(1 - student.score(treat_gaps(new, p.gaps), truth))
    return errors


def draw_rows(p: Parameters, rng: np.random.Generator, shares: tuple[float, float]) -> tuple[Array, Array]:
    """Draw noise, with gaps in these fractions of the two classes."""
    X, y = rng.standard_normal((p.P, p.N)), np.arange(p.P) % 2
    X[rng.random(p.P) < np.array(shares)[y], 0] = np.nan
    return X, y


def treat_gaps(X: Array, gaps: str) -> Array:
    """Replace gaps by the mean of the features, which is zero, unless they are masked."""
    if gaps == "mask":
        return X
    filled = np.where(np.isnan(X), 0.0, X)
    return np.column_stack([filled, np.isnan(X[:, 0])]) if gaps == "indicator" else filled


def cost(p: Parameters) -> float:
    """About fifty gradient steps, and the overhead of Python in each."""
    return 4.0e7 + 10_000.0 * p.P * p.N


SCENARIO = Scenario(
    name="tank",
    version=1,
    parameters=Parameters,
    measures={
        "collected_error": "error on rows collected like the training rows",
        "field_error": "error on rows whose gaps are independent of the class",
    },
    cost=cost,
    run=each_repeat(_measure_errors),
    ranges=dict.fromkeys(("collected_error", "field_error"), SHARE),
    theories={
        # Gap means first class, else second class; (1 - q)/2 are wrong.
        "gaps": Theory(
            "best rule based on the gaps alone", "collected_error", lambda p: (1 - p["q"]) / 2, "lower bound"
        ),
        "nothing": Theory("nothing was learned: 1/2", "field_error", lambda parameters: 0.5),
    },
)
