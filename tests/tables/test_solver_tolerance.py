"""Long tables are solved to a tolerance, with a note; user settings have priority."""

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from markone import AdaTron, KernelAdaTron
from markone.tables import models
from markone.tables.models import LONG_TABLE_ROWS, relax_tolerance


def test_a_long_table_ends_at_the_tolerance_and_says_so():
    model = AdaTron(C=1.0)
    (said,) = relax_tolerance(model, {"C": 1.0}, LONG_TABLE_ROWS + 1)
    assert not model.exact
    assert "1e-06" in said
    assert "--set exact=true" in said


def test_a_kernel_ends_where_svc_does():
    model = KernelAdaTron(C=1.0)
    (said,) = relax_tolerance(model, {}, LONG_TABLE_ROWS + 1)
    assert (model.exact, model.tol) == (False, 1e-4)
    assert "0.0001" in said
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (1200, 4)).astype(float)  # rows that repeat
    y = X.sum(axis=1) + rng.normal(size=1200) > 4
    found = model.fit(X, y)
    assert found.status_ == "converged"
    assert np.mean(found.predict(X) == SVC(C=1.0).fit(X, y).predict(X)) > 0.99


def test_short_tables_settings_and_other_models_are_left_alone():
    for model, settings, P in (
        (AdaTron(C=1.0), {}, LONG_TABLE_ROWS),
        (AdaTron(C=1.0), {"exact": True}, LONG_TABLE_ROWS + 1),
        (AdaTron(C=1.0), {"tol": 1e-9}, LONG_TABLE_ROWS + 1),
        (AdaTron(C=1.0, exact=False), {}, LONG_TABLE_ROWS + 1),
        (LogisticRegression(), {}, LONG_TABLE_ROWS + 1),
    ):
        before = model.get_params()
        assert relax_tolerance(model, settings, P) == []
        assert model.get_params() == before


def test_it_stands_among_the_notes_of_a_fit_and_of_a_comparison(tmp_path, monkeypatch):
    from markone.tables import ColumnOptions, FitRequest, fit

    monkeypatch.setattr(models, "LONG_TABLE_ROWS", 30)
    rng = np.random.default_rng(0)
    rows = [f"{rng.normal()},{rng.normal()},{'ab'[k % 2]}" for k in range(40)]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["x,z,y", *rows]))
    fitted = fit(FitRequest(str(path), "", ColumnOptions("y"), cv="1x3"))
    assert not fitted.pipeline["model"].exact
    assert any("more than 30 rows" in note for note in fitted.notes)
    compared = fit(FitRequest(str(path), "soft-margin,hebb", ColumnOptions("y"), cv="1x3"))
    assert sum("more than 30 rows" in note for note in compared.notes) == 1
