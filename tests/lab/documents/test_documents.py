"""Documents: quotations are verbatim, items exist, and a page shows them in the order of the document."""

import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

from markone.figures import list_figures
from markone.lab import Experiment, catalogue
from markone.lab.documents.reproduction import (
    PAGE_BREAK,
    _plain_text,
    describe_answers,
    show_item,
    with_first_repeats,
    write_document,
)
from markone.lab.documents.spec import DocumentItem, document_names, load_document

ABOVE = [folder / "shared" / "seeds" for folder in Path(__file__).resolve().parents[3:]]
SEEDS = [folder for folder in ABOVE if folder.is_dir()]
every = pytest.mark.parametrize("name", document_names())


def normalized(text):
    return " ".join(text.split())


@pytest.fixture(scope="module")
def texts():
    """The documents by the number in the name of their file, a paragraph a line."""
    if not SEEDS:
        pytest.skip("the documents are not in shared/seeds beside the repository")
    found = {}
    for path in SEEDS[0].glob("*.txt"):
        paragraphs = path.read_text(encoding="utf-8").split("\n")
        found[path.name[:3]] = "\n".join(filter(None, map(normalized, paragraphs))) + "\n"
    return found


def is_quoted(says, text):
    """Whether the sentence is in the document and ends where it does: at a mark, at the end of a paragraph or
    caption, or before a displayed equation. At a page break both parts are there."""
    parts = [re.escape(normalized(part)).replace(r"\ ", r"\s+") for part in says.split(PAGE_BREAK)]
    middle = r"\n(?:[^\n]*\n){1,9}?"
    for found in re.finditer(middle.join(parts), text):
        rest = text[found.end() : found.end() + 20]
        if says.rstrip("*")[-1] in ".!?:" or re.match(r"\W*\n|\s*\$\$", rest) or says in LABELS:
            return True
    return False


# Names within an equation and a caption: they are no sentences.
LABELS = (
    "monotonic increase of the excitation",
    "“Dense” clustering, “large” (non-linear) separation (on left)",
)


@every
def test_quotations_are_verbatim_and_end_with_their_sentence(name, texts):
    document = load_document(name)
    for item in document.item:
        assert not item.says or is_quoted(item.says, texts[document.source]), (item.place, item.says)


def test_claims_quote_a_document_or_are_ours(texts):
    for name in catalogue.experiment_names():
        for claim in Experiment.load(name).declaration.claims:
            if claim.says:
                assert any(is_quoted(claim.says, text) for text in texts.values()), (name, claim.says)


def test_a_quotation_that_breaks_off_is_found():
    text = "The unit learns, if it can.\nIt is\n9\n#### HEADER\nslow here. It ends\n"
    for says in ("The unit learns, if it can.", "It ends", "It is […] slow here."):
        assert is_quoted(says, text)
    for says in ("The unit learns", "It is […] slow", "It starts."):
        assert not is_quoted(says, text)


@every
def test_items_name_figures_tables_and_claims_that_exist(name):
    for item in load_document(name).item:
        if not item.experiment:
            continue
        content = tomllib.loads((catalogue.FOLDER / f"{item.experiment}.toml").read_text(encoding="utf-8"))
        assert not item.figure or item.figure in [figure["name"] for figure in content["figure"]]
        assert not item.table or item.table in [table["name"] for table in content["table"]]
        if not (item.figure or item.table or item.numbered):
            assert item.says in [claim.get("says") for claim in content["claim"]], item.place


def test_the_notes_have_every_numbered_figure_in_order():
    for chapter in range(1, 7):
        shown = [item.numbered for item in load_document(f"notes-{chapter}").item if item.numbered]
        assert shown == [figure.number for figure in list_figures() if figure.number[:2] == f"{chapter}."]


def test_every_claim_is_on_the_page(tmp_path):
    """Also those that are not quoted, of experiments with several items."""
    document = load_document("notes-2")
    small = {
        name: Experiment.load(name).with_(repeats=20).run(store=tmp_path / f"{name}.sqlite", progress=False)
        for name in document.experiments
    }
    found = write_document(document, small, tmp_path / "page.html")
    text = found.page.read_text(encoding="utf-8")
    assert text.count("<li class=") == sum(found.answers.values()) == 4
    assert text.count("<svg") == 4


def test_every_quoting_claim_of_the_reports_has_an_item():
    for name in ("learning-a-rule", "storage", "lms", "digits"):
        document = load_document(name)
        shown = {(item.experiment, item.says) for item in document.item}
        for experiment in document.experiments:
            for claim in Experiment.load(experiment).declaration.claims:
                assert not claim.says or (experiment, claim.says) in shown, (experiment, claim.says)


@pytest.mark.parametrize(
    "parts",
    [
        {},
        {"figure": "a"},
        {"experiment": "e", "figure": "a", "table": "b"},
    ],
)
def test_bad_items(parts):
    with pytest.raises(ValueError, match="1: "):
        DocumentItem(place="1", **parts)
    with pytest.raises(ValueError, match="Did you mean 'storage'"):
        load_document("storag")


def test_a_page_in_the_order_of_the_document(tmp_path):
    document = load_document("learning-a-rule")
    small = {
        name: Experiment.load(name)
        .with_(N=20, repeats=2, max_sweeps=20, alpha=[1.0, 3.0, 5.0])
        .run(store=tmp_path / f"{name}.sqlite", progress=False)
        for name in document.experiments
    }
    found = write_document(document, small, tmp_path / "page.html")
    text = found.page.read_text(encoding="utf-8")
    places = [
        text.index(f"<h2>{place}</h2>")
        for place in ("Section IV", "Figure 1", "Figure 2", "Figure 3", "Section V")
    ]
    assert places == sorted(places)
    assert text.count("<svg") == 3
    assert sum(found.answers.values()) == sum(len(result.declaration.claims) for result in small.values())
    assert "very close to the error for a random guess" in text
    assert "markone run label_noise" in text


def test_an_item_without_runs_says_how_to_compute_them():
    item = next(item for item in load_document("storage").item if item.experiment == "capacity")
    assert show_item(item, {}, {}).note.endswith("Not computed yet: `markone run capacity`.")


def test_quotations_are_shown_without_marks_of_tex_and_markdown():
    assert _plain_text(r"for  $\lambda > 0$ , *tight* and `rank`: $8 \leftarrow 2$") == (
        "… for λ > 0, tight and rank: 8 ← 2"
    )
    assert _plain_text(r"Of <u>all</u>  $|\mathbf{w}|^2$  the […]  $n_s$ ") == "Of all |w|² the n_s"
    for name in document_names():
        for item in load_document(name).item:
            assert not set("$\\*`") & set(_plain_text(item.says)), item.says


def test_answers_are_a_sentence():
    assert describe_answers({}) == "no claims"
    assert describe_answers({"undecided": 2, "holds": 1}) == "1 claim holds, 2 are undecided"
    assert describe_answers({"does not hold": 1, "holds": 25}) == "25 claims hold, 1 does not hold"


def test_a_figure_is_drawn_with_the_runs_of_the_document(tmp_path):
    item = next(item for item in load_document("storage").item if item.repeats)
    small = Experiment.load(item.experiment).with_(N=[10], repeats=60, alpha=[1.0, 1.5])
    result = small.run(store=tmp_path / "results.sqlite", progress=False)
    shown = with_first_repeats(result, item.repeats)
    assert [point.repeats for point in shown.points] == [50, 50]
    first = small.with_(repeats=50).run(store=tmp_path / "first.sqlite", progress=False)
    for point, expected in zip(shown.points, first.points, strict=True):
        assert np.array_equal(point.values["converged"], expected.values["converged"])
    figure = show_item(item, {item.experiment: result}, {}).figure
    assert "50 runs a point" in figure.caption
