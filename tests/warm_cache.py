"""Compile the students before the workers of the tests start, each once: python -m tests.warm_cache."""

from tests import conftest  # noqa: F401 - sets the folder of compiled code of the tests

if __name__ == "__main__":
    from markone.run.precompile import precompile_students

    precompile_students(lambda done, total, label: None, workers=2)
