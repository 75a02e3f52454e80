"""An experiment from Python: the same tasks, store and bits as the command line's."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import matplotlib as mpl
import numpy as np
import pytest
from toy_declarations import PLAIN, expected, table

from markone.cli.main import run_command_line
from markone.cli.stores import is_unchanged
from markone.errors import StoreError
from markone.lab import Experiment, Result, Store, compare, grid
from markone.lab.run_paths import store_path

FIGURE = {"name": "height", "x": "alpha", "lines": ["N"], "measures": ["height"]}


@pytest.fixture
def here(toy, monkeypatch):
    monkeypatch.chdir(toy)
    return toy


def toy_study(**changes):
    return Experiment.declare(**(PLAIN | {"figure": [FIGURE]} | changes))


def test_it_runs_as_the_plain_loop_does_and_a_second_time_nothing(here):
    asked = toy_study()
    result = asked.run(workers=2, progress=False)
    assert (result.ran.failed, result.ran.skipped) == (0, 0)
    assert result.path == store_path("study")
    assert table(result.path, asked.declaration) == expected(asked.declaration)
    again = asked.run(progress=False)
    assert (again.ran.done, again.ran.skipped) == (0, result.ran.done)
    assert again.frame().equals(result.frame())


def test_more_repeats_continue_the_run_and_other_data_have_their_own_store(here):
    asked = toy_study()
    asked.run(progress=False)
    more = asked.with_(repeats=20).run(progress=False)
    assert more.path == store_path("study")
    assert len(more.frame()) == 6 * 20
    other = asked.with_(N=5)
    assert other.with_(repeats=3).name == other.name
    assert other.run(progress=False).path != more.path


def test_the_command_line_continues_what_python_began(here, capsys):
    first = Experiment.load("demo_capacity").with_(N=[5], alpha=[1.0, 2.0], repeats=16)
    first.run(progress=False)
    words = ["--set", "N=5,", "--set", "alpha=1.0,2.0", "--set", "repeats=16"]
    assert run_command_line(["run", "demo_capacity", *words]) == 0
    assert "Nothing to do: all 2 tasks are stored" in capsys.readouterr().out
    assert run_command_line(["run", "demo_capacity", *words[:-1], "repeats=32", "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["done"] == 2
    assert len(first.with_(repeats=32).result().frame()) == 64
    assert run_command_line(["check", "demo_capacity", *words]) == 0
    assert "0 tasks to run" in capsys.readouterr().out
    assert run_command_line(["export", "demo_capacity", "out.csv", *words]) == 0
    assert len(Path("out.csv").read_text().splitlines()) == 33


def test_a_table_of_polars(here, monkeypatch):
    result = toy_study().run(progress=False)
    with pytest.raises(ValueError, match="library is 'pandas' or 'polars', not 'dplyr'"):
        result.frame("dplyr")
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(ImportError, match="This needs polars"):
        result.frame("polars")
    monkeypatch.setitem(sys.modules, "polars", SimpleNamespace(DataFrame=dict))
    assert result.frame("polars")["N"] == result.frame()["N"].tolist()


def test_a_plan_says_what_is_left(here):
    asked = toy_study()
    plan = asked.check()
    assert (plan.tasks, plan.seconds > 0) == (18, True)
    assert "6 grid points, 18 tasks to run, 72 repeats in them." in repr(plan)
    assert "<strong>study: A study</strong>" in plan._repr_html_()
    asked.run(progress=False)
    assert asked.check().tasks == 0


def test_tables(here):
    result = toy_study().run(progress=False)
    frame, summary = result.frame(), result.summary()
    assert list(frame.columns[:2]) == ["N", "alpha"]
    assert len(frame) == 72
    assert len(summary) == 6
    own = frame[(frame.N == 20) & (frame.alpha == 1.5)].height
    row = summary[(summary.N == 20) & (summary.alpha == 1.5)].iloc[0]
    assert row.height == pytest.approx(own.mean())
    assert row.height_low < row.height < row.height_high
    assert row.runs == 12
    cube = result.to_xarray()
    assert dict(cube.sizes) == {"N": 2, "alpha": 3, "repeat": 12}
    assert np.array_equal(cube.height.sel(N=20, alpha=1.5).values, own.to_numpy())


def test_figures_in_any_size_and_on_axes_of_ones_own(here):
    result = toy_study().run(progress=False)
    small, large = result.plot("height"), result.plot(size="slide", logx=True)
    assert large.figure.get_figwidth() == 11
    assert large.figure.axes[0].get_xscale() == "log"
    assert np.array_equal(small.means[0].mean, large.means[0].mean)
    letters = [drawn.figure.axes[0].xaxis.label.get_size() for drawn in (small, large)]
    assert letters[1] == pytest.approx(1.6 * letters[0])
    assert mpl.rcParams["font.size"] == mpl.rcParamsDefault["font.size"]
    canvas = mpl.figure.Figure()
    ax = canvas.add_subplot()
    assert result.plot("height", ax=ax).figure is canvas
    assert ax.get_xlabel() == "α"
    assert small.save(here / "a.pdf").read_bytes().startswith(b"%PDF")
    for wrong, match in (({"name": "hight"}, "no figure 'hight'"), ({"size": "huge"}, "no size 'huge'")):
        with pytest.raises(ValueError, match=match):
            result.plot(**wrong)
    with pytest.raises(ValueError, match=r"no key of a figure 'logz'\. Did you mean"):
        result.plot(logz=True)
    with pytest.raises(ValueError, match=r"must end in \.svg"):
        small.save("a.doc")


def test_reports_and_pages(here):
    result = toy_study(title="<b>").run(progress=False)
    assert result.report().html == store_path("study").parent / "report.html"
    written = result.report(here / "pages" / "mine.html")
    assert (written.html.name, written.markdown.name) == ("mine.html", "mine.md")
    assert "<svg" in result._repr_html_()
    assert "&lt;b&gt;" in result._repr_html_()
    assert "72 runs, 6 of 6 grid points complete" in repr(result)
    asked = toy_study()
    assert repr(asked) == "Experiment('study', 6 grid points (N: 2, alpha: 3), 12 repeats)"
    assert "<th>alpha</th><td>0.5, 1.0, 1.5</td>" in asked._repr_html_()


def test_a_run_is_opened_by_its_name_or_its_file(here):
    asked = toy_study().with_(N=[5])
    result = asked.run(progress=False)
    for run in (asked.name, result.path):
        assert Result.open(run).frame().equals(result.frame())
    with pytest.raises(FileNotFoundError, match="There is no store"):
        Result.open("nothing")
    with Store(here / "empty.sqlite"):
        pass
    with pytest.raises(StoreError, match="nothing has been run there"):
        Result.open(here / "empty.sqlite")


def test_failed_tasks_are_named_and_progress_may_be_a_function(here):
    seen = []
    result = toy_study().run(progress=lambda done, total, task: seen.append((done, total)))
    assert sorted(seen) == [(k, 18) for k in range(1, 19)]
    assert result.failures == []


def test_backends_by_name(here):
    with pytest.raises(ValueError, match=r"no backend 'thread'\. Did you mean 'threads'"):
        toy_study().run(backend="thread")


def test_the_toml_of_a_changed_experiment_is_the_experiment(here):
    asked = Experiment.load("learning_a_rule").with_(N=[20, 40], alpha=grid(0.5, 1.5, 0.5))
    assert asked.grid["alpha"] == [0.5, 1.0, 1.5]
    (here / "mine.toml").write_text(asked.toml())
    assert Experiment.load(here / "mine.toml").declaration == asked.declaration
    assert asked.fixed == {"noise": 0.0, "max_sweeps": 250}


def test_two_runs_are_compared_run_by_run(here):
    asked = toy_study()
    one, two = asked.run(progress=False), asked.with_(N=[5], name="other").run(progress=False)
    same = compare(one, two)
    assert same.axes() == ["N", "alpha"]
    found = same.frame()
    heights = found[found.measure == "height"]
    assert list(heights.alpha) == [0.5, 1.0, 1.5]
    assert (heights[["difference", "low", "high"]] == 0).all(axis=None)
    assert "study with other: 3 common points, compared run by run" in repr(same)
    assert "<table" in same._repr_html_()
    assert len(same.plot().means) == 3
    assert same.table().header[-1] == "difference"


def test_other_seeds_are_compared_by_means(here):
    asked = toy_study(repeats=200)
    one, two = asked.run(progress=False), asked.with_(seed=8, name="other").run(progress=False)
    found = compare("study", "other")
    assert not found.paired
    for gap in found.differences("height"):
        assert gap.low < gap.mean < gap.high
    a, b = (r.frame().query("N == 5 and alpha == 0.5").height for r in (one, two))
    error = np.hypot(a.sem(), b.sem())
    gap = found.differences("height")[0]
    assert gap.mean == pytest.approx(a.mean() - b.mean())
    assert (gap.high - gap.low) / 2 == pytest.approx(1.972 * error, rel=0.01)
    with pytest.raises(ValueError, match="no measure of both runs 'hight'"):
        found.differences("hight")


def test_runs_without_a_common_point(here):
    one, two = toy_study(), toy_study().with_(alpha=[7.0, 8.0])
    with pytest.raises(ValueError, match="no point in common: no two agree in N, alpha"):
        compare(one.run(progress=False), two.run(progress=False))


def test_compare_and_draw_as_commands(here, capsys):
    toy_study().run(progress=False)
    toy_study().with_(seed=8, name="other").run(progress=False)
    assert run_command_line(["compare", "study", "other", "--out", "both.svg"]) == 0
    out = capsys.readouterr().out
    assert "6 common points, compared by their means" in out
    assert Path("both.svg").exists()
    assert run_command_line(["compare", "study", "other", "--json"]) == 0
    assert {"N", "alpha", "measure", "low"} <= set(json.loads(capsys.readouterr().out)[0])
    assert run_command_line(["draw", "study"]) == 0
    assert "height" in capsys.readouterr().out
    assert run_command_line(["draw", "study", "height", "--size", "slide", "--format", "pdf", "--logx"]) == 0
    assert "Drew study-height.pdf" in capsys.readouterr().out
    assert Path("study-height.pdf").read_bytes().startswith(b"%PDF")
    assert run_command_line(["draw", "study", "hight"]) == 2
    assert run_command_line(["draw", "nothing", "height"]) == 2


def test_status_after_an_edited_file(here, capsys):
    """It once reported 30 of 15 tasks."""
    asked = toy_study(fixed={"cost": 5e8})
    (here / "study.toml").write_text(asked.toml())
    assert run_command_line(["run", "study.toml", "--quiet"]) == 0
    assert is_unchanged(here / "runs" / "study" / "results.sqlite", "study.toml")
    (here / "study.toml").write_text(asked.toml().replace("seed = 7", "seed = 8").replace("[5, 20]", "[5]"))
    assert not is_unchanged(here / "runs" / "study" / "results.sqlite", "study.toml")
    assert run_command_line(["status", "study.toml"]) == 0
    assert ": 0 of 18 tasks; `markone run` continues it" in capsys.readouterr().out
    assert run_command_line(["run", "study.toml", "--quiet"]) == 0
    for words in (["status"], ["status", "study"], ["status", "study.toml"]):
        assert run_command_line(words) == 0
        assert "18 of 18 tasks, finished" in capsys.readouterr().out
