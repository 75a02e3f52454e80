"""`markone fit`: output, messages and files."""

import json
import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest
from tables_on_disk import FIT_IRIS, FIT_PATIENTS, write

from markone.cli.main import run_command_line
from markone.tables import dispatch


def test_iris_is_told_from_the_data_to_the_student(iris, capsys):
    assert run_command_line(FIT_IRIS) == 0
    said = capsys.readouterr().out
    for sentence in [
        "4 columns of numbers: sepal length, sepal width, petal length, petal width.",
        "Target 'species': 3 classes, rows of each: setosa 50, versicolor 50, virginica 50.",
        "scaled to z-scores, with mean and deviation of the training part of each fold",
        "better than the 33.3 % of always predicting the most frequent class",
        "Cross-validation: 2 x 5 folds, stratified, seed 0.",
        "corrected resampled standard error of Nadeau and Bengio",
        "The student of all rows: soft-margin",
        "setosa against the rest: stability kappa = 0.",
        "some rows are on the wrong side, as C allows",
        "support vectors of 150 rows",
    ]:
        assert sentence in said
    for measure in ("accuracy", "balanced accuracy", "F1", "AUC", "MCC"):
        assert re.search(rf"^{measure}.* \d\.\d+ +\d\.\d+ to \d\.\d+ +-?\d\.\d+$", said, re.MULTILINE), (
            measure
        )
    assert re.search(r"^setosa +\d+", said, re.MULTILINE)


def test_the_weights_belong_to_their_names(patients, capsys):
    assert run_command_line([*FIT_PATIENTS, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    weights = {name: abs(value[0]) for name, value in found["student"]["inputs"].items()}
    assert sorted(weights, key=weights.get)[-2:] == ["ward = south", "age"]
    assert sum(found["classes"].values()) == 80
    assert found["scores"]["accuracy"]["mean"] > 0.85
    assert found["scores"]["accuracy"]["low"] < found["scores"]["accuracy"]["mean"]


def test_nothing_is_done_silently_to_a_table_with_everything(patients, capsys):
    assert run_command_line(FIT_PATIENTS) == 0
    said = capsys.readouterr().out
    for sentence in [
        "Missing values (written as an empty cell), by column: age 2, ward 1.",
        "Missing numbers are replaced by the median of the training part of each fold.",
        "A missing text is a category of its own (ward).",
        "1 column of numbers: age.",
        "Yes or no, as 1 and 0: smokes.",
        "Text column 'ward' became 4 0/1 inputs: north, south, west, (missing).",
        "Left out: column 'patient', because all its texts differ",
        "Left out: column 'site', because it is constant ('1').",
        "0/1 inputs stay as they are.",
    ]:
        assert sentence in said


def test_a_search_is_nested_and_its_choices_are_listed(cancer, capsys):
    words = ["fit", "cancer.csv", "--target", "diagnosis", "--cv", "3", "--grid", "C=0.01,0.1,1"]
    assert run_command_line([*words, "--json", "--report", "r.html"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [set(fold["chosen"]) for fold in found["folds"]] == [{"C"}] * 3
    assert found["chosen"]["C"] in (0.01, 0.1, 1)
    assert found["settings"]["C"] == found["chosen"]["C"]
    assert found["positive"] == min(found["classes"], key=found["classes"].get)
    assert run_command_line(words) == 0
    assert "Chosen by inner folds of each training part: C = " in capsys.readouterr().out


EMPTY = {"meta", "br", "path", "use", "rect", "image", "link"}


class Page(HTMLParser):
    """Checks that every tag is closed, and collects external references."""

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.outside, self.words = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.ids += [value for name, value in attributes if name == "id"]
        self.outside += [v for k, v in attributes if k in ("src", "href") and not v.startswith("#")]
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in EMPTY:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


@pytest.mark.parametrize("more", [[], ["--grid", "C=0.1,1"], ["--model", "knn"]])
def test_the_report_is_one_page_that_needs_nothing_else(iris, here, more):
    assert run_command_line([*FIT_IRIS, *more, "--cv", "3", "--report", "out.html"]) == 0
    text = (here / "out.html").read_text(encoding="utf-8")
    page = Page(text)
    assert page.open == []
    assert page.outside == []
    assert "$" not in text.replace("$\\", "")
    assert len(page.ids) == len(set(page.ids))
    assert {"figure-roc", "figure-confusion"} <= set(page.ids)
    assert ("figure-inputs" in page.ids) == ("knn" not in more)
    assert ("figure-grid" in page.ids) == ("--grid" in more)
    words = " ".join(page.words)
    for sentence in [
        "4 columns of numbers",
        "balanced accuracy",
        "Nadeau and Bengio",
        "scikit-learn",
        "seed",
    ]:
        assert sentence in words


def test_a_name_from_the_table_cannot_become_markup(here):
    rows = [[k % 7, 3 * k % 5, "<b>x</b>" if k % 7 > 3 else "$y & z"] for k in range(40)]
    write(here / "t.csv", ["<script>alert(1)</script>", "b", "k"], rows)
    assert run_command_line(["fit", "t.csv", "--target", "k", "--cv", "3", "--report", "r.html"]) == 0
    text = (here / "r.html").read_text()
    assert "<script" not in text
    assert "<b>x" not in text
    assert Page(text).open == []


def test_nothing_is_overwritten_without_force(iris, here, capsys):
    (here / "old.html").write_text("precious")
    for words in (["--report", "old.html"], ["--save", "old.html"]):
        assert run_command_line([*FIT_IRIS, *words]) == 2
        assert "old.html exists already" in capsys.readouterr().err
    assert (here / "old.html").read_text() == "precious"
    assert run_command_line([*FIT_IRIS, "--cv", "3", "--report", "old.html", "--force"]) == 0
    assert (here / "old.html").read_text() != "precious"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "Which column is to be predicted? Give --target"),
        (["--target", "specie"], "Did you mean 'species'?"),
        (["--target", "species", "--model", "adatrom"], "Did you mean 'adatron'?"),
        (["--target", "species", "--set", "D=1"], "adatron has no parameter 'D'"),
        (["--target", "species", "--set", "C=-1"], "The 'C' parameter of AdaTron must be"),
        (["--target", "species", "--grid", "D=1,2"], "adatron has no parameter 'D'"),
        (["--target", "species", "--cv", "ten"], "--cv 'ten' must be repeats x folds"),
        (["--target", "species", "--cv", "60", "--strict"], "fewer than the 60 folds"),
        (["--target", "species", "--positive", "rose"], "--positive 'rose' is not a class"),
        (
            ["--target", "species", "--model", "soft-margin", "--missing", "mask"],
            "indicator or drop, or a model that can: glvq, gmlvq",
        ),
        (["--target", "species", "--missing", "guess"], "Invalid value for '--missing'"),
        (["--target", "species", "--save", "m.pkl"], "Write a .skops file"),
        (["--target", "species", "--save", "iris.csv", "--force"], "is the table itself"),
        (["--target", "species", "--save", "a", "--report", "a"], "is given twice"),
        (["--target", "species", "--report", "."], "is a folder"),
        (["--target", "sepal length", "--task", "classification"], "these are not classes"),
    ],
)
def test_bad_usage_is_2_with_a_sentence_and_writes_nothing(iris, here, capsys, words, sentence):
    assert run_command_line(["fit", "iris.csv", *words]) == 2
    said = re.sub(r"[│\s]+", " ", capsys.readouterr().err)
    assert sentence in said
    assert "Traceback" not in said
    assert [path.name for path in here.iterdir()] == ["iris.csv"]


def test_a_sentence_for_a_student_that_fails_to_converge(iris, capsys):
    assert run_command_line([*FIT_IRIS, "--cv", "3", "--model", "adatron"]) == 0
    said = capsys.readouterr().out
    assert re.search(
        r"In cross-validation \([123] of 3 folds\): AdaTron \(class 'versicolor' against the rest", said
    )
    assert "The final model: AdaTron (class 'versicolor'" in said


def test_leave_one_out(here, capsys):
    rows = [[k % 9, (5 * k) % 11, "up" if k % 9 > 4 else "down"] for k in range(30)]
    write(here / "t.csv", ["a", "b", "k"], rows)
    assert (
        run_command_line(
            ["fit", "t.csv", "--target", "k", "--cv", "loo", "--model", "knn", "--report", "r.html"]
        )
        == 0
    )
    said = capsys.readouterr().out
    assert "Cross-validation: leave-one-out." in said
    assert "drawn from its posterior" in said


def test_interrupted_is_130_and_leaves_nothing(iris, here, monkeypatch, capsys):
    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(dispatch, "prepare_data", stopped)
    assert run_command_line([*FIT_IRIS, "--save", "m.skops"]) == 130
    assert capsys.readouterr().err == "Interrupted. Nothing was written.\n"
    assert not (here / "m.skops").exists()


def test_the_same_seed_gives_the_same_numbers(iris, capsys):
    found = []
    for seed in ("1", "1", "2"):
        assert run_command_line([*FIT_IRIS, "--cv", "3", "--model", "knn", "--seed", seed, "--json"]) == 0
        found.append(json.loads(capsys.readouterr().out)["folds"])
    assert found[0] == found[1] != found[2]


LIGHT = """
import sys
from markone.cli.main import run_command_line
run_command_line(sys.argv[1:])
heavy = {"numpy", "scipy", "sklearn", "numba", "matplotlib", "skops", "pandas"} & set(sys.modules)
assert not heavy, heavy
"""


@pytest.mark.parametrize("command", ["fit", "predict"])
def test_help_imports_nothing_heavy(command, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", LIGHT, command, "--help"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "--force" in done.stdout
