"""python -m attack.tables [traps clean reject sets] [--seed S]: what `markone fit` promises, on drawn tables.

`traps`: tables whose score misleads; the fit by default must doubt it in its headline (or leave the column
out). `clean`: 30 tables without a fault; findings that doubt the score. `sets`: coverage of prediction sets
of 90 % on 40 tables, each split 100 times, also in each class. `reject`: how often 90 % of the answers to new
rows are right where this is promised, in 3 x 200 tables.
"""

import argparse
from collections.abc import Iterator

import numpy as np
import pandas as pd
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict

import markone
from markone.evaluation import ConformalClassifier
from markone.tables import headline
from markone.tables.inspect.validation_diagnostics import guaranteed_threshold
from markone.tables.prepared_data import prepare_data
from markone.tables.source import request_of_table

P = 400


def draw_noise(rng: np.random.Generator, rows: int = P, columns: int = 4) -> pd.DataFrame:
    """Gaussian columns, and a target of two classes that they predict with .7 at best."""
    X = rng.normal(size=(rows, columns))
    y = np.where(X[:, 0] + 1.5 * rng.normal(size=rows) > 0, "sick", "well")
    return pd.DataFrame({f"x{k}": X[:, k].round(3) for k in range(columns)} | {"y": y})


def draw_traps(rng: np.random.Generator) -> Iterator[tuple[str, pd.DataFrame]]:
    near = draw_noise(rng, 60)
    near = near.loc[np.repeat(near.index, 6)].reset_index(drop=True)
    near.iloc[:, :4] += 1e-3 * rng.normal(size=(P - 40, 4))
    near["y"] = np.repeat(rng.permutation(np.repeat(["sick", "well"], 30)), 6)
    yield "near copies", near
    dummies = draw_noise(rng)
    dummies["y"] = rng.choice(["a", "b", "c"], P)
    yield "dummies of the target", dummies.assign(**{f"is_{k}": 1 * (dummies["y"] == k) for k in "abc"})
    table = draw_noise(rng)
    other = np.where(table["y"] == "sick", "yes", "no")
    other[:8] = np.where(other[:8] == "yes", "no", "yes")
    yield "a column equal to the target in 392 of 400 rows", table.assign(treated=other)
    dead = rng.random(P) < 0.1
    severity = np.where(dead & (rng.random(P) < 0.92), 4, rng.integers(0, 4, P))
    yield (
        "severity 4 of nearly all dead",
        draw_noise(rng).assign(y=np.where(dead, "dead", "alive"), severity=severity),
    )
    table = draw_noise(rng)
    yield "a numeric ID", table.assign(ID=rng.permutation(100_000)[:P])
    site = rng.integers(0, 8, P)
    table["y"] = np.where((site < 4) ^ (rng.random(P) < 0.1), "sick", "well")
    yield "a site that decides 90 %", table.assign(site=[f"s{k}" for k in site])
    table = draw_noise(rng)
    weight = rng.normal(70, 9, P) * np.where(np.arange(P) < P // 2, 1, 2.205)
    yield "a unit that changes half way", table.assign(weight=weight.round(1))
    table = draw_noise(rng)
    table.loc[[17, 230], "y"] = "sikc"
    table.loc[5, "y"] = "wlel"
    yield "label typos", pd.concat([table, table[table["y"] == "sikc"]], ignore_index=True)
    table = draw_noise(rng)
    late = np.arange(P) >= P // 2
    table["y"] = np.where((table["x0"] > 0) ^ late, "sick", "well")
    yield "a rule that turns half way", table


def run_traps(seed: int) -> None:
    for name, frame in draw_traps(np.random.default_rng(seed)):
        print(f"{name}: {headline(markone.fit(frame, target='y', cv='1x10'))}", flush=True)


def draw_clean(rng: np.random.Generator, rows: int) -> pd.DataFrame:
    """Numbers, categories, counts and gaps, drawn independently; a rule of several columns."""
    X = rng.normal(size=(rows, 5))
    made = pd.DataFrame({f"x{k}": X[:, k] * 10.0 ** rng.integers(-2, 4) for k in range(5)})
    made["count"] = rng.poisson(3, rows)
    made["site"] = rng.choice(list("abcdef"), rows)
    made["smokes"] = rng.choice(["yes", "no"], rows)
    made.loc[rng.random(rows) < 0.1, "x4"] = np.nan
    rule = [
        X @ rng.normal(size=5),
        X[:, 0] ** 2 + X[:, 1] - 1,
        np.sign(X[:, :2]).sum(axis=1) + (made["site"] < "c"),
    ]
    g = np.asarray(rule[rng.integers(3)], dtype=float) + rng.normal(size=rows) * rng.choice([0.5, 1, 2])
    made["y"] = pd.cut(
        g, np.quantile(g, [0, 0.5, 1] if rng.random() < 0.7 else [0, 0.3, 0.6, 1]), labels=False
    )
    return made.assign(y=made["y"].fillna(0).astype(int).map({0: "low", 1: "middle", 2: "high"}))


def run_clean(seed: int) -> None:
    doubted = 0
    for k in range(30):
        rng = np.random.default_rng([seed, k])
        asked = request_of_table(draw_clean(rng, int(rng.choice([60, 200, 1000]))), "y", {})
        doubts = [f for f in prepare_data(asked, asked.table, "classification").findings if f.doubts_score]
        doubted += bool(doubts)
        for found in doubts:
            print(f"table {k}: {found}")
    print(f"{doubted} of 30 clean tables are doubted.", flush=True)


def run_sets(seed: int) -> None:
    covered, each = [], []
    for table in range(40):
        X, y = make_classification(
            3000, 8, n_informative=5, n_classes=2 + table % 3, class_sep=0.7, flip_y=0.1,
            weights=[0.6] if table % 6 == 3 else None, random_state=1000 * seed + table,
        )  # fmt: skip
        for split in range(100):
            rows = np.random.default_rng([seed, table, split]).permutation(3000)
            train, test = rows[:500], rows[500:]
            for per_class, found in ((False, covered), (True, each)):
                model = ConformalClassifier(LogisticRegression(), per_class=per_class, random_state=split)
                sets = model.fit(X[train], y[train]).predict_set(X[test])
                inside = sets[np.arange(len(test)), y[test]]
                found.append(
                    [inside[y[test] == k].mean() for k in np.unique(y)] if per_class else inside.mean()
                )
    lowest = min(np.mean(each[k : k + 100], axis=0).min() for k in range(0, 4000, 100))
    tables = np.reshape(covered, (40, 100)).mean(axis=1)
    print(f"sets of 90 %: {np.mean(covered):.4f}; by table {tables.min():.3f} to {tables.max():.3f}")
    print(
        f"per class: {np.mean(np.concatenate(each)):.4f}; the lowest class of a table {lowest:.3f}",
        flush=True,
    )


def run_reject(seed: int) -> None:
    for sep, rows in ((0.7, 400), (1.0, 1000), (1.5, 400)):
        right = np.full(200, np.nan)
        for k in range(200):
            X, y = make_classification(
                rows + 5000, 6, n_informative=4, flip_y=0.05, class_sep=sep, random_state=1000 * seed + k
            )
            model, known = LogisticRegression(), slice(rows)
            g = cross_val_predict(model, X[known], y[known], cv=5, method="decision_function")
            _, threshold = guaranteed_threshold((g > 0) == y[known], np.abs(g), 0.9)
            g = model.fit(X[known], y[known]).decision_function(X[rows:])
            sure = np.abs(g) >= threshold
            right[k] = np.mean((g > 0)[sure] == y[rows:][sure]) if sure.any() else np.nan
        answered = np.isfinite(right)
        print(
            f"{rows} rows, distance {sep}: {answered.sum()} of 200 tables are answered; "
            f"the promise holds in {np.mean(right[answered] >= 0.9):.3f} of these, "
            f"in {np.mean(~answered | (right >= 0.9)):.3f} of all",
            flush=True,
        )


RUNS = {"traps": run_traps, "clean": run_clean, "reject": run_reject, "sets": run_sets}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[*RUNS, []])
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    for name in options.names or RUNS:
        RUNS[name](options.seed)


if __name__ == "__main__":
    main()
