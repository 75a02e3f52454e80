"""Where examples come from: random inputs, teachers and noise, clusters, the real sets by name."""

from markone import lazy_import

HOMES = {
    "Examples": "markone.data.teachers",
    "Mixture": "markone.data.clusters",
    "Table": "markone.data.table",
    "chunks": "markone.data.loading",
    "drifting_examples": "markone.data.teachers",
    "fetch_semeion": "markone.data.semeion",
    "find_semeion": "markone.data.semeion",
    "gaussian_mixture": "markone.data.clusters",
    "hubble": "markone.data.galaxies",
    "load": "markone.data.loading",
    "random_dichotomy": "markone.data.teachers",
    "teacher_examples": "markone.data.teachers",
    "two_classes": "markone.data.clusters",
}

__all__ = list(HOMES)
__getattr__, __dir__ = lazy_import.lazy_names(__name__, HOMES)
