"""Grammar of modulations given as text: `1 if E <= 0 else 0`, `exp(-E)`, `max(0, 1 - E) / h`.

The text is parsed into Python's syntax tree; only the nodes listed here are accepted and compiled to a
program for the stack machine in `_stack_machine`. Nothing is evaluated by Python.
"""

import ast
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from markone.numerics.arrays import Array
from markone.numerics.text import suggestion_text
from markone.perceptron.modulations import _stack_machine as m

LONGEST = 200
# Variables of a modulation, in the order of the stack machine.
VARIABLES = {
    "E": "the local potential S w.xi",
    "w": "the length |w|",
    "h": "|xi|^2/N",
    "eta": "the learning rate",
    "c": "the margin",
    "alpha": "examples seen, divided by N",
}
FUNCTIONS = {
    "abs": (m.ABS, 1),
    "exp": (m.EXP, 1),
    "log": (m.LOG, 1),
    "sqrt": (m.SQRT, 1),
    "tanh": (m.TANH, 1),
    "sign": (m.SIGN, 1),
    "step": (m.STEP, 1),
    "min": (m.MIN, 2),
    "max": (m.MAX, 2),
}
BINARY: dict[type, int] = {
    ast.Add: m.PLUS,
    ast.Sub: m.MINUS,
    ast.Mult: m.TIMES,
    ast.Div: m.DIVIDE,
    ast.Pow: m.POWER,
}
COMPARE: dict[type, int] = {
    ast.Lt: m.LESS,
    ast.LtE: m.LESS_EQUAL,
    ast.Gt: m.GREATER,
    ast.GtE: m.GREATER_EQUAL,
    ast.Eq: m.EQUAL,
    ast.NotEq: m.NOT_EQUAL,
}


@dataclass(frozen=True)
class Modulation:
    """A modulation as a program: `code` (n, 2) and its constants."""

    text: str
    code: Array
    numbers: Array

    def __call__(self, E: ArrayLike, **others: float) -> Array:
        """Evaluate f at potentials E; w, h, eta, c are 1 and alpha is 0 unless given."""
        unknown = set(others) - set(VARIABLES)
        if unknown:
            raise ValueError(
                f"A modulation has no variable {sorted(unknown)[0]!r}, only {', '.join(VARIABLES)}."
            )
        potentials = np.atleast_1d(np.asarray(E, dtype=float))
        values = np.empty((len(potentials), len(VARIABLES)))
        values[:] = [0.0, *(float(others.get(name, name != "alpha")) for name in list(VARIABLES)[1:])]
        values[:, 0] = potentials
        return np.asarray(m.evaluate_rows(self.code, self.numbers, values))


def parse_modulation(text: str) -> Modulation:
    """Parse a modulation; raise ValueError with an explanation if it is not valid."""
    if len(text) > LONGEST:
        raise ValueError(f"The modulation has {len(text)} characters; at most {LONGEST} are allowed.")
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        where = f" near character {error.offset}" if isinstance(error, SyntaxError) and error.offset else ""
        raise ValueError(f"{text!r} is not an expression{where}, such as '1 if E <= 0 else 0'.") from None
    program = _Program(text)
    program.compile_node(tree.body)
    if program.deepest > m.DEPTH:
        raise ValueError(f"{text!r} is nested too deeply: {program.deepest} levels, {m.DEPTH} are allowed.")
    return Modulation(text, np.array(program.code, dtype=np.int64).reshape(-1, 2), np.array(program.numbers))


class _Program:
    """Compiles the tree in one pass, operands before their operator."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.code: list[tuple[int, int]] = []
        self.numbers: list[float] = [0.0]
        self.depth = self.deepest = 0

    def compile_node(self, node: ast.AST) -> None:
        method = getattr(self, f"_{type(node).__name__}", None)
        if method is None:
            raise self._grammar_error(f"{type(node).__name__} is not allowed")
        method(node)

    def _emit_operation(self, op: int, argument: int = 0, taken: int = 0) -> None:
        self.code.append((op, argument))
        self.depth += 1 - taken
        self.deepest = max(self.deepest, self.depth)

    def _grammar_error(self, why: str) -> ValueError:
        names = ", ".join([*VARIABLES, *(f"{name}()" for name in FUNCTIONS)])
        return ValueError(
            f"In the modulation {self.text!r} {why}. It may use numbers, + - * / **, comparisons, and, or, "
            f"not, 'a if condition else b', and {names}."
        )

    def _Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, complex | str | bytes) or node.value in (None, Ellipsis):
            raise self._grammar_error(f"{node.value!r} is not a number")
        try:
            value = float(node.value)
        except OverflowError:
            value = np.inf
        if not np.isfinite(value):
            raise self._grammar_error("a number is too large")
        self.numbers.append(value)
        self._emit_operation(m.NUMBER, len(self.numbers) - 1)

    def _Name(self, node: ast.Name) -> None:
        if node.id not in VARIABLES:
            raise self._grammar_error(
                f"{node.id!r} is unknown.{suggestion_text(node.id, VARIABLES)}".rstrip(".")
            )
        self._emit_operation(m.VARIABLE, list(VARIABLES).index(node.id))

    def _BinOp(self, node: ast.BinOp) -> None:
        if type(node.op) not in BINARY:
            raise self._grammar_error(f"the operator {type(node.op).__name__} is not allowed")
        self.compile_node(node.left)
        self.compile_node(node.right)
        self._emit_operation(BINARY[type(node.op)], taken=2)

    def _UnaryOp(self, node: ast.UnaryOp) -> None:
        self.compile_node(node.operand)
        if isinstance(node.op, ast.UAdd):
            return
        if isinstance(node.op, ast.Invert):
            raise self._grammar_error("~ is not allowed")
        self._emit_operation(m.NEGATE if isinstance(node.op, ast.USub) else m.NOT, taken=1)

    def _Compare(self, node: ast.Compare) -> None:
        """a < b < c is a < b and b < c."""
        left = node.left
        for k, (sign, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
            if type(sign) not in COMPARE:
                raise self._grammar_error(f"the comparison {type(sign).__name__} is not allowed")
            self.compile_node(left)
            self.compile_node(right)
            self._emit_operation(COMPARE[type(sign)], taken=2)
            if k:
                self._emit_operation(m.AND, taken=2)
            left = right

    def _BoolOp(self, node: ast.BoolOp) -> None:
        self.compile_node(node.values[0])
        for value in node.values[1:]:
            self.compile_node(value)
            self._emit_operation(m.AND if isinstance(node.op, ast.And) else m.OR, taken=2)

    def _IfExp(self, node: ast.IfExp) -> None:
        for part in (node.test, node.body, node.orelse):
            self.compile_node(part)
        self._emit_operation(m.SELECT, taken=3)

    def _Call(self, node: ast.Call) -> None:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name not in FUNCTIONS or node.keywords or any(isinstance(a, ast.Starred) for a in node.args):
            raise self._grammar_error(f"the call of {name or 'something'!r} is not allowed")
        op, arity = FUNCTIONS[name]
        if len(node.args) != arity:
            raise self._grammar_error(f"{name}() takes {arity}, not {len(node.args)} values")
        for argument in node.args:
            self.compile_node(argument)
        self._emit_operation(op, taken=arity)


def nonfinite_modulation_error(text: str, mu: int) -> ValueError:
    """Error for a modulation that is not finite at example mu."""
    return ValueError(
        f"The modulation {text!r} was not finite at example {mu + 1}: the weights may have diverged. "
        "Bound it with min() and max(), or divide by h."
    )
