"""Result of the solver in feature space, and its message."""

from dataclasses import dataclass

import numpy as np

from markone.perceptron.margin.kernel._working_set import student_relative_gap

# Relative gap that rounding leaves.
EXACT = 1e-11


@dataclass
class FeatureSpaceOptimum:
    """Embedding strengths x, E = S (K @ (S x)) of (4.25), and their proven bounds.

    `lower` <= kappa_max <= `upper`, proven, with |W| = sqrt(x.E). `gap` is 1 - lower / upper for the hard
    margin and (primal - dual) / primal with finite C, rounded up. `status` is 'exact' (a gap <= 1e-11 as
    measured, to the rounding of the kernel), 'converged' (gap <= tol), 'not_separable', 'undecided' or
    'max_epochs'. `proof` belongs to 'not_separable': x >= 0, sum x = 1, and an exact neighbour has
    sum x S Psi = 0, while `x` is the best student found. `W`: with a linear kernel, the weights in the input
    space, that of the constant last. `message` continues a sentence that begins with the student's name.
    `fresh`: E was computed from this x as a whole, not updated. `b`: a free threshold, part of E.
    """

    x: np.ndarray
    E: np.ndarray
    lower: float
    upper: float
    gap: float
    n_epochs: int
    n_newton: int
    status: str
    message: str
    proof: np.ndarray | None = None
    W: np.ndarray | None = None
    fresh: bool = False
    b: float = 0.0


def evaluate_student(
    x: np.ndarray, E: np.ndarray, C: np.ndarray, epochs: int, tol: float
) -> FeatureSpaceOptimum:
    """Bounds on kappa_max and relative gap of any x >= 0 with its E."""
    W, total, hard = float(np.sqrt(max(x @ E, 0.0))), float(x.sum()), bool(np.isinf(C).all())
    lower = float(E.min()) / W if W > 0 else -np.inf
    upper = W / total if total > 0 else np.inf
    gap = float(student_relative_gap(x, E, C)) if total > 0 else np.inf
    status = "max_epochs" if gap > tol else "exact" if gap <= EXACT else "converged"
    message = status_message(status, gap, epochs, lower, upper, hard, tol)
    return FeatureSpaceOptimum(x.copy(), E.copy(), lower, upper, gap, epochs, 0, status, message)


def status_message(
    status: str,
    gap: float,
    epochs: int,
    lower: float,
    upper: float,
    hard: bool,
    tol: float,
    out_of_reach: bool = False,
) -> str:
    """Message of a result; out_of_reach: floats cannot represent a better student than the solver found."""
    if status == "not_separable":
        return (
            "found that the examples are not separable in feature space: sum x S Psi = 0 for an x >= 0, "
            f"which is proven. The best student found has kappa = {lower:.3g}. Set C to allow errors."
        )
    if status == "undecided":
        return (
            f"could not decide whether the examples are separable in feature space: {lower:.3g} <= "
            f"kappa_max <= {upper:.3g} is proven, and the rounding of the kernel hides the rest. Set C to "
            "allow errors, or scale the inputs."
        )
    if status == "max_epochs" and out_of_reach:
        first = "found that the examples are separable in feature space, and " if hard and lower <= 0 else ""
        return (
            f"{first}proved {lower:.3g} <= kappa_max <= {upper:.3g}, a relative gap of {gap:.3g}: floats "
            "cannot represent a better student of these inputs. Scale or centre them, or lower C."
        )
    if status == "max_epochs":
        advice = "The data may not be separable. Set C to allow errors." if hard and lower <= 0 else ""
        return (
            f"stopped after {epochs} epochs with a relative gap of {gap:.3g} > tol = {tol:g}: "
            f"{lower:.6g} <= kappa_max <= {upper:.6g}. {advice or 'Raise max_iter or tol.'}"
        )
    return f"reached a relative gap of {gap:.3g} after {epochs} epochs."
