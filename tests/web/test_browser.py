"""The laboratory in a real browser: every screen and control, without errors or requests to other hosts."""

import csv
import io
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from solutions import answer_prediction, lesson_link, solve_task

from markone.web.lesson_files import load_lessons
from markone.web.screens import all_screens, find_screen

SCREENS = [screen.name for screen in all_screens()]
PATIENCE = 120_000


PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
DESK = {"viewport": {"width": 1366, "height": 768}}
READY = {
    "plane": "document.querySelector('.inside .examples path')",
    "version": "document.querySelector('.facts')?.textContent.includes('Gibbs')",
    "teacher": "document.querySelector('progress')?.value === 1",
    "capacity": "document.querySelector('progress')?.value === 1",
    "online": "document.querySelector('progress')?.value === 1",
    "prototypes": "document.querySelector('.matrix .cells')",
    "memory": "document.querySelector('.thumb') && document.querySelectorAll('.small .line').length > 2",
    "judging": "document.querySelector('.measures td')",
    "runs": "document.querySelector('.claims li')",
    "table": "document.querySelector('.look table')",
    "start": "document.querySelectorAll('.thumbnail svg').length > 14",
}


SHARED = [name for name in SCREENS if name not in ("start", "runs", "table")]
# States that are computed quickly.
SMALL = {
    "plane": "students=['minover','kernel_adatron']&preset=tight&seed=5&P=20&t=90",
    "teacher": "seed=3&repeats=8&points=4&N=20",
    "capacity": "seed=3&repeats=20&points=6&N=10",
    "online": "seed=3&repeats=4&N=20&alpha=5",
}


@pytest.mark.parametrize("name", SCREENS)
def test_every_screen_opens_without_errors_and_its_link_shows_the_same_picture(visit, name):
    first = visit().open(f"#/{name}?{SMALL.get(name, 'seed=3' if name in SHARED else '')}", READY[name])
    assert first.page.locator("h1").inner_text() == find_screen(name).title
    assert first.page.locator("aside[aria-label='What you see'] li").count() == (0 if name == "start" else 4)
    if name not in SHARED:
        return
    first.settle(300, 1500)
    again = visit().open(first.page.url.partition("/#")[2].join(["#", ""]), READY[name])
    strip = re.compile(r"(disc|figure)-\d+")
    for _ in range(100):
        again.settle(300, 1500)
        left, right = ([strip.sub("", part) for part in page.picture()] for page in (first, again))
        if left == right:
            break
    assert left == right
    assert any(len(part) > 100 for part in left)


def test_a_session_on_the_plane(visit):
    """Add points, run, step, step back, share, copy Python, save CSV and SVG."""
    visitor = visit(accept_downloads=True).open(
        "#/plane?points=[]", "document.querySelector('.plot.editable')"
    )
    page, plot = visitor.page, visitor.page.locator(".panels .plot")
    box = plot.bounding_box()
    for x, y, shift in (
        (0.35, 0.3, False),
        (0.4, 0.4, False),
        (0.7, 0.6, True),
        (0.75, 0.7, True),
        (0.6, 0.75, True),
    ):
        at = {"x": box["width"] * x, "y": box["height"] * y}
        plot.click(position=at, modifiers=["Shift"] if shift else [])
        page.wait_for_timeout(120)
    visitor.until("document.querySelectorAll('.inside .examples path').length === 5")
    assert page.locator(".inside .examples path.plus").count() == 2
    visitor.until("document.querySelector('.verdict').textContent.includes('yes, proof')")
    visitor.click("Step")
    visitor.until("document.querySelector('.boundary')")
    assert page.locator(".count").inner_text().startswith("t = 1 ")
    one = visitor.picture(".panels .inside")
    visitor.click("Step")
    visitor.until("document.querySelector('.count').textContent.startsWith('t = 2 ')")
    visitor.click("Back")
    visitor.until("document.querySelector('.count').textContent.startsWith('t = 1 ')")
    assert visitor.picture(".panels .inside") == one
    visitor.click("Run")
    visitor.until("document.querySelector('.count').textContent.includes('done')")
    visitor.click("Copy as Python")
    code = page.locator(".source pre").inner_text()
    students = {}
    exec(code, students)
    assert not np.any(students["students"]["rosenblatt"].predict(students["X"]) != students["S"])
    with page.expect_download() as saved:
        page.get_by_role("button", name="CSV of Rosenblatt").click()
    table = list(csv.DictReader(io.StringIO(saved.value.path().read_text())))
    assert [[float(row["xi1"]), float(row["xi2"]), float(row["S"])] for row in table] == np.column_stack(
        [students["X"], students["S"]]
    ).tolist()
    with page.expect_download() as drawn:
        page.get_by_role("button", name="SVG picture of Rosenblatt").click()
    svg = drawn.value.path().read_text()
    assert svg.startswith("<?xml")
    assert "class=" not in svg
    assert "var(--" not in svg


def test_weights_on_the_page_are_those_of_the_copied_python(visit):
    visitor = visit().open("#/plane?students=['adatron']&P=20&t=60", "document.querySelector('.boundary')")
    visitor.until("document.querySelector('.facts').textContent.includes('κ')")
    text = visitor.page.locator(".facts").first.inner_text()
    shown = float(re.search(r"κ = ([−\d.]+)", text)[1].replace("−", "-"))
    visitor.click("Copy as Python")
    made = {}
    exec(visitor.page.locator(".source pre").inner_text(), made)
    w = made["weights"]["adatron"]
    kappa = np.min(made["S"] * (made["X"] @ w[:2] + w[2])) / np.linalg.norm(w)
    assert shown == pytest.approx(kappa, abs=5e-4)


def test_with_the_keyboard_alone(visit):
    """Tab to the plane, place a point of either class, step and run."""
    visitor = visit().open("#/plane?points=[]", "document.querySelector('.plot.editable')")
    page = visitor.page
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.classList.contains('editable')"):
            break
    assert page.evaluate("() => document.activeElement.matches(':focus-visible')")
    for key in (
        "ArrowLeft",
        "ArrowLeft",
        "Enter",
        "ArrowRight",
        "ArrowRight",
        "ArrowRight",
        "ArrowRight",
        "Shift+Enter",
    ):
        page.keyboard.press(key)
        page.wait_for_timeout(60)
    visitor.until("document.querySelectorAll('.inside .examples path').length === 2")
    page.keyboard.press("s")
    visitor.until("document.querySelector('.count').textContent.startsWith('t = 1 ')")
    page.keyboard.press(" ")
    visitor.until("document.querySelector('.count').textContent.includes('done')")
    page.keyboard.press("Delete")
    visitor.until("document.querySelectorAll('.inside .examples path').length === 1")


def test_steps_made_before_the_server_answers_are_made_when_it_does(visit):
    """On a busy machine frames come late: here they are held back until the keys are pressed."""
    visitor, held, hold = visit(), [], []

    def connect(socket):
        def deliver(message):
            held.append((socket, message)) if hold else socket.send(message)

        socket.connect_to_server().on_message(deliver)

    visitor.page.route_web_socket("**/socket", connect)
    visitor.open("#/plane?preset=tight&seed=5&P=20", READY["plane"])
    hold.append(True)
    visitor.page.evaluate("() => { location.hash = '#/plane?preset=tight&seed=6&P=20'; }")
    visitor.page.wait_for_timeout(300)
    for _ in range(3):
        visitor.page.keyboard.press("s")
    visitor.page.wait_for_timeout(300)
    assert visitor.page.locator(".count").inner_text().startswith("t = 0")
    assert held
    hold.clear()
    for socket, message in held:
        socket.send(message)
    visitor.until("document.querySelector('.count').textContent.startsWith('t = 3 ')")


def opened(visit, name, **options):
    return visit(**options).open(f"#/{name}?{SMALL.get(name, '')}", READY[name])


def shown(windows, name, **options):
    return windows(f"#/{name}?{SMALL.get(name, '')}", READY[name], **options)


@pytest.mark.parametrize("name", SCREENS)
def test_pages_fit_the_width_of_a_phone(windows, name):
    page = shown(windows, name, **PHONE).page
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("width", [1280, 1024])
def test_every_screen_is_visible_in_the_menu(visit, width):
    """Also with the longest status."""
    page = opened(visit, "start", viewport={"width": width, "height": 860}).page
    page.evaluate("() => { document.getElementById('status').textContent = 'getting ready 48/48'; }")
    hidden = "() => { const n = document.getElementById('screens'); return n.scrollWidth - n.clientWidth; }"
    assert page.evaluate(hidden) <= 0


@pytest.mark.parametrize("name", SCREENS)
def test_names_and_contrast_and_a_data_table_for_each_figure(windows, name):
    """One page in both themes."""
    page = shown(windows, name, color_scheme="light").page
    assert page.evaluate(script("names.js")) == []
    assert page.evaluate(script("contrast.js")) == []
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(script("contrast.js")) == []
    page.emulate_media(color_scheme="light")
    if name not in ("start", "table"):
        for k, chart in enumerate(page.locator("figure.chart:visible").all()):
            chart.get_by_role("button", name="Data table").click(force=True)
            assert chart.locator("th").count() > 1, (name, k)


def test_reduced_motion_draws_one_picture_a_second(visit):
    """At 20 steps a second for one second: one or two pictures, not twenty."""
    visitor = opened(visit, "plane", reduced_motion="reduce")
    visitor.page.evaluate(
        """() => { const count = document.querySelector('.count'); window.seen = new Set();
        new MutationObserver(() => { window.seen.add(count.textContent); })
        .observe(count, { childList: true, characterData: true, subtree: true }); }"""
    )
    visitor.click("Reset")
    visitor.click("Run")
    visitor.page.wait_for_timeout(1500)
    visitor.click("Pause")
    assert 2 <= visitor.page.evaluate("() => window.seen.size") <= 3


def test_print_is_light_and_without_controls(visit):
    page = opened(visit, "plane", color_scheme="dark").page
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("() => getComputedStyle(document.body).color") == "rgb(17, 17, 17)"
    assert page.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not page.locator(".left").is_visible()
    assert page.locator(".panels .plot").first.is_visible()


def test_a_hidden_tab_requests_no_frames(visit):
    """Frames are requested in animation frames, which a hidden page does not get: here they are blocked."""
    visitor = visit()
    visitor.context.add_init_script(
        """window.asked = 0; const send = WebSocket.prototype.send;
        WebSocket.prototype.send = function (text) {
            if (text.includes('more')) window.asked += 1;
            send.call(this, text);
        };
        const next = window.requestAnimationFrame.bind(window);
        window.requestAnimationFrame = (f) => (window.away ? 0 : next(f));"""
    )
    visitor.open("#/teacher?repeats=400&N=200", "window.asked > 1")
    visitor.page.evaluate("() => { window.away = true; }")
    visitor.page.wait_for_timeout(500)
    asked = visitor.page.evaluate("() => window.asked")
    visitor.page.wait_for_timeout(1500)
    assert visitor.page.evaluate("() => window.asked") == asked


def test_arrow_keys_announce_values_to_screen_readers(visit):
    page = opened(visit, "teacher").page
    page.locator(".plot").first.focus()
    page.keyboard.press("ArrowRight")
    assert "data sets" in page.locator("#said").inner_text()


def test_a_lasso_deletes_and_a_drag_moves(visit):
    visitor = visit().open(
        "#/plane?points=[[-2,0,1],[2,0,-1],[2,1,-1]]",
        "document.querySelectorAll('.inside .examples path').length === 3",
    )
    page, plot = visitor.page, visitor.page.locator(".panels .plot")
    box = plot.bounding_box()
    x, y = (
        (lambda v: box["x"] + 54 + (v + 4) / 8 * (box["width"] - 68)),
        (lambda v: box["y"] + 8 + (3 - v) / 6 * (box["height"] - 50)),
    )
    page.mouse.move(x(-2), y(0))
    page.mouse.down()
    page.mouse.move(x(-1.5), y(0.5), steps=4)
    page.mouse.move(x(-1), y(1), steps=4)
    page.mouse.up()
    visitor.until(
        "location.hash.includes('[-1,1,1]') || /\\[-(0\\.9|1\\.0)\\d*,(0\\.9|1)/.test(location.hash)"
    )
    visitor.click("Lasso")
    page.mouse.move(x(1.5), y(-0.5))
    page.mouse.down()
    for px, py in ((2.5, -0.5), (2.5, 1.5), (1.5, 1.5), (1.5, -0.5)):
        page.mouse.move(x(px), y(py), steps=3)
    page.mouse.up()
    visitor.until("document.querySelectorAll('.inside .examples path').length === 1")


def test_values_from_a_link_are_checked_by_the_server(visit):
    visitor = visit().open("#/plane?P=100000", "document.querySelector('.notice:not([hidden])')")
    assert "P = 100000" in visitor.page.locator(".notice").first.inner_text()


def test_unknown_parameters_of_a_link_are_named(visit):
    visitor = visit().open("#/plane?nobody=1&P=[", READY["plane"])
    assert "nobody" in visitor.page.locator("#toast").inner_text()


@pytest.mark.parametrize(("fragment", "shown"), [("#/nowhere", "start"), ("#/plane?lesson=nothing", "plane")])
def test_an_unknown_screen_or_lesson_is_named(visit, fragment, shown):
    visitor = visit().open(fragment, READY[shown])
    assert "There is no" in visitor.page.locator("#toast").inner_text()


def test_a_click_on_a_screen_is_not_lost_while_the_state_changes(visit):
    """The address is not rewritten between the click and its event."""
    visitor = opened(visit, "plane")
    visitor.page.wait_for_timeout(500)
    visitor.page.evaluate(
        """() => { document.querySelector('#screens a[data-name=judging]').click();
        const slider = document.querySelector('.control[data-name=P] input[type=range]');
        slider.value = String(Number(slider.value) + 1);
        slider.dispatchEvent(new Event('input', { bubbles: true })); }"""
    )
    visitor.until("document.querySelector('h1').textContent === 'Judging'", 20)


@pytest.mark.slow
def test_no_click_is_lost_on_a_busy_machine(visit):
    """Between two screens, while a student runs and both cores are busy."""
    visitor = visit().open("#/plane?preset=tight&P=60", READY["plane"])
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        for k in range(100):
            name, title = (("judging", "Judging"), ("plane", "Plane"))[k % 2]
            if name == "judging":
                visitor.page.get_by_role("button", name="Run", exact=True).first.click()
            visitor.page.wait_for_timeout(5 + 37 * k % 450)
            visitor.page.locator("#screens summary").click()
            visitor.page.locator(f"#screens a[data-name={name}]").click()
            visitor.until(f"document.querySelector('h1').textContent === '{title}'", 10)
    finally:
        for process in busy:
            process.kill()
            process.wait()


def test_before_the_first_step_nothing_is_called_wrong(visit):
    visitor = visit().open("#/plane", READY["plane"])
    visitor.until("document.querySelector('.facts').textContent.includes('nothing learned yet')")
    assert visitor.page.locator(".inside .examples .wrong").count() == 0


def test_relevances_have_the_names_of_the_features(visit):
    visitor = visit().open("#/prototypes?data=iris", READY["prototypes"])
    names = visitor.page.locator(".bar-names text").all_text_contents()
    assert len(names) == 4
    assert "petal length" in names[2]


def test_a_student_that_is_stopped_is_not_called_done(visit):
    visitor = visit().open("#/plane?students=['minover']&preset=xor&P=200&t=4000", READY["plane"])
    visitor.until("document.querySelector('.count').textContent.includes('stopped')")
    assert "not converged" in visitor.page.locator(".facts").first.inner_text()


def test_a_student_that_is_stopped_can_go_on(visit):
    """Then it has the stability of the estimator that is fitted to its end."""
    visitor = visit().open("#/plane?students=['adatron']&preset=tight&P=60&seed=3&t=4000", READY["plane"])
    visitor.click("Go on to the end")
    visitor.until("document.querySelector('.facts').textContent.includes('done')")
    assert "κ = 0.03776" in visitor.page.locator(".facts").first.inner_text()
    assert visitor.page.get_by_role("button", name="Go on to the end").is_hidden()


def test_text_in_a_table_is_text(visit):
    """A label that looks like markup is shown as text."""
    visitor = visit().open("#/plane", READY["plane"])
    text = "1,1,<img src=x onerror=alert(1)>\n2,2,b\n3,1,b"
    visitor.page.locator("input[type=file]").set_input_files(
        {"name": "t.csv", "mimeType": "text/csv", "buffer": text.encode()}
    )
    visitor.until("document.querySelectorAll('.inside .examples path').length === 3")
    assert visitor.page.locator("img").count() == 0


def test_the_first_page_is_small(visit):
    """What is sent, compressed; counted afterwards, since a size arrives while other responses do."""
    visitor = visit().open("#/plane", READY["plane"])
    visitor.page.wait_for_timeout(500)
    sent = sum(response.request.sizes()["responseBodySize"] for response in visitor.responses)
    print("first page:", sent, "bytes")
    assert 10_000 < sent <= 150_000


def script(name):
    return (Path(__file__).parent / name).read_text().partition("\n")[2].strip()


def test_nothing_moves_while_it_runs(visit):
    visitor = visit().open("#/plane?preset=tight&P=60", READY["plane"])
    where = (
        "() => [...document.querySelectorAll('.chart')].map((n) => Math.round(n.getBoundingClientRect().top))"
    )
    visitor.page.wait_for_timeout(600)
    before = visitor.page.evaluate(where)
    visitor.click("Run")
    visitor.page.wait_for_timeout(1500)
    assert visitor.page.evaluate(where) == before


def test_a_prediction_is_asked_before_anything_is_shown(visit):
    visitor = visit().open("#/judging?lesson=accuracy_lies", "document.querySelector('.predict')")
    page = visitor.page
    page.wait_for_timeout(700)
    assert page.locator("svg.plot").count() == 0
    assert not page.locator(".tasks").is_visible()
    assert page.evaluate("() => document.querySelector('.left').inert")
    page.get_by_role("button", name="4 %", exact=True).click()
    visitor.until(READY["judging"])
    assert page.locator(".because").inner_text().startswith("No.")
    assert page.locator(".mistaken").inner_text() == "4 %"
    assert page.locator(".answer").inner_text() == "96 %"
    assert page.locator(".tasks").is_visible()
    # The answer is stored in this browser.
    page.reload()
    visitor.until(READY["judging"])
    assert page.locator(".because").inner_text().startswith("No.")


def test_the_page_suggests_what_would_fit(visit):
    asked = "#/teacher?N=500&repeats=400&alpha=10&points=20&students=['minover_optimal']"
    visitor = visit().open(asked, "document.querySelector('.notice:not([hidden])')")
    assert "would fit" in visitor.page.locator(".notice").first.inner_text()


def test_keys_work_after_a_button_was_pressed(visit):
    visitor = visit().open("#/plane", READY["plane"])
    visitor.click("Step")
    visitor.page.keyboard.press("s")
    visitor.page.keyboard.press("s")
    visitor.until("document.querySelector('.count').textContent.startsWith('t = 3')")
    visitor.page.keyboard.press("b")
    visitor.until("document.querySelector('.count').textContent.startsWith('t = 2')")


def test_hovering_over_a_row_shows_its_counterfactual(visit):
    visitor = visit().open("#/prototypes?data=iris", READY["prototypes"])
    page = visitor.page
    row = page.locator(".table-rows path").nth(70).bounding_box()
    page.mouse.move(row["x"] + row["width"] / 2, row["y"] + row["height"] / 2)
    visitor.until("document.querySelector('.over .arrows path')")
    assert "away" in page.locator("#tip").inner_text()
    page.mouse.click(row["x"] + row["width"] / 2, row["y"] + row["height"] / 2)
    visitor.until("document.querySelectorAll('.close tbody tr').length > 2")


def test_a_pattern_is_drawn_by_dragging_and_stored(visit):
    visitor = visit().open("#/memory?side=6&P=2", READY["memory"])
    page = visitor.page
    visitor.click("Blank grid")
    visitor.until("location.hash.includes('000000000')")
    box = page.locator(".plot.editable").bounding_box()
    x, y = (lambda k: box["x"] + 4 + (k + 0.5) / 6 * (box["width"] - 8)), box["y"] + box["height"] / 12 + 4
    page.mouse.move(x(0), y)
    page.mouse.down()
    page.mouse.move(x(3), y, steps=12)
    page.mouse.up()
    # Four neurons of the first row.
    visitor.until("location.hash.includes('f00000000')")
    visitor.click("Store this pattern")
    visitor.until("document.querySelectorAll('.thumb').length === 3")


def test_problems_of_a_declaration_are_shown_beside_their_lines(visit):
    visitor = visit().open("#/runs?experiment=demo_capacity", READY["runs"])
    page = visitor.page
    page.locator(".declaration summary").click()
    text = page.locator("textarea").input_value()
    page.locator("textarea").fill(text.replace("xlabel", "xlable"))
    visitor.until("document.querySelector('.notes p')")
    wrong = 1 + text[: text.index("xlabel")].count("\n")
    assert page.locator(".lines .wrong .count").inner_text() == str(wrong)
    assert "xlable" in page.locator(".notes p").inner_text()


def test_points_can_be_pasted_anywhere_on_the_page(visit):
    visitor = visit().open("#/plane", READY["plane"])
    visitor.page.evaluate(
        """() => { const data = new DataTransfer(); data.setData('text', '1,1,a\\n2,2,b\\n-1,0,a');
        document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true })); }"""
    )
    visitor.until("document.querySelectorAll('.inside .examples path').length === 3")


@pytest.mark.slow
@pytest.mark.parametrize("name", list(load_lessons()))
def test_no_task_is_solved_before_the_student_acts(visit, name):
    visitor = visit().open("#/start", READY["start"])
    visitor.page.get_by_role("heading", level=3, name=load_lessons()[name].title, exact=True).click()
    visitor.page.locator(".predict button").first.click()
    visitor.page.wait_for_timeout(5000)
    assert visitor.page.locator(".tasks").is_visible()
    assert visitor.page.locator(".task.met").count() == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", list(load_lessons()))
def test_every_task_is_solved_by_the_controls(visit, name):
    """By the steps that the page shows as the solution."""
    visitor = visit(viewport={"width": 1366, "height": 768}).open(
        lesson_link(name), "document.querySelector('.predict')"
    )
    answer_prediction(visitor)
    for k, task in enumerate(load_lessons()[name].task):
        solve_task(visitor, k, task.actions)
    assert visitor.page.locator(".lesson.complete").count() == 1


@pytest.mark.parametrize("width", [1366, 390])
@pytest.mark.parametrize("name", list(load_lessons()))
def test_task_values_and_picture_are_in_one_view(windows, name, width):
    visitor = windows(
        lesson_link(name), "document.querySelector('.predict')", **(PHONE if width == 390 else DESK)
    )
    answer_prediction(visitor)
    if width == 390:
        visitor.page.evaluate(
            "() => scrollBy(0, document.querySelector('.stage').getBoundingClientRect().top"
            " - document.querySelector('.tasks').offsetHeight - 8)"
        )
    visitor.settle(100, 400)
    assert visitor.page.evaluate(script("one_view.js"), width == 1366) == []
    assert visitor.page.evaluate("() => document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("students", [["adatron"], ["adatron", "lvq1"], ["adatron", "lvq1", "hebb"]])
def test_picture_and_curves_of_the_plane_are_in_one_view(visit, students):
    visitor = visit(viewport={"width": 1366, "height": 768}).open(
        f"#/plane?students={students}", READY["plane"]
    )
    frames = visitor.page.locator(".stage .frame").all()
    bottoms = [box["y"] + box["height"] for box in (frame.bounding_box() for frame in frames)]
    assert len(bottoms) == len(students) + 3
    assert max(bottoms) <= 768


def test_hints_look_at_what_was_done(visit):
    """Three, then the solution."""
    visitor = visit().open(lesson_link("accuracy_lies"), "document.querySelector('.predict')")
    answer_prediction(visitor)
    visitor.until(READY["judging"])
    page, hints = visitor.page, visitor.page.locator(".task.current .hints li")
    hint = page.locator(".task.current .hint")
    hint.click()
    assert "Nothing has been changed yet" in hints.nth(0).inner_text()
    number = page.locator(".control[data-name=threshold] input[type=number]")
    number.fill("1")
    number.press("Tab")
    visitor.until("document.querySelector('.goals b').textContent !== '–'")
    hint.click()
    assert "is 0.3: try a smaller value" in hints.nth(1).inner_text()
    hint.click()
    assert "Next: Share of +1: 0.04" in hints.nth(2).inner_text()
    hint.click()
    assert hints.nth(3).inner_text() == "A solution: Share of +1: 0.04; Threshold Θ: 2."
    assert not hint.is_visible()
