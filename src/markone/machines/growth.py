"""Tiling-like learning: a parity machine grows until it makes no error   (4.9), (Biehl and Opper 1991).

Each new unit is trained to output -1 exactly where the machine so far is wrong. If the student does not
reduce the errors, a grandmother unit corrects at least one example, so P units are always enough for
distinct inputs. (4.9) calls Q_m the number of errors and uses it as the number of correct outputs; here it
is the number of errors.

The grandmother unit (4.10-4.14): output -1 for one example and its wrong neighbours, +1 for all others.

It guarantees that a grown parity machine loses at least one error with each unit. The notes need inputs of
equal length, Gamma = |xi|^2; for others the unit gets |xi|^2/2 as an additional input, with which distinct
vectors are vertices of a convex body again. (4.12) must be read as delta < Gamma - max xi . xi'.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import config_context
from sklearn.base import clone

from markone.machines._units import largest_family
from markone.machines.joint_training import TrainedMachine
from markone.machines.units import Layer
from markone.numerics.arrays import Array
from markone.numerics.text import to_python_scalar
from markone.perceptron.students.adatron import AdaTron
from markone.perceptron.students.pocket import Pocket

# Pocket evaluates P examples at each of P updates of an epoch: this limits the operations per unit.
WORK = 5e7
# Relative difference of projections below which they count as equal because of rounding.
TIE = 1e-12
# Only the errors matter: a smaller duality gap takes 1.5 times as long and saves no unit.
DUALITY_GAP = 1e-3
LEAST_EPOCHS, MOST_EPOCHS = 20, 1000
# Relative tolerance of equal lengths; a relative gap in (4.12) below GAP may be lost by rounding w . xi.
EQUAL = 1e-12
GAP = 1e-9
GROWTH = np.dtype([("unit", int), ("kind", "U11"), ("errors", int), ("validation_errors", float)])


class SweptAdaTron(AdaTron):
    """AdaTron by sweeps only, up to the given gap."""

    _sweeps_only = True


def _candidate_students(P: int, seed: int, scale: float) -> list[Any]:
    """The default students: Pocket, which minimises errors, and soft-margin AdaTrons."""
    epochs = int(np.clip(WORK / P**2, LEAST_EPOCHS, MOST_EPOCHS))
    how: dict[str, Any] = {"intercept_scaling": scale, "random_state": seed}
    soft = how | {"exact": False, "tol": DUALITY_GAP}
    return [
        Pocket(max_iter=epochs, **how),
        SweptAdaTron(C=1.0, **soft),
        # The wrong examples are few: balanced weights give both classes the same influence.
        SweptAdaTron(C=1.0, class_weight="balanced", **soft),
    ]


def _train_hidden_unit(student: Any, X: Array, labels: Array, scale: float) -> Layer:
    """Train the student as a hidden unit, without convergence warnings."""
    # Not `warnings.catch_warnings`, which affects the whole process: other threads may train, too.
    vars(student)["_warn"] = lambda outcomes: None
    student.fit(X, labels)
    if not hasattr(student, "coef_"):
        raise ValueError(
            f"The student {type(student).__name__} has no weights in input space (coef_), so it cannot be a "
            "hidden unit. Choose one of markone.perceptron without a kernel."
        )
    found = Layer.of_perceptrons(
        np.asarray(student.coef_, float), -np.asarray(student.intercept_, float), scale
    )
    return _shift_threshold(found, X, labels)


def _shift_threshold(found: Layer, X: Array, labels: Array) -> Layer:
    """Replace the threshold by the one with the fewest errors, if it has fewer.

    Half-way between two projections; this also moves examples off the plane itself, where rounding
    would decide.
    """
    projections = found.first_projections(X)
    order = np.argsort(projections, kind="stable")
    t, S = projections[order], labels[order]
    # errors[i]: sigma = -1 for the i smallest projections, +1 for the others
    errors = np.sum(S < 0) + np.append(0, np.cumsum(S))
    apart = np.append(np.inf, np.append(np.diff(t), np.inf)) > TIE * np.abs(t).max(initial=0.0)
    best = int(np.argmin(np.where(apart, errors, len(S) + 1)))
    if errors[best] >= np.sum(found.hidden(X)[:, 0] != labels):
        return found
    edges = np.concatenate([[t[0] - 1.0], 0.5 * (t[1:] + t[:-1]), [t[-1] + 1.0]])
    return Layer.of_perceptrons(found.weights, edges[best : best + 1], found.scale)


def _best_unit(student: Any, X: Array, labels: Array, seed: int, scale: float) -> Layer:
    """The unit with the fewest errors on labels = +-1; the most stable one if there are none."""
    if student is not None:
        student = clone(student)
        if student.get_params().get("random_state", seed) is None:
            student.set_params(random_state=seed)
        return _train_hidden_unit(student, X, labels, scale)
    # X was validated before; validation takes longer than a small fit.
    with config_context(assume_finite=True, skip_parameter_validation=True):
        candidates = _candidate_students(len(X), seed, scale)
        units = [_train_hidden_unit(each, X, labels, scale) for each in candidates]
        errors = [np.sum(each.hidden(X)[:, 0] != labels) for each in units]
        best = units[int(np.argmin(errors))]
        if min(errors) > 0:
            return best
        stable = _train_hidden_unit(AdaTron(intercept_scaling=scale, random_state=seed), X, labels, scale)
        return stable if np.all(stable.hidden(X)[:, 0] == labels) else best


def grandmother_unit(X: Array, wrong: Array, scale: float = 1.0) -> Layer | None:
    """One unit with sigma = -1 on as many wrong examples as one sphere can contain, and on no correct one.

    None if every wrong example coincides with a correct one.
    """
    X = np.ascontiguousarray(X, dtype=np.float64)
    mu, members, inside, outside = largest_family(X, np.asarray(wrong, dtype=bool))
    if members == 0:
        return None
    if not np.isfinite(outside):
        return _constant_unit(X.shape[1], -1, scale)
    centre = X[mu][None, :]
    # |xi - xi'|^2 = 2 (Gamma - xi . xi'): delta half-way between the members and the others.
    delta = 0.25 * (inside + outside)
    Gamma = (X**2).sum(axis=1)
    if np.ptp(Gamma) <= EQUAL * Gamma[mu] and outside - inside > GAP * Gamma[mu]:
        return Layer.of_perceptrons(-centre, np.array([delta - Gamma[mu]]), scale)
    radius = 0.5 * (np.sqrt(inside) + np.sqrt(outside))
    theta = 0.5 * (radius**2 - Gamma[mu])
    return Layer(-centre, np.array([theta]), np.array([radius]), scale)


def _constant_unit(N: int, sigma: int, scale: float = 1.0) -> Layer:
    """A unit with the same output for all inputs."""
    return Layer.of_perceptrons(np.zeros((1, N)), np.array([-float(sigma)]), scale)


@dataclass(frozen=True)
class GrowthOptions:
    """Options of growth, which stops at zero errors, `most` units or `patience` units without improvement."""

    student: Any
    most: int | None
    patience: int
    scale: float


@dataclass
class AnsweredExamples:
    """A set of examples and the outputs of the machine so far; without units +1."""

    X: Array
    S: Array

    def __post_init__(self) -> None:
        self.answer = np.ones(len(self.S))

    @property
    def is_wrong(self) -> NDArray[np.bool_]:
        return np.asarray(self.answer != self.S)

    def answers_with_unit(self, unit: Layer) -> Array:
        return self.answer * unit.hidden(self.X)[:, 0]


def grow_machine(
    learned: AnsweredExamples, held_out: AnsweredExamples | None, options: GrowthOptions, seed: int
) -> TrainedMachine:
    """Add units; with examples held out, keep the number of units with the fewest errors on them."""
    rng = np.random.RandomState(seed)
    layer, growth, waiting = Layer.without_units(learned.X.shape[1], options.scale), [], 0
    best, kept = np.inf, 0
    most = len(learned.S) if options.most is None else options.most
    while (learned.is_wrong.any() or not len(layer)) and len(layer) < most and waiting < options.patience:
        kind, unit = train_next_unit(learned, options, int(rng.randint(2**31 - 1)))
        if unit is None and len(layer):
            break
        unit = _constant_unit(learned.X.shape[1], 1, options.scale) if unit is None else unit
        layer, learned.answer = layer + unit, learned.answers_with_unit(unit)
        score = float(learned.is_wrong.sum())
        if held_out is not None:
            held_out.answer = held_out.answers_with_unit(unit)
            score = float(held_out.is_wrong.sum())
        better = score < best
        best, kept, waiting = (score, len(layer), 0) if better else (best, kept, waiting + 1)
        growth.append((len(layer), kind, learned.is_wrong.sum(), score if held_out is not None else np.nan))
    left = growth[kept - 1][2]
    message = ""
    if left and options.most is None and held_out is None:
        message = (
            f"stopped with {left} examples wrong that rounding does not separate from others of the other "
            "class. Scale X to values of about one, or give n_units or validation_fraction to accept the "
            "errors."
        )
    return TrainedMachine(layer.first_units(kept), len(growth), 0, left == 0, message, [], growth)


def train_next_unit(part: AnsweredExamples, options: GrowthOptions, seed: int) -> tuple[str, Layer | None]:
    """The student's unit if it leaves fewer errors, else a grandmother unit; None if neither helps."""
    wrong = part.is_wrong
    if wrong.all() or not wrong.any():
        return "constant", _constant_unit(part.X.shape[1], -1 if wrong.all() else 1, options.scale)
    labels = np.where(wrong, -1, 1)
    unit = _best_unit(options.student, part.X, labels, seed, options.scale)
    if np.sum(part.answers_with_unit(unit) != part.S) < wrong.sum():
        return "student", unit
    return "grandmother", grandmother_unit(part.X, wrong, options.scale)


def refuse_contradictions(X: Array, y: Array) -> None:
    """Raise ValueError for equal inputs with different labels, with their row numbers."""
    # -0.0 and 0.0 are the same input.
    _, place = np.unique(X + 0.0, axis=0, return_inverse=True)
    order = np.argsort(place.ravel(), kind="stable")
    same = np.diff(place.ravel()[order]) == 0
    clash = np.flatnonzero(same & (y[order][1:] != y[order][:-1]))
    if len(clash):
        a, b = order[clash[0]], order[clash[0] + 1]
        raise ValueError(
            f"Rows {a} and {b} of X are equal, but their labels are "
            f"{to_python_scalar(y[a])!r} and {to_python_scalar(y[b])!r} "
            f"({len(clash)} such pairs): no machine can reproduce both. Give n_units or "
            "validation_fraction to accept errors."
        )
