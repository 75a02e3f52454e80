"""The animation page in a real browser: keyboard, stepping back, no errors, no requests."""

import numpy as np
import pytest

from markone.perceptron import Rosenblatt
from markone.show import animate


@pytest.fixture(scope="module")
def student():
    rng = np.random.default_rng(3)
    y = np.repeat([1, -1], 12)
    X = np.array([[1.2, 0.8]]) * y[:, None] + 0.7 * rng.standard_normal((24, 2))
    return Rosenblatt(record="presentations", max_iter=50).fit(X, y)


@pytest.fixture(scope="module")
def page_file(student, tmp_path_factory):
    return animate(student).save(tmp_path_factory.mktemp("film") / "film.html")


@pytest.fixture
def opened(browser, page_file):
    context = browser.new_context()
    page = context.new_page()
    page.problems, page.outside = [], []
    page.on("console", lambda m: page.problems.append(m.text) if m.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    page.on("request", lambda r: page.outside.append(r.url) if not r.url.startswith("file:") else None)
    page.goto(page_file.as_uri())
    yield page
    assert page.problems == []
    assert page.outside == []
    context.close()


def readout(page):
    names = page.locator(".readout dt").all_text_contents()
    return dict(zip(names, page.locator(".readout dd").all_text_contents(), strict=True))


def test_steps_forward_and_back_by_keyboard(opened, student):
    """The page has keyboard focus when it opens."""
    history = student.history_
    assert readout(opened)["step"] == "0"
    for _ in range(3):
        opened.keyboard.press("ArrowRight")
    there = readout(opened)
    assert int(there["step"]) == history["step"][3]
    assert int(there["example"]) == history["example"][3] + 1
    assert float(there["E before"]) == pytest.approx(history["E"][3], rel=1e-3, abs=1e-4)
    assert float(there["stability κ"]) == pytest.approx(history.kappa[3], rel=1e-3)
    opened.keyboard.press("ArrowRight")
    opened.keyboard.press("ArrowLeft")
    assert readout(opened) == there
    opened.keyboard.press("End")
    assert int(readout(opened)["step"]) == history["step"][-1]
    assert readout(opened)["errors"] == "0"
    opened.keyboard.press("Home")
    assert readout(opened)["step"] == "0"


def test_plays_and_pauses(opened):
    opened.locator("select").select_option("120")
    opened.get_by_role("button", name="play").click()
    for _ in range(200):
        # The page's own policy forbids what wait_for_function would evaluate in it.
        if int(opened.locator("input[type=range]").input_value()) >= 2:
            break
        opened.wait_for_timeout(50)
    opened.get_by_role("button", name="pause").click()
    at = opened.locator("input[type=range]").input_value()
    opened.wait_for_timeout(400)
    assert opened.locator("input[type=range]").input_value() == at


def test_values_on_hover(opened):
    opened.locator(".picture .mark").first.hover()
    assert "example 1, class +1" in opened.locator(".tip").text_content()
    opened.locator("figure svg").first.hover()
    assert "stability κ" in opened.locator(".tip").text_content()


def test_the_boundary_is_that_of_the_student(opened, student):
    opened.locator(".markone-player").focus()
    opened.keyboard.press("End")
    line = opened.locator(".boundary")
    x, y = (float(line.get_attribute(name)) for name in ("x1", "y1"))
    left, right, bottom, top = opened.evaluate(
        "JSON.parse(document.getElementById('film').textContent).extent"
    )
    place = np.array([left + x / 420 * (right - left), top - y / 420 * (top - bottom)])
    size = np.abs(student.coef_).max()
    assert abs(student.coef_[0] @ place + student.intercept_[0]) < 1e-3 * size * (right - left)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_fits_phones_and_dark_mode(browser, page_file, width, scheme):
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(page_file.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    paper = page.evaluate("getComputedStyle(document.querySelector('.markone-player')).backgroundColor")
    assert paper == ("rgb(255, 255, 255)" if scheme == "light" else "rgb(20, 24, 31)")
    moving = "getComputedStyle(document.querySelector('.mark')).animationName"
    assert page.evaluate(moving) == "none"
    context.close()
