"""Version space: the students consistent with all examples, on the circle and on the sphere."""

from typing import Any, Literal

import numpy as np

from markone.numerics.arrays import Array
from markone.perceptron import AdaTron, VersionSpace
from markone.web.screens.base import Frames, Screen, State, make_control, seed_control

MOST = 12
SAMPLES = 300


class Version(State):
    dimension: Literal[2, 3] = make_control(3)
    P: int = make_control(3, ge=0, le=MOST, step=1)
    seed: int = seed_control()
    telling: bool = make_control(False)
    students: int = make_control(120, ge=0, le=SAMPLES, step=20)
    show_teacher: bool = make_control(True)
    around: float = make_control(0.0, ge=-180, le=180, step=1, when={"dimension": [3]})
    above: float = make_control(15.0, ge=-90, le=90, step=1, when={"dimension": [3]})


def _draw_version_examples(state: Version) -> tuple[Array, Array, Array]:
    """Return w*, P + 1 inputs and their labels; the last input is not learned, only cut."""
    rng = np.random.default_rng(state.seed)
    w_star = rng.standard_normal(state.dimension)
    w_star /= np.linalg.norm(w_star)
    xi = np.empty((0, state.dimension))
    for _ in range(state.P + 1):
        xi = np.vstack([xi, _draw_next_input(state, rng, w_star, xi)])
    return w_star, xi, np.where(xi @ w_star >= 0, 1.0, -1.0)


def _draw_next_input(state: Version, rng: Any, w_star: Array, xi: Array) -> Array:
    candidates = rng.standard_normal((20, state.dimension))
    if not state.telling or not len(xi):
        return np.asarray(candidates[0])
    S = np.where(xi @ w_star >= 0, 1.0, -1.0)
    cuts = VersionSpace(xi, S).cut(candidates, 100, seed=state.seed)
    return np.asarray(candidates[int(np.argmax([cut.information for cut in cuts]))])


def frames(state: Version) -> Frames:
    w_star, xi, S = _draw_version_examples(state)
    known, labels = xi[: state.P], S[: state.P]
    yield {"teacher": w_star.tolist(), "xi": xi.tolist(), "S": labels.tolist()}
    found: dict[str, Any] = {"students": [], "centre": None, "best": None, "cut": None, "volume": []}
    if not state.P:
        found["cut"] = {"informative": True, "share": 0.5, "information": float(np.log(2))}
        yield found | {"volume": [[0, 0.0]], "last": True}
        return
    space = VersionSpace(known, labels)
    sample = space.sample(max(state.students, 40), seed=state.seed)
    found["students"] = sample.students[: state.students].tolist()
    found["centre"] = _unit_vector(sample.centre)
    found["best"] = _unit_vector(_fit_most_stable(known, labels))
    found["errors"] = {"gibbs": sample.gibbs_error, "bayes": sample.bayes_error}
    yield found
    cut = space.cut(xi[state.P :], 200, seed=state.seed)[0]
    found["cut"] = {"informative": cut.informative, "share": cut.share, "information": cut.information}
    yield found
    volume = space.shrink(400, seed=state.seed)
    yield found | {"volume": [[k, float(v)] for k, v in enumerate(volume)], "last": True}


def _fit_most_stable(xi: Array, S: Array) -> Array:
    """Return the weights of optimal stability. Each example is added with opposite signs, for both labels."""
    both = AdaTron(fit_intercept=False, random_state=0).fit(np.vstack([xi, -xi]), np.r_[S, -S])
    return np.asarray(both.coef_[0])


def _unit_vector(w: Array) -> list[float]:
    unit: list[float] = (np.asarray(w) / np.linalg.norm(w)).tolist()
    return unit


def python(state: Version) -> str:
    w_star, xi, S = _draw_version_examples(state)
    if not state.P:
        comment = "# No examples yet: version space is the whole sphere."
        return f"{comment}\nw_star = {w_star.tolist()}\nprint(w_star)\n"
    return f"""# Version space, as plain Python.
import numpy as np

from markone import AdaTron, VersionSpace

xi = np.array({xi[: state.P].tolist()})
S = np.array({S[: state.P].tolist()})
new = np.array({xi[state.P :].tolist()})

space = VersionSpace(xi, S)
sample = space.sample({max(state.students, 40)}, seed={state.seed})
best = AdaTron(fit_intercept=False, random_state=0).fit(np.vstack([xi, -xi]), np.r_[S, -S]).coef_[0]
print("centre of mass ", sample.centre / np.linalg.norm(sample.centre))
print("most stable    ", best / np.linalg.norm(best))
print("errors         ", sample.gibbs_error, sample.bayes_error)
print("next example   ", space.cut(new, 200, seed={state.seed})[0])
print("ln of volume   ", space.shrink(400, seed={state.seed}))
"""


SCREEN = Screen(
    name="version",
    title="Version space",
    state=Version,
    frames=frames,
    python=python,
    warm=({"dimension": 2, "P": 2}, {"dimension": 3, "P": 2, "telling": True}),
)
