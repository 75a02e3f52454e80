"""Output of a fit: page, terminal, JSON."""

import numpy as np

from markone.tables import fitting
from markone.tables.report import fit_text
from markone.tables.report.fit_page import build_fit_page
from markone.tables.report.to_dict import fit_to_dict
from markone.tables.request import FitRequest


def test_a_student_without_scores_has_no_auc(toy_package, tmp_path):
    fitted = fitting.fit_classifier(FitRequest("iris", model="toy-student", cv="3"))
    assert np.isnan(fitted.validation.estimates["auc"].mean)
    assert any(text.startswith("There is no AUC") for text in fit_text.score_footnotes(fitted))
    assert fit_to_dict(fitted)["scores"]["auc"]["mean"] is None
    html = build_fit_page(fitted, ["fit", "iris"], "0")
    assert "figure-roc" not in html
    assert "<h3>Prototypes</h3>" in html
    assert fit_to_dict(fitted)["student"]["prototypes"][0]["class"] == "setosa"
