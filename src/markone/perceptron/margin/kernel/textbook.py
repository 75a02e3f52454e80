"""The textbook kernel AdaTron: one example at a time on the full matrix Gamma   (4.26), (4.6)."""

import numpy as np

from markone.numerics._random import ORDERS
from markone.numerics.arrays import Array
from markone.perceptron.base._loops import ExampleOrder, LoopSettings
from markone.perceptron.base.problem import GRAM_LIMIT_BYTES
from markone.perceptron.base.recorder import FeatureSpaceRecorder, bind_log
from markone.perceptron.margin.kernel.kernel_certificate import certify_kernel_optimum
from markone.perceptron.margin.kernel.mercer import Kernel
from markone.perceptron.margin.kernel.optimum import FeatureSpaceOptimum, evaluate_student
from markone.perceptron.students._adatron import adatron_x

BETWEEN_CERTIFICATES = 10


def train_textbook(
    kernel: Kernel,
    S: Array,
    C: Array,
    tol: float,
    max_epochs: int,
    order: str,
    seed: int,
    recorder: FeatureSpaceRecorder | None,
) -> FeatureSpaceOptimum:
    """Run epochs until the relative gap is at most tol."""
    P = kernel.P
    if 8 * P**2 > GRAM_LIMIT_BYTES:
        raise ValueError(f"solver='sequential' keeps all {P} x {P} kernels; use solver='fast'.")
    G = np.ascontiguousarray(S[:, None] * kernel.rows(np.arange(P)) * S)
    x, E, epochs = np.zeros(P), np.zeros(P), 0
    turns = ExampleOrder(ORDERS[order], np.arange(P), np.array([seed], dtype=np.uint64))
    learn = bind_log(adatron_x, recorder)
    if recorder:
        recorder.G = G
    best = evaluate_student(x, E, C, epochs, tol)
    while epochs < max_epochs and best.gap > tol:
        few = min(BETWEEN_CERTIFICATES, max_epochs - epochs)
        learn(G, x, E, LoopSettings(1.0, 0.0, C, -1.0), few, turns)
        epochs += few
        E = G @ x
        best = evaluate_student(x, E, C, epochs, tol)
    return certify_kernel_optimum(kernel, S, C, best, tol, careful=False)
