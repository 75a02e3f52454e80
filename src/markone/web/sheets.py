"""Lessons on paper: a sheet of questions with space for answers, and one with the solutions."""

from html import escape
from pathlib import Path

from markone.web.lesson_files import Lesson, load_lessons
from markone.web.plane.examples import load_plane_examples
from markone.web.screens import find_screen

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>
<style>body {{ font: 12pt/1.45 Georgia, serif; max-width: 44em; margin: 2em auto; padding: 0 1em; }}
section {{ break-inside: avoid; margin-bottom: 2.2em; }} h2 {{ margin-bottom: .2em; }} svg {{ width: 20em; }}
.space {{ height: 4.5em; border-bottom: 1px dotted #888; }} .right {{ font-weight: bold; }}</style>
<h1>{title}</h1>
{lessons}
</html>
"""


def write_sheets(folder: Path, lessons: Path | None = None) -> None:
    """Write questions.html and solutions.html, to be printed by a browser."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, solved in (("questions", False), ("solutions", True)):
        parts = [_lesson_section(lesson, solved) for lesson in load_lessons(lessons).values()]
        text = PAGE.format(title=name.capitalize(), lessons="\n".join(parts))
        (folder / f"{name}.html").write_text(text, encoding="utf-8")


def _lesson_section(lesson: Lesson, solved: bool) -> str:
    parts = [f"<h2>{escape(lesson.title)}</h2><p>{escape(lesson.text)}</p>", _plane_picture(lesson)]
    if lesson.predict:
        asked = lesson.predict
        right = [' class="right"' if solved and k == asked.answer else "" for k in range(len(asked.options))]
        options = [f"<li{x}>☐ {escape(one)}</li>" for x, one in zip(right, asked.options, strict=True)]
        parts.append(f"<p>{escape(asked.question)}</p><ul>{''.join(options)}</ul>")
        parts.append(f"<p>{escape(asked.because)}</p>" if solved else "")
    space = "" if solved else '<div class="space"></div>'
    parts.append("<ol>" + "".join(f"<li>{escape(task.say)}{space}</li>" for task in lesson.task) + "</ol>")
    if solved:
        steps = [step for task in lesson.task for step in task.steps]
        parts.append(f"<p>Solved, for example, by these steps: {escape('; '.join(steps))}.</p>")
    return f"<section>{''.join(parts)}</section>"


def _plane_picture(lesson: Lesson) -> str:
    """The examples of a lesson on the plane, to draw a line between them."""
    if lesson.screen != "plane":
        return ""
    state = find_screen("plane").state(**lesson.state)
    data = load_plane_examples(state.preset, state.P, state.seed, state.points)  # type: ignore[attr-defined]
    (left, right), (low, high) = data.domain
    shape = {
        1.0: '<circle cx="{x:.3f}" cy="{y:.3f}" r=".08" fill="none" stroke="#000" stroke-width=".03"/>',
        -1.0: '<rect x="{x:.3f}" y="{y:.3f}" width=".13" height=".13"/>',
    }
    marks = "".join(shape[S].format(x=x, y=-y) for x, y, S in data.rows())
    window = f"{left} {-high} {right - left} {high - low}"
    return f'<svg viewBox="{window}" role="img" aria-label="The examples">{marks}</svg>'
