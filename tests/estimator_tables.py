"""Three tables on standard output: what holds for every estimator beyond its defaults.

python tests/estimator_tables.py checks [FIRST LAST]   parameter sets x scikit-learn's checks (minutes)
python tests/estimator_tables.py trips                 ways of keeping x estimators
python tests/estimator_tables.py streams               streams whose last class comes in the last batch
"""

import collections
import sys
import warnings
from pathlib import Path

import numpy as np
import onnxruntime
from sklearn.base import clone, is_classifier
from sklearn.datasets import load_iris
from sklearn.utils.estimator_checks import check_estimator

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE / "lvq")]

from keeping import WAYS  # noqa: E402
from markone import Rejecting  # noqa: E402
from markone.base import registry  # noqa: E402
from markone.lvq import linear_scorer  # noqa: E402

X, Y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])
SETTINGS = {"Hopfield": {"threshold": 2.0}, "FeedForwardClassifier": {"max_iter": 100}}


def seeded(cls):
    model = cls(**SETTINGS.get(cls.__name__, {}))
    return model.set_params(random_state=0) if "random_state" in model.get_params() else model


def models():
    return [seeded(cls) for cls in registry.public_estimators().values() if cls is not Rejecting]


def checks(first=0, last=None):
    from test_checks_off_the_defaults import CASES as PROTOTYPES

    from test_checks_of_parameter_sets import CASES

    heads = ("parameter set", "passed", "written reason", "skipped (array API)", "unexpected")
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    for student, reasons in [*CASES, *PROTOTYPES][first:last]:
        outcome = check_estimator(student, on_fail=None, expected_failed_checks=reasons)
        count = collections.Counter(check["status"] for check in outcome)
        why = "; ".join(sorted(set(reasons.values())))
        reason = f"{count['xfail']}: {why}" if reasons else "0"
        name = " ".join(str(student).split())
        row = (name, count["passed"], reason, count["skipped"], count["failed"])
        print("| " + " | ".join(map(str, row)) + " |", flush=True)


def onnx_labels(model):
    graph = model.to_onnx() if hasattr(model, "to_onnx") else linear_scorer(model).to_onnx()
    session = onnxruntime.InferenceSession(graph.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(["label"], {"X": X})[0]


def trips():
    names = [way.__name__.removeprefix("by_") for way in WAYS]
    print(f"| estimator | {' | '.join(names)} | ONNX |\n|{'---|' * (len(names) + 2)}")
    for model in models():
        y = NAMES[Y] if is_classifier(model) else X[:, 0]
        fitted = clone(model).fit(X, y)
        method = "predict" if hasattr(fitted, "predict") else "transform"
        answer, row = getattr(fitted, method)(X), []
        for way in WAYS:
            row.append("same" if np.array_equal(getattr(way(fitted), method)(X), answer) else "OTHER")
        if not is_classifier(model):
            row.append("no classifier")
        else:
            try:
                row.append(f"{(onnx_labels(fitted) == answer).sum()} of {len(X)} labels")
            except (TypeError, ValueError, AttributeError) as refusal:
                row.append(str(refusal).split(". ")[0])
        print(f"| {type(model).__name__} | {' | '.join(row)} |", flush=True)


def streams():
    heads = ("estimator", "rows of the last class known before it came", "after", "accuracy in the end")
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    order = np.argsort(Y, kind="stable")
    for model in models():
        if not hasattr(model, "partial_fit") or not is_classifier(model):
            continue
        for rows in np.split(order[:100], 10):
            model.partial_fit(X[rows], Y[rows], classes=[0, 1, 2])
        before = (model.predict(X[Y == 2]) == 2).sum()
        model.partial_fit(X[Y == 2], Y[Y == 2])
        after = (model.predict(X[Y == 2]) == 2).sum()
        print(f"| {type(model).__name__} | {before} | {after} | {model.score(X, Y):.2f} |")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    {"checks": checks, "trips": trips, "streams": streams}[sys.argv[1]](*map(int, sys.argv[2:]))
