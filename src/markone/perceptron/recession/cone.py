"""The recession cone {w : all z . w >= 0} of the rows z = S xi, without rounding.

If some x >= 0 has sum x z = 0, every w of the cone has z . w = 0 on its support, so the cone lies in the null
space of these rows. There the question is the same one with fewer inputs. It ends with rows that are
separable (z . w > 0: the relative interior of the cone) or with none: then all z . w = 0.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from markone.perceptron.recession.null_space import Integers, multiply_exactly, null_space, to_integers
from markone.perceptron.separable.certify import certify_rows
from markone.perceptron.separable.exact import elimination, simplex

# Rows per input from which an exact balance is computed.
ROWS_PER_INPUT = 2


@dataclass(frozen=True)
class Recession:
    """The cone's linear span, the rows with z . w > 0 inside it, and a w that has them all positive.

    `basis`: integer columns that span the cone. `rows`: indices of the rows not zero on it, `G` their
    values in this basis. `direction`: in this basis, all G v > 0; None if there are no such rows.
    """

    basis: Integers
    rows: NDArray[np.intp]
    G: Any
    direction: list[Fraction] | None

    def original_direction(self) -> tuple[Fraction, ...]:
        """`direction` as coefficients of the inputs; empty if there is none."""
        if self.direction is None:
            return ()
        v = [(k, value) for k, value in enumerate(self.direction) if value]
        return tuple(sum((int(row[k]) * value for k, value in v), Fraction(0)) for row in self.basis)


def find_recession(Z: Any) -> Recession | None:
    """The recession cone of the rows of Z; None if a separability could not be proven."""
    basis = np.zeros((Z.shape[1], Z.shape[1]), dtype=object)
    np.fill_diagonal(basis, 1)
    rows, G = np.arange(len(Z)), Z
    while True:
        kept = (G != 0).any(axis=1)
        rows, G = rows[kept], G[kept]
        if not len(rows):
            return Recession(basis, rows, G, None)
        separable, v, balanced = decide_rows(G)
        if separable is None:
            return None
        if separable:
            return Recession(basis, rows, G, v)
        basis = basis @ null_space(G[balanced])
        G = multiply_exactly(Z[rows], basis)


def decide_rows(G: Any) -> tuple[bool | None, list[Fraction], NDArray[np.intp]]:
    """(True, v, -) with all G v > 0; (False, -, support of an exact balance of rows); (None, -, -)."""
    nothing = np.zeros(0, dtype=np.intp)
    C, exact = _to_floats(G)
    if not exact:
        return _decide_integers(G, C)
    found, _ = certify_rows(C, 1e-9, 500)
    if found.separable:
        return True, found.exact_w or [Fraction(value) for value in found.w.tolist()], nothing
    return found.separable, [], np.flatnonzero(found.x > 0.0) if found.separable is False else nothing


def _to_floats(G: Any) -> tuple[Any, bool]:
    """Rows as floats, each divided by its common divisor, and whether that is exact."""
    if G.dtype != object:
        return G, True
    divisors = np.array([math.gcd(*row) for row in G], dtype=object)
    whole = G // divisors[:, None]
    largest = [max(map(abs, row)).bit_length() for row in whole]
    if max(largest) <= 53:
        return whole.astype(float), True
    return np.array(
        [[int(v) / (1 << bits) for v in row] for row, bits in zip(whole, largest, strict=True)]
    ), False


def _decide_integers(G: Integers, C: Any) -> tuple[bool | None, list[Fraction], NDArray[np.intp]]:
    """Candidates from the rounded rows C, tested on the exact rows G; small sets by the simplex method."""
    nothing = np.zeros(0, dtype=np.intp)
    found, _ = certify_rows(C, 1e-9, 500)
    v = found.exact_w or [Fraction(value) for value in found.w.tolist()]
    if (multiply_exactly(G, _as_column(v)) > 0).all():
        return True, v, nothing
    support = np.flatnonzero(found.x > 0.0)
    support = support[np.argsort(-found.x[support], kind="stable")][: ROWS_PER_INPUT * G.shape[1] + 1]
    strengths = [Fraction(value) for value in found.x[support].tolist()]
    if len(support):
        x = elimination.solve_nullspace([list(column) for column in G[support].T], strengths)
        if x is not None:
            return False, [], support[[value > 0 for value in x]]
    if not simplex.simplex_affordable(*G.shape):
        return None, [], nothing
    exact, balance = simplex.decide_integers([list(row) for row in G])
    return (True, exact, nothing) if exact else (False, [], np.array(sorted(balance or {}), dtype=np.intp))


def _as_column(v: list[Fraction]) -> Integers:
    return np.array(elimination.clear_denominators(v), dtype=object)[:, None]


def coefficient_states(found: Recession) -> tuple[str, ...]:
    """For each coefficient "finite", "+inf", "-inf", "inf", "inf?" or "not identified"."""
    flat = found.basis if found.direction is None else found.basis @ null_space(found.G)
    states, known = [], [found.direction or []]
    for j in range(len(found.basis)):
        if flat.size and (flat[j] != 0).any():
            states.append("not identified")
        elif not (found.basis[j] != 0).any():
            states.append("finite")
        else:
            states.append(_infinite_state(found, found.basis[j], known))
    return tuple(states)


def _infinite_state(found: Recession, b: Integers, known: list[list[Fraction]]) -> str:
    """State of the coefficient b . v of the directions v; a direction that decides it is added to `known`."""
    signs = {_sign(sum(Fraction(c) * a for c, a in zip(b, v, strict=True))) for v in known}
    if len(signs) > 1 or 0 in signs:
        return "inf"
    (s,) = signs
    G = found.G
    if G.dtype != object and max(abs(value) for value in b) <= 2**53:
        more = -s * b.astype(float)
    else:
        G, more = to_integers(G), -s * b
    separable, v, _ = decide_rows(np.vstack([G, more[None]]))
    if separable:
        known.append(v)
        return "inf"
    return "inf?" if separable is None else "+inf" if s > 0 else "-inf"


def _sign(value: Fraction | int) -> int:
    return (value > 0) - (value < 0)
