"""Phi increases: its slope is positive on the range of every cost, a decreasing Phi is refused."""

import mpmath
import numpy as np
import pytest

from markone.lvq import GLVQ, GMLVQ, KernelGLVQ, RelationalGLVQ, costs
from markone.lvq.costs.base import PHI, SWISH_TURNS, USUAL_GAMMA, checked_steepness, swish_phi


@pytest.mark.parametrize("reach", [1.0, 2.0])
@pytest.mark.parametrize("phi", PHI)
def test_every_phi_rises_at_its_usual_steepness(phi, reach):
    e = np.linspace(-reach, reach, 2001)
    value, slope = PHI[phi](e, checked_steepness(phi, None, reach))
    assert (slope > 0).all()
    assert (np.diff(value) > 0).all()


def test_every_phi_has_a_usual_steepness():
    assert USUAL_GAMMA.keys() == PHI.keys()
    assert checked_steepness("sigmoid", None) == checked_steepness("soft+", None) == 10.0
    assert checked_steepness("sigmoid", 300.0) == 300.0


def test_where_swish_turns():
    """d/du (u / (1 + exp(-u))) = 0 to 30 digits."""
    mpmath.mp.dps = 30
    turn = mpmath.findroot(lambda u: mpmath.diff(lambda v: v / (1 + mpmath.exp(-v)), u), -1.2)
    assert pytest.approx(-SWISH_TURNS, rel=1e-15) == float(turn)
    assert swish_phi(np.array([-1.0]), SWISH_TURNS)[1][0] == pytest.approx(0, abs=1e-15)
    assert swish_phi(np.array([-1.0]), 1.001 * SWISH_TURNS)[1][0] < 0


def test_a_swish_that_falls_is_refused():
    assert checked_steepness("swish", SWISH_TURNS) == SWISH_TURNS
    with pytest.raises(
        ValueError, match=r"gamma=10 decreases where it must increase, below -0.128 of -1 .. 1. Take"
    ):
        costs.cost_class("glvq")(phi="swish", gamma=10.0)
    # The scores of two examples differ by up to 2.
    with pytest.raises(ValueError, match=r"of -2 .. 2. Take gamma up to 0.639"):
        costs.cost_class("auc")(phi="swish", gamma=1.0)
    X, y = np.arange(8.0).reshape(4, 2), [0, 0, 1, 1]
    for model in (GLVQ(phi="swish", gamma=2.0), GMLVQ(cost="auc", phi="swish", gamma=0.7)):
        with pytest.raises(ValueError, match="decreases where it must increase"):
            model.fit(X, y)
    for model in (KernelGLVQ(phi="swish", steepness=2.0), RelationalGLVQ(phi="swish", steepness=2.0)):
        with pytest.raises(ValueError, match="decreases where it must increase"):
            model.fit(X, y)
