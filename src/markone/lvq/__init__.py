"""Learning vector quantisation: nearest prototype classifiers."""

from markone import lazy_import

HOMES = {
    "GLVQ": "markone.lvq.models.glvq",
    "GMLVQ": "markone.lvq.models.glvq",
    "GRLVQ": "markone.lvq.models.glvq",
    "KernelGLVQ": "markone.lvq.models.kernel_glvq",
    "LGMLVQ": "markone.lvq.models.glvq",
    "LMRSLVQ": "markone.lvq.models.rslvq",
    "LVQ1": "markone.lvq.models.lvq1",
    "LVQ21": "markone.lvq.models.lvq1",
    "LVQ3": "markone.lvq.models.lvq1",
    "LinearScorer": "markone.lvq.inspect.units",
    "MRSLVQ": "markone.lvq.models.rslvq",
    "MatrixLVQ1": "markone.lvq.models.lvq1",
    "NearestNeighbours": "markone.lvq.models.nearest_neighbours",
    "NearestPrototype": "markone.lvq.models.nearest_neighbours",
    "OLVQ1": "markone.lvq.models.lvq1",
    "RSLVQ": "markone.lvq.models.rslvq",
    "OriginalUnits": "markone.lvq.inspect.units",
    "Rejecting": "markone.lvq.inspect.rejection",
    "RelationalGLVQ": "markone.lvq.models.relational_glvq",
    "RelevanceIntervals": "markone.lvq.inspect.relevance",
    "Robustness": "markone.lvq.inspect.borders",
    "accuracy_reject_curve": "markone.lvq.inspect.rejection",
    "certainty": "markone.lvq.inspect.rejection",
    "condensed_subset": "markone.lvq.models.nearest_neighbours",
    "grow_prototypes": "markone.lvq.inspect.prototype_number",
    "in_original_units": "markone.lvq.inspect.units",
    "linear_scorer": "markone.lvq.inspect.units",
    "prune_prototypes": "markone.lvq.inspect.prototype_number",
    "relevance_intervals": "markone.lvq.inspect.relevance",
    "relevance_p_values": "markone.lvq.inspect.relevance",
    "robustness": "markone.lvq.inspect.borders",
}

__all__ = list(HOMES)
__getattr__, __dir__ = lazy_import.lazy_names(__name__, HOMES)
