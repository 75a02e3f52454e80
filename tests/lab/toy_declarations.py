"""Small declarations of the toy scenario."""

import numpy as np

from markone.lab.load import parse_declaration
from markone.lab.store.results import Store

PLAIN = {
    "name": "study",
    "title": "A study",
    "scenario": "toy",
    "seed": 7,
    "repeats": 12,
    "grid": {"N": [5, 20], "alpha": {"start": 0.5, "stop": 1.5, "step": 0.5}},
}
PRECISE = PLAIN | {"precision": 0.13, "precision_of": "height", "max_repeats": 120}


def study(**changes):
    return parse_declaration({key: value for key, value in (PLAIN | changes).items() if value is not None})


def table(path, declaration):
    """Content of the store, to the bit."""
    with Store(path, "r") as store:
        return [
            (point.parameters, point.numbers.tolist(), {k: v.tobytes() for k, v in point.values.items()})
            for point in store.points(declaration)
        ]


def expected(declaration):
    """The same table from one plain loop, for declarations without precision."""
    from markone.lab.scenarios import find_scenario

    scenario = find_scenario("toy")
    rows = []
    for parameters in declaration.points():
        model = scenario.parameters.model_validate(parameters)
        values = [scenario.run(model, declaration.seed, k, k + 1) for k in range(declaration.repeats)]
        joined = {name: np.concatenate([v[name] for v in values]).tobytes() for name in scenario.measures}
        rows.append((parameters, list(range(declaration.repeats)), joined))
    return rows
