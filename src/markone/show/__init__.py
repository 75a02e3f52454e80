"""Displays of trained students, and animations of their training histories."""

from markone import lazy_import

HOMES = {
    "Animation": "markone.show.player.animation",
    "ConvergenceDisplay": "markone.show.displays.curves",
    "FeatureSpaceDisplay": "markone.show.displays.spaces",
    "History": "markone.base.history",
    "LearningCurveDisplay": "markone.show.displays.curves",
    "NetworkDisplay": "markone.show.displays.networks",
    "PerceptronDisplay": "markone.show.displays.perceptron",
    "RecallDisplay": "markone.show.displays.networks",
    "SphereDisplay": "markone.show.displays.spaces",
    "StabilityDisplay": "markone.show.displays.stability",
    "animate": "markone.show.player.animation",
    "growth_history": "markone.show.histories",
    "history_of": "markone.show.histories",
    "plane": "markone.web.notebook",
    "recall_history": "markone.show.histories",
}

__all__ = list(HOMES)
__getattr__, __dir__ = lazy_import.lazy_names(__name__, HOMES)
