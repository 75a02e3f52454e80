"""Without --model: the students are compared, and the simplest within one standard error is fitted."""

import json

import numpy as np
import pytest

from markone.tables import ColumnOptions, FitRequest, fit, models
from markone.tables.comparing import default_model
from markone.tables.comparing.differences import ComparedModel
from markone.tables.dispatch import build_report, result_to_dict
from markone.tables.report.page import build_page
from markone.tables.scoring import Interval

# Four folds of 100 rows; the factor of sd in the corrected standard error is then sqrt(1/4 + 1/3).
SIZES = np.full(4, 75), np.full(4, 25)
FACTOR = np.sqrt(1 / 4 + 1 / 3)
NEAR = "within one standard error, and 0.01, of"


def entry(name, score, error):
    """A student whose score differs from a constant one by `score`, with this corrected standard error."""
    folds = score + error / FACTOR * np.sqrt(3) / 2 * np.array([-1.0, 1.0, 1.0, -1.0])
    return ComparedModel(name, {"auc": folds}, {"auc": Interval(score, score - 0.1, 1, np.nan)}, 0.1)


@pytest.mark.parametrize(
    ("aucs", "chosen", "reason"),
    [
        (
            (0.90, 0.91, 0.80),
            "a",
            f"the simplest student {NEAR} the best AUC, of b.",
        ),
        (
            (0.85, 0.91, 0.92),
            "b",
            f"the simplest student {NEAR} the best AUC, of c.",
        ),
        ((0.90, 0.911, 0.80), "b", f"no simpler student is {NEAR} its AUC."),
        ((0.80, 0.85, 0.95), "c", f"no simpler student is {NEAR} its AUC."),
        ((0.95, 0.95, 0.90), "a", "it is the simplest student and has the best AUC."),
    ],
)
def test_the_simplest_within_one_standard_error(aucs, chosen, reason):
    students = [entry(name, auc, 0.02 * (auc < max(aucs))) for name, auc in zip("abc", aucs, strict=True)]
    found, sentence = default_model._recommend(students, "auc", 1, SIZES)
    assert found.name == chosen
    assert sentence == f"{chosen} is recommended: {reason}"


def test_of_students_that_guess_the_simplest():
    students = [entry("a", 0.52, 0.1), entry("b", 0.58, 0.0)]
    found, sentence = default_model._recommend(students, "auc", 1, SIZES)
    assert found.name == "a"
    assert sentence.endswith("within one standard error of the best AUC, of b.")


def test_errors_are_better_if_small():
    found, _ = default_model._recommend([entry("a", 5.0, 0.5), entry("b", 4.0, 0.0)], "auc", -1, SIZES)
    assert found.name == "b"


def test_what_all_students_find_hard_in_a_fold_does_not_count():
    """The folds differ by 0.2, the students by 0.05 in each of them."""
    students = [entry("a", 0.80, 0.2), entry("b", 0.85, 0.2)]
    found, _ = default_model._recommend(students, "auc", 1, SIZES)
    assert found.name == "b"


@pytest.fixture(scope="module")
def found():
    return fit(FitRequest("iris", cv="1x5"))


def test_all_students_and_the_ceiling_are_in_one_table(found):
    names = [each.name for each in found.students.entries]
    assert names == [*default_model.STUDENTS[models.CLASSIFICATION], default_model.CEILING]
    assert found.model == found.students.name != default_model.CEILING
    page = build_page(build_report(found), ["fit"])
    assert "Students compared" in page
    assert f"{found.model} (recommended)" in page
    told = json.loads(json.dumps(result_to_dict(found)))["students"]
    assert told["recommended"] == found.model
    assert set(told["models"]) == set(names)


def test_the_scores_of_the_recommended_student_are_those_it_has_alone(found):
    alone = fit(FitRequest("iris", found.model, cv="1x5"))
    assert alone.students is None
    assert alone.validation.estimates == found.validation.estimates


def test_settings_are_for_the_default_model():
    found = fit(FitRequest("iris", settings=["C=0.5"], cv="1x5"))
    assert (found.model, found.students) == ("soft-margin", None)


def test_long_tables_are_compared_on_a_sample(monkeypatch, found):
    monkeypatch.setattr(default_model, "MOST_ROWS", 60)
    small = fit(FitRequest("iris", cv="1x5"))
    assert small.students.rows == 60
    assert len(small.rows) == 150


def test_progress_counts_the_comparison_and_the_fit():
    seen = []
    fit(FitRequest("iris", cv="1x3"), lambda done, total: seen.append((done, total)))
    assert seen[0] == (0, 33)
    assert seen[-1] == (33, 33)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_numbers_are_compared_too(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    path = tmp_path / "t.csv"
    np.savetxt(path, np.column_stack([X, X @ [1.0, 2.0, 3.0]]), delimiter=",", header="a,b,c,y", comments="")
    found = fit(FitRequest(str(path), options=ColumnOptions("y"), cv="1x5"))
    assert found.model == "ridge"
    assert found.students.measure == "rmse"


def test_too_few_rows_leave_the_default_model(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("x,y\n" + "\n".join(f"{x},{'ab'[k % 2]}" for k, x in enumerate((3, 1, 4, 6, 5, 9))))
    found = fit(FitRequest(str(path), options=ColumnOptions("y"), cv="1x2"))
    assert found.model in default_model.STUDENTS[models.CLASSIFICATION]
