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


def answer_prediction(visit):
    visit.page.locator(".predict button").first.click()
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
        number.fill(action["value"])
        number.press("Tab")
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
        control.get_by_role("switch").set_checked(action["value"] == "true")
    else:
        wanted = set(action["value"].split(", "))
        # The last choice cannot be removed: those to be added come first.
        order = sorted(boxes.all(), key=lambda box: box.get_attribute("value") not in wanted)
        for box in order:
            if box.is_checked() != (box.get_attribute("value") in wanted):
                box.click()


def _press(visit, action):
    button = visit.page.locator(".stage").get_by_role("button", name=action["label"], exact=True)
    if action["label"] == "Run":
        speed = visit.page.get_by_role("combobox", name="Speed")
        speed.select_option(index=speed.locator("option").count() - 1)
    for _ in range(int(action.get("times", 1))):
        button.click()
    if action["label"] == "Run":
        visit.until(PAUSED, 100)


def _place(visit, action):
    box = visit.page.locator(".stage .plot").first.bounding_box()
    return box["x"] + float(action["x"]) * box["width"], box["y"] + float(action["y"]) * box["height"]


def _mark(visit, action):
    marks = visit.page.locator(".stage .plot").first.locator(".dots path")
    box = marks.nth(int(action["mark"])).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _click(visit, action):
    visit.page.locator(".stage .plot").first.scroll_into_view_if_needed()
    at = _mark(visit, action) if "mark" in action else _place(visit, action)
    touch = visit.page.evaluate("() => navigator.maxTouchPoints > 0")
    (visit.page.touchscreen.tap if touch else visit.page.mouse.click)(*at)
    visit.page.wait_for_timeout(400)


def _drag(visit, action):
    visit.page.locator(".stage .plot").first.scroll_into_view_if_needed()
    mouse = visit.page.mouse
    mouse.move(*_mark(visit, action))
    mouse.down()
    mouse.move(*_place(visit, action), steps=6)
    mouse.up()
    visit.page.wait_for_timeout(400)


ACTIONS = {"set": _set_control, "press": _press, "click": _click, "drag": _drag}
