"""Every shipped experiment in miniature, and the command from the first run to the report."""

import csv
import tomllib

import numpy as np
import pytest

from markone.cli.main import run_command_line
from markone.lab import catalogue, foreign_code
from markone.lab.load import parse_declaration
from markone.lab.plots import lines
from markone.lab.report.content import collect_content
from markone.lab.report.pages import report_html, report_markdown
from markone.lab.runner.run import run
from markone.lab.store.results import Store
from markone.run.executors import thread_workers


def miniature(name, repeats=2):
    """The experiment with the ends of each axis, few repeats, and the scenario's miniature parameters."""
    data = tomllib.loads((catalogue.FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    whole = parse_declaration(data)
    small = whole.scenario_object.miniature
    fixed = {key: value for key, value in small.items() if key not in whole.grid}
    grid = {key: [values[k] for k in sorted({0, len(values) - 1})] for key, values in whole.grid.items()}
    grid |= {key: [value] for key, value in small.items() if key in grid}
    for key in ("precision", "precision_of", "max_repeats"):
        data.pop(key, None)
    for table in data.get("table", []):
        table.pop("published", None)  # one number for each row of the whole table
    new = {"grid": grid, "fixed": data.get("fixed", {}) | fixed, "repeats": repeats}
    return parse_declaration(data | new)


@pytest.mark.parametrize("name", catalogue.experiment_names())
def test_every_shipped_experiment_runs_and_is_drawn(name, tmp_path, monkeypatch):
    # Lines of theory of few points: half of the time.
    monkeypatch.setattr(lines, "FINE", 8)
    experiment = miniature(name)
    with Store(tmp_path / "results.sqlite") as store:
        summary = run(experiment, store, thread_workers(2))
        assert summary.failed == 0
        points = store.points(experiment)
        assert len(points) == len(experiment)
        for point in points:
            assert {len(v) for v in point.values.values()} == {2}
        for measure, (lowest, largest) in experiment.scenario_object.ranges.items():
            values = np.concatenate([point.values[measure] for point in points])
            assert not np.any((values < lowest - 1e-12) | (values > largest + 1e-12)), measure
        content = collect_content(experiment, points, store.provenance())
    page = report_html(content)
    assert report_markdown(content).count("](figures/") == len(experiment.figures)
    assert experiment.title.split(":")[0] in page
    assert page.count("<svg") == len(experiment.figures)
    assert page.count('id="table-') == len(experiment.tables)
    assert experiment.figures or experiment.tables


@pytest.fixture
def command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(foreign_code, "_allowed", set())

    def call(*words):
        code, said = run_command_line(list(words)), capsys.readouterr()
        return code, said.out + said.err

    (tmp_path / "mini.toml").write_text(
        'name = "mini"\ntitle = "Mini"\nscenario = "storage"\nseed = 7\nrepeats = 30\n'
        "[grid]\nN = [3, 5]\nalpha = [1.0, 2.0, 3.0]\n"
        '[[figure]]\nname = "fraction"\nx = "alpha"\nlines = ["N"]\nmeasures = ["separable"]\n'
        'theory = ["cover"]\n'
        '[[claim]]\ntext = "P <= N is separable."\nmeasure = "separable"\nwhere = { alpha_max = 1.0 }\n'
        "expect = { equals = 1.0 }\n"
    )
    return call


def table(folder):
    with (folder / "values.csv").open() as file:
        return list(csv.reader(file))


def test_from_check_to_report(command, tmp_path):
    assert command("check", "mini.toml")[0] == 0
    code, said = command("run", "mini.toml", "--quiet")
    assert code == 0, said
    assert "Nothing to do" in command("run", "mini.toml")[1]
    assert "finished" in command("status")[1]
    assert command("report", "mini.toml")[0] == 0
    assert "holds" in (tmp_path / "runs/mini/report.md").read_text()
    assert command("export", "mini.toml", "values.csv")[0] == 0
    assert len(table(tmp_path)) > 6 * 30


def test_shards_merged_are_the_whole(command, tmp_path):
    command("run", "mini.toml", "--quiet")
    command("export", "mini.toml", "values.csv")
    whole = table(tmp_path)
    (tmp_path / "runs/mini/results.sqlite").unlink()
    (tmp_path / "values.csv").unlink()
    for shard in ("1/2", "2/2"):
        assert command("run", "mini.toml", "--quiet", "--shard", shard)[0] == 0
    code, said = command("merge", "mini.toml")
    assert code == 0, said
    command("export", "mini.toml", "values.csv")
    assert table(tmp_path) == whole


def test_a_slip_in_the_declaration_is_said(command, tmp_path):
    text = (tmp_path / "mini.toml").read_text()
    (tmp_path / "mini.toml").write_text(text.replace("alpha =", "alhpa ="))
    code, said = command("check", "mini.toml")
    assert code == 2
    assert "alhpa" in said
    assert "alpha" in said
    assert "Traceback" not in said
