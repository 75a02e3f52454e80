"""Nearest prototypes: learning vector quantisation."""

from markone.numerics import lazily

HOMES = {
    "GLVQ": "markone.lvq.glvq",
    "GMLVQ": "markone.lvq.gmlvq",
    "GRLVQ": "markone.lvq.grlvq",
    "KernelGLVQ": "markone.lvq.kernel_glvq",
    "LGMLVQ": "markone.lvq.lgmlvq",
    "LVQ1": "markone.lvq.lvq1",
    "LVQ21": "markone.lvq.lvq21",
    "LVQ3": "markone.lvq.lvq3",
    "LinearScorer": "markone.lvq.scorer",
    "MRSLVQ": "markone.lvq.mrslvq",
    "MatrixLVQ1": "markone.lvq.matrix_lvq1",
    "NearestPrototype": "markone.lvq.nearest_prototype",
    "OLVQ1": "markone.lvq.olvq1",
    "RSLVQ": "markone.lvq.rslvq",
    "OriginalUnits": "markone.lvq.units",
    "Rejecting": "markone.lvq.reject",
    "RelationalGLVQ": "markone.lvq.relational_glvq",
    "RelevanceIntervals": "markone.lvq.relevance",
    "Robustness": "markone.lvq.radius",
    "accuracy_reject_curve": "markone.lvq.reject",
    "certainty": "markone.lvq.reject",
    "grown": "markone.lvq.growing",
    "in_original_units": "markone.lvq.units",
    "linear_scorer": "markone.lvq.scorer",
    "pruned": "markone.lvq.growing",
    "relevance_intervals": "markone.lvq.relevance",
    "robustness": "markone.lvq.radius",
}

__all__ = list(HOMES)
__getattr__ = lazily.names(__name__, HOMES)


def __dir__() -> list[str]:
    return __all__
