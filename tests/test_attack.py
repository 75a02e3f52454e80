"""A small part of `make attack` with a fixed seed, and of the coverage of the intervals."""

import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def attack():
    sys.path.insert(0, str(REPOSITORY))
    yield lambda name: import_module(f"attack.{name}")
    sys.path.remove(str(REPOSITORY))
    for name in [name for name in sys.modules if name.split(".")[0] == "attack"]:
        del sys.modules[name]


@pytest.mark.parametrize(
    ("name", "cases"),
    [
        ("linear", 32),
        ("kernels", 64),
        ("soft", 64),
        ("leave_one_out", 12),
        ("least_squares", 64),
        ("theory", 34),
    ],
)
def test_nothing_proven_is_false(attack, name, cases):
    found = attack("__main__").run_attack(name, seed=1, cases=cases)
    assert found["good"] + found["undecided"] == cases, found
    assert found["undecided"] <= 0.03 * cases


def test_a_false_bound_is_noticed(attack):
    """The oracle itself: a bound moved by a part in a million is called false."""
    proofs = attack("proofs")
    X, S = np.random.default_rng(0).standard_normal((6, 2)), np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0])
    student = proofs.KernelAdaTron(gamma=1.0).fit(X, S)
    assert proofs._bounds_hold(student, X, S)
    lower, upper = student.stability_bounds_
    for bounds in ((lower * (1 + 1e-6), upper), (lower, upper * (1 - 1e-6))):
        student.stability_bounds_ = bounds
        assert not proofs._bounds_hold(student, X, S)


@pytest.mark.parametrize(
    "name",
    [
        "fraction .98 of 100 runs",
        "mean of 10 exponential values",
        "mean of 10 folds, P = 40, error .01",
        "F1, n = 200, 5 % in one class",
        "area under ROC .98, n = 100, 10 % in one class",
        "prediction, P = 6, N = 3",
    ],
)
def test_intervals_cover(attack, name):
    found = attack("coverage").simulate_coverage(name, 300, seed=1)
    # Three standard errors of 300 repeats below .93.
    assert found >= 0.93 - 3 * (0.93 * 0.07 / 300) ** 0.5


def test_the_table_of_the_page_names_every_interval(attack):
    coverage = attack("coverage")
    text = coverage.PAGE.read_text(encoding="utf-8")
    table = text.split(coverage.START)[1].split(coverage.END)[0]
    for name in coverage.ENTRIES:
        row = next(line for line in table.splitlines() if f"| {name} |" in line)
        assert 0.93 <= float(row.split("|")[2]) <= 1.0, row
