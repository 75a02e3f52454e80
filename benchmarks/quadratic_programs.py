"""Quadratic-programming solvers on (3.52): minimise w^2 / 2 subject to S xi . w >= 1, to 1e-10."""

from collections.abc import Callable

import numpy as np

Solver = Callable[[], np.ndarray]


def piqp(xi: np.ndarray, S: np.ndarray) -> Solver:
    import piqp

    P, N = xi.shape
    G, eye = np.asfortranarray(S[:, None] * xi), np.asfortranarray(np.eye(N))

    def solve() -> np.ndarray:
        solver = piqp.DenseSolver()
        solver.settings.eps_abs = solver.settings.eps_rel = 1e-10
        solver.setup(eye, np.zeros(N), None, None, G, np.ones(P), np.full(P, np.inf))
        solver.solve()
        return solver.result.x

    return solve


def daqp(xi: np.ndarray, S: np.ndarray) -> Solver:
    import daqp

    P, N = xi.shape
    Z, eye, zero, one = S[:, None] * xi, np.eye(N), np.zeros(N), np.ones(P)
    settings = {"primal_tol": 1e-10, "dual_tol": 1e-12, "iter_limit": 100_000}
    return lambda: daqp.solve(eye, zero, Z, np.full(P, 1e30), one, np.zeros(P, dtype=np.int32), **settings)[0]


def quadprog(xi: np.ndarray, S: np.ndarray) -> Solver:
    import quadprog

    P, N = xi.shape
    Z, eye, zero, one = (S[:, None] * xi).T.copy(), np.eye(N), np.zeros(N), np.ones(P)
    return lambda: quadprog.solve_qp(eye, zero, Z, one)[0]


def cvxopt(xi: np.ndarray, S: np.ndarray) -> Solver:
    import cvxopt

    P, N = xi.shape
    G, eye = cvxopt.matrix(-S[:, None] * xi), cvxopt.matrix(np.eye(N))
    zero, one = cvxopt.matrix(np.zeros(N)), cvxopt.matrix(-np.ones(P))
    options = {"show_progress": False, "abstol": 1e-10, "reltol": 1e-10, "feastol": 1e-10}
    return lambda: np.array(cvxopt.solvers.qp(eye, zero, G, one, options=options)["x"])[:, 0]


def clarabel(xi: np.ndarray, S: np.ndarray) -> Solver:
    import clarabel
    import scipy.sparse as sp

    P, N = xi.shape
    A, eye = sp.csc_matrix(-S[:, None] * xi), sp.eye_array(N, format="csc")
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-10
    cones = [clarabel.NonnegativeConeT(P)]

    def solve() -> np.ndarray:
        return np.array(clarabel.DefaultSolver(eye, np.zeros(N), A, -np.ones(P), cones, settings).solve().x)

    return solve
