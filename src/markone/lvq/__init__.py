"""Nearest prototypes: learning vector quantisation."""

from markone.numerics import lazily

HOMES = {
    "GLVQ": "markone.lvq.glvq",
    "GMLVQ": "markone.lvq.gmlvq",
    "GRLVQ": "markone.lvq.grlvq",
    "LGMLVQ": "markone.lvq.lgmlvq",
    "MRSLVQ": "markone.lvq.mrslvq",
    "RSLVQ": "markone.lvq.rslvq",
    "grown": "markone.lvq.growing",
    "pruned": "markone.lvq.growing",
}

__all__ = list(HOMES)
__getattr__ = lazily.names(__name__, HOMES)


def __dir__() -> list[str]:
    return __all__
