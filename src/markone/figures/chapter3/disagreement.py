"""Fig. 3.5: where student and teacher disagree."""

from typing import Any

from markone.perceptron.version_space import draw_student_and_teacher

NUMBER, TITLE, SIZE = "3.5", "Generalization error: the angle between student and teacher", (0.5, 1.0)
SHOWS = ("w", "w*")


def draw(figure: Any) -> None:
    draw_student_and_teacher([0.55, 1.0], [-0.15, 1.0], ax=figure.subplots())
