"""Relevances of the features with their bootstrap intervals, the most relevant on top."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from markone.lvq.displays.style import COLOURS, axes_and_figure
from markone.lvq.inspect.relevance import RelevanceIntervals, relevance_intervals


@dataclass
class RelevanceDisplay:
    """Relevances of the features with their intervals, the largest first.

    `RelevanceDisplay.from_estimator` plots those of an unfitted model.

    Parameters
    ----------
    intervals : RelevanceIntervals
        What `relevance_intervals` returns.

    Examples
    --------
    >>> from markone import GRLVQ
    >>> from markone.data import load
    >>> from markone.lvq import relevance_intervals
    >>> from markone.lvq.displays import RelevanceDisplay
    >>> iris = load("iris")
    >>> found = relevance_intervals(GRLVQ(max_iter=5), iris.X, iris.y, n=3, random_state=0)
    >>> RelevanceDisplay(found).plot().ax_.get_xlabel()
    'relevance (bar: all data; line: 95 % of the bootstrap)'
    """

    intervals: RelevanceIntervals

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        n: int = 200,
        level: float = 0.95,
        random_state: Any = None,
        ax: Any = None,
        **kwargs: Any,
    ) -> "RelevanceDisplay":
        """Fit the estimator n + 1 times (bootstrap) and plot."""
        found = relevance_intervals(estimator, X, y, n=n, level=level, random_state=random_state)
        return cls(found).plot(ax=ax, **kwargs)

    def plot(self, *, ax: Any = None, most: int = 20) -> "RelevanceDisplay":
        """Plot at most `most` features."""
        self.ax_, self.figure_ = axes_and_figure(ax)
        rows = self.intervals.ranked()[:most][::-1]
        places = np.arange(len(rows))
        value, low, high = (np.array([row[k] for row in rows]) for k in (1, 2, 3))
        self.ax_.barh(places, value, color=COLOURS[5], height=0.65)
        self.ax_.hlines(places, low, high, color="k", lw=1.2)
        self.ax_.plot(low, places, "k|", high, places, "k|")
        self.ax_.set_yticks(places, [row[0] for row in rows])
        share = f"{100 * self.intervals.level:g} %"
        self.ax_.set(xlabel=f"relevance (bar: all data; line: {share} of the bootstrap)")
        self.ax_.set_xlim(left=0)
        return self
