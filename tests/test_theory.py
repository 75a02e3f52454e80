import subprocess
import sys

import numpy as np
import pytest

from markone import theory
from markone.perceptron.theory import hebb, max_stability


def test_names_are_unique_and_described():
    curves = theory.list()
    assert len({c.name for c in curves}) == len(curves)
    for c in curves:
        assert all((c.title, c.quantity, c.valid, c.reference, c.variable)), c.name


@pytest.mark.parametrize("name", [c.name for c in theory.list()])
def test_every_curve_can_be_drawn(name):
    curve = theory.curve(name)
    grids = {"alpha": np.linspace(0.1, 1.9, 5), "P": np.arange(5, 25, 5), "K": np.arange(1, 6)}
    x = grids.get(curve.variable, np.linspace(0.05, 0.4, 5))
    if curve.valid.startswith("0 <= alpha <= 0.13"):
        x = np.linspace(0.0, 0.13, 5)
    given = {"N": 10, "alpha": 0.1, "eta": 0.5}
    values = curve(x, **{name: given[name] for name in curve.needs})
    assert values.shape == x.shape
    assert np.isfinite(values).all()
    assert curve.function.__doc__


def test_a_curve_is_its_function():
    assert theory.curve("max_stability").function is max_stability.generalization_error
    assert theory.curve("hebb")(2.0, noise=0.1) == hebb.generalization_error(2.0, 0.1)


def test_unknown_names_get_help():
    with pytest.raises(ValueError, match=r"There is no curve 'maxstability'\. Did you mean max_stability"):
        theory.curve("maxstability")
    with pytest.raises(ValueError, match=r"See theory\.list"):
        theory.curve("???")


def test_the_list_is_a_copy():
    theory.list().clear()
    assert theory.list()


def test_import_is_cheap():
    """No compiler, no plotting, no optimiser; the curves' own modules only when one is called."""
    code = (
        "import sys; from markone import theory; print('markone.perceptron.theory' in sys.modules); "
        "theory.curve('logistic')(1.0); "
        "print(sorted({'numba', 'matplotlib', 'sklearn', 'scipy.optimize'} & set(sys.modules)))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.split("\n")[:2] == ["False", "[]"]
