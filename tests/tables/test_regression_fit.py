"""Regression: from the file to the page, the saved model and its predictions."""

import json

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression
from sklearn.metrics import root_mean_squared_error
from sklearn.model_selection import cross_val_predict

from markone.errors import BadTable
from markone.tables import RegressionResult, dispatch, load_model, predict, row_splits, save_model, validation
from markone.tables.dispatch import build_report, result_to_dict
from markone.tables.inspect.validation_diagnostics import column_importance
from markone.tables.report import number_report
from markone.tables.report.page import build_page
from markone.tables.request import AnswerOptions, ColumnOptions, FitRequest, Folds
from markone.tables.row_splits import RowTies
from markone.tables.scoring import NumberScoring, predicted_deviations
from markone.tables.table_prediction import read_new_table


@pytest.fixture(scope="module")
def diabetes(tmp_path_factory):
    path = tmp_path_factory.mktemp("tables") / "diabetes.csv"
    X, y = load_diabetes(return_X_y=True, scaled=False)
    names = ",".join([*load_diabetes().feature_names, "progress"])
    np.savetxt(path, np.column_stack([X, y]), delimiter=",", header=names, comments="", fmt="%.10g")
    return path


def asked(path, model="", **more):
    target = more.pop("target", "progress")
    options = ColumnOptions(target, more.pop("missing", "refuse"))
    return FitRequest(str(path), model, options, cv=more.pop("cv", "2x5"), **more)


@pytest.fixture(scope="module")
def fitted(diabetes):
    return dispatch.fit(asked(diabetes))


def test_a_target_of_many_numbers_is_a_regression_by_itself(fitted):
    assert isinstance(fitted, RegressionResult)
    assert fitted.model == "ridge"
    assert any("214 different numbers, from 25 to 346" in note for note in fitted.notes)


def test_left_out_errors_are_those_of_scikit_learn(diabetes):
    """Linear regression on the same folds, by another library."""
    found = dispatch.fit(asked(diabetes, "linear", cv="1x5"))
    X, y = load_diabetes(return_X_y=True, scaled=False)
    folds = row_splits.make_splits(Folds(1, 5), y, 0, task="regression")
    predicted = cross_val_predict(LinearRegression(), X, y, cv=folds)
    own = np.mean([root_mean_squared_error(y[test], predicted[test]) for _, test in folds])
    assert found.validation.estimates["rmse"].mean == pytest.approx(own, rel=1e-9)


def test_it_beats_the_mean_and_says_so(fitted):
    text = number_report.regression_headline(fitted)
    assert "On rows it has not seen, ridge is off by 5" in text
    assert "less than the 7" in text
    assert fitted.validation.estimates["gain"].low > 0


def test_both_bands_hold(fitted):
    own, of_residuals = fitted.validation.coverage
    assert abs(own.coverage_at(0.95) - 0.95) < 0.03
    assert abs(of_residuals.coverage_at(0.95) - 0.95) < 0.03


@pytest.mark.parametrize("model", ["knn", "svr", "forest", "gradient-boosting", "feed-forward-regressor"])
def test_every_kind_of_regressor_answers(diabetes, model):
    settings = {"forest": ["n_estimators=10"], "feed-forward-regressor": ["K=2", "max_iter=30"]}
    found = dispatch.fit(asked(diabetes, model, cv="1x3", settings=settings.get(model, []), rows=150))
    assert found.validation.estimates["rmse"].mean < 90
    assert [c.name for c in found.validation.coverage] == ["the band of the residuals"]
    assert build_page(build_report(found), ["fit"]).startswith("<!")


def test_noise_is_not_said_to_be_explained(tmp_path):
    rng = np.random.default_rng(0)
    path = tmp_path / "noise.csv"
    np.savetxt(path, rng.normal(size=(120, 4)), delimiter=",", header="a,b,c,y", comments="")
    found = dispatch.fit(asked(path, target="y", cv="3x10"))
    assert "not clearly less than" in number_report.regression_headline(found)
    assert found.validation.estimates["r2"].mean < 0.1


def test_grid_is_searched_inside_the_folds(diabetes):
    found = dispatch.fit(asked(diabetes, "ridge", grid=["ridge=0.1,1e6"], cv="1x3"))
    assert found.chosen == {"ridge": 0.1}
    assert [fold.chosen for fold in found.validation.folds] == [{"ridge": 0.1}] * 3
    assert found.regressor.ridge == 0.1


def test_copies_of_a_row_stay_in_one_fold():
    groups = np.repeat(np.arange(20), 3)
    for how in (Folds(2, 5), Folds(1, 0)):
        for train, test in row_splits.make_splits(how, np.zeros(60), 0, RowTies(groups), "regression"):
            assert not set(groups[train]) & set(groups[test])


def test_the_search_keeps_groups_together_too(diabetes):
    found = dispatch.fit(asked(diabetes, "knn", cv="1x3"))
    groups = np.arange(len(found.y)) // 4
    pipeline = found.pipeline
    grid, X = {"n_neighbors": [3]}, np.zeros((442, 10))
    search = validation.search_parameters(pipeline, X, found.y, grid, 0, RowTies(groups), NumberScoring())
    for train, test in search.cv:
        assert not set(groups[train]) & set(groups[test])


def test_copies_in_the_table_are_found_and_never_tested_on_each_other(tmp_path):
    rng = np.random.default_rng(0)
    rows = np.repeat(rng.normal(size=(30, 3)), 2, axis=0)
    path = tmp_path / "copies.csv"
    np.savetxt(path, rows, delimiter=",", header="a,b,y", comments="")
    for cv in ("1x5", "loo"):
        found = dispatch.fit(asked(path, "knn", target="y", cv=cv))
        assert any(finding.kind == "duplicate rows" for finding in found.findings)
        for fold in found.validation.folds:
            assert len(np.unique(fold.test // 2)) * 2 == len(fold.test)


def test_one_column_of_yes_and_no_is_enough_for_ten_folds(tmp_path):
    """Rows that coincide by chance are no copies: two different rows of inputs would allow two folds only."""
    rng = np.random.default_rng(0)
    flag = rng.integers(0, 2, 60)
    path = tmp_path / "flag.csv"
    lines = [f"{'yes' if f else 'no'},{f + rng.normal():.6f}" for f in flag]
    path.write_text("flag,y\n" + "\n".join(lines))
    found = dispatch.fit(asked(path, "linear", target="y", cv="1x10"))
    assert len(found.validation.folds) == 10


def test_the_worth_of_a_column_is_what_the_error_grows_by(fitted):
    found = column_importance(fitted.validation)
    assert next(iter(found)) in ("bmi", "s5", "s1")
    assert next(iter(found.values())).low > 0
    assert json.loads(json.dumps(result_to_dict(fitted)))["column_importance"].keys() == found.keys()


def test_the_model_card_says_what_it_is_not_for(fitted):
    card = dict(build_report(fitted).card.rows)
    assert "The future" in card["not for"]
    assert "442 rows (target 25 to 346)" in card["trained on"]
    assert len(fitted.data_hash) == 64


def test_leave_one_out(diabetes):
    found = dispatch.fit(asked(diabetes, "linear", cv="loo", rows=60))
    assert len(found.validation.folds) == 60
    assert found.validation.estimates["rmse"].low > 0
    assert "bootstrap" in " ".join(number_report.error_footnotes(found))


def test_saved_and_used(fitted, diabetes, tmp_path):
    save_model(fitted, tmp_path / "m.skops")
    model = load_model(tmp_path / "m.skops")
    found = predict(model, read_new_table(model, str(diabetes)))
    assert found.header[-4:] == ["prediction", "low 95 %", "high 95 %", "remark"]
    np.testing.assert_allclose(found.labels, fitted.pipeline.predict(load_diabetes(scaled=False).data))
    inside = (fitted.y >= found.numbers["low 95 %"]) & (fitted.y <= found.numbers["high 95 %"])
    assert 0.9 < inside.mean() < 1.0
    assert found.measures["rmse"] == pytest.approx(53.5, abs=0.1)
    with pytest.raises(ValueError, match="--proba is for classes"):
        predict(model, read_new_table(model, str(diabetes)), proba=True)


def test_the_json_is_json(fitted):
    content = json.loads(json.dumps(result_to_dict(fitted)))
    assert content["task"] == "regression"
    assert set(content["scores"]) >= {"rmse", "mae", "r2", "gain"}
    assert content["band"]["half_width"] == pytest.approx(fitted.width)


def test_the_page_has_its_figures_and_nothing_from_outside(fitted):
    text = build_page(build_report(fitted), ["fit", "x.csv"])
    for name in ("truth", "residuals", "calibration", "inputs"):
        assert f'id="figure-{name}"' in text
    assert "<script" not in text


@pytest.mark.parametrize(
    ("target", "sentence"),
    [(["1", "2", "x", "4", "5"], "row 3 has 'x'"), (["3"] * 5, "nothing to predict")],
)
def test_targets_that_are_no_numbers_are_refused(tmp_path, target, sentence):
    path = tmp_path / "t.csv"
    path.write_text("a,y\n" + "\n".join(f"{k * k},{v}" for k, v in enumerate(target)))
    with pytest.raises(BadTable, match=sentence):
        dispatch.fit(asked(path, target="y", task="regression"))


def test_mask_is_refused_with_who_can(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b,y\n" + "\n".join(f"{k if k % 3 else ''},{k * k % 7},{k + 0.5}" for k in range(30)))
    with pytest.raises(BadTable, match=r"ridge cannot skip missing values.*--model gradient-boosting"):
        dispatch.fit(asked(path, target="y", missing="mask"))
    found = dispatch.fit(asked(path, "gradient-boosting", target="y", missing="mask", cv="1x3"))
    assert np.isfinite(found.validation.estimates["rmse"].mean)


def test_rows_unlike_those_that_taught_are_named(fitted, diabetes, tmp_path):
    save_model(fitted, tmp_path / "m.skops")
    model = load_model(tmp_path / "m.skops")
    lines = diabetes.read_text().splitlines()
    cells = lines[1].split(",")
    far = tmp_path / "far.csv"
    far.write_text("\n".join([lines[0], ",".join(["1e6", *cells[1:]]), *lines[2:30]]) + "\n")
    found = predict(model, read_new_table(model, str(far)))
    assert found.remarks[0]
    assert any("Outside the training range" in note for note in found.notes)


def test_groups_and_time_hold_for_numbers_too(tmp_path):
    rng = np.random.default_rng(0)
    table = tmp_path / "t.csv"
    person, day = np.repeat(np.arange(12), 5), np.tile(np.arange(5), 12)
    x = rng.normal(size=60)
    rows = [
        f"p{p},{d},{a:.6f},{b:.6f}"
        for p, d, a, b in zip(person, day, x, x + rng.normal(size=60), strict=True)
    ]
    table.write_text("\n".join(["person,day,x,target", *rows]) + "\n")
    options = ColumnOptions(target="target", group="person")
    found = dispatch.fit(FitRequest(str(table), "linear", options, cv="1x4", task="regression"))
    for fold in found.validation.folds:
        inside = set(person[fold.test])
        assert not inside & set(np.delete(person, fold.test))
    options = ColumnOptions(target="target", time="day")
    found = dispatch.fit(FitRequest(str(table), "linear", options, cv="2", task="regression"))
    tested = [set(day[fold.test]) for fold in found.validation.folds]
    assert max(tested[0]) < min(tested[1])


def test_what_is_for_classes_is_refused_for_numbers(diabetes):
    request = asked(diabetes, "linear")
    request.answers = AnswerOptions(reject=0.9)
    with pytest.raises(ValueError, match="are for classes"):
        dispatch.fit(request)


@pytest.mark.parametrize(("model", "uneven"), [("linear", False), ("ridge", False), ("knn", True)])
def test_bands_cover_new_rows_as_often_as_they_say(tmp_path, model, uneven):
    """Drawn from the same law as the table, 4000 rows that no fold has seen; six tables."""
    rng = np.random.default_rng(7)
    w, inside = np.array([3.0, -1.0, 0.5]), []

    def draw(n):
        X = rng.normal(size=(n, 3))
        noise = rng.normal(size=n) * (np.abs(X[:, 0]) + 0.2 if uneven else 1.0)
        return X, X @ w + noise

    for k in range(6):
        X, y = draw(120)
        path = tmp_path / f"{k}.csv"
        np.savetxt(path, np.column_stack([X, y]), delimiter=",", header="a,b,c,y", comments="")
        found = dispatch.fit(asked(path, model, target="y", cv="1x5"))
        new, truth = draw(4000)
        off = np.abs(truth - found.pipeline.predict(new))
        std = predicted_deviations(found.pipeline, new)
        half = found.width if std is None else 1.96 * std
        inside.append(np.mean(off <= half))
    assert abs(np.mean(inside) - 0.95) < 0.02
