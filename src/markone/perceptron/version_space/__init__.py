"""All perceptrons that agree with the examples: sampled uniformly, measured, cut by new ones   (3.4)."""

from markone import lazy_import

HOMES = {
    "Cut": "markone.perceptron.version_space.space",
    "Sample": "markone.perceptron.version_space.sampled_space",
    "VersionSpace": "markone.perceptron.version_space.space",
    "Volume": "markone.perceptron.version_space.space",
    "draw_circle": "markone.perceptron.version_space.pictures",
    "draw_geometry": "markone.perceptron.version_space.sphere",
    "draw_sphere": "markone.perceptron.version_space.sphere",
    "draw_student_and_teacher": "markone.perceptron.version_space.pictures",
}

__all__ = list(HOMES)
__getattr__, __dir__ = lazy_import.lazy_names(__name__, HOMES)
