"""markone: a laboratory for learning from examples."""

from markone.numerics import lazily
from markone.perceptron import HOMES

__version__ = "0.1.0"
__all__ = [*HOMES, "__version__"]
__getattr__ = lazily.names(__name__, HOMES)


def __dir__() -> list[str]:
    return __all__
