"""Where examples come from."""

from markone.data.teachers import Examples, random_dichotomy, teacher_examples

__all__ = ["Examples", "random_dichotomy", "teacher_examples"]
