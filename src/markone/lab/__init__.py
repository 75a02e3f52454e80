"""Experiments: declared, run anywhere, stored, judged and reported.

From Python: `Experiment.load("capacity").with_(N=[10, 20]).run()` gives a `Result` (docs/lab_from_python.md).

Declarations: `foreign_code` <- `scenario` <- `scenarios` <- `schema` <- `validate` <- `load` <- `overrides`.
Computation: `schedule` <- `store` <- `runner`.
Evaluation: `statistics` <- `claims`, `plots` <- `report`.
Python interface: `result` <- `experiment`, `comparison`.
"""

from markone import lazy_import

HOMES = {
    "Comparison": "markone.lab.comparison",
    "Experiment": "markone.lab.experiment",
    "Point": "markone.lab.scenario",
    "Result": "markone.lab.result",
    "Scenario": "markone.lab.scenario",
    "Store": "markone.lab.store.results",
    "Theory": "markone.lab.scenario",
    "compare": "markone.lab.comparison",
    "grid": "markone.lab.ranges",
    "reproduce": "markone.lab.documents.reproduction",
    "stream": "markone.lab.scenario",
}

__all__ = list(HOMES)
__getattr__, __dir__ = lazy_import.lazy_names(__name__, HOMES)
