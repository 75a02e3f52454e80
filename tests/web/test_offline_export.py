"""The exported page: its numbers are those of the server; it works from a file, on a phone and in a frame."""

import json
import re
import shutil
import subprocess
import warnings
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("starlette", reason="the laboratory needs markone[web]")

from pydantic import TypeAdapter

from markone import separability
from markone.web.catalogue import build_catalogue
from markone.web.offline import export, memory_page, wasm
from markone.web.offline.recorded import RecordedScreen
from markone.web.plane import page_tables
from markone.web.protocol import FromServer
from markone.web.screens import find_screen

HERE = Path(__file__).parent
SECONDS_OF_NODE = 600


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    try:
        wasm.find_linker()
    except ValueError as reason:
        pytest.skip(str(reason))
    target = tmp_path_factory.mktemp("exported") / "page"
    export.export_laboratory(target, ["plane"])
    return target


@pytest.fixture(scope="module")
def answers(folder):
    """What the worker of the page says to states."""
    if shutil.which("node") is None:
        pytest.skip("there is no node on this machine")

    def ask(states):
        lines = "\n".join(json.dumps({"screen": "plane", "state": state}) for state in states)
        command = ["node", str(HERE / "run_worker.js"), str(folder / "lab.js")]
        done = subprocess.run(
            command, input=lines, capture_output=True, text=True, check=True, timeout=SECONDS_OF_NODE
        )
        return [json.loads(line) for line in done.stdout.splitlines()]

    return ask


def full_state(**values):
    return find_screen("plane").state.model_validate_json(json.dumps(values)).model_dump(mode="json")


def random_states(count, seed=0, students=page_tables.STUDENTS):
    rng = np.random.default_rng(seed)
    states = []
    while len(states) < count:
        values = {
            "students": [students[len(states) % len(students)]],
            "preset": str(rng.choice(list(page_tables.PRESETS))),
            "P": int(rng.choice(page_tables.SIZES)),
            "seed": int(rng.integers(10)),
            "threshold": bool(rng.integers(2)),
            "eta": round(float(rng.uniform(0.05, 1.9)), 2),
            "c": round(float(rng.uniform(0, 2)), 2),
            "C": round(float(10 ** rng.uniform(-2, 2)), 3),
        }
        if rng.integers(2):
            P = int(rng.integers(4, 40))
            X, S = rng.normal(0, 1.5, (P, 2)).round(3).tolist(), rng.choice([-1, 1], P)
            S[:2] = 1, -1
            # Labels of a line, so that some sets are separable.
            S[2:] = np.where(rng.random() < 0.5, S, np.where(np.array(X) @ [1, 0.7] > 0.2, 1, -1))[2:]
            values["points"] = [[*x, int(s)] for x, s in zip(X, S, strict=True)]
        states.append(full_state(**values))
    return states


def server_frames(state):
    screen = find_screen("plane")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # as the worker of the laboratory does
        return list(screen.frames(screen.state.model_validate_json(json.dumps(state))))


def rows_of(frames):
    return [row for frame in frames for row in frame.get("rows", [[]])[0]]


def column(rows, name):
    return np.array([np.nan if row[name] is None else row[name] for row in rows], dtype=float)


def assert_same_rows(ours, theirs, state, points):
    assert [row["mu"] for row in ours] == [row["mu"] for row in theirs], state
    for name in ("updates", "done"):
        assert [row[name] for row in ours] == [row[name] for row in theirs], (name, state)
    X = np.column_stack([np.array(points)[:, :2], np.ones(len(points))])[:, : len(theirs[0]["w"])]
    for a, b in zip(ours, theirs, strict=True):
        # The answer to a point that is on the line, except for rounding, is not defined.
        assert abs(a["errors"] - b["errors"]) <= np.sum(np.abs(X @ b["w"]) < 1e-12), state
    size = max(1.0, *(np.abs(row["w"]).max() for row in theirs))
    assert np.allclose([r["w"] for r in ours], [r["w"] for r in theirs], rtol=0, atol=1e-12 * size), state
    for name in ("E", "x", "upper", "norm"):
        a, b = column(ours, name), column(theirs, name)
        scale = max(1.0, np.nanmax(np.abs(b), initial=0.0), size)
        assert np.allclose(a, b, rtol=1e-12, atol=1e-12 * scale, equal_nan=True), (name, state)
    for name in ("kappa", "gap"):
        # The potential of the weakest example: the length that kappa and gap are divided by may be small.
        a, b = (
            column(rows, name) * [np.linalg.norm(r["w"] if name == "kappa" else r["w"][:2]) for r in rows]
            for rows in (ours, theirs)
        )
        assert np.allclose(a, b, rtol=1e-11, atol=1e-11 * size, equal_nan=True), (name, state)


def check_states(answers, states):
    for state, said in zip(states, answers(states), strict=True):
        for message in said:
            TypeAdapter(FromServer).validate_json(json.dumps(message))
        if len({point[2] for point in said[0]["data"]["points"]}) < 2:
            with pytest.raises(ValueError, match=re.escape(said[-1]["sentence"])):
                server_frames(state)
            continue
        theirs = server_frames(state)
        ours = [message["data"] for message in said]
        assert said[-1]["last"]
        assert ours[0]["points"] == theirs[0]["points"]
        assert np.allclose(ours[0]["domain"], theirs[0]["domain"], rtol=1e-14)
        assert ours[0]["students"] == theirs[0]["students"]
        check_verdict(ours[1]["separable"], theirs[1]["separable"], state, ours[0]["points"])
        assert_same_rows(rows_of(ours), rows_of(theirs), state, theirs[0]["points"])


def check_verdict(ours, theirs, state, points):
    assert ours["answer"] == theirs["answer"], state
    if ours["answer"]:
        assert ours["widest"] == pytest.approx(theirs["widest"], rel=1e-6, abs=1e-9)
    else:
        some = np.array(points)[ours["prove"]]
        # They may be of one class: signs that alternate state the same problem with two.
        Z = some[:, 2:] * np.column_stack([some[:, :2], np.full(len(some), float(state["threshold"]))])
        signs = np.where(np.arange(len(some)) % 2, -1.0, 1.0)
        assert len(some) <= 4
        assert separability(signs[:, None] * Z, signs, fit_intercept=False).separable is False


def test_the_page_computes_what_the_server_computes(answers):
    check_states(answers, random_states(12))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_a_thousand_random_states(answers, seed):
    check_states(answers, random_states(25, seed=100 + seed))


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"P": 50}, "Examples P = 50 .* one of 10, 20"),
        ({"seed": 11}, "Random seed = 11 .* between 0 and 9"),
        ({"students": ["gmlvq"]}, "Students = GMLVQ .* Other values need `markone lab`"),
        ({"points": [[0.0, 1.0, 1]]}, "both classes"),
        ({"points": [[0.0, 1.0, 7]]}, "Points"),
        ({"eta": 0.0}, "Learning rate η = 0 "),
    ],
)
def test_what_the_page_cannot_show_is_refused_with_its_limits(answers, values, words):
    ((*_, said),) = answers([full_state() | values])
    assert said["kind"] == "refused"
    assert re.search(words, said["sentence"])


def test_sizes(folder):
    sizes = {path.name: path.stat().st_size for path in folder.iterdir()}
    print(sizes)
    assert sum(sizes.values()) <= 500_000


def test_a_screen_that_needs_a_server_is_named(tmp_path):
    with pytest.raises(ValueError, match="runs needs `markone lab`: only plane"):
        export.export_laboratory(tmp_path, ["runs"])


LESSON = """title = "Mine"
chapter = "1"
order = 1
screen = "plane"
text = "Two < three."
[predict]
question = "Which?"
options = ["One", "Two"]
answer = 1
because = "It is so."
[[task]]
say = "Step once."
check = [{fact = "t", above = 0}]
steps = ["press Step"]
"""


def test_lessons_of_a_lecturer_are_checked_and_printed(tmp_path, capsys):
    from markone.cli.main import run_command_line

    own = tmp_path / "own"
    own.mkdir()
    (own / "good.toml").write_text(LESSON)
    assert run_command_line(["lab", "--check-lessons", str(own)]) == 0
    assert "All 1 lessons" in capsys.readouterr().out
    assert [one["title"] for one in build_catalogue(own)["lessons"]] == ["Mine"]
    assert run_command_line(["lab", "--lessons", str(own), "--sheet", str(tmp_path)]) == 0
    questions, solutions = ((tmp_path / f"{name}.html").read_text() for name in ("questions", "solutions"))
    assert "Two &lt; three." in questions
    assert questions.count("<circle") + questions.count("<rect") == 40
    assert "It is so." not in questions
    assert '<li class="right">☐ Two</li>' in solutions
    (own / "bad.toml").write_text(LESSON.replace("answer = 1", "answer = 7").replace('"t"', '"t", below = 1'))
    (own / "worse.toml").write_text("title = ")
    assert run_command_line(["lab", "--check-lessons", str(own)]) == 1
    said = capsys.readouterr().out
    assert "bad.toml: predict: answer = 7" in said
    assert "bad.toml: task.0.check.0: the check of 't' needs one of" in said
    assert "worse.toml: " in said


def test_without_a_linker_the_way_to_get_one_is_told(monkeypatch):
    monkeypatch.setattr(wasm.shutil, "which", lambda name: None)
    monkeypatch.setattr(wasm, "find_spec", lambda name: None)
    with pytest.raises(ValueError, match=r"pip install 'markone\[export\]'"):
        wasm.find_linker()


@pytest.fixture
def opened(browser, folder, new_visit):
    """Open a fragment of the page from a file on a phone; errors and requests fail the test."""
    pages = []

    def start(fragment, ready, name="index.html", **options):
        phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True} | options
        visit = new_visit(browser, SimpleNamespace(http=folder.as_uri()), **phone)
        pages.append(visit)
        return visit.open(f"{name}{fragment}", ready)

    yield start
    for page in pages:
        page.close()


def test_from_a_file_on_a_phone(opened):
    visit = opened("#/plane?points=[]", "document.querySelector('.plot.editable')")
    page, plot = visit.page, visit.page.locator(".panels .plot")
    box = plot.bounding_box()
    for x, y, kind in ((0.35, 0.3, "+1"), (0.4, 0.4, "+1"), (0.7, 0.6, "−1"), (0.75, 0.7, "−1")):
        page.locator(".editor button").filter(has_text=kind).tap()
        page.touchscreen.tap(box["x"] + box["width"] * x, box["y"] + box["height"] * y)
    visit.until("document.querySelectorAll('.inside .examples path').length === 4")
    visit.until("document.querySelector('.verdict').textContent.includes('yes, proof')")
    visit.click("Run")
    visit.until("document.querySelector('.count').textContent.includes('done')")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    page.goto(f"{visit.laboratory.http}/index.html#/memory")
    visit.until("document.querySelector('.veil')?.textContent.includes('needs markone lab')")


def test_another_random_seed_is_one_that_was_exported(opened):
    """With the whole range of Math.random; a seed that the page has not would be refused."""
    visit = opened("#/plane?preset=tight&P=20", "document.querySelector('.inside .examples path')")
    page, seen = visit.page, set()
    for fraction in (0, 0.3, 0.6, 0.9999, 0.9999, 0):
        before = page.evaluate("(next) => { Math.random = () => next; return location.hash; }", fraction)
        page.locator(".die").evaluate("(die) => die.click()")
        page.wait_for_function("(before) => location.hash !== before", arg=before)
        seen.add(int(page.locator("[data-name=seed] [type=number]").input_value()))
    assert seen <= set(page_tables.PLANE.seeds)
    assert len(seen) >= 4


def test_in_a_frame_of_another_page(opened, folder):
    """As a course page shows it: the picture and its player only."""
    (folder / "course.html").write_text(
        "<!doctype html><title>A course</title><iframe width=360 height=500 "
        "src=\"index.html?figure#/plane?students=['minover']&t=30\"></iframe>"
    )
    visit = opened("", "document.querySelector('iframe')", "course.html")
    frame = visit.page.frame_locator("iframe")
    frame.locator(".boundary").wait_for(state="attached")
    frame.get_by_role("button", name="Step", exact=True).tap()
    frame.locator(".count").filter(has_text="t = 31").wait_for()
    assert not frame.locator("#top").is_visible()


SMALL = [
    RecordedScreen(
        "version", {"dimension": [2], "P": [0, 3], "seed": [0, 1]}, free=("around", "show_teacher")
    ),
    RecordedScreen(
        "online",
        {"rules": ["hebb", "adatron"], "alpha": [5.0], "repeats": [4], "N": [20], "eta": [1.0, 0.5]},
        free=("log",),
        by="rules",
    ),
    RecordedScreen("judging", {"what": ["threshold", "polynomials"], "share": [0.3, 0.5], "degree": [1, 2]}),
]


def test_recorded_frames_are_those_of_the_server(tmp_path, monkeypatch):
    """Several lines are joined from frames of one each; fields that a state does not use do not matter."""
    if shutil.which("node") is None:
        pytest.skip("there is no node on this machine")
    monkeypatch.setattr(export, "PAGES", {one.name: one for one in SMALL})
    export.export_laboratory(tmp_path, [one.name for one in SMALL])
    asked = [
        ("version", {"dimension": 2, "P": 3, "seed": 1, "around": 20.0, "show_teacher": False}),
        ("version", {"dimension": 2, "P": 0}),
        (
            "online",
            {"rules": ["adatron", "hebb"], "alpha": 5.0, "repeats": 4, "N": 20, "eta": 0.5, "log": False},
        ),
        ("judging", {"what": "polynomials", "degree": 2, "share": 0.5}),
        ("judging", {"what": "threshold", "share": 0.5, "degree": 1}),
    ]
    states = [(name, find_screen(name).state.model_validate_json(json.dumps(state))) for name, state in asked]
    lines = [json.dumps({"screen": name, "state": one.model_dump(mode="json")}) for name, one in states]
    command = ["node", str(HERE / "run_worker.js"), str(tmp_path / "lab.js")]
    done = subprocess.run(
        command, input="\n".join(lines), capture_output=True, text=True, check=True, timeout=60
    )
    for (name, state), said in zip(states, map(json.loads, done.stdout.splitlines()), strict=True):
        theirs = {}
        for frame in find_screen(name).frames(state):
            theirs |= frame
        (ours,) = said
        assert ours["kind"] == "frame", ours
        assert ours["last"]
        assert_close(ours["data"], {key: part for key, part in theirs.items() if key != "last"})
    refused = [
        {"screen": "version", "state": states[0][1].model_copy(update={"P": 9}).model_dump(mode="json")}
    ]
    done = subprocess.run(
        command, input=json.dumps(refused[0]), capture_output=True, text=True, check=True, timeout=60
    )
    assert "Examples = 9 is not possible in this page" in json.loads(done.stdout)[0]["sentence"]


def random_memories(count, seed=0):
    rng = np.random.default_rng(seed)
    for k in range(count):
        values = {"source": str(rng.choice(["random", "random", "digits"])), "seed": int(rng.integers(5))}
        values |= {"side": int(rng.choice(memory_page.SIDES)), "P": int(rng.integers(1, 25))}
        values |= {"spoil": round(float(rng.uniform(0, 0.5)), 2), "which": int(rng.integers(80))}
        values |= {"couplings": str(rng.choice(memory_page.LIMITS["couplings"]))}
        values |= {
            "dynamics": str(rng.choice(["sequential", "parallel"])),
            "sweeps": int(rng.integers(1, 40)),
        }
        values |= {"temperature": float(rng.choice(memory_page.TEMPERATURES)) if k % 2 else 0.0}
        if k % 3 == 0:
            values |= {"drawn": ["".join(rng.choice(list("0123456789abcdef"), 9))], "start": "f0f0a1"}
        yield values


def check_memories(folder, states):
    states = [find_screen("memory").state.model_validate_json(json.dumps(one)) for one in states]
    asked = [json.dumps({"screen": "memory", "state": one.model_dump(mode="json")}) for one in states]
    command = ["node", str(HERE / "run_worker.js"), str(folder / "lab.js")]
    done = subprocess.run(
        command, input="\n".join(asked), capture_output=True, text=True, check=True, timeout=SECONDS_OF_NODE
    )
    for state, said in zip(states, map(json.loads, done.stdout.splitlines()), strict=True):
        if said[-1]["kind"] == "refused":
            with pytest.raises(ValueError, match=re.escape(said[-1]["sentence"])):
                list(find_screen("memory").frames(state))
            continue
        theirs = list(find_screen("memory").frames(state))
        ours = [message["data"] for message in said]
        assert ours[0] == json.loads(json.dumps(theirs[0]))
        for name in ("states", "status", "stable"):
            assert ours[1][name] == theirs[1][name], (name, state)
        for name in ("energy", "overlaps"):
            assert np.allclose(ours[1][name], theirs[1][name], rtol=0, atol=1e-12), (name, state)
        assert ours[2] == {name: part for name, part in theirs[2].items() if name != "last"}


@pytest.fixture(scope="module")
def memories(tmp_path_factory):
    if shutil.which("node") is None:
        pytest.skip("there is no node on this machine")
    target = tmp_path_factory.mktemp("memories")
    export.export_laboratory(target, ["memory"])
    return target


def test_recall_on_the_page_is_that_of_the_library(memories):
    check_memories(memories, random_memories(25))


@pytest.mark.slow
def test_a_thousand_random_memories(memories):
    check_memories(memories, random_memories(1000, seed=1))


def assert_close(ours, theirs):
    """Equal except for the digits that are not recorded."""
    if isinstance(theirs, dict):
        assert ours.keys() == theirs.keys()
        for key, part in theirs.items():
            assert_close(ours[key], part)
    elif isinstance(theirs, list | tuple):
        assert len(ours) == len(theirs)
        for one, other in zip(ours, theirs, strict=True):
            assert_close(one, other)
    elif isinstance(theirs, float) and theirs == theirs:
        assert ours == pytest.approx(theirs, rel=1e-4)
    else:
        assert ours == (theirs if theirs == theirs else None)
