"""Plots of prototype classifiers with scikit-learn's interface: from_estimator(...), plot(ax=...)."""

from markone import lazy_import

HOMES = {
    "AccuracyRejectDisplay": "markone.lvq.displays.metric",
    "CellsDisplay": "markone.lvq.displays.plane",
    "MetricDisplay": "markone.lvq.displays.metric",
    "ProjectionDisplay": "markone.lvq.displays.plane",
    "RelevanceDisplay": "markone.lvq.displays.metric",
    "TrainingDisplay": "markone.lvq.displays.metric",
}

__all__ = list(HOMES)
__getattr__, __dir__ = lazy_import.lazy_names(__name__, HOMES)
