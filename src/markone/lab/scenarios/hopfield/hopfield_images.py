"""Handwritten digits in a Hopfield network: correlated patterns, which Hebb's rule mixes.

A repeat stores P images of the set, cycling through the classes, and starts from each of them with a fraction
`flipped` of the pixels inverted (Fig. 1.4).
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, Literal

import numpy as np
from pydantic import Field, field_validator

from markone.data import find_semeion, load
from markone.hopfield import Hopfield
from markone.lab.scenario import OVERLAP, SHARE, Picture, Scenario, Settings, each_repeat
from markone.numerics.arrays import Array

RULES = ["hebb", "pseudo_inverse", "optimal"]
SIDES = {"digits": 8, "semeion": 16}
# Pixels above this threshold are +1: grey values 0 .. 16 in scikit-learn's digits; semeion is binary.
INK = {"digits": 7.0, "semeion": 0.5}


class Parameters(Settings):
    """images: "digits" (8 x 8, scikit-learn's), "semeion" (16 x 16), or "handwritten": semeion if found."""

    images: Literal["handwritten", "digits", "semeion"] = Field("handwritten", validate_default=True)
    P: int = Field(10, ge=1, le=200)
    flipped: float = Field(0.1, ge=0, le=0.5)
    couplings: Literal["hebb", "pseudo_inverse", "optimal"] = "hebb"

    @field_validator("images")
    @classmethod
    def _resolve_images(cls, value: str) -> str:
        if value == "handwritten":
            return "semeion" if find_semeion() else "digits"
        return value


@cache
def _binary_images(name: str) -> tuple[Array, Array]:
    """All images as +-1, and their digits."""
    table = load(name)
    return np.where(np.asarray(table.X) > INK[name], 1, -1).astype(np.int8), np.asarray(table.y)


def draw_images(p: Parameters, seed: int, repeat: int) -> tuple[Array, Array, Hopfield]:
    """Draw stored images, noisy starts, and an untrained network."""
    X, y = _binary_images(p.images)
    rng = np.random.default_rng([seed, repeat, p.P])
    order = rng.permutation(len(X))
    # One image of each class, then the next one of each, and so on.
    rank = np.empty(len(X), dtype=int)
    for digit in np.unique(y):
        members = np.flatnonzero(y[order] == digit)
        rank[members] = np.arange(len(members))
    chosen = order[np.lexsort((y[order], rank))][: p.P]
    xi = X[chosen]
    starts = np.where(rng.random(xi.shape) < p.flipped, -xi, xi)
    return xi, starts, Hopfield(couplings=p.couplings, random_state=int(rng.integers(2**31)))


def _recall_images(p: Parameters, seed: int, repeat: int) -> list[float]:
    xi, starts, network = draw_images(p, seed, repeat)
    recall = network.fit(xi).recall(starts)
    m = (recall.states * xi).mean(axis=1, dtype=np.float64)
    return [float(m.mean()), float((m == 1).mean()), float((recall.index == np.arange(len(xi))).mean())]


def cost(p: Parameters) -> float:
    """Cost of the couplings, and of a few sweeps from each of the P starts."""
    P, N = p.P, SIDES[p.images] ** 2
    learning = {"hebb": P * N, "pseudo_inverse": P * N * (P + N), "optimal": 60 * P * N * N}[p.couplings]
    return float(learning + P * N * (N + 300))


def draw(figure: Any, points: Sequence[Any], seed: int) -> None:
    """Draw a row per rule: stored image, start and recalled state of three images."""
    points = sorted(points, key=lambda point: RULES.index(point.parameters["couplings"]))
    axes = figure.subplots(len(points), 9, squeeze=False)
    for k, point in enumerate(points):
        p = Parameters.model_validate(point.parameters)
        xi, starts, network = draw_images(p, seed, 0)
        ends = network.fit(xi).recall(starts).states
        for j, ax in enumerate(axes[k]):
            S = (xi, starts, ends)[j % 3][(j // 3) % len(xi)]
            side = round(len(S) ** 0.5)
            ax.imshow(S.reshape(side, side), cmap="Greys", vmin=-1, vmax=1, interpolation="nearest")
            ax.set(xticks=[], yticks=[], title=("stored", "start", "end")[j % 3] if k == 0 else "")
            ax.spines[:].set(visible=True, color="0.7")
        axes[k, 0].set_ylabel(f"{p.couplings.replace('_', '-')}\nP = {p.P}", fontsize="small")


SCENARIO = Scenario(
    name="hopfield_images",
    version=1,
    parameters=Parameters,
    measures={
        "overlap": "overlap of the final state with the stored image, mean over the P starts",
        "recalled": "fraction of images restored in every pixel",
        "own": "fraction of starts whose final state is nearest to the correct image",
    },
    cost=cost,
    run=each_repeat(_recall_images),
    ranges=dict.fromkeys(("recalled", "own"), SHARE) | {"overlap": OVERLAP},
    pictures={"images": Picture("Stored, start and end", draw, (7.0, 2.8))},
)
