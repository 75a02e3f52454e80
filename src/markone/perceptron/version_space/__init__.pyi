# Written by `python -m markone.base.stubs` from HOMES in __init__.py; not by hand.

from markone.perceptron.version_space.pictures import draw_circle as draw_circle
from markone.perceptron.version_space.pictures import draw_student_and_teacher as draw_student_and_teacher
from markone.perceptron.version_space.sampled_space import Sample as Sample
from markone.perceptron.version_space.space import Cut as Cut
from markone.perceptron.version_space.space import VersionSpace as VersionSpace
from markone.perceptron.version_space.space import Volume as Volume
from markone.perceptron.version_space.sphere import draw_geometry as draw_geometry
from markone.perceptron.version_space.sphere import draw_sphere as draw_sphere

HOMES: dict[str, str]
__all__: list[str]
