"""markone: a laboratory for learning from examples."""

from markone import hopfield, lvq, machines, networks, perceptron
from markone.numerics import lazily

__version__ = "0.1.0"
# The students of all rooms; functions stay in theirs, except the question everybody asks first.
ROOMS = perceptron.HOMES | machines.HOMES | hopfield.HOMES | lvq.HOMES | networks.HOMES
HOMES = {name: home for name, home in ROOMS.items() if name[0].isupper() or name == "separability"}
__all__ = [*HOMES, "__version__"]
__getattr__ = lazily.names(__name__, HOMES)


def __dir__() -> list[str]:
    return __all__
