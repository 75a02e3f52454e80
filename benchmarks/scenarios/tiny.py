"""Next to no work, for the benchmark of the store: what a task costs beside its computing."""

import numpy as np

from markone.lab.scenario import Scenario, Settings


class Parameters(Settings):
    a: int
    b: float


def run(parameters, seed, start, stop):
    values = np.sin(parameters.a + parameters.b * np.arange(start, stop))
    return {"mean": values, "positive": (values > 0).astype(float)}


MEASURES = {"mean": "nothing of interest", "positive": "nothing either"}
SCENARIO = Scenario("tiny", 1, Parameters, MEASURES, lambda parameters: 1e3, run, in_bulk=True)
