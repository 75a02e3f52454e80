"""Several models on the same folds of one table."""

import json

import numpy as np
import pytest

from markone.tables import dispatch, models
from markone.tables.comparing import comparison, comparison_report
from markone.tables.dispatch import build_report
from markone.tables.report.page import build_page
from markone.tables.request import ColumnOptions, FitRequest


@pytest.fixture(scope="module")
def found():
    return dispatch.fit(FitRequest("wine", "hebb,logistic,knn", cv="1x5"))


def test_best_first_with_time_and_pairs(found):
    means = [entry.estimates["balanced_accuracy"].mean for entry in found.entries]
    assert means == sorted(means, reverse=True)
    assert len(found.pairs) == 3
    assert all(entry.seconds > 0 for entry in found.entries)
    assert found.trivial == pytest.approx(1 / 3)


def test_each_model_has_the_scores_it_has_alone(found):
    alone = dispatch.fit(FitRequest("wine", "logistic", cv="1x5"))
    entry = next(e for e in found.entries if e.name == "logistic")
    own = [fold.measures["balanced_accuracy"] for fold in alone.validation.folds]
    np.testing.assert_array_equal(entry.values["balanced_accuracy"], own)


def test_what_it_says(found):
    text = comparison_report.comparison_headline(found)
    assert text.startswith(f"{found.entries[0].name} has the best balanced accuracy")
    assert sum("scaled to z-scores" in note for note in found.notes) == 1
    assert comparison_report.comparison_table(found).rows[-1][0] == "(constant)"
    content = json.loads(json.dumps(comparison_report.comparison_to_dict(found)))
    assert [m["name"] for m in content["models"]] == [e.name for e in found.entries]
    assert 'id="figure-models"' in build_page(build_report(found), ["fit"])


def test_numbers_are_compared_by_their_error(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 3))
    table = np.column_stack([X, X @ [1.0, 2.0, 3.0] + 0.1 * rng.normal(size=90)])
    path = tmp_path / "t.csv"
    np.savetxt(path, table, delimiter=",", header="a,b,c,y", comments="")
    found = dispatch.fit(FitRequest(str(path), "knn,linear", ColumnOptions("y"), cv="2x5"))
    assert [entry.name for entry in found.entries] == ["linear", "knn"]
    assert found.pairs[0].is_significant
    assert "root mean square error" in comparison_report.comparison_headline(found)
    assert found.entries[0].estimates["rmse"].mean < 0.2 < found.trivial


def test_a_model_that_fails_is_a_row_and_not_the_end(monkeypatch):
    from sklearn.linear_model import LogisticRegression

    def broken(self, X, y):
        raise ValueError("no such luck")

    monkeypatch.setattr(LogisticRegression, "fit", broken)
    found = dispatch.fit(FitRequest("wine", "logistic,knn", cv="1x3"))
    assert found.failed == {"logistic": "no such luck (3 of 3 folds)"}
    assert [entry.name for entry in found.entries] == ["knn"]
    assert "logistic could not be fitted" in comparison_report.comparison_footnotes(found)[-1]


def test_all_means_every_model_of_the_task():
    assert comparison.requested_models("all", "regression") == models.model_names("regression")
    assert comparison.requested_models("knn, hebb,knn", "classification") == ["knn", "hebb"]
    assert not comparison.is_comparison("knn")


@pytest.mark.parametrize(
    ("more", "sentence"),
    [({"settings": ["C=1"]}, "--set, --grid and --more are for one model"), ({"cv": "loo"}, "use --cv 5x10")],
)
def test_what_cannot_be_compared_is_refused(more, sentence):
    with pytest.raises(ValueError, match=sentence):
        dispatch.fit(FitRequest("wine", "knn,hebb", **more))


def test_findings_stand_beside_the_scores(tmp_path):
    """A column that is the target in other words flatters every model alike."""
    rng = np.random.default_rng(0)
    y = rng.choice(["no", "yes"], 60)
    path = tmp_path / "leak.csv"
    path.write_text("x,code,y\n" + "\n".join(f"{rng.normal():.4f},{7 if a == 'yes' else 3},{a}" for a in y))
    found = dispatch.fit(FitRequest(str(path), "hebb,adaline", ColumnOptions("y"), cv="1x5"))
    assert "All scores may be misleading, for 1 reason" in comparison_report.comparison_headline(found)
    first, *_ = comparison_report.comparison_to_dict(found)["findings"]
    assert first["kind"] == "target in other words"
    assert "These scores may be misleading" in build_page(build_report(found), ["fit"])
    # All right in every fold, and still not certain.
    assert found.entries[0].estimates["balanced_accuracy"].low < 1.0
