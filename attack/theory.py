"""The theory engine in random corners: a root that a finer quadrature confirms, or NaN with a reason."""

import time
import warnings
from collections.abc import Iterator
from typing import Any
from unittest import mock

import numpy as np

from markone import theory
from markone.perceptron.theory.engine import solve
from markone.perceptron.theory.engine.equations import NOT_FOUND
from markone.perceptron.theory.engine.roots import find_checked_roots

N = 40
# Seconds of processor time of one point, largest residual.
LONGEST, RESIDUAL = 5.0, 1e-9
# Nodes of the quadrature that confirms a root: of all worlds, and of four classes (three dimensions).
FINE, FINE_IN_SPACE = 90, 60
MARGIN = ["logistic", "hinge", "squared_hinge", "exponential", "square", "max(0,1-E)**3", "exp(-E)+0.1*E*E"]
MARGIN += ["max(0,1-E)**2/2+max(0,-E)", "max(1-E, 0.1*(1-E))+0.05*E*E"]
RESIDUAL_LOSSES = [
    "square",
    "absolute",
    "log(cosh(u))",
    "sqrt(1+u*u)-1",
    "huber({0:.4g})",
    "quantile({1:.3f})",
]
TEACHERS = ["sign", "probit({0:.3g})", "logistic({0:.3g})", "threshold({2:.2f})", "flips({1:.2f}, 0.05)"]
FAMILIES = {
    "labels": 0.5,
    "values": 0.22,
    "clouds": 0.13,
    "clusters": 0.08,
    "classes": 0.03,
    "features": 0.04,
}


def draw_corner(rng: np.random.Generator) -> dict[str, Any]:
    """Arguments of theory.solve: alpha 1e-3 to 1e4, l2 1e-6 to 1e6 or 0, strengths up to 1e3."""
    scale, level, threshold = 10 ** rng.uniform(-3, 3), rng.uniform(0.02, 0.45), rng.uniform(-3, 3)
    arguments: dict[str, Any] = {"alpha": 10 ** rng.uniform(-3, 4), "intercept": bool(rng.random() < 0.3)}
    penalty = {"l2": 0.0 if rng.random() < 0.12 else 10 ** rng.uniform(-6, 6)}
    family = str(rng.choice([*FAMILIES], p=[*FAMILIES.values()]))
    if family == "values":
        text = str(rng.choice(RESIDUAL_LOSSES)).format(scale, level)
        arguments |= {"loss": text, "teacher": "linear", "noise": rng.choice([0.0, 10 ** rng.uniform(-4, 2)])}
    else:
        strong = [
            f"{scale:.3g}*max(0,1-E)",
            f"max(0,{scale:.3g}-E)",
            f"log(1+exp({min(scale, 100):.3g}*(0.5-E)))",
        ]
        arguments |= {"loss": str(rng.choice([*MARGIN, *strong])), "noise": rng.choice([0.0, level])}
        arguments["teacher"] = str(rng.choice(TEACHERS)).format(scale, level, threshold)
    law = rng.choice(["plain", "covariance", "l1", "diagonal"], p=[0.6, 0.2, 0.15, 0.05])
    if family == "clouds":
        arguments |= {"inputs": theory.TwoGaussians(scale, level), "noise": 0.0}
    elif family == "clusters":
        means = rng.normal(size=(3, N)) * scale / np.sqrt(N)
        spreads = 10 ** rng.uniform(-2, 2, (3, N))
        arguments |= {"inputs": theory.Clusters(means, spreads, [0.2, 0.3, 0.5], [1, -1, 1]), "noise": 0.0}
    elif family == "classes":
        arguments |= {
            "inputs": theory.Classes(int(rng.integers(2, 5)), scale),
            "loss": "softmax",
            "noise": 0.0,
        }
    elif family == "features":
        ratio = 10 ** rng.uniform(-1.5, 1.5)
        arguments["inputs"] = theory.RandomFeatures(str(rng.choice(["tanh", "erf", "relu", "sign"])), ratio)
    elif law == "l1":
        penalty["l1"] = 10 ** rng.uniform(-4, 2)
        arguments["prior"] = str(rng.choice(["gauss", "sparse(0.1)", "sparse(0.01)", "binary"]))
    elif law != "plain":
        e = np.arange(1, N + 1.0) ** -rng.uniform(0, 3) * 10 ** rng.uniform(-2, 2)
        arguments["inputs"] = theory.Covariance(e, rng.normal(size=N), rng.choice([0, 0.2, 0.9]))
        if law == "diagonal":
            penalty["l1"] = 10 ** rng.uniform(-4, 2)
    return arguments | {"penalty": penalty}


def judge_corner(arguments: dict[str, Any]) -> str:
    """ "good", "undecided" where no root was found, or what is wrong."""
    roots: list[Any] = []

    def find_roots(equations: Any, args: Any) -> Any:
        roots.append((equations, args, find_checked_roots(equations, args)))
        return roots[-1][2]

    with warnings.catch_warnings(), mock.patch.object(solve, "find_checked_roots", find_roots):
        warnings.simplefilter("error")
        start = time.process_time()
        try:
            c = theory.solve(**arguments)
        except Warning as warning:
            return f"warning: {warning}"
        spent = time.process_time() - start
    if bool(c.ok) != (str(c.reason) == ""):
        return "neither root nor reason"
    if any(np.isfinite(getattr(c, name)) != bool(c.ok) for name in ("q", "V", "norm", "loss")):
        return "a value is missing"
    shares = (float(getattr(c, name)) for name in ("epsilon_g", "epsilon_t", "support", "nonzero"))
    if any(not np.isnan(value) and not -1e-9 <= value <= 1 + 1e-9 for value in shares):
        return "a share is not between 0 and 1"
    residual = max((_largest_residual(*one) for one in roots), default=0.0)
    if not residual < RESIDUAL:
        return f"residual {residual:.1e}"
    if spent > LONGEST:
        return f"{spent:.1f} s"
    return "undecided" if str(c.reason) == NOT_FOUND else "good"


def _largest_residual(equations: Any, args: Any, found: Any) -> float:
    """At the roots, by a finer quadrature than that of the solver."""
    ok = np.isfinite(found[0][0])
    if not ok.any():
        return 0.0
    nodes = FINE_IN_SPACE if equations.most_nodes < 30 else FINE
    with np.errstate(all="ignore"):
        values = equations.log_residuals(found[0][:, ok], *(a[ok] for a in args), n=nodes)
    return float(np.abs(values).max())


def attack_theory(seed: int, number: int) -> Iterator[str]:
    """One outcome for each corner: good, undecided or false."""
    rng = np.random.default_rng(seed)
    for _ in range(number):
        outcome = judge_corner(draw_corner(rng))
        yield outcome if outcome in ("good", "undecided") else "false"
