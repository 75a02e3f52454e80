"""Independent check of a certificate in plain Python and fractions, without any code that made it.

Every float is a fraction, so all sums here are exact. With z = S xi (and S c for a threshold by a
constant input c), only three facts are used:

1. some w with all z . w > 0: separable; and kappa_max >= min z . w / |w|;
2. some x >= 0, not zero: kappa_max <= |sum x z| / sum x;
3. sum x z = 0 for such an x: not separable.

With a free threshold, which is not part of |w|:

4. half the distance between the extreme potentials w . xi of the classes, over |w|, is at most kappa_max;
5. half the distance between the means of the classes, weighted by any x >= 0, is at least kappa_max.

In feature space w = sum x S Psi, and these facts are about G = S S^T K: E = G x and |w|^2 = x . G x. Kernels
are fractions, but for exp, which lies between two of them.
"""

from fractions import Fraction
from typing import Any

from markone.perceptron.separable.exact.null_vector import (
    Vector,
    exact_dot,
    find_nearest_balance,
    find_null_vector,
    hull_comes_within,
)
from markone.perceptron.separable.exact.verify_kernel import read_upper_bound, verify_kernel_student


def verify(X: Any, y: Any, certificate: Any) -> bool:
    """Check in exact arithmetic that a certificate proves its claim about X, y.

    Takes (number of support vectors)^3 operations with long fractions: seconds for 60 of them, minutes for
    200.

    Parameters
    ----------
    X : array (P, N)
        The examples the certificate is about.
    y : array (P,)
        Their labels.
    certificate : Separability, AdaTron or KernelAdaTron
        What `separability(X, y)` returns, or a student of two classes with C infinite fitted to X, y. With
        the kernel "precomputed" X is the matrix.

    Returns
    -------
    bool
        True if the proof holds in exact arithmetic.

    Examples
    --------
    >>> from markone import separability
    >>> from markone.perceptron import verify
    >>> X, y = [[0.1], [0.2], [0.3]], [0, 1, 0]
    >>> verify(X, y, separability(X, y, fit_intercept=True))
    True
    """
    if hasattr(certificate, "proof_") and certificate._linear is None:
        return verify_kernel_student(X, y, certificate)
    claim = _read_claim(certificate)
    Z = _exact_examples(X, y, claim["constant"])
    # Strengths that are not positive prove nothing.
    x = [max(strength, Fraction(0)) for strength in claim["x"]]
    if len(x) != len(Z):
        raise ValueError(
            f"The certificate is about {len(x)} examples, but X has {len(Z)}: give the X it was made for."
        )
    if not claim["bounds"][1] >= 0.0:
        return False
    lower, upper = Fraction(float(claim["bounds"][0])), read_upper_bound(claim["bounds"])
    if claim["free"] and claim["separable"] is not False:
        signs = [int(z[-1]) for z in Z]
        inputs = [[s * value for value in z[:-1]] for s, z in zip(signs, Z, strict=True)]
        return _reaches_half_distance(inputs, signs, claim["w"][:-1], lower) and _is_bounded_by_means(
            inputs, signs, x, upper
        )
    if claim["separable"] is False:
        return upper == 0 and _find_exact_balance(Z, x) is not None
    if claim["w"] is None:
        raise ValueError(f"The certificate makes no claim: {claim['message']}")
    return _reaches_bound(Z, claim["w"], lower) and _is_bounded(Z, x, upper)


def _reaches_bound(Z: list[Vector], w: Vector, lower: Fraction) -> bool:
    """Fact 1: all z . w > 0 (if kappa_max >= 0 is claimed), and min z . w >= lower |w|."""
    if not any(w):
        return _is_below_any(Z, lower)
    least = min(exact_dot(z, w) for z in Z)
    return (least > 0 or lower < 0) and _signed_square(least) >= _signed_square(lower) * exact_dot(w, w)


def _reaches_half_distance(X: list[Vector], S: list[int], w: Vector, lower: Fraction) -> bool:
    """Fact 4."""
    if not any(w):
        return _is_below_any(X, lower)
    v = [exact_dot(xi, w) for xi in X]
    ends = [[value for value, s in zip(v, S, strict=True) if s == sign] for sign in (1, -1)]
    return _signed_square(min(ends[0]) - max(ends[1])) >= 4 * _signed_square(lower) * exact_dot(w, w)


def _is_below_any(X: list[Vector], lower: Fraction) -> bool:
    """Whether lower <= -max |xi|, which is below the stability of any student."""
    return lower <= 0 and lower**2 >= max(exact_dot(xi, xi) for xi in X)


def _is_bounded_by_means(X: list[Vector], S: list[int], x: Vector, upper: Fraction | None) -> bool:
    """Fact 5 for x as given, or for the best x on the same examples."""
    if upper is None:
        return True
    totals = [sum((a for a, s in zip(x, S, strict=True) if s == sign), Fraction(0)) for sign in (1, -1)]
    if not all(totals):
        return False
    parts = [s * a / totals[s < 0] for a, s in zip(x, S, strict=True)]
    distance = [exact_dot(parts, list(column)) for column in zip(*X, strict=True)]
    if exact_dot(distance, distance) <= 4 * upper**2:
        return True
    plus, minus = ([mu for mu, a in enumerate(x) if a > 0 and S[mu] == sign] for sign in (1, -1))
    pairs = [(mu, nu) for mu in plus for nu in minus]
    points = [[p - q for p, q in zip(X[mu], X[nu], strict=True)] for mu, nu in pairs]
    return hull_comes_within(points, [x[mu] * x[nu] for mu, nu in pairs], 2 * upper)


def _is_bounded(Z: list[Vector], x: Vector, upper: Fraction | None) -> bool:
    """Fact 2 for x as given, or, if its rounding prevents that, for the best x on the same examples.

    If this has equal E = z . (sum x z) = 1 on all of them, then |sum x z| / sum x is 1 / sqrt(sum x).
    """
    if upper is None:
        return True
    if not any(x):
        return False
    sums = [exact_dot(x, list(column)) for column in zip(*Z, strict=True)]
    if exact_dot(sums, sums) <= upper**2 * sum(x) ** 2:
        return True
    used = [z for z, strength in zip(Z, x, strict=True) if strength > 0]
    equations = [[exact_dot(z, other) for other in used] + [Fraction(-1)] for z in used]
    best = find_null_vector(equations, [*(s for s in x if s > 0), Fraction(1)])
    if best is not None and best[-1] > 0:
        return upper**2 * sum(best[:-1]) >= best[-1]
    return hull_comes_within(used, [strength for strength in x if strength > 0], upper)


def _find_exact_balance(Z: list[Vector], x: Vector) -> Vector | None:
    """Fact 3: an exact solution on the examples with x > 0, or None."""
    used = [mu for mu in sorted(range(len(x)), key=lambda mu: -x[mu]) if x[mu] > 0]
    equations = [[Z[mu][j] for mu in used] for j in range(len(Z[0]))]
    strengths = [x[mu] for mu in used]
    # The first changes as many strengths as there are inputs, by much if these examples are nearly dependent;
    # the second changes all strengths a little.
    return find_null_vector(equations, strengths) or find_nearest_balance(equations, strengths)


def _exact_examples(X: Any, y: Any, constant: float | None) -> list[Vector]:
    """z = S xi, with S = +1 for the label that sorts last."""
    table = X.toarray().tolist() if hasattr(X, "toarray") else [list(row) for row in X]
    labels = sorted(set(y))
    if len(labels) != 2 or len(table) != len(y):
        raise ValueError(
            f"{len(table)} examples, {len(y)} labels of {len(labels)} kinds: two kinds are needed."
        )
    extra = [] if constant is None else [constant]
    return [
        [(1 if label == labels[1] else -1) * Fraction(float(value)) for value in [*row, *extra]]
        for row, label in zip(table, y, strict=True)
    ]


def _read_claim(certificate: Any) -> dict[str, Any]:
    if hasattr(certificate, "witness"):
        return {
            "separable": certificate.separable,
            "w": certificate.witness,
            "x": _to_fractions(certificate.embedding),
            "bounds": certificate.stability_bounds,
            "constant": certificate.clamp,
            "free": False,
            "message": certificate.message,
        }
    linear = getattr(certificate, "_linear", None)
    coef = getattr(certificate, "coef_", None) if linear is None else linear[:, : certificate.n_features_in_]
    if not hasattr(certificate, "status_") or coef is None or len(coef) != 1:
        raise ValueError(
            f"{type(certificate).__name__} is no certificate: give what separability(X, y) returns, or an "
            "AdaTron or a KernelAdaTron fitted to two classes with C infinite."
        )
    free = certificate.fit_intercept == "free"
    scaling = 1.0 if free else certificate.intercept_scaling
    constant = Fraction(float(scaling)) if certificate.fit_intercept else None
    w, x = _to_fractions(coef[0]), certificate.embedding_
    if linear is not None:
        w, x = _to_fractions(linear[0]), x if certificate.proof_ is None else certificate.proof_
    elif constant is not None:
        w = [*w, Fraction(float(certificate.intercept_[0])) / constant]
    return {
        "separable": False if certificate.status_ == "not_separable" else None,
        "w": w,
        "x": _to_fractions(x),
        "bounds": certificate.stability_bounds_,
        "constant": None if constant is None else float(constant),
        "free": free,
        "message": certificate.status_,
    }


def _to_fractions(values: Any) -> Vector:
    return [Fraction(float(value)) for value in values]


def _signed_square(value: Fraction) -> Fraction:
    return value * abs(value)
