"""markone: a laboratory for learning from examples."""

from markone import lazy_import
from markone.base import registry

__version__ = "0.1.0"
HOMES = registry.public_names()
__all__ = [*HOMES, "__version__"]
__getattr__, __dir__ = lazy_import.lazy_names(__name__, HOMES, __all__)
