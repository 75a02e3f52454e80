"""Every model with every solver and every Phi: no worse than the class means it starts from."""

import pytest
from labelled import scaled
from sklearn.model_selection import StratifiedKFold, cross_val_score

from markone.lvq import GLVQ, GMLVQ, GRLVQ, LGMLVQ, KernelGLVQ, NearestPrototype, RelationalGLVQ
from markone.lvq.costs import phi_cost_names
from markone.lvq.costs.base import PHI
from markone.lvq.solvers import NAMES as SOLVERS


def means(X, y, cv):
    """The accuracy of nearest class means."""
    return cross_val_score(NearestPrototype(), X, y, cv=cv).mean()


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("phi", PHI)
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("model", [GLVQ, GRLVQ, GMLVQ, LGMLVQ])
@pytest.mark.parametrize("folds", [3, *(pytest.param(k, marks=pytest.mark.slow) for k in (2, 5))])
def test_solver_by_phi_by_model(model, solver, phi, folds):
    X, y = scaled("iris")
    scores = cross_val_score(model(phi=phi, solver=solver, random_state=0), X, y, cv=folds)
    assert scores.mean() >= means(X, y, folds), scores


def test_swish_with_local_matrices():
    """Too steep, where it is not monotonic, it had .76, .83 and .51."""
    X, y = scaled("iris")
    for folds in (2, 3, 5):
        model = LGMLVQ(phi="swish", solver="lbfgs", random_state=0)
        assert cross_val_score(model, X, y, cv=folds).mean() > 0.9


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("cost", phi_cost_names())
@pytest.mark.parametrize("phi", PHI)
@pytest.mark.parametrize("solver", SOLVERS)
def test_solver_by_phi_by_cost(solver, phi, cost):
    X, y = scaled("breast_cancer")
    model = GMLVQ(phi=phi, solver=solver, cost=cost, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.93
    assert model.trace_["cost"][-1] <= model.trace_["cost"][0]


@pytest.mark.parametrize("phi", PHI)
@pytest.mark.parametrize("model", [KernelGLVQ, RelationalGLVQ])
def test_phi_in_other_spaces(model, phi):
    X, y = scaled("iris")
    cut = StratifiedKFold(3, shuffle=True, random_state=0)
    assert cross_val_score(model(phi=phi), X, y, cv=cut).mean() >= means(X, y, cut)
