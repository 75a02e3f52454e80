"""Solve the tasks of a lesson in the page, by the controls that a student has."""

import json

from markone.web.lesson_files import load_lessons
from markone.web.screens import find_screen

# Wait until nothing runs: the player is paused.
RUN = "document.querySelector('.player .primary')"
PAUSED = f"!{RUN} || {RUN}.textContent !== 'Pause'"


def lesson_link(name):
    """The fragment with which the list of lessons opens a lesson."""
    lesson = load_lessons()[name]
    schema = find_screen(lesson.screen).state.model_json_schema()["properties"]

    def text(key, value):
        plain = schema[key].get("type") == "string" or all(
            isinstance(v, str) for v in schema[key].get("enum", [0])
        )
        return value if plain else json.dumps(value).replace('"', "'").replace(" ", "")

    query = "".join(f"{key}={text(key, value)}&" for key, value in lesson.state.items())
    return f"#/{lesson.screen}?{query}lesson={name}"


def is_touched(visit):
    return visit.page.evaluate("() => navigator.maxTouchPoints > 0")


def press_button(visit, button):
    """As the device of the student does it."""
    (button.tap if is_touched(visit) else button.click)()


def answer_prediction(visit):
    press_button(visit, visit.page.locator(".predict button").first)
    visit.until("document.querySelector('.tasks') && document.querySelector('.stage .plot')")


def solve_task(visit, k, actions):
    """Do the steps, then wait until task k is ticked."""
    for action in actions:
        ACTIONS[action["do"]](visit, action)
        visit.page.wait_for_timeout(60)
    visit.until(f"document.querySelectorAll('.task')[{k}].classList.contains('met')", 100)


def _set_control(visit, action):
    control = visit.page.locator(f".control[data-name={action['name']}]")
    boxes, number = control.locator("input[type=checkbox]"), control.locator("input[type=number]")
    if number.count():
        press_button(visit, number)
        number.fill(action["value"])
        number.blur()
    elif control.locator("select").count():
        name = action["name"]
        field = visit.page.evaluate(
            "async () => { const made = globalThis.markoneExport;"
            "const all = made ? made.catalogue : await (await fetch('/catalogue.json')).json();"
            f"return all.screens.map((one) => one.schema.properties.{name}).filter((one) => one?.choices); }}"
        )
        label = next(
            (one["choices"][action["value"]] for one in field if action["value"] in one["choices"]), None
        )
        control.locator("select").select_option(label=label or action["value"])
    elif control.get_by_role("switch").count():
        if control.get_by_role("switch").is_checked() != (action["value"] == "true"):
            press_button(visit, control.get_by_role("switch"))
    else:
        wanted = set(action["value"].split(", "))
        # The last choice cannot be removed: those to be added come first.
        order = sorted(boxes.all(), key=lambda box: box.get_attribute("value") not in wanted)
        for box in order:
            if box.is_checked() != (box.get_attribute("value") in wanted):
                press_button(visit, box)


def _press(visit, action):
    button = visit.page.locator(".stage").get_by_role("button", name=action["label"], exact=True)
    if action["label"] == "Run":
        speed = visit.page.get_by_role("combobox", name="Speed")
        speed.select_option(index=speed.locator("option").count() - 1)
    for _ in range(int(action.get("times", 1))):
        press_button(visit, button)
    if action["label"] == "Run":
        visit.until(PAUSED, 100)


def _place(visit, action):
    box = _first_plot(visit).bounding_box()
    return box["x"] + float(action["x"]) * box["width"], box["y"] + float(action["y"]) * box["height"]


def _mark(visit, action):
    box = _first_plot(visit).locator(".dots path").nth(int(action["mark"])).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _first_plot(visit):
    """The picture, scrolled into the part of the window that nothing covers."""
    plot = visit.page.locator(".stage .plot").first
    plot.evaluate(
        """(plot) => { const guide = document.querySelector(".tasks"), box = plot.getBoundingClientRect();
        const top = getComputedStyle(guide).position === "sticky" ? guide.offsetHeight : 0;
        if (box.top < top || box.bottom > innerHeight) scrollBy(0, box.top - top - 8); }"""
    )
    return plot


def _click(visit, action):
    at = _mark(visit, action) if "mark" in action else _place(visit, action)
    covered = "([x, y]) => !document.elementFromPoint(x, y)?.closest('.plot')"
    assert not visit.page.evaluate(covered, at), f"the picture is covered at {at}"
    (visit.page.touchscreen.tap if is_touched(visit) else visit.page.mouse.click)(*at)
    visit.page.wait_for_timeout(400)


def _drag(visit, action):
    start, end = _mark(visit, action), _place(visit, action)
    way = [tuple(a + k / 6 * (b - a) for a, b in zip(start, end, strict=True)) for k in range(1, 7)]
    if is_touched(visit):
        _drag_finger(visit, start, way)
    else:
        visit.page.mouse.move(*start)
        visit.page.mouse.down()
        for place in way:
            visit.page.mouse.move(*place)
        visit.page.mouse.up()
    visit.page.wait_for_timeout(400)


def _drag_finger(visit, start, way):
    link = visit.context.new_cdp_session(visit.page)

    def send(kind, *places):
        points = [{"x": x, "y": y} for x, y in places]
        link.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    send("touchStart", start)
    for place in way:
        send("touchMove", place)
    send("touchEnd")
    link.detach()


ACTIONS = {"set": _set_control, "press": _press, "click": _click, "drag": _drag}
