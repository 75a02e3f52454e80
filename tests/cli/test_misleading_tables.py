"""`markone fit` on misleading tables."""

import json

import numpy as np
import pytest
from tables_on_disk import rows_of, write

from markone.cli.main import run_command_line


@pytest.fixture
def tank(here):
    """Three columns of noise; `age` is missing in 57 of 100 rows of one class and in none of the other."""
    rng = np.random.default_rng(0)
    X, cls = rng.normal(50, 10, (200, 3)).round(2), rng.permutation(["a", "b"] * 100)
    rows = [[*x, k] for x, k in zip(X.tolist(), cls.tolist(), strict=True)]
    for k in rng.choice(np.flatnonzero(cls == "a"), 57, replace=False):
        rows[k][0] = ""
    write(here / "tank.csv", ["age", "weight", "height", "cls"], rows)


@pytest.fixture
def fraud(here):
    rng = np.random.default_rng(1)
    kinds = rng.permutation(["fraud"] * 13 + ["ok"] * 387)
    X = (rng.standard_normal((400, 3)) + 1.6 * (kinds == "fraud")[:, None]).round(3)
    write(here / "fraud.csv", [*"abc", "kind"], [[*x, k] for x, k in zip(X, kinds, strict=True)])


def told(capsys, *words):
    assert run_command_line([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


TANK = ["fit", "tank.csv", "--target", "cls", "--model", "gmlvq", "--cv", "1x3", "--missing"]


def test_the_tank_is_doubted_in_the_headline_and_its_prototypes_stay_inside(tank, capsys, here):
    assert run_command_line([*TANK, "mask", "--report", "tank.html"]) == 0
    said = capsys.readouterr().out
    first, second = said.index("Findings about the data"), said.index("Of rows it has not seen")
    assert first < said.index("Whether 'age' is missing depends on the class") < second
    assert "This may be misleading, for 1 reason given below." in said
    assert said.index("This score may be misleading") < said.index("measure ")
    page = (here / "tank.html").read_text()
    assert page.index('id="doubts"') < page.index("<h2>Scores</h2>")
    found = told(capsys, *TANK, "mask")
    assert [each["kind"] for each in found["findings"] if each["doubts_score"]] == ["missing by class"]
    ranges = found["training_range"]["numbers"]
    for prototype in found["student"]["prototypes"]:
        for name, value in zip(found["inputs"], prototype["at"], strict=True):
            assert ranges[name][0] - 1e-9 <= value <= ranges[name][-1] + 1e-9


def test_the_rare_class_is_named_even_if_the_other_is_positive(fraud, capsys):
    found = told(capsys, "fit", "fraud.csv", "--target", "kind", "--cv", "1x3", "--positive", "ok")
    assert found["positive"] == "ok"
    assert "Worst is 'fraud'" in found["headline"]


def test_the_rare_class_leads(fraud, capsys):
    found = told(capsys, "fit", "fraud.csv", "--target", "kind", "--cv", "2x5")
    assert found["positive"] == "fraud"
    (rare,) = [each for each in found["per_class"] if each["label"] == "fraud"]
    assert rare["recall"]["mean"] < 0.9
    start = (
        f"Of the 13 rows of 'fraud' it has not seen, soft-margin finds {100 * rare['recall']['mean']:.1f} %"
    )
    assert found["headline"].startswith(start)
    assert "Always predicting 'ok' finds none and is 96.8 % right" in found["headline"]
    assert "small class" in [each["kind"] for each in found["findings"]]


def test_prices_move_the_working_point(fraud, capsys):
    words = ["fit", "fraud.csv", "--target", "kind", "--cv", "1x5"]
    plain, dear = told(capsys, *words), told(capsys, *words, "--cost", "fraud:ok=50")
    recall = [{c["label"]: c["recall"]["mean"] for c in each["per_class"]}["fraud"] for each in (plain, dear)]
    assert recall[1] > recall[0]
    assert dear["scores"]["cost"]["mean"] < 13 / 400 * 50 * (1 - recall[0])
    assert dear["baseline"]["cost"] == pytest.approx(387 / 400)
    assert "At the given costs a row costs" in dear["headline"]


@pytest.mark.parametrize(
    ("cost", "sentence"),
    [
        ("fraud=3", "is not of the form true:predicted=cost"),
        ("fraud:good=3", "The classes: fraud, ok"),
        ("fraud:ok=dear", "the cost must be a number"),
        ("fraud:ok=-1", "the cost must be a number from 0 on"),
        ("ok:ok=2", "a correct prediction costs nothing"),
    ],
)
def test_prices_that_mean_nothing_are_refused(fraud, capsys, cost, sentence):
    assert run_command_line(["fit", "fraud.csv", "--target", "kind", "--cost", cost]) == 2
    assert sentence in capsys.readouterr().err


def test_calibrated_probabilities_and_rejected_rows_reach_the_predictions(fraud, here, capsys):
    words = ["--cv", "1x5", "--reject", "0.98", "--save", "m.skops", "--report", "r.html"]
    found = told(capsys, "fit", "fraud.csv", "--target", "kind", *words)
    scored = found["probabilities"]
    assert scored["scores"]["brier"]["mean"] < scored["frequencies"]["brier"]
    assert 0 < found["rejection"]["answered"] < 1
    assert 'id="figure-reliability"' in (here / "r.html").read_text()
    assert run_command_line(["predict", "m.skops", "fraud.csv", "--proba", "--out", "p.csv"]) == 0
    rows = rows_of(here / "p.csv")
    assert all(
        float(row["probability fraud"]) + float(row["probability ok"]) == pytest.approx(1) for row in rows
    )
    silent = [row for row in rows if not row["label"]]
    assert silent
    assert {row["remark"] for row in silent} == {"rejected: uncertain"}
    assert f"Rejected as uncertain, without a label: {len(silent)} rows of 400." in capsys.readouterr().err


def test_rows_outside_and_columns_that_drifted_are_said(fraud, here, capsys):
    assert run_command_line(["fit", "fraud.csv", "--target", "kind", "--cv", "1x3", "--save", "m.skops"]) == 0
    rows = [[float(r["a"]) + 1.5, r["b"], r["c"]] for r in rows_of(here / "fraud.csv")]
    rows[0][1] = 77
    write(here / "new.csv", [*"abc"], rows)
    capsys.readouterr()
    assert run_command_line(["predict", "m.skops", "new.csv", "--out", "p.csv"]) == 0
    said = capsys.readouterr().err
    assert "Column 'a' has drifted: its median is" in said
    assert "Outside the training range, where predictions extrapolate:" in said
    assert rows_of(here / "p.csv")[0]["remark"].startswith("outside: b 77 (was -")


def test_a_formula_in_a_name_is_only_a_text_in_the_predictions(here, capsys):
    rng = np.random.default_rng(0)
    rows = [[f"=cmd|'{k}'", *rng.standard_normal(2), "@SUM(A1)" if k % 2 else "-2+3"] for k in range(40)]
    write(here / "t.csv", ["name", "x", "y", "k"], rows)
    assert run_command_line(["fit", "t.csv", "--target", "k", "--cv", "1x3", "--save", "m.skops"]) == 0
    assert run_command_line(["predict", "m.skops", "t.csv", "--out", "p.csv"]) == 0
    for row in rows_of(here / "p.csv"):
        assert row["name"].startswith("'=")
        assert row["label"] in ("'@SUM(A1)", "'-2+3")


@pytest.fixture
def visits(here):
    """Thirty patients, six visits each; what is measured names the patient, not the illness."""
    rng = np.random.default_rng(2)
    rows = []
    for patient in range(30):
        face = rng.standard_normal(2) * 5
        rows += [
            [
                f"p{patient}",
                f"2024-{1 + v:02}-{1 + patient % 28:02}",
                *(face + 0.1 * rng.standard_normal(2)),
                "ab"[patient % 2],
            ]
            for v in range(6)
        ]
    write(here / "visits.csv", ["patient", "day", "x", "y", "k"], rows)


def test_patients_kept_together_show_that_nothing_was_learned(visits, capsys):
    words = ["fit", "visits.csv", "--target", "k", "--model", "knn", "--cv", "1x5", "--drop", "day"]
    loose = told(capsys, *words, "--drop", "patient")
    kept = told(capsys, *words, "--group", "patient")
    assert loose["scores"]["accuracy"]["mean"] > 0.95
    assert kept["scores"]["accuracy"]["mean"] < 0.75
    assert kept["folds_made"] == "1 x 5 folds, stratified, seed 0, rows of one 'patient' together."
    assert kept["inputs"] == ["x", "y"]


def test_later_rows_are_tested_by_earlier_ones(visits, capsys):
    words = ["fit", "visits.csv", "--target", "k", "--model", "knn", "--cv", "3x4", "--drop", "patient"]
    found = told(capsys, *words, "--time", "day")
    assert len(found["folds"]) == 4
    assert found["folds_made"].startswith("4 folds in the order of 'day', each tested by the rows before it")
    assert sum(map(sum, found["confusion"])) < 180


def test_folds_by_time_that_lack_a_class_are_said(here, capsys):
    """The class "ill" does not occur in the last third of the time."""
    rng = np.random.default_rng(0)
    rows = [
        [k, *rng.standard_normal(2).round(3), "ill" if k % 3 == 0 and k < 60 else "well"] for k in range(90)
    ]
    write(here / "t.csv", ["hour", "x", "y", "k"], rows)
    assert (
        run_command_line(
            ["fit", "t.csv", "--target", "k", "--time", "hour", "--cv", "5", "--report", "r.html"]
        )
        == 0
    )
    said = capsys.readouterr().out
    assert "In 2 of 5 folds some class is not tested: there is no AUC" in said
    assert "but no scores." not in said


def test_twelve_classes_are_all_drawn_and_the_worst_is_named(here, capsys):
    rng = np.random.default_rng(0)
    names = [f"a class with quite a long name, number {k}" for k in range(12)]
    rows = []
    for k in range(120):
        place = 4 * np.cos(np.arange(4) * (k % 12))
        rows.append([*(place + rng.standard_normal(4)).round(3), names[k % 12]])
    write(here / "t.csv", [*"pqrs", "k"], rows)
    assert (
        run_command_line(
            ["fit", "t.csv", "--target", "k", "--model", "knn", "--cv", "1x3", "--report", "r.html"]
        )
        == 0
    )
    said = capsys.readouterr().out
    assert "Worst is 'a class with quite a long name, number" in said
    page = (here / "r.html").read_text()
    assert "All 12 classes against the rest; the 5 of least area are named." in page


def test_blue_and_Blue_are_hinted_at(here, capsys):
    rng = np.random.default_rng(0)
    rows = [[rng.choice(["Blue", "blue", "red"]), *rng.standard_normal(2), "ab"[k % 2]] for k in range(60)]
    write(here / "t.csv", ["colour", "x", "y", "k"], rows)
    assert run_command_line(["fit", "t.csv", "--target", "k", "--cv", "1x3"]) == 0
    assert "of 'colour' differ in spelling only, and are 2 categories" in capsys.readouterr().out


def test_copies_never_straddle_folds(here, capsys):
    """Noise, each row five times: a copy in the training part gives the class away."""
    rng = np.random.default_rng(0)
    once = [[*rng.standard_normal(2).round(4), "ab"[k % 2]] for k in range(40)]
    write(here / "t.csv", ["x", "y", "k"], [row for row in once for _ in range(5)])
    found = told(
        capsys, "fit", "t.csv", "--target", "k", "--model", "knn", "--set", "n_neighbors=1", "--cv", "1x5"
    )
    assert found["scores"]["accuracy"]["mean"] < 0.8
    assert "duplicate rows" in [each["kind"] for each in found["findings"]]
