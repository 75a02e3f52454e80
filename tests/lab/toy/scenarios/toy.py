"""A scenario for the tests of the runner: cheap numbers, and failures on demand.

A file <alpha>.<kind> in the folder TOY_TROUBLE makes the tasks of that alpha do what TROUBLES says.
"""

import os
import signal
import sys
import time
from pathlib import Path
from typing import Literal

import numpy as np
from pydantic import BaseModel, Field, field_validator

from markone.lab.scenario import Mark, Picture, Scenario, Theory


class Parameters(BaseModel):
    N: int = Field(ge=1, le=1000)
    alpha: float = Field(gt=0)
    rule: Literal["hebb", "minover"] = "hebb"
    cost: float = Field(default=2e8, gt=0)
    busy: float = 0.0

    @field_validator("rule", mode="before")
    @classmethod
    def _means(cls, value):
        return "minover" if value == "best" else value


def refuse(file):
    raise ValueError(f"alpha = {file.stem} is not liked.")


def crash_once(file):
    file.unlink()
    os._exit(3)


def never_end(file):
    """Until the file is gone: a thread cannot be ended from outside."""
    while file.exists():
        time.sleep(0.01)


def odd_text(file):
    raise ValueError("a file called '\udcff'")


def eat(file):
    raise MemoryError(bytearray(2**62))


def eat_all(file):
    """Really, page by page: only where the system has set a limit, which the machine survives."""
    import resource

    assert resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY
    eaten = []
    while file.exists():
        eaten.append(np.ones(2**21))


TROUBLES = {
    "raise": refuse,
    "crash": lambda file: os._exit(3),
    "crash_once": crash_once,
    "segfault": lambda file: os.kill(os.getpid(), signal.SIGSEGV),
    "exit": lambda file: sys.exit(3),
    "endless": never_end,
    "odd": odd_text,
    "memory": eat,
    "hungry": eat_all,
}


def trouble(alpha):
    folder = os.environ.get("TOY_TROUBLE")
    for kind, cause in TROUBLES.items() if folder else ():
        # Not with_suffix: 0.5.raise belongs to alpha = 0.5.
        file = Path(folder) / f"{alpha:g}.{kind}"
        if file.exists():
            cause(file)


def numbers(parameters, seed, repeat):
    key = [seed, parameters.N, int(parameters.alpha * 1e6), repeat]
    return np.random.default_rng(key).normal(parameters.alpha, 1.0, size=2)


def run(parameters, seed, start, stop):
    trouble(parameters.alpha)
    end = time.perf_counter() + parameters.busy
    while time.perf_counter() < end:
        pass
    x = np.array([numbers(parameters, seed, k) for k in range(start, stop)]).reshape(-1, 2)
    return {"height": x[:, 0], "positive": (x[:, 1] > 0).astype(np.float64)}


SCENARIO = Scenario(
    name="toy",
    version=1,
    parameters=Parameters,
    measures={"height": "a normal number", "positive": "whether another is positive"},
    cost=lambda parameters: parameters.cost,
    run=run,
    pictures={"bars": Picture("bars", lambda figure, points, seed: None)},
    marks={"start": Mark("the start", lambda parameters: 0.5)},
    theories={"line": Theory("its mean", "height", lambda parameters: parameters["alpha"])},
)
