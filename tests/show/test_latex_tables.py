"""Tables for LaTeX."""

import re

from markone.show.page import PageTable


def read_back(text):
    """The rows of a table, with the marks of LaTeX taken away again."""
    body = re.search(r"\\toprule\n(.*)\\bottomrule", text, re.DOTALL)[1].replace("\\midrule\n", "")
    rows = [line.removesuffix(r" \\").split(" & ") for line in body.splitlines()]
    plain = [
        [re.sub(r"\\([&%$#_{}])", r"\1", cell.strip("$")).replace(r"\pm", "±") for cell in row]
        for row in rows
    ]
    return [[re.sub(r" \\times 10\^\{(-?\d+)\}", r"e\1", cell) for cell in row] for row in plain]


def test_a_table_reads_back():
    header = ["a_b", "50 % of {x}", "value"]
    rows = [["knn & co", "-0.5", "0.12 ± 0.03"], ["x#1", "1e-5", "–"], ["y", "2", "1.5e7 ± 2e3"]]
    assert read_back(PageTable(header, rows).latex()) == [header, *rows]


def test_numbers_are_in_mathematics_and_on_the_right():
    text = PageTable(["name", "value"], [["-", "-0.5 ± 0.1"], ["b", "1e-05"], ["c", "–"]]).latex()
    assert text == (
        "\\begin{tabular}{lr}\n\\toprule\nname & value \\\\\n\\midrule\n- & $-0.5 \\pm 0.1$ \\\\\n"
        "b & $1 \\times 10^{-5}$ \\\\\nc & – \\\\\n\\bottomrule\n\\end{tabular}\n"
    )


def test_a_caption_and_a_label_make_a_float():
    text = PageTable(["x"], []).latex("Errors of 5 %.", "tab:x")
    assert text.startswith("\\begin{table}\n\\centering\n\\caption{Errors of 5 \\%.}\n\\label{tab:x}\n")
    assert text.endswith("\\end{tabular}\n\\end{table}\n")
