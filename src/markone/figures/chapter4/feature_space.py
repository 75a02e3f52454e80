"""Fig. 4.4: Dietrich's example, Psi = (x1^2, sqrt(2) x1 x2, x2) and the plane across (1, 1, -1)."""

from typing import Any

import numpy as np

from markone.show import FeatureSpaceDisplay
from markone.show.displays.feature_space import dietrich_map

NUMBER, TITLE, SIZE = "4.4", "Not separable in the plane, separable in feature space", (1.0, 0.36)
SHOWS = (
    "$\\xi_1$",
    "$\\Psi_1$",
    "$\\Psi_3$",
)


def draw(figure: Any) -> None:
    X = np.random.default_rng(1).uniform([-1.5, -1.0], [1.0, 2.0], (260, 2))
    f = dietrich_map(X) @ [1.0, 1.0, -1.0]
    clear = np.abs(f) > 0.25
    FeatureSpaceDisplay.from_map(dietrich_map, [1.0, 1.0, -1.0], X[clear], np.sign(f[clear]), figure=figure)
