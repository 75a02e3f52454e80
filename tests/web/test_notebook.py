"""The plane as a widget: its requests without a browser, and its page in a frame."""

import json
import time

import numpy as np
import pytest

from markone import show
from markone.web import notebook
from markone.web.offline.export import STATIC
from markone.web.screens.plane import Plane

POINTS = [[-2.0, 0.0, 1], [2.0, 0.0, -1], [2.0, 1.0, -1]]


def plane_state(**values):
    return Plane.model_validate_json(json.dumps({"students": ["adatron"], "points": POINTS} | values))


class Kernel:
    """The requests of a widget, with what was sent to the page since the last message."""

    def __init__(self, state):
        self.sent = []
        self.requests = notebook.PlaneRequests(state, self.sent.append)

    def ask(self, content):
        self.sent.clear()
        self.requests.receive(content)
        return list(self.sent)

    def say(self, **message):
        return [json.loads(one["text"]) for one in self.ask({"view": "1", "text": json.dumps(message)})]

    def learn(self, state):
        """All frames of a state, as a page asks for them."""
        work = {"screen": "plane", "state": json.loads(state.model_dump_json())}
        (found,) = self.say(kind="start", ticket=1, work=work)
        answers = [found]
        while not answers[-1].get("last", True):
            answers += self.say(kind="more", ticket=1)
        return answers


def test_points_go_in_and_come_back_trained():
    kernel = Kernel(plane_state())
    answers = kernel.learn(plane_state(points=[*POINTS, [-2.0, 1.0, 1]]))
    assert [one["kind"] for one in answers] == ["frame"] * len(answers)
    assert len(answers[0]["data"]["points"]) == 4
    assert kernel.requests.state.points[-1] == (-2.0, 1.0, 1)
    assert answers[-1]["data"]["rows"][0][-1]["done"]
    assert not kernel.requests.jobs


def test_a_change_is_learned_at_once():
    kernel = Kernel(plane_state())
    kernel.learn(plane_state())
    taken = []
    for k in range(20):
        began = time.process_time()
        kernel.learn(plane_state(points=[*POINTS, [-2.0, 0.1 * k, 1]]))
        taken.append(time.process_time() - began)
    assert np.median(taken) < 0.05


def test_other_messages_are_answered_or_refused():
    kernel = Kernel(plane_state())
    assert kernel.say(kind="here") == []
    assert kernel.say(kind="more", ticket=7) == []
    assert (
        kernel.say(kind="start", ticket=1, work={"screen": "plane", "state": {"P": 1}})[0]["kind"]
        == "refused"
    )
    work = {"screen": "plane", "state": {"points": [[0.0, 0.0, 1]]}}
    kernel.say(kind="start", ticket=2, work=work)
    kernel.say(kind="stop", ticket=2)
    assert kernel.say(kind="more", ticket=2) == []


@pytest.mark.parametrize(
    ("X", "y", "words"),
    [
        (np.zeros((3, 3)), [1, 2, 1], r"shape \(P, 2\)"),
        (np.zeros((3, 2)), [1, 2], r"shape \(P, 2\)"),
        (np.zeros((600, 2)), np.arange(600) % 2, "at most 500"),
        (np.zeros((3, 2)), [1, 2, 3], "3 labels"),
        (np.zeros((3, 2)), [1, 1, 1], "1 labels"),
        (np.full((2, 2), np.nan), [1, 2], "finite"),
        (np.zeros((2, 2)), None, "both X and y"),
    ],
)
def test_what_is_no_plane_is_refused_in_a_sentence(X, y, words):
    with pytest.raises(ValueError, match=words):
        show.plane(X, y)


def test_the_widget_keeps_points_and_labels():
    pytest.importorskip("anywidget", reason="the widget needs markone[notebook]")
    X, y = np.array([[0.25, 1.0], [1.0, -0.125], [-1.0, 0.0]]), np.array(["b", "a", "b"])
    picture = show.plane(X, y, students=("pocket",), seed=3)
    np.testing.assert_array_equal(picture.X, X)
    np.testing.assert_array_equal(picture.y, y)
    assert "Pocket(" in picture.script
    assert "markoneExport" in picture.page


HARNESS = """async ([source, html]) => {
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const widget = (await import(url)).default, heard = [];
  const model = { get: (name) => (name === "page" ? html : 520), on: (_, f) => heard.push(f), off: () => {},
    send: async (content) => { for (const one of await toKernel(content)) for (const f of heard) f(one); } };
  widget.render({ model, el: document.body });
}"""


def test_a_click_in_the_frame_comes_back_to_the_kernel(browser):
    kernel = Kernel(plane_state())
    page = browser.new_page(viewport={"width": 760, "height": 560})
    wrong = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda m: wrong.append(m.text) if m.type in ("error", "warning") else None)
    page.on("request", lambda r: wrong.append(r.url) if not r.url.startswith(("about:", "blob:")) else None)
    page.expose_function("toKernel", kernel.ask)
    widget = (STATIC / "notebook" / "widget.js").read_text()
    page.evaluate(HARNESS, [widget, notebook.build_notebook_page(plane_state())])
    frame = page.frame_locator("iframe")
    frame.locator(".facts", has_text="AdaTron").wait_for()
    frame.locator(".plot .examples path").nth(2).wait_for()
    frame.locator(".panels .plot").first.click(position={"x": 150, "y": 100})
    frame.locator(".plot .examples path").nth(3).wait_for()
    assert len(kernel.requests.state.points) == 4
    frame.get_by_role("button", name="Run", exact=True).click()
    frame.locator(".facts", has_text="done").wait_for()
    page.close()
    assert not wrong
