"""The numbers of every screen against direct calls of the library."""

import itertools
import json
import re
import subprocess
import sys
import tomllib
import warnings

import numpy as np
import pytest
from scipy.optimize import linprog
from sklearn.svm import SVC

pytest.importorskip("starlette", reason="the laboratory needs markone[web]")

from markone import (
    GMLVQ,
    LMS,
    Adaline,
    AdaTron,
    Hebb,
    Hopfield,
    KernelAdaTron,
    MinOver,
    Rosenblatt,
    VersionSpace,
    separability,
    theory,
)
from markone.lab.catalogue import find_experiment as catalogue_entry
from markone.lab.scenarios import find_scenario
from markone.perceptron.theory.capacity import separable_fraction
from markone.web.budget import CPU_BUDGET, PACE
from markone.web.catalogue import build_catalogue
from markone.web.drafts import find_problem_line
from markone.web.lesson_files import FOLDER, find_lesson_problems, load_lessons, read_lesson, read_step
from markone.web.plane.examples import load_plane_examples
from markone.web.plane.presentations import NAMES
from markone.web.screens import all_screens, find_screen, online, plane, prototypes, runs, teacher
from markone.web.screens.capacity import draw_selected_set
from markone.web.screens.memory import initial_state, load_memory_patterns, unpack_bits
from markone.web.screens.runs import parse_run_time
from markone.web.table.counterfactuals import counterfactuals_for_page, find_counterfactuals
from markone.web.table.uploads import current_uploads

SCREENS = [screen.name for screen in all_screens()]


@pytest.fixture(autouse=True)
def _ignore_convergence_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def states(name, **values):
    return find_screen(name).state.model_validate_json(json.dumps(values))


def frames(name, most=10_000, **values):
    stream = find_screen(name).frames(states(name, **values))
    return [frame for frame, _ in zip(stream, range(most), strict=False)]


def rows(most=400, **values):
    found = []
    for frame in find_screen("plane").frames(states("plane", **values)):
        found += frame.get("rows", [[]])[0]
        if len(found) >= most:
            break
    return found


def run(code):
    namespace = {}
    exec(code, namespace)
    return namespace


@pytest.mark.parametrize("name", SCREENS)
def test_a_state_gives_the_same_frames_to_the_bit(name):
    small = {"repeats": 10} if name in ("teacher", "capacity", "online") else {}
    first, again = (frames(name, 4, **small) for _ in range(2))
    if name in ("teacher", "capacity", "online"):
        # How repeats are divided into frames depends on the clock; the result does not.
        first, again = (frames(name, **small)[-1] for _ in range(2))
    assert repr(first) == repr(again)


@pytest.mark.parametrize("name", SCREENS)
def test_frames_are_json(name):
    from markone.web.protocol import Frame

    for frame in frames(name, 3):
        data = {key: value for key, value in frame.items() if key != "last"}
        text = Frame(ticket=0, number=0, last=False, data=data).model_dump_json()
        assert json.loads(text)["data"].keys() == data.keys()


@pytest.mark.parametrize("name", SCREENS)
def test_the_catalogue_has_four_sentences_and_a_section(name):
    shown = next(one for one in build_catalogue()["screens"] if one["name"] == name)
    assert len(shown["sentences"]) == (0 if name == "start" else 4)
    assert bool(shown["section"]) == (name != "start")


@pytest.mark.parametrize("name", SCREENS)
def test_words_in_brackets_are_explained(name):
    known = build_catalogue()
    shown = next(one for one in known["screens"] if one["name"] == name)
    for word in re.findall(r"\[([^\]]+)\]", " ".join(shown["sentences"])):
        assert word in known["glossary"] or word.lower() in known["glossary"], word


SWEEPS = {"teacher": ["epsilon_g"], "capacity": ["converged", "separable"], "online": ["epsilon_g", "R", "Q"]}


@pytest.mark.parametrize("name", SCREENS)
def test_copied_python_runs_as_pasted(name, tmp_path, monkeypatch, capsys):
    """Without other imports or warnings; the script of a sweep has the points of the page."""
    monkeypatch.chdir(tmp_path)
    small = {"repeats": 10} if "repeats" in find_screen(name).state.model_fields else {}
    small = {"plane": {"t": 40}, "runs": {"experiment": "convergence"}}.get(name, small)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = run(find_screen(name).python(states(name, **small)))
    assert capsys.readouterr().out
    shown = frames(name, **small)[-1]["points"] if name in SWEEPS else []
    for measure in SWEEPS.get(name, []):
        means = [float(np.nanmean(point.values[measure])) for point in made["result"].points]
        assert means == [point[1] for line in shown for point in line[measure]]


def test_copied_python_needs_nothing_of_the_laboratory(tmp_path):
    """In a new interpreter."""
    code = find_screen("plane").python(states("plane", t=40))
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.mark.parametrize("student", NAMES)
@pytest.mark.parametrize("threshold", [True, False])
def test_copied_python_has_the_weights_of_every_step(student, threshold):
    common = {
        "students": [student],
        "preset": "noisy",
        "P": 20,
        "seed": 3,
        "threshold": threshold,
        "eta": 0.7,
    }
    steps = rows(61, **common)
    for t in (1, 7, 20, 60):
        copied = run(find_screen("plane").python(states("plane", **common, t=t)))["weights"][student]
        assert np.array_equal(steps[min(t, len(steps) - 1)]["w"], copied), t


@pytest.mark.parametrize("epochs", [1, 3])
@pytest.mark.parametrize(
    ("student", "make"),
    [
        ("rosenblatt", lambda k: Rosenblatt(max_iter=k)),
        ("adaline", lambda k: Adaline(solver="sequential", tol=1e-9, max_iter=k)),
        ("lms", lambda k: LMS(max_iter=k)),
        ("minover", lambda k: MinOver(stop="never", max_iter=k)),
        ("adatron", lambda k: AdaTron(solver="sequential", order="cyclic", max_iter=k)),
    ],
)
def test_steps_on_the_plane_are_epochs_of_the_plain_estimator(student, make, epochs):
    """The recorded steps equal a fit without recording."""
    data = load_plane_examples("tight", 20, 1, None)
    shown = rows(61, students=[student], preset="tight", P=20, seed=1)
    fitted = make(epochs).fit(data.X, data.S)
    w = np.append(fitted.coef_[0], fitted.intercept_)
    assert np.allclose(shown[min(20 * epochs, len(shown) - 1)]["w"], w, rtol=1e-12, atol=1e-13)


def test_a_custom_modulation_is_used():
    common = {"preset": "tight", "P": 20}
    own = rows(30, students=["own"], rule="1 if E <= 0 else 0", **common)
    rosenblatt = rows(30, students=["rosenblatt"], **common)
    n = min(len(own), len(rosenblatt))
    assert [row["w"] for row in own[:n]] == [row["w"] for row in rosenblatt[:n]]


@pytest.mark.parametrize("rule", ["__import__('os')", "E.__class__", "open", "1 if", "E ** 'a'", "lambda: 1"])
def test_a_modulation_is_never_evaluated(rule):
    stream = find_screen("plane").frames(states("plane", students=["own"], rule=rule))
    next(stream)  # the points
    next(stream)  # whether they are separable
    with pytest.raises(ValueError, match=r"modulation|rule|expression"):
        next(stream)


def test_the_first_step_is_that_of_the_notes():
    """w = S xi / N after the first example (3.15), from tabula rasa."""
    common = {"students": ["rosenblatt"], "P": 10}
    data = load_plane_examples("apart", 10, 0, None)
    start, step = rows(2, **common)[:2]
    assert start["w"] == [0.0, 0.0, 0.0]
    assert step["mu"] == 0
    assert np.allclose(step["w"], data.S[0] * np.append(data.X[0], 1.0) / 3)


def test_bounds_and_errors_on_the_plane_equal_those_of_the_estimator():
    student = AdaTron(solver="sequential", order="cyclic", tol=1e-15, max_iter=5)
    data = load_plane_examples("apart", 40, 0, None)
    student.fit(data.X, data.S)
    row = rows(201, students=["adatron"])[200]
    assert row["errors"] == int(np.sum(student.predict(data.X) != data.S))
    assert row["kappa"] == pytest.approx(student.stability_, rel=1e-12)


def test_separability_comes_with_the_points_that_prove_it():
    shown = frames("plane", 2, preset="xor")[1]["separable"]
    data = load_plane_examples("xor", 40, 0, None)
    assert shown["answer"] is separability(data.X, data.S, fit_intercept=True).separable is False
    # Three equations and a sum: four points are enough (Caratheodory), and prove it without the others.
    some = shown["prove"]
    assert len(some) <= 4
    assert separability(data.X[some], data.S[some], fit_intercept=True).separable is False


@pytest.mark.parametrize("threshold", [True, False])
def test_few_points_prove_that_no_line_is_right(threshold):
    for preset, seed in itertools.product(("xor", "noisy", "rare", "spiral"), range(5)):
        shown = frames("plane", 2, preset=preset, seed=seed, threshold=threshold)[1]["separable"]
        if shown["answer"] is False:
            data = load_plane_examples(preset, 40, seed, None)
            some = shown["prove"]
            assert len(some) <= 4
            Z = data.S[some, None] * np.column_stack([data.X[some], np.full(len(some), threshold)])
            # No w has E > 0 for all of them: a linear program for it has no solution.
            assert linprog(np.zeros(3), A_ub=-Z, b_ub=-np.ones(len(some)), bounds=(None, None)).status == 2


def fewest_errors_of_lines(X, S, threshold):
    """A line for every pair of points (every point, through the origin), which may be on any side of it."""
    best = [min(np.sum(S > 0), np.sum(S < 0))] if threshold else []
    for some in itertools.combinations(range(len(S)), 2 if threshold else 1):
        start = X[some[0]] if threshold else np.zeros(2)
        along = X[some[-1]] - start
        E = np.delete(S * ((X - start) @ [-along[1], along[0]]), some)
        best += [np.sum(E <= 0), np.sum(E >= 0)]
    return min(best)


@pytest.mark.parametrize("threshold", [True, False])
def test_no_line_makes_fewer_errors(threshold, monkeypatch):
    monkeypatch.setattr(plane, "SEARCH_SECONDS", 60.0)
    for preset, seed in itertools.product(("xor", "noisy", "rings"), range(3)):
        found = frames("plane", 4, preset=preset, P=14, seed=seed, threshold=threshold)
        data = load_plane_examples(preset, 14, seed, None)
        fewest = [frame["fewest"] for frame in found if "fewest" in frame]
        if found[1]["separable"]["answer"]:
            assert not fewest
        else:
            assert found[1]["separable"]["fewest"] is None
            assert fewest == [2 * [fewest_errors_of_lines(data.X, data.S, threshold)]]


def test_without_time_the_fewest_errors_are_bounded(monkeypatch):
    monkeypatch.setattr(plane, "SEARCH_SECONDS", 1e-9)
    found = frames("plane", preset="xor", P=14, students=["hebb"])
    ((least, most),) = [frame["fewest"] for frame in found if "fewest" in frame]
    assert [bool(frame.get("last")) for frame in found] == [False] * (len(found) - 1) + [True]
    data = load_plane_examples("xor", 14, 0, None)
    assert least <= fewest_errors_of_lines(data.X, data.S, True) <= most


def test_the_visible_gap_is_that_of_svc():
    """kappa counts the threshold into |w|; the gap is the distance of the nearest example from the line."""
    data = load_plane_examples("apart", 40, 0, None)
    shown = frames("plane", 2)[1]["separable"]
    peer = SVC(kernel="linear", C=1e10, tol=1e-10).fit(data.X, data.S)
    assert shown["widest"] == pytest.approx(1 / np.linalg.norm(peer.coef_), rel=1e-6)
    row = rows(201, students=["adatron"])[200]
    a, b, c = row["w"]
    distances = data.S * (data.X @ [a, b] + c) / np.hypot(a, b)
    assert row["gap"] == pytest.approx(distances.min(), rel=1e-12)
    assert row["kappa"] < row["gap"] <= shown["widest"]


@pytest.mark.parametrize(
    ("student", "make"),
    [
        (
            "kernel_adatron",
            lambda k: KernelAdaTron(gamma=1.0, C=1.0, solver="sequential", order="cyclic", max_iter=k),
        ),
        ("gmlvq", lambda k: GMLVQ(prototypes_per_class=1, max_iter=k, random_state=0)),
    ],
)
def test_a_curved_boundary_has_the_sign_of_the_decision_function(student, make):
    found = rows(4, students=[student], preset="rings")
    data = load_plane_examples("rings", 40, 0, None)
    (left, right), (low, high) = data.domain
    width, height = found[0]["grid"]
    x, y = np.meshgrid(np.linspace(left, right, width), np.linspace(low, high, height))
    for k in (1, 3):
        fitted = make(k).fit(data.X, data.S)
        answers = fitted.predict(np.column_stack([x.ravel(), y.ravel()]))
        assert np.array_equal(np.where(np.array(found[k - 1]["surface"]) >= 0, 1, -1), answers)
        assert found[k - 1]["errors"] == int(np.sum(fitted.predict(data.X) != data.S))


def test_placed_points_are_used_unchanged():
    points = [[0.5, 1.0, 1], [-2.0, 0.25, -1], [1.5, -1.0, 1]]
    assert frames("plane", 1, points=points)[0]["points"] == [[*p[:2], float(p[2])] for p in points]


def test_a_single_class_is_refused_after_the_points_are_shown():
    stream = find_screen("plane").frames(states("plane", points=[[0, 0, 1], [1, 1, 1]]))
    assert len(next(stream)["points"]) == 2
    assert next(stream)["separable"] is None
    with pytest.raises(ValueError, match="both classes"):
        next(stream)


def test_points_far_away_are_inside_the_picture():
    (left, right), (low, high) = frames("plane", 1, points=[[500.0, 3, 1], [520.0, -3, -1]])[0]["domain"]
    assert left < 500 < 520 < right
    assert low < -3 < 3 < high


@pytest.mark.parametrize(
    ("name", "scenario", "measure"), [("teacher", "teacher_student", "epsilon_g"), ("online", "online", "R")]
)
def test_points_of_a_sweep_equal_those_of_the_scenario(name, scenario, measure):
    screen = find_screen(name)
    state = states(name, repeats=10)
    last = frames(name, repeats=10)[-1]
    lines = teacher.teacher_lines(state) if name == "teacher" else online.online_lines(state)
    for line, found in zip(lines, last["points"], strict=True):
        for x, mean, _, n in found[measure]:
            values = find_scenario(scenario).run(
                find_scenario(scenario).parameters(alpha=x, **line.parameters), 0, 0, 10
            )
            assert (mean, n) == (values[measure].mean(), 10), screen.name


def test_fractions_and_covers_count():
    found = frames("capacity", repeats=20, N=5, points=5)
    assert found[0]["cover"][-1][1] == separable_fraction(20, 5)
    values = find_scenario("storage").run(
        find_scenario("storage").parameters(N=5, alpha=4.0, sweeps=50), 0, 0, 20
    )
    assert found[-1]["points"][0]["converged"][-1][1] == values["converged"].mean()


@pytest.mark.parametrize("one", range(4))
def test_the_selected_set_is_that_of_the_experiment(one):
    """Learned or not, and after how many sweeps, as counted by the scenario."""
    state = states("capacity", N=5, points=5, look=2, one=one, sweeps=20)
    X, S, alpha = draw_selected_set(state)
    values = find_scenario("storage").run(
        find_scenario("storage").parameters(N=5, alpha=alpha, sweeps=20), 0, one, one + 1
    )
    student = Rosenblatt(max_iter=21, fit_intercept=False).fit(X, S)
    assert bool(values["converged"][0]) == bool(student.converged_)
    assert bool(values["separable"][0]) == separability(X, S).separable


def test_version_space_equals_that_of_the_library():
    found = frames("version", P=4)
    xi, S = np.array(found[0]["xi"]), np.array(found[0]["S"])
    space = VersionSpace(xi[:4], S)
    sample = space.sample(120, seed=0)
    assert found[-1]["students"] == sample.students[:120].tolist()
    assert found[-1]["cut"]["share"] == space.cut(xi[4:], 200, seed=0)[0].share
    assert [v for _, v in found[-1]["volume"]] == space.shrink(400, seed=0).tolist()
    assert np.all(S * (xi[:4] @ np.array(found[0]["teacher"])) > 0)


def test_recall_equals_that_of_the_library():
    state = states("memory")
    found = frames("memory")
    memory = Hopfield(max_iter=15, random_state=0).fit(load_memory_patterns(state))
    path = memory.trajectory(initial_state(state, load_memory_patterns(state)))
    assert found[1]["states"] == path.states.tolist()
    assert found[1]["overlaps"] == path.overlaps.tolist()


def test_unpack_bits():
    assert unpack_bits("9f", 8).tolist() == [1, -1, -1, 1, 1, 1, 1, 1]
    assert unpack_bits("9", 6).tolist() == [1, -1, -1, 1, -1, -1]


def test_confusion_matrix_and_rates_at_the_threshold():
    found = frames("judging", threshold=0.3)[0]
    (tn, fp), (fn, tp) = found["confusion"]
    assert tn + fp + fn + tp == 400
    assert found["at"] == [fp / (fp + tn), tp / (tp + fn)]


def test_a_cost_beyond_the_budget_suggests_what_would_fit():
    screen = find_screen("teacher")
    state = states("teacher", N=500, alpha=10.0, points=20, repeats=400, students=["minover_optimal"])
    assert screen.seconds(state) > CPU_BUDGET
    repeats, N = map(
        int, re.fullmatch(r"(\d+) repeats or N = (\d+) would fit\.", screen.fits(state)).groups()
    )
    for name, value in (("repeats", repeats), ("N", N)):
        assert screen.seconds(state.model_copy(update={name: value})) <= CPU_BUDGET
        assert screen.seconds(state.model_copy(update={name: value + 1})) > CPU_BUDGET


def test_a_repeated_stream_counts_errors_once_per_example():
    seen = rows(60, students=["own"], preset="noisy", P=12, rule="1")
    assert len(seen) > 24
    data = load_plane_examples("noisy", 12, 0, None)
    for row in seen:
        w = np.array(row["w"])
        answers = np.where(data.X @ w[:2] + w[2] >= 0, 1, -1)
        assert row["errors"] == np.sum(answers != data.S)


@pytest.mark.parametrize("model", ["lvq1", "gmlvq", "lgmlvq"])
def test_a_counterfactual_has_another_answer_at_the_stated_distance(model):
    state = states("prototypes", data="iris", model=model)
    X, y, _, raw = prototypes.load_prototype_rows(state)
    student = prototypes.make_lvq_model(state, 5).fit(X, y)
    known = find_counterfactuals(student, X)
    shown = counterfactuals_for_page(student, X, raw, prototypes.projection_directions(student, X))
    assert known.found.all()
    assert (student.predict(known.moved) != student.predict(X)).all()
    assert np.allclose(shown["away"], np.linalg.norm(known.moved - X, axis=1), atol=1e-5)
    first = shown["order"][0][0]
    assert np.isclose(
        shown["would_be"][0][0], raw.mean(0)[first] + known.moved[0, first] * raw.std(0)[first], rtol=1e-4
    )
    assert known.exact == (model != "lgmlvq")


def test_a_metric_for_each_class_has_its_answer_changed_just_beyond_the_border():
    state = states("prototypes", data="iris", model="lgmlvq")
    X, y, _, _ = prototypes.load_prototype_rows(state)
    student = prototypes.make_lvq_model(state, 5).fit(X, y)
    known = find_counterfactuals(student, X)
    before = X + (1 - 1e-6) * (known.moved - X)
    assert np.mean(student.predict(before) == student.predict(X)) > 0.99


def test_hebb_is_one_epoch():
    found = rows(100, students=["hebb"], P=12)
    assert len(found) == 13
    assert found[-1]["done"]
    data = load_plane_examples("apart", 12, 0, None)
    assert found[-1]["errors"] == int(np.sum(Hebb().fit(data.X, data.S).predict(data.X) != data.S))


def test_there_are_lessons_for_every_chapter():
    found = load_lessons()
    assert len(found) >= 15
    assert {lesson.chapter[0] for lesson in found.values()} >= {"1", "2", "3", "4", "5", "6"}


def test_an_invalid_lesson_is_named(tmp_path):
    path = tmp_path / "mine.toml"
    head = 'title = "x"\nchapter = "1"\norder = 1\nscreen = "plane"\ntext = ""\nhidden = ["nobody"]\n'
    task = '[[task]]\nsay = "x"\ncheck = [{fact = "t", above = 1}]\nsteps = ["press Run"]\n'
    path.write_text(f"{head}{task}")
    with pytest.raises(ValueError, match=r"(?s)mine.toml.*nobody"):
        read_lesson(path)


def test_every_lesson_has_a_prediction():
    assert all(lesson.predict for lesson in load_lessons().values())


def test_numbers_in_the_lessons_hold():
    """In the state in which each lesson opens."""

    def opened(name, **more):
        lesson = load_lessons()[name]
        return frames(lesson.screen, **(lesson.state | more))

    steps = [row for frame in opened("first_step") for row in frame.get("rows", [[]])[0]]
    assert steps[-1]["updates"] == 8
    clouds = [row for frame in opened("slow") for row in frame.get("rows", [[]])[0]]
    assert clouds[-1]["updates"] <= 10
    narrow = opened("slow", **load_lessons()["slow"].states_of_solution()[-1])
    assert [row for frame in narrow for row in frame.get("rows", [[]])[0]][-1]["updates"] >= 20
    assert next(f["stable"] for f in opened("projection") if "stable" in f) == 0
    relevance = [f["step"]["relevance"] for f in opened("relevance", model="gmlvq") if "step" in f][-1]
    assert sum(relevance[2:]) > 0.9
    points = opened("capacity", repeats=100)[-1]["points"][0]
    (separable,), (learned,) = ([p[1] for p in points[m] if p[0] == 1.75] for m in ("separable", "converged"))
    assert separable > 0.7
    assert learned < 0.2
    spread = {k: np.std(opened("folds", k=k, repeats=20)[-1]["means"]) for k in (2, 5, 20)}
    assert spread[20] < min(spread[2], spread[5])


def test_steps_are_read_and_checked(tmp_path):
    assert read_step("press Step x 20") == {"do": "press", "label": "Step", "times": "20"}
    assert read_step("click mark 3") == {"do": "click", "mark": "3"}
    with pytest.raises(ValueError, match="is no step"):
        read_step("dance")
    text = (FOLDER / "roc.toml").read_text()
    for wrong, words in (("seed = 3", "no control of this lesson"), ("share = 7", "less than or equal")):
        path = tmp_path / "roc.toml"
        path.write_text(text.replace("distance = 4", wrong))
        assert words in find_lesson_problems(tmp_path)[0]


def test_the_sweeps_can_be_run_as_experiments(tmp_path):
    from markone.cli.main import run_command_line

    for name in ("teacher", "capacity", "online"):
        path = tmp_path / f"{name}.toml"
        path.write_text(find_screen(name).toml(states(name)))
        assert run_command_line(["check", str(path)]) == 0


def test_a_run_is_continued_by_the_command_line(tmp_path, monkeypatch):
    """Half of the tasks here, the rest by `markone run`, in the same store."""
    from markone.cli.main import run_command_line

    monkeypatch.chdir(tmp_path)
    started = find_screen("runs").frames(states("runs", experiment="bias_variance", go=True))
    about, status = next(started), next(started)
    assert about["title"]
    assert status["done"] == 0
    next(started)
    started.close()
    assert run_command_line(["run", "bias_variance", "--quiet"]) == 0
    after = frames("runs", experiment="bias_variance")[-1]
    assert after["done"] == after["of"] == status["of"]
    assert after["picture"] is None or after["picture"]["lines"]
    key = frames("runs", experiment="bias_variance", report=True)[-1]["report"]
    page = current_uploads().result_file(key, "report").read_text()
    assert about["title"] in page
    assert frames("runs", experiment="bias_variance", report=True)[-1]["report"] == key


def test_two_runs_share_a_figure_if_they_share_its_axis(tmp_path, monkeypatch):
    from markone.cli.main import run_command_line

    monkeypatch.chdir(tmp_path)
    assert run_command_line(["run", "bias_variance", "--quiet"]) == 0
    with pytest.raises(ValueError, match="capacity has been run here yet"):
        frames("runs", experiment="bias_variance", beside="capacity")
    own, both = frames("runs", experiment="bias_variance", beside="bias_variance")[1:3]
    assert both["beside"] == own["picture"]


def test_a_problem_of_a_block_is_found_in_its_block():
    text = 'x = 1\n[[claim]]\nwhere = 1\n\n[[claim]]\ntext = "a"\nwhere = 2\n[[claim]]\ntext = "b"\n'
    assert find_problem_line("claim 1, where: no", text) == 3
    assert find_problem_line("claim 2, where: no", text) == 7
    assert find_problem_line("claim 3, where: This is required.", text) == 8
    assert find_problem_line("x: no", text) == 1
    assert find_problem_line("nothing of this: no", text) is None


def test_the_time_of_a_run_is_that_of_its_declaration(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert [parse_run_time(text) for text in ("5 s", "3 min", "1.5 h", "")] == [5, 180, 5400, None]
    status = frames("runs", experiment="demo_capacity", most=2)[1]
    assert status["seconds"] == parse_run_time(catalogue_entry("demo_capacity").time)


def test_a_run_is_paused_at_the_limit_of_one_start(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(runs, "ENOUGH", 0.0)
    monkeypatch.setattr(PACE, "jobs", 1000)
    seen = frames("runs", experiment="demo_capacity", go=True)
    assert seen[-1]["last"]
    assert "stored" in seen[-1]["paused"]
    assert 0 < frames("runs", experiment="demo_capacity")[-1]["done"] < seen[-1]["of"]


def test_a_draft_is_checked_like_a_declaration():
    def problems(draft):
        return frames("runs", draft=draft)[0]["problems"]

    assert any("scenario" in one["text"] for one in problems('name = "x"'))
    assert "not TOML" in problems("x = 1\n[")[0]["text"]
    assert problems("x = 1\n[")[0]["line"] == 2
    good = find_screen("runs").toml(states("runs"))
    assert problems(good)[0]["text"].startswith("Fine")
    lines = good.splitlines()
    at = next(k for k, line in enumerate(lines) if line.startswith("repeats"))
    wrong = "\n".join([*lines[:at], "repeats = -3", *lines[at + 1 :]])
    assert ("repeats" in problems(wrong)[0]["text"], problems(wrong)[0]["line"]) == (True, at + 1)


def test_a_typed_loss_has_its_exact_line():
    few = {"students": ["hebb"], "N": 10, "points": 4, "repeats": 4}
    state = states("teacher", loss="max(0, 1 - E)", l2=0.5, noise=0.1, **few)
    own = next(frame["own"] for frame in teacher.frames(state) if "own" in frame)
    alpha, values = np.array(own["line"]).T
    np.testing.assert_allclose(values, theory.curve("soft_margin")(alpha, noise=0.1, gamma=2.0), rtol=1e-8)
    assert own["problem"] == ""
    script = find_screen("teacher").toml(state)
    assert tomllib.loads(script)["theory"]["own"]["loss"] == "max(0, 1 - E)"


def test_a_typed_rule_has_its_flow():
    state = states("online", rules=["hebb"], rule="1", N=10, alpha=2.0, repeats=4)
    own = next(frame["own"] for frame in online.frames(state) if "own" in frame)
    for name, curve in (("epsilon_g", "online.hebb"), ("R", None), ("Q", None)):
        alpha, values = np.array(own["lines"][name]).T
        if curve:
            np.testing.assert_allclose(values, theory.curve(curve)(alpha), rtol=1e-7)
    assert tomllib.loads(find_screen("online").toml(state))["theory"]["own"]["f"] == "1"


@pytest.mark.parametrize(
    ("name", "typed", "sentence"),
    [
        ("teacher", {"loss": "E**3"}, "not convex"),
        ("teacher", {"loss": "__import__('os')"}, "is not allowed"),
        ("teacher", {"loss": "exp(-E)", "measure": "kappa"}, "no line of the stability"),
        ("online", {"rule": "max(0, -E)"}, "vanishes at E = 0"),
    ],
)
def test_what_is_typed_wrong_gets_a_sentence(name, typed, sentence):
    few = {"repeats": 4, "N": 10, "alpha": 1.0, **typed}
    own = next(frame["own"] for frame in find_screen(name).frames(states(name, **few)) if "own" in frame)
    assert sentence in own["problem"]
