"""Judging: the decision threshold, bias and variance, and cross-validation."""

from typing import Any, Literal

import numpy as np
from sklearn.metrics import confusion_matrix, precision_recall_curve
from sklearn.model_selection import StratifiedKFold, cross_val_score

from markone.data import gaussian_mixture
from markone.evaluation import polynomial_errors, polynomial_fits, roc, scores
from markone.numerics.arrays import Array
from markone.perceptron import AdaTron
from markone.web.plane.examples import load_plane_examples
from markone.web.screens.base import Frames, Screen, State, make_control, read_choices, seed_control

WHAT = read_choices("judging", "what")
THRESHOLD, POLYNOMIALS, FOLDS = ({"what": [name]} for name in WHAT)
POINTS = 11


class Judging(State):
    what: Literal["threshold", "polynomials", "folds"] = make_control("threshold", choices=WHAT)
    threshold: float = make_control(0.0, ge=-4, le=4, step=0.05, when=THRESHOLD)
    distance: float = make_control(1.5, ge=0, le=4, step=0.1, when=THRESHOLD)
    share: float = make_control(0.3, ge=0.02, le=0.98, step=0.02, when=THRESHOLD)
    P: int = make_control(400, ge=20, le=2000, step=20, when=THRESHOLD)
    degree: int = make_control(3, ge=0, le=9, step=1, when=POLYNOMIALS)
    rho: float = make_control(0.2, ge=0.02, le=1, step=0.02, when=POLYNOMIALS)
    sets: int = make_control(12, ge=2, le=40, step=1, when=POLYNOMIALS)
    k: int = make_control(5, ge=2, le=20, step=1, when=FOLDS)
    size: int = make_control(60, ge=20, le=200, step=10, when=FOLDS)
    repeats: int = make_control(40, ge=2, le=100, step=1, when=FOLDS)
    seed: int = seed_control()


def frames(state: Judging) -> Frames:
    if state.what == "threshold":
        yield _threshold_frame(state) | {"last": True}
    elif state.what == "polynomials":
        yield _polynomials_frame(state) | {"last": True}
    else:
        yield from _folds_frames(state)


def _draw_scores(state: Judging) -> tuple[Array, Array]:
    """Return scores g of P examples and their labels: two Gaussians whose means are `distance` apart."""
    half = state.distance / 2
    found = gaussian_mixture(
        state.P, [[-half], [half]], 1.0, [1 - state.share, state.share], labels=[-1, 1], seed=state.seed
    )
    if len(np.unique(found.y)) < 2:
        raise ValueError("All examples are of one class: raise their number, or the share of the rare class.")
    return found.X[:, 0], found.y


def _threshold_frame(state: Judging) -> dict[str, Any]:
    g, y = _draw_scores(state)
    answers = np.where(g >= state.threshold, 1, -1)
    curve = roc(y, g)
    precision, recall, _ = precision_recall_curve(y == 1, g)
    edges = np.linspace(-5, 5, 41)
    counts = [np.histogram(g[y == label], edges)[0].tolist() for label in (-1, 1)]
    table = scores(y, answers, g - state.threshold, positive=1, seed=0)
    return {
        "edges": edges.tolist(),
        "counts": counts,
        "confusion": confusion_matrix(y, answers, labels=[-1, 1]).tolist(),
        "roc": np.column_stack([curve.fpr, curve.tpr]).tolist(),
        "area": curve.area,
        "at": list(curve.at(state.threshold)),
        "pr": np.column_stack([recall, precision]).tolist(),
        "measures": [[row.measure, row.value, row.low, row.high] for row in table.rows],
    }


def _polynomials_frame(state: Judging) -> dict[str, Any]:
    fits = polynomial_fits(degrees=(state.degree,), sets=state.sets, P=POINTS, rho=state.rho, seed=state.seed)
    errors = polynomial_errors(degrees=range(10), P=POINTS, rho=state.rho)
    return {
        "x": fits.x[::4].tolist(),
        "truth": fits.truth[::4].tolist(),
        "fits": fits.fits[:, 0, ::4].tolist(),
        "points": np.column_stack([fits.points, fits.targets[0]]).tolist(),
        "degrees": list(errors.degrees),
        "training": errors.training.tolist(),
        "test": errors.test.tolist(),
        "bias2": errors.bias2.tolist(),
        "variance": errors.variance.tolist(),
    }


def _folds_frames(state: Judging) -> Frames:
    data = load_plane_examples("noisy", state.size, state.seed, None)
    if state.k > min(int((data.S > 0).sum()), int((data.S < 0).sum())):
        raise ValueError(
            f"{state.k} folds need as many examples of each class: take fewer folds or more examples."
        )
    first = np.zeros(data.P, dtype=int)
    for number, (_, test) in enumerate(_make_folds(state, 0).split(data.X, data.S)):
        first[test] = number
    yield {"points": data.rows(), "fold": first.tolist(), "domain": data.domain, "means": [], "folds": []}
    means: list[float] = []
    folds: list[float] = []
    for repeat in range(state.repeats):
        values = cross_val_score(
            AdaTron(C=1.0, random_state=0), data.X, data.S, cv=_make_folds(state, repeat)
        )
        means.append(float(1 - values.mean()))
        folds += (1 - values).tolist()
        if repeat % 2 or repeat == state.repeats - 1:
            yield {"means": means, "folds": folds, "last": repeat == state.repeats - 1}


def _make_folds(state: Judging, repeat: int) -> StratifiedKFold:
    return StratifiedKFold(state.k, shuffle=True, random_state=1000 * state.seed + repeat)


def _threshold_code(state: Judging) -> str:
    g, y = _draw_scores(state)
    return f"""# A threshold, as plain Python.
import numpy as np
from sklearn.metrics import confusion_matrix

from markone.evaluation import roc, scores

g = np.array({g.tolist()})
y = np.array({y.tolist()})
answers = np.where(g >= {state.threshold!r}, 1, -1)
print(confusion_matrix(y, answers, labels=[-1, 1]))
print("area under ROC:", roc(y, g).area)
print(scores(y, answers, g - {state.threshold!r}, positive=1, seed=0))
"""


def python(state: Judging) -> str:
    if state.what == "threshold":
        return _threshold_code(state)
    if state.what == "polynomials":
        return f"""# Bias and variance, as plain Python.
from markone.evaluation import polynomial_errors, polynomial_fits

common = {{"P": {POINTS}, "rho": {state.rho!r}}}
fits = polynomial_fits(degrees=({state.degree},), sets={state.sets}, seed={state.seed}, **common)
errors = polynomial_errors(degrees=range(10), **common)
print(fits.fits.shape)
for degree in errors.degrees:
    print(degree, errors.training[degree], errors.test[degree], errors.bias2[degree], errors.variance[degree])
"""
    data = load_plane_examples("noisy", state.size, state.seed, None)
    return f"""# Repeated cross-validation, as plain Python.
import numpy as np
from sklearn.model_selection import StratifiedKFold, cross_val_score

from markone import AdaTron

X = np.array({data.X.tolist()})
S = np.array({data.S.tolist()})
means = []
for repeat in range({state.repeats}):
    cut = StratifiedKFold({state.k}, shuffle=True, random_state={1000 * state.seed} + repeat)
    means.append(1 - cross_val_score(AdaTron(C=1.0, random_state=0), X, S, cv=cut).mean())
print(np.mean(means), np.std(means))
"""


SCREEN = Screen(
    name="judging",
    title="Judging",
    state=Judging,
    frames=frames,
    python=python,
    warm=({"P": 40}, {"what": "polynomials"}, {"what": "folds", "repeats": 2}),
)
