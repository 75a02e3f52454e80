"""Declared tables: measured numbers from the store, with published ones beside them."""

import numpy as np
import pytest
from generated_points import ALPHAS, SIZES, Declaration, figure, made_up

from markone.lab.report.content import collect_content
from markone.lab.report.figures_and_tables import fill_table, format_table, table_caption
from markone.lab.report.pages import report_html, report_markdown, write_report
from markone.lab.schema import TableSpec

DECLARATION = Declaration(repeats=40)
POINTS = made_up(DECLARATION)
MEANS = {(p.parameters["N"], p.parameters["alpha"]): p.values["kappa"] for p in POINTS}


def table(**more):
    return TableSpec(**{"name": "t", "rows": ["alpha"], "columns": ["kappa"], "where": {"N": 10}} | more)


def test_a_row_for_each_value_and_the_mean_with_its_error():
    text = format_table(fill_table(DECLARATION, POINTS, table()), table())
    header, rows = text.header, text.rows
    assert header == ["alpha", "kappa"]
    assert [row[0] for row in rows] == ["0.5", "1", "1.5", "2", "2.5", "3"]
    for row, alpha in zip(rows, ALPHAS, strict=True):
        values = MEANS[10, alpha]
        assert row[1] == f"{values.mean():.3f} ± {values.std(ddof=1) / 40**0.5:.3f}"


@pytest.mark.parametrize("show", ["mean", "mean_sd"])
def test_groups_of_columns_an_average_and_what_was_published(show):
    wanted = table(
        where={"alpha_max": 1.0}, across=["N"], average=True, show=show, digits=2,
        source="the digits report, Table I", published={"N = 20": [[1.9, 0.4], float("nan"), 1.5]},
    )  # fmt: skip
    text = format_table(fill_table(DECLARATION, POINTS, wanted), wanted)
    header, rows = text.header, text.rows
    assert header == ["alpha", "N = 10", "N = 20", "N = 20, published", "N = 40"]
    assert [row[0] for row in rows] == ["0.5", "1", "average"]
    assert [row[3] for row in rows] == ["1.90 ± 0.40", "–", "1.50"]
    for column, N in ((1, 10), (2, 20), (4, 40)):
        values = [MEANS[N, alpha] for alpha in (0.5, 1.0)]
        means, spreads = [v.mean() for v in values], [v.std(ddof=1) for v in values]
        more = [f" ± {s:.2f}" for s in [*spreads, np.mean(spreads)]] if show == "mean_sd" else [""] * 3
        found = [f"{m:.2f}{s}" for m, s in zip([*means, np.mean(means)], more, strict=True)]
        assert [row[column] for row in rows] == found
    assert table_caption(wanted).endswith("Published: the digits report, Table I. Only alpha_max = 1.")


def test_an_axis_that_varies_and_is_not_named_is_a_row_key_too():
    filled = fill_table(DECLARATION, POINTS, table(where={}))
    assert filled.keys == ["alpha", "N"]
    assert len(filled.rows) == len(SIZES) * len(ALPHAS)


def test_what_was_not_measured_is_a_gap_and_has_no_average():
    wanted = table(average=True, show="mean", columns=["kappa", "separable"])
    points = [p for p in POINTS if p.parameters != {"N": 10, "alpha": 1.0}]
    rows = format_table(fill_table(DECLARATION, points, wanted), wanted).rows
    assert [row[0] for row in rows] == ["0.5", "1.5", "2", "2.5", "3", "average"]
    for point in points[:1]:
        point = type(point)(point.parameters, {**point.values, "kappa": np.full(40, np.nan)})
        rows = format_table(fill_table(DECLARATION, [point, *points[1:]], wanted), wanted).rows
    assert (rows[0][1], rows[-1][1]) == ("–", "–")
    assert rows[-1][2] != "–"


def test_both_reports_have_the_table():
    declaration = Declaration(repeats=40, figures=[figure()], tables=[table(title="Stability")])
    content = collect_content(declaration, POINTS, {})
    html, markdown = report_html(content), report_markdown(content)
    for page in (html, markdown):
        assert "Stability. Mean ± its standard error. Only N = 10." in page
        assert f"{MEANS[10, 2.0].mean():.3f} ± " in page
    assert 'id="table-t"' in html
    assert "| alpha | kappa |" in markdown


def test_each_table_is_written_for_latex(tmp_path):
    declaration = Declaration(repeats=40, tables=[table(title="Stability")])
    (path,) = write_report(declaration, POINTS, {}, tmp_path).tables
    assert path == tmp_path / "tables" / "t.tex"
    values = MEANS[10, 2.0]
    cells = rf"$2$ & ${values.mean():.3f} \pm {values.std(ddof=1) / 40**0.5:.3f}$ \\"
    assert cells in path.read_text().splitlines()
    assert r"\label{tab:t}" in path.read_text()
