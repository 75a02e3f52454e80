"""Displays of trained students, and animations of their training histories."""

from markone import lazy_import

HOMES = {
    "Animation": "markone.show.player.animation",
    "ConvergenceDisplay": "markone.show.displays.convergence",
    "EigenvectorDisplay": "markone.show.displays.eigenvectors",
    "FeatureSpaceDisplay": "markone.show.displays.feature_space",
    "History": "markone.base.history",
    "LearningCurveDisplay": "markone.show.displays.learning_curve",
    "NetworkDisplay": "markone.show.displays.network",
    "PerceptronDisplay": "markone.show.displays.perceptron",
    "RecallDisplay": "markone.show.displays.recall",
    "SphereDisplay": "markone.show.displays.sphere",
    "StabilityDisplay": "markone.show.displays.stability",
    "animate": "markone.show.player.animation",
    "growth_history": "markone.show.histories",
    "history_of": "markone.show.histories",
    "recall_history": "markone.show.histories",
}

__all__ = list(HOMES)
__getattr__, __dir__ = lazy_import.lazy_names(__name__, HOMES)
