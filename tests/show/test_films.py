"""Animations: the numbers in the player are those of the history."""

import json

import numpy as np
import pytest

from markone import GMLVQ, LVQ1, BayesPoint, Hebb, Hopfield, KernelAdaTron, ParityMachine, Rosenblatt
from markone.data import load, two_classes
from markone.perceptron import MinOver
from markone.show import animate, history_of, recall_history
from markone.show.demo_students import STUDENTS, plane_examples, train_demo


@pytest.fixture(scope="module")
def points():
    rng = np.random.default_rng(3)
    y = np.repeat([1, -1], 12)
    return np.array([[1.2, 0.8]]) * y[:, None] + 0.7 * rng.standard_normal((24, 2)), y


@pytest.fixture(scope="module")
def student(points):
    return Rosenblatt(record="presentations").fit(*points)


def test_frames_are_the_history(student, points):
    film = animate(student).film
    history = student.history_
    assert len(film["frames"]) == len(history)
    assert film["note"] == ""
    for k in (0, 3, -1):
        frame = film["frames"][k]
        np.testing.assert_allclose(frame["w"], np.r_[history.w[k][:2], history.w[k][2]], rtol=1e-4)
        assert frame["example"] == history["example"][k]
    np.testing.assert_allclose(np.array(film["points"])[:, :2], points[0], rtol=1e-4)
    series = {s["name"]: s["values"] for s in film["series"]}
    assert series["errors"] == history.errors.tolist()
    np.testing.assert_allclose(series["stability κ"][1:], history.kappa[1:], rtol=1e-4)
    assert series["stability κ"][0] is None
    json.dumps(film, allow_nan=False)


def test_long_histories_are_thinned_with_a_note(points):
    film = animate(MinOver(record="updates").fit(*points), most=20).film
    assert len(film["frames"]) == 20
    assert "19 of" in film["note"]
    with pytest.raises(ValueError, match="two frames"):
        animate(MinOver(record="updates").fit(*points), most=1)


def test_more_than_two_inputs_are_projected_with_a_note():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 6))
    y = np.sign(X @ np.ones(6))
    student = Rosenblatt(record="updates").fit(X, y)
    film = animate(student).film
    assert "6 inputs, projected on w" in film["note"]
    last = film["frames"][-1]["w"]
    potentials = np.array(film["points"])[:, :2] @ last[:2] + last[2]
    np.testing.assert_allclose(potentials, student.decision_function(X), rtol=1e-3, atol=1e-3)


def test_kernel_students_show_their_regions(points):
    student = KernelAdaTron(solver="sequential", C=5.0, record="updates", random_state=0).fit(*points)
    film = animate(student, most=5).film
    assert film["kind"] == "field"
    left, right, bottom, top = film["extent"]
    side = film["shape"][0]
    x = left + (right - left) * (np.arange(side) + 0.5) / side
    y = top - (top - bottom) * (np.arange(side) + 0.5) / side
    grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    shown = np.array([c == "1" for c in film["frames"][-1]["cells"]])
    np.testing.assert_array_equal(shown, student.decision_function(grid) >= 0)
    with pytest.raises(ValueError, match="give the fitted student itself"):
        animate(student.history_)


def test_pages_hold_no_foreign_markup(student):
    page = animate(student, title="</script><b>&").html()
    assert "</script><b>" not in page
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in page
    shown = animate(student)._repr_html_()
    assert shown.startswith("<iframe sandbox=")
    assert "<script" not in shown


def test_files_by_their_ending(student, tmp_path):
    film = animate(student, most=4)
    for name in ("film.html", "film.gif", "strip.svg", "strip.png", "strip.pdf"):
        assert film.save(tmp_path / name).stat().st_size > 1000
    with pytest.raises(ValueError, match=r"'\.mov' is not one of"):
        film.save(tmp_path / "film.mov")
    with pytest.raises(ValueError, match="There is no row 99999"):
        film.strip([99999])


def test_a_film_as_mp4_where_ffmpeg_is(student, tmp_path):
    from matplotlib import animation

    film = animate(student, most=4)
    if not animation.writers.is_available("ffmpeg"):
        with pytest.raises(
            ValueError, match=r"film.mp4 needs ffmpeg, which is not installed: install ffmpeg"
        ):
            film.save(tmp_path / "film.mp4")
        pytest.skip("there is no ffmpeg on this machine")
    assert film.save(tmp_path / "film.mp4").read_bytes()[4:8] == b"ftyp"


@pytest.mark.parametrize("data", ["easy", "tight", "noisy"])
def test_demo_sets_are_available_by_name(data):
    X, S = plane_examples(data, 40, 0)
    again = two_classes(data, 40, seed=0)
    np.testing.assert_array_equal(X, again.xi)
    np.testing.assert_array_equal(S, again.S)


def test_strip_draws_the_update_of_each_step(student):
    rows = np.flatnonzero(student.history_["change"] != 0)[:3]
    figure = animate(student).strip(rows, columns=3)
    assert [ax.get_title() for ax in figure.axes] == [
        f"t = {student.history_['step'][k]}: learned" for k in rows
    ]


def test_prototype_histories_are_exact():
    iris = load("iris")
    model = LVQ1(random_state=0, max_iter=6, keep="last")
    history = history_of(model, iris.X, iris.y)
    assert (history["epoch"][-1], history["step"][-1] <= 900) == (6, True)
    last = model.fit(iris.X, iris.y).prototypes_
    np.testing.assert_allclose(history.states["prototypes"][-1], last, rtol=1e-12)
    film = animate(history).film
    assert film["kind"] == "prototypes"
    assert len(film["frames"][0]["prototypes"]) == len(model.prototypes_)
    assert film["classes"] == ["0", "1", "2"]
    metric = history_of(GMLVQ(random_state=0, max_iter=5), iris.X, iris.y)
    np.testing.assert_allclose(np.trace(metric.states["lambda"], axis1=1, axis2=2), 1.0, rtol=1e-6)
    with pytest.raises(ValueError, match="set an integer"):
        history_of(LVQ1(), iris.X, iris.y)


def test_memories_machines_and_walks_have_histories(points):
    rng = np.random.default_rng(0)
    memory = Hopfield(random_state=0).fit(np.sign(rng.standard_normal((3, 64))))
    start = memory.patterns_[0] * np.where(rng.random(64) < 0.2, -1, 1)
    history = recall_history(memory, start)
    np.testing.assert_array_equal(history.states["cells"][0], start)
    assert (np.diff(history.states["energy"]) <= 1e-12).all()
    assert animate(history).film["shape"] == [8, 8]

    X, S, _ = two_classes("rings", 60)
    machine = ParityMachine(random_state=0).fit(X, S)
    growth = history_of(machine, X, S)
    assert growth.states["errors"].tolist()[1:] == machine.growth_["errors"].tolist()
    assert animate(growth).film["kind"] == "field"

    bayes = BayesPoint(random_state=0, n_students=40).fit(*points)
    walk = history_of(bayes, *points)
    np.testing.assert_allclose(walk.w[-1][:2], bayes.coef_[0], rtol=1e-9)
    with pytest.raises(ValueError, match="Give X and y"):
        history_of(bayes)
    with pytest.raises(ValueError, match="Hebb has no steps to record"):
        animate(Hebb().fit(*points))


@pytest.mark.parametrize("name", ["rosenblatt", "soft_adatron", "kernel_adatron"])
def test_students_to_watch(name):
    model, told = train_demo(name, "tight", 16)
    assert type(model).__name__ in told
    assert len(model.history_) > 5


def test_unknown_demos_are_refused():
    assert len(STUDENTS) >= 10
    with pytest.raises(ValueError, match=r"There is no student 'rosenblat'\. Did you mean 'rosenblatt'"):
        train_demo("rosenblat", "tight")
    with pytest.raises(ValueError, match="There is no set of examples 'tigth'"):
        plane_examples("tigth", 10, 0)
    for data in ("easy", "tight", "noisy", "rings"):
        X, S = plane_examples(data, 30, 1)
        assert X.shape == (30, 2)
        assert set(S) == {-1.0, 1.0}
