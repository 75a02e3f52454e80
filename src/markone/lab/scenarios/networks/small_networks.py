"""A student network learns from a teacher network: soft committees of erf units (1.14), gradient descent.

The teacher has M hidden units with orthogonal weights of length one, so that its potentials are of order one
for standard normal inputs; the student has K. The generalization error is exact: for Gaussian inputs it is a
sum of arcsines of the overlaps (Saad and Solla 1995).
"""

import numpy as np
from pydantic import Field, model_validator
from scipy.special import erf
from threadpoolctl import threadpool_limits

from markone.lab.scenario import Mark, Scenario, Settings, number_of_examples
from markone.networks import FeedForwardRegressor
from markone.numerics.arrays import Array


class Parameters(Settings):
    """P = round(alpha K N): alpha is the number of examples per weight of the student."""

    N: int = Field(20, ge=2)
    M: int = Field(2, ge=1)
    K: int = Field(ge=1)
    alpha: float = Field(gt=0)
    noise: float = Field(0.0, ge=0)
    ridge: float = Field(1e-6, ge=0)
    max_iter: int = Field(500, ge=1)

    @property
    def P(self) -> int:
        return number_of_examples(self.alpha, self.K * self.N)

    @model_validator(mode="after")
    def _check_teacher_size(self) -> "Parameters":
        if self.M > self.N:
            raise ValueError(f"M = {self.M} orthogonal weights do not fit into N = {self.N} dimensions.")
        return self


def committee_error(w: Array, B: Array) -> float:
    """(1/2) <(sum_k g(w_k.xi) - sum_m g(B_m.xi))^2>, g = erf(x/sqrt 2), xi normal, in closed form."""
    both = np.vstack([w, B])
    sign = np.concatenate([np.ones(len(w)), -np.ones(len(B))])
    overlaps = both @ both.T
    length = np.sqrt(1.0 + np.diag(overlaps))
    return float(sign @ np.arcsin(overlaps / np.outer(length, length)) @ sign / np.pi)


def _train_student(p: Parameters, seed: int, repeat: int) -> tuple[float, float, float]:
    rng = np.random.default_rng([seed, repeat, p.N, p.M, p.K, p.P])
    B = np.linalg.qr(rng.normal(size=(p.N, p.M)))[0].T
    X = rng.normal(size=(p.P, p.N))
    y = erf(X @ B.T / np.sqrt(2)).sum(axis=1) + p.noise * rng.normal(size=p.P)
    student = FeedForwardRegressor(
        K=p.K,
        activation="erf",
        architecture="soft_committee",
        fit_intercept=False,
        ridge=p.ridge,
        max_iter=p.max_iter,
        random_state=int(rng.integers(2**31)),
    )
    # The measure `iterations` shows which fits did not converge. `warnings.catch_warnings` would act on the
    # whole process, and other threads may be training.
    student.__dict__["_warn"] = lambda message: None
    student.fit(X, y)
    training = 0.5 * float(np.mean((student.predict(X) - y) ** 2))
    return committee_error(student.w_, B), training, float(student.n_iter_)


def run(p: Parameters, seed: int, start: int, stop: int) -> list[tuple[float, float, float]]:
    with threadpool_limits(1):
        return [_train_student(p, seed, repeat) for repeat in range(start, stop)]


def cost(p: Parameters) -> float:
    return 200.0 * p.P * p.K * (p.N + 20)


SCENARIO = Scenario(
    name="small_networks",
    version=1,
    parameters=Parameters,
    measures={
        "epsilon_g": "half the mean squared difference from the noise-free teacher, averaged over all inputs",
        "epsilon_t": "half the mean squared difference from the targets of the training set",
        "iterations": "iterations of L-BFGS",
    },
    cost=cost,
    run=run,
    marks={"one_per_weight": Mark("as many examples as weights", lambda parameters: 1.0)},
)
