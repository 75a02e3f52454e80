"""Formulas given as text, with their first two derivatives: `max(0, 1 - E)**2/2`, `log(1 + exp(-E))`.

The text is parsed into Python's syntax tree; only the nodes listed here are accepted, and nothing is
evaluated by Python. A Jet carries (f, f', f'') through every operation; numpy functions accept it, too.
"""

import ast
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit

from markone.numerics.arrays import Array
from markone.numerics.text import suggestion_text

LONGEST, DEEPEST = 300, 40
BINARY: dict[type, Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
COMPARE: dict[type, Callable[..., Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


@dataclass(frozen=True, eq=False)
class Jet:
    """Value, first and second derivative of a function at many points."""

    f: Array
    d1: Array
    d2: Array

    def apply(self, f: Array, d1: Array, d2: Array) -> "Jet":
        """A function of this jet, from its own value and derivatives at f."""
        return Jet(f, d1 * self.d1, d2 * self.d1**2 + d1 * self.d2)

    def __add__(self, other: Any) -> "Jet":
        b = as_jet(other, self.f)
        return Jet(self.f + b.f, self.d1 + b.d1, self.d2 + b.d2)

    def __mul__(self, other: Any) -> "Jet":
        if not isinstance(other, Jet):
            # Not as a jet: its derivative, zero, times an overflow would be no number.
            return Jet(self.f * other, self.d1 * other, self.d2 * other)
        a, b = self, other
        return Jet(a.f * b.f, a.d1 * b.f + a.f * b.d1, a.d2 * b.f + 2 * a.d1 * b.d1 + a.f * b.d2)

    def __neg__(self) -> "Jet":
        return Jet(-self.f, -self.d1, -self.d2)

    def __sub__(self, other: Any) -> "Jet":
        return self + -as_jet(other, self.f)

    def __rsub__(self, other: Any) -> "Jet":
        return as_jet(other, self.f) - self

    def __truediv__(self, other: Any) -> "Jet":
        return self * as_jet(other, self.f) ** -1.0

    def __rtruediv__(self, other: Any) -> "Jet":
        return as_jet(other, self.f) / self

    def __pow__(self, n: Any) -> "Jet":
        if isinstance(n, Jet):
            if n.d1.any() or np.ptp(n.f) > 0:
                raise ValueError("an exponent must be a number")
            n = float(n.f.flat[0]) if n.f.size else 1.0
        first = n * self.f ** (n - 1) if n != 0 else np.zeros_like(self.f)
        second = n * (n - 1) * self.f ** (n - 2) if n not in (0, 1) else np.zeros_like(self.f)
        return self.apply(self.f**n, first, second)

    __radd__, __rmul__ = __add__, __mul__

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **named: Any) -> Any:
        function = FUNCTIONS.get(UFUNCS.get(ufunc.__name__, ufunc.__name__))
        if method != "__call__" or named or function is None:
            return NotImplemented
        return function(*(as_jet(one, self.f) for one in inputs))


def as_jet(x: Any, like: Array) -> Jet:
    """A number as a constant jet; a jet as it is."""
    if isinstance(x, Jet):
        return x
    zero = np.zeros_like(like)
    return Jet(zero + x, zero, zero)


def choose_jet(condition: Array, a: Jet, b: Jet) -> Jet:
    return Jet(*(np.where(condition, x, y) for x, y in ((a.f, b.f), (a.d1, b.d1), (a.d2, b.d2))))


def _exponential(x: Jet) -> Jet:
    y = np.exp(x.f)
    return x.apply(y, y, y)


def _hyperbolic_tangent(x: Jet) -> Jet:
    y = np.tanh(x.f)
    return x.apply(y, 1 - y * y, -2 * y * (1 - y * y))


def _logistic_function(x: Jet) -> Jet:
    y, z = expit(x.f), expit(-x.f)
    return x.apply(y, y * z, y * z * (z - y))


def _log_one_plus_exp(x: Jet) -> Jet:
    y, z = expit(x.f), expit(-x.f)
    return x.apply(np.logaddexp(0, x.f), y, y * z)


def _log_cosh(x: Jet) -> Jet:
    y, size = np.tanh(x.f), np.abs(x.f)
    return x.apply(size + np.log1p(np.exp(-2 * size)) - np.log(2), y, 1 / np.cosh(np.minimum(size, 300)) ** 2)


def _step_function(values: Callable[[Array], Array]) -> Callable[[Jet], Jet]:
    return lambda x: x.apply(values(x.f), np.zeros_like(x.f), np.zeros_like(x.f))


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": lambda x: choose_jet(x.f < 0, -x, x),
    "exp": _exponential,
    "log": lambda x: x.apply(np.log(x.f), 1 / x.f, -1 / x.f**2),
    "log1p": lambda x: x.apply(np.log1p(x.f), 1 / (1 + x.f), -1 / (1 + x.f) ** 2),
    "sqrt": lambda x: x**0.5,
    "tanh": _hyperbolic_tangent,
    "cosh": lambda x: x.apply(np.cosh(x.f), np.sinh(x.f), np.cosh(x.f)),
    "expit": _logistic_function,
    "softplus": _log_one_plus_exp,
    "sign": _step_function(np.sign),
    "step": _step_function(lambda x: (x >= 0) * 1.0),
    "min": lambda a, b: choose_jet(a.f <= b.f, a, b),
    "max": lambda a, b: choose_jet(a.f >= b.f, a, b),
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "square": lambda x: x * x,
    "logaddexp": lambda a, b: b + _log_one_plus_exp(a - b),
}
ARITY = {"min": 2, "max": 2}
TYPED = [name for name in FUNCTIONS if name not in ("add", "subtract", "multiply", "divide", "logaddexp")]
UFUNCS = {"absolute": "abs", "maximum": "max", "minimum": "min"}


@dataclass(frozen=True)
class Formula:
    """A parsed formula; `evaluate_jet` differentiates with respect to its first variable."""

    text: str
    tree: ast.expr
    variables: tuple[str, ...]

    def evaluate_jet(self, x: Array, **others: Any) -> tuple[Array, Array, Array]:
        names = {name: as_jet(value, x) for name, value in others.items()}
        names[self.variables[0]] = Jet(x, np.ones_like(x), np.zeros_like(x))
        with np.errstate(all="ignore"):
            found = as_jet(self._evaluate_node(self.tree, names), x)
        return found.f, found.d1, found.d2

    def _evaluate_node(self, node: ast.AST, names: dict[str, Jet]) -> Any:
        if isinstance(node, ast.Constant):
            return float(node.value)  # type: ignore[arg-type]  # a number: parsed before
        if isinstance(node, ast.Name):
            return names[node.id]
        like = names[self.variables[0]].f
        if isinstance(node, ast.Compare):
            left, right = (
                as_jet(self._evaluate_node(n, names), like) for n in (node.left, *node.comparators)
            )
            return COMPARE[type(node.ops[0])](left.f, right.f)
        if isinstance(node, ast.IfExp):
            test, *both = (self._evaluate_node(n, names) for n in (node.test, node.body, node.orelse))
            return choose_jet(test, *(as_jet(one, like) for one in both))
        if isinstance(node, ast.UnaryOp):
            value = self._evaluate_node(node.operand, names)
            return -value if isinstance(node.op, ast.USub) else value
        if isinstance(node, ast.BinOp):
            return BINARY[type(node.op)](*(self._evaluate_node(n, names) for n in (node.left, node.right)))
        assert isinstance(node, ast.Call)
        assert isinstance(node.func, ast.Name)
        for find_inner, function in SAFE_LOGARITHMS:
            if (inner := find_inner(node)) is not None:
                return function(as_jet(self._evaluate_node(inner, names), like))
        return FUNCTIONS[node.func.id](*(as_jet(self._evaluate_node(n, names), like) for n in node.args))


def _exponent_of_softplus(node: ast.Call) -> ast.expr | None:
    """x of log(1 + exp(x)), log(exp(x) + 1) or log1p(exp(x)), which would overflow; else None."""
    name, inner = node.func.id, node.args[0]  # type: ignore[attr-defined]
    if name == "log" and isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Add):
        parts = [p for p in (inner.left, inner.right) if not (isinstance(p, ast.Constant) and p.value == 1)]
        inner = parts[0] if len(parts) == 1 else inner
    elif name != "log1p":
        return None
    return _argument_of(inner, "exp")


def _argument_of(node: ast.expr, name: str) -> ast.expr | None:
    """x of name(x)."""
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
    return node.args[0] if called else None  # type: ignore[attr-defined]


def _angle_of_log_cosh(node: ast.Call) -> ast.expr | None:
    """x of log(cosh(x)), which would overflow; else None."""
    return _argument_of(node.args[0], "cosh") if _argument_of(node, "log") else None


SAFE_LOGARITHMS = ((_exponent_of_softplus, _log_one_plus_exp), (_angle_of_log_cosh, _log_cosh))


def parse_formula(text: str, variables: tuple[str, ...]) -> Formula:
    """Parse a formula in these variables; raise ValueError with an explanation if it is not valid."""
    if len(text) > LONGEST:
        raise ValueError(f"The formula has {len(text)} characters; at most {LONGEST} are allowed.")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise ValueError(f"{text!r} is not an expression such as 'max(0, 1 - E)'.") from None
    why = _find_fault(tree, variables, 0)
    if why:
        end = "" if why.endswith("?") else "."
        raise ValueError(
            f"In the formula {text!r} {why}{end} It may use numbers, + - * / **, one comparison in "
            f"'a if condition else b', {', '.join(variables)}, and the functions {', '.join(TYPED)}."
        )
    return Formula(text, tree, variables)


def _find_fault(node: ast.AST, variables: tuple[str, ...], depth: int) -> str:
    """What is not allowed in the tree, as part of a sentence; empty if nothing."""
    if depth > DEEPEST:
        return "expressions are nested too deeply"
    children: list[ast.AST] = []
    if isinstance(node, ast.Constant):
        wrong = (
            isinstance(node.value, bool) or not isinstance(node.value, int | float) or abs(node.value) > 1e300
        )
        return f"{node.value!r} is not a number of ordinary size" if wrong else ""
    if isinstance(node, ast.Name):
        known = node.id in variables
        return "" if known else f"{node.id!r} is unknown.{suggestion_text(node.id, variables)}".rstrip(".")
    if isinstance(node, ast.BinOp) and type(node.op) in BINARY:
        children = [node.left, node.right]
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        children = [node.operand]
    elif isinstance(node, ast.IfExp) and isinstance(node.test, ast.Compare) and len(node.test.ops) == 1:
        children = [node.test.left, *node.test.comparators, node.body, node.orelse]
        if type(node.test.ops[0]) not in COMPARE:
            return "only <, <=, > and >= compare"
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in TYPED:
        children = [*node.args]
        if len(children) != ARITY.get(node.func.id, 1) or node.keywords:
            return f"{node.func.id}() takes {ARITY.get(node.func.id, 1)} values"
    else:
        return f"{ast.unparse(node)!r} is not allowed"
    return next(filter(None, (_find_fault(child, variables, depth + 1) for child in children)), "")
