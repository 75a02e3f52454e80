"""Lessons: every task is solved in the page by the controls of a student, with the mouse and by touch."""

from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("starlette", reason="the laboratory needs markone[web]")

from solutions import answer_prediction, lesson_link, solve_task

from markone.web.lesson_files import load_lessons
from markone.web.offline import export

LESSONS = load_lessons()
EXPORTED = [name for name, one in LESSONS.items() if export.is_exported(one, list(export.PAGES))]
DESK = {"viewport": {"width": 1366, "height": 768}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DEVICES = {"mouse": DESK, "touch": PHONE}
# Those of the fast tests: a drag, a click in the picture, choices and numbers.
FAST = ("minover_adatron", "recall", "accuracy_lies")
SCORES = "document.querySelector('.measures td')"


def lessons_and_devices(names, fast=()):
    marks = {name: [] if name in fast else [pytest.mark.slow] for name in names}
    return [pytest.param(name, device, marks=marks[name]) for name in names for device in DEVICES]


def solve_lesson(visitor, page, name):
    """By the steps that the page shows as the solution."""
    visitor.open(f"{page}{lesson_link(name)}", "document.querySelector('.predict')")
    answer_prediction(visitor)
    for k, task in enumerate(LESSONS[name].task):
        solve_task(visitor, k, task.actions)
    assert visitor.page.locator(".lesson.complete").count() == 1
    width = visitor.page.viewport_size["width"]
    assert visitor.page.evaluate("() => document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(("name", "device"), lessons_and_devices(LESSONS, FAST))
def test_every_lesson_is_solved_by_the_controls(visit, name, device):
    solve_lesson(visit(**DEVICES[device]), "", name)


@pytest.mark.parametrize(("name", "device"), lessons_and_devices(EXPORTED))
def test_every_exported_lesson_is_solved_by_the_controls(browser, whole_export, new_visit, name, device):
    visitor = new_visit(browser, SimpleNamespace(http=whole_export.as_uri()), **DEVICES[device])
    solve_lesson(visitor, "index.html", name)
    visitor.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", LESSONS)
def test_no_task_is_solved_before_the_student_acts(visit, name):
    visitor = visit().open("#/start", "document.querySelectorAll('.thumbnail svg').length > 14")
    visitor.page.get_by_role("heading", level=3, name=LESSONS[name].title, exact=True).click()
    visitor.page.locator(".predict button").first.click()
    visitor.page.wait_for_timeout(5000)
    assert visitor.page.locator(".tasks").is_visible()
    assert visitor.page.locator(".task.met").count() == 0


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", LESSONS)
def test_task_values_and_picture_are_in_one_view(windows, name, device):
    visitor = windows(lesson_link(name), "document.querySelector('.predict')", **DEVICES[device])
    answer_prediction(visitor)
    if device == "touch":
        visitor.page.evaluate(
            "() => scrollBy(0, document.querySelector('.stage').getBoundingClientRect().top"
            " - document.querySelector('.tasks').offsetHeight - 8)"
        )
    visitor.settle(100, 400)
    script = (Path(__file__).parent / "one_view.js").read_text().partition("\n")[2].strip()
    assert visitor.page.evaluate(script, device == "mouse") == []
    width = visitor.page.viewport_size["width"]
    assert visitor.page.evaluate("() => document.documentElement.scrollWidth") <= width


def test_a_prediction_is_asked_before_anything_is_shown(visit):
    visitor = visit().open("#/judging?lesson=accuracy_lies", "document.querySelector('.predict')")
    page = visitor.page
    page.wait_for_timeout(700)
    assert page.locator("svg.plot").count() == 0
    assert not page.locator(".tasks").is_visible()
    assert page.evaluate("() => document.querySelector('.left').inert")
    page.get_by_role("button", name="4 %", exact=True).click()
    visitor.until(SCORES)
    assert page.locator(".because").inner_text().startswith("No.")
    assert page.locator(".mistaken").inner_text() == "4 %"
    assert page.locator(".answer").inner_text() == "96 %"
    assert page.locator(".tasks").is_visible()
    # The answer is stored in this browser.
    page.reload()
    visitor.until(SCORES)
    assert page.locator(".because").inner_text().startswith("No.")


def test_hints_look_at_what_was_done(visit):
    """Three, then the solution."""
    visitor = visit().open(lesson_link("accuracy_lies"), "document.querySelector('.predict')")
    answer_prediction(visitor)
    visitor.until(SCORES)
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
