"""Declarations and points with generated data of known statistics."""

from dataclasses import dataclass, field
from itertools import product
from types import SimpleNamespace

import numpy as np
from scipy.stats import binom

from markone.lab.scenario import Theory

SIZES, ALPHAS = [10, 20, 40], [0.5, 1.0, 1.5, 2.0, 2.5, 3.0]


@dataclass
class Declaration:
    name: str = "capacity"
    title: str = "How many random labels can a perceptron store?"
    scenario: str = "made_up"
    seed: int = 1
    repeats: int = 200
    grid: dict = field(default_factory=lambda: {"N": SIZES, "alpha": ALPHAS})
    fixed: dict = field(default_factory=lambda: {"sweeps": 100})
    figures: list = field(default_factory=list)
    tables: list = field(default_factory=list)
    claims: list = field(default_factory=list)
    read_first: str | None = None
    precision: float | None = None
    precision_of: str | None = None
    theories: dict = field(default_factory=lambda: {"cover": COVER, "kappa": KAPPA, "silent": SILENT})

    pictures: dict = field(default_factory=dict)
    marks: dict = field(default_factory=dict)

    def points(self):
        return [dict(zip(self.grid, values, strict=True)) for values in product(*self.grid.values())]

    @property
    def scenario_object(self):
        measures = {"converged": "Rosenblatt stopped", "separable": "a solution exists", "kappa": "stability"}
        parts = {"theories": self.theories, "pictures": self.pictures, "marks": self.marks}
        return SimpleNamespace(**parts, measures=measures, depends_on=None, remark=None)


@dataclass
class Point:
    parameters: dict
    values: dict
    repeats: int = 0
    seconds: float = 1.0
    failures: list = field(default_factory=list)

    def __post_init__(self):
        self.repeats = self.repeats or max((len(v) for v in self.values.values()), default=0)


def figure(name="capacity", x="alpha", lines=("N",), measures=("separable",), theory=("cover",), **more):
    filled = {
        "xlabel": "alpha = P/N",
        "ylabel": "fraction",
        "kind": None,
        "logx": False,
        "logy": False,
    } | more
    return SimpleNamespace(
        name=name, x=x, lines=list(lines), measures=list(measures), theory=list(theory), **filled
    )


def claim(text="It is so.", measure="separable", where=None, **expect):
    return SimpleNamespace(text=text, measure=measure, where=where or {}, expect=expect)


def cover(parameters):
    """Fraction of separable labelings of P = alpha N inputs (Cover's count)."""
    P, N = round(parameters["alpha"] * parameters["N"]), parameters["N"]
    return float(binom.cdf(N - 1, P - 1, 0.5))


COVER = Theory("Cover", "separable", cover)
KAPPA = Theory("limit of large N", "kappa", lambda parameters: 1 / parameters["alpha"])
SILENT = Theory("none here", "kappa", lambda parameters: np.nan)


def made_up(declaration, b=0.0, offset=0.0, noise=0.1, seed=0):
    """kappa = 1/alpha + offset + b/N + noise; separable with Cover's probability; 10 % of runs give up."""
    rng = np.random.default_rng(seed)
    points = []
    for parameters in declaration.points():
        n, N, alpha = declaration.repeats, parameters["N"], parameters["alpha"]
        separable = (rng.random(n) < cover(parameters)).astype(float)
        converged = separable * (rng.random(n) < 0.9)
        kappa = 1 / alpha + offset + b / N + noise * rng.standard_normal(n)
        values = {"separable": separable, "converged": converged, "kappa": kappa}
        points.append(Point(parameters, values))
    return points
