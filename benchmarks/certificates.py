"""Cost of proofs: the share of verification in a fit, in CPU time; `ours` is the proof, the peer the fit."""

import time
import warnings
from collections.abc import Callable, Iterator

import numpy as np

from benchmarks.timing import Row, row_of_pairs
from markone.data import random_dichotomy, teacher_examples
from markone.perceptron.margin import Quadratic, solve_margin_problem
from markone.perceptron.separable import margin_certificates
from markone.perceptron.separable._decide import decide_separable
from markone.perceptron.separable._scales import largest_magnitude
from markone.perceptron.separable.rows import Rows, lifting_power
from markone.perceptron.separable.verdict import prove_verdict

ROUNDS = 9
# Goal: a proof below a tenth of the fit.
SHARE = 10


def process_seconds(function: Callable[[], object]) -> float:
    """Return CPU seconds of this process, not disturbed by other work on the machine."""
    start = time.process_time()
    function()
    return time.process_time() - start


def compare_proof_with_fit(
    name: str, solve: Callable[[], object], prove: Callable[[object], object], target: float
) -> Row:
    """Solve and prove alternately; the ratio of the row is (solve + prove) / prove."""
    times = []
    for _ in range(ROUNDS + 1):
        found: list[object] = []
        solving = process_seconds(lambda found=found: found.append(solve()))
        times.append((process_seconds(lambda found=found: prove(found[0])), solving))
    proof, fit = np.array(times[1:]).T
    note = f"{100 * float(np.median(proof / (proof + fit))):.1f} % of the fit"
    return row_of_pairs(name, proof, "the fit", proof + fit, target, note)


def compare_adatron_proof(name: str, noise: float, gamma: float, target: float) -> Row:
    xi, S, _ = teacher_examples(1000, 200, noise=noise, seed=0)
    problem = Quadratic(xi, S, np.full(len(S), gamma))

    def prove(found: object) -> object:
        hard = problem.hard
        return (
            margin_certificates.certify_hard_margin(problem, found, 1e-6, True)
            if hard
            else margin_certificates.certify_soft_margin(problem, found, 1e-6)
        )

    return compare_proof_with_fit(name, lambda: solve_margin_problem(xi, S, gamma), prove, target)


def compare_separability_proof(N: int, target: float) -> Row:
    """Random labels at P = 2N: half of the sets are separable.

    Every candidate is proven by `prove_verdict`; `separability` has a shorter proof of most balances, so the
    share is an upper bound.
    """
    sets = [random_dichotomy(2 * N, N, seed)[:2] for seed in range(10)]
    Z = [xi * S[:, None] for xi, S in sets]

    def prove(found: list) -> None:
        for rows, (w, x) in zip(Z, found, strict=True):
            prove_verdict(
                Rows(rows, np.ones(len(rows)), lifting_power(largest_magnitude(rows.ravel()))), w, x
            )

    def solve() -> list:
        found = [(np.empty(N), np.empty(2 * N)) for _ in Z]
        for rows, (w, x) in zip(Z, found, strict=True):
            decide_separable(rows, w, x, 1e-9, 500)
        return found

    return compare_proof_with_fit(f"proof of separability N={N} P={2 * N}", solve, prove, target)


def compare() -> Iterator[Row]:
    warnings.simplefilter("ignore")
    yield compare_adatron_proof("proof of AdaTron hard P=1000 N=200", 0.0, np.inf, SHARE)
    yield compare_adatron_proof("proof of AdaTron soft P=1000 N=200", 0.1, 0.1 * 200, SHARE)
    yield compare_adatron_proof("proof of not separable P=1000 N=200", 0.1, np.inf, 1)
    for N in (20, 100):
        yield compare_separability_proof(N, 1)
