"""markone: a laboratory for learning from examples."""

from markone.base import registry
from markone.numerics import lazy_import

__version__ = "0.1.0"
HOMES = registry.public_names()
__all__ = [*HOMES, "__version__"]
__getattr__ = lazy_import.lazy_names(__name__, HOMES)


def __dir__() -> list[str]:
    return __all__
