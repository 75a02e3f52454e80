"""Output of a fit: page, terminal, JSON."""

import numpy as np

from markone.tables import dispatch
from markone.tables.dispatch import build_report, result_to_dict
from markone.tables.report.class_report import score_footnotes
from markone.tables.report.figures import DRAW
from markone.tables.report.page import build_page
from markone.tables.request import FitRequest


def test_a_student_without_scores_has_no_auc(toy_package, tmp_path):
    fitted = dispatch.fit(FitRequest("iris", model="toy-student", cv="3"))
    assert np.isnan(fitted.validation.estimates["auc"].mean)
    assert any(text.startswith("There is no AUC") for text in score_footnotes(fitted))
    assert result_to_dict(fitted)["scores"]["auc"]["mean"] is None
    html = build_page(build_report(fitted), ["fit", "iris"])
    assert "figure-roc" not in html
    assert "<h3>Prototypes</h3>" in html
    assert result_to_dict(fitted)["student"]["prototypes"][0]["class"] == "setosa"


def test_ticks_of_a_search_over_magnitudes_are_plain_numbers():
    """Text of a figure is not read as a formula: matplotlib's ticks would show as $\\mathdefault{...}$."""
    search = {"tried": [{"C": 10.0**k} for k in range(-2, 2)], "mean": np.ones(4), "sd": np.zeros(4)}
    axes = DRAW["grid"](search, "score").axes[0]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["0.01", "0.1", "1", "10"]
    assert not axes.get_xticklabels(minor=True)
