"""A fixed amount of work outside the interpreter lock, for the benchmark of the runner."""

import numpy as np
from pydantic import BaseModel

from markone.lab.scenario import Scenario


class Parameters(BaseModel):
    rounds: int


def run(parameters, seed, start, stop):
    values = np.empty(stop - start)
    for k in range(start, stop):
        x = np.linspace(0.0, 1.0, 1 << 18)
        for _ in range(parameters.rounds):
            np.sin(x, out=x)
        values[k - start] = x.mean()
    return {"mean": values}


SCENARIO = Scenario("busy", 1, Parameters, {"mean": "nothing of interest"}, lambda parameters: 1e9, run)
