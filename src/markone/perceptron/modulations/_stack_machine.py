"""Compiled stack machine for modulations given as text, and the training loops that use it."""

import math

import numpy as np

from markone.base._recording import record_step
from markone.numerics._rows import add_example, dot_example, n_columns, n_rows, squared_norm
from markone.numerics._vectors import dot_product
from markone.numerics.compiling import entry, part

NUMBER, VARIABLE = 0, 1
PLUS, MINUS, TIMES, DIVIDE, POWER = 2, 3, 4, 5, 6
LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, EQUAL, NOT_EQUAL = 7, 8, 9, 10, 11, 12
AND, OR, NOT, NEGATE, SELECT = 13, 14, 15, 16, 17
ABS, MIN, MAX, EXP, LOG, SQRT, TANH, SIGN, STEP = 18, 19, 20, 21, 22, 23, 24, 25, 26
DEPTH = 32


@part
def divide_ieee(a, b):
    """Return a / b as in IEEE 754, without an exception for b = 0."""
    if b != 0.0:
        return a / b
    return np.nan if a == 0.0 or a != a else math.copysign(np.inf, a)


@part
def apply_unary(op, a):
    if op == NEGATE:
        return -a
    if op == NOT:
        return 1.0 if a == 0.0 else 0.0
    if op == ABS:
        return abs(a)
    if op == EXP:
        return math.exp(min(a, 700.0))
    if op == LOG:
        return math.log(a) if a > 0.0 else (-np.inf if a == 0.0 else np.nan)
    if op == SQRT:
        return math.sqrt(a) if a >= 0.0 else np.nan
    if op == TANH:
        return math.tanh(a)
    if op == SIGN:
        return 1.0 if a >= 0.0 else -1.0
    return 1.0 if a > 0.0 else 0.0


@part
def apply_binary(op, a, b):
    if op == PLUS:
        return a + b
    if op == MINUS:
        return a - b
    if op == TIMES:
        return a * b
    if op == DIVIDE:
        return divide_ieee(a, b)
    if op == POWER:
        return np.nan if (a < 0.0 and b != math.floor(b)) or (a == 0.0 and b < 0.0) else a**b
    if op == MIN:
        return min(a, b)
    if op == MAX:
        return max(a, b)
    if op == AND:
        return 1.0 if a != 0.0 and b != 0.0 else 0.0
    if op == OR:
        return 1.0 if a != 0.0 or b != 0.0 else 0.0
    if op == LESS:
        return 1.0 if a < b else 0.0
    if op == LESS_EQUAL:
        return 1.0 if a <= b else 0.0
    if op == GREATER:
        return 1.0 if a > b else 0.0
    if op == GREATER_EQUAL:
        return 1.0 if a >= b else 0.0
    if op == EQUAL:
        return 1.0 if a == b else 0.0
    return 1.0 if a != b else 0.0


@part
def evaluate_program(code, numbers, values, stack):
    """Run a program. code (n, 2): operation and argument; values: the variables in the grammar's order."""
    top = 0
    for i in range(code.shape[0]):
        op, argument = code[i, 0], code[i, 1]
        if op == NUMBER:
            stack[top] = numbers[argument]
            top += 1
        elif op == VARIABLE:
            stack[top] = values[argument]
            top += 1
        elif op == SELECT:
            # condition, then, else
            top -= 2
            stack[top - 1] = stack[top] if stack[top - 1] != 0.0 else stack[top + 1]
        elif op in (NOT, NEGATE, ABS, EXP, LOG, SQRT, TANH, SIGN, STEP):
            stack[top - 1] = apply_unary(op, stack[top - 1])
        else:
            top -= 1
            stack[top - 1] = apply_binary(op, stack[top - 1], stack[top])
    return stack[0]


@part
def program_strength(xi, mu, w, E, eta, c, seen, code, numbers, values, stack):
    values[0], values[1] = E, math.sqrt(dot_product(w, w))
    values[2], values[3], values[4] = squared_norm(xi, mu) / n_columns(xi), eta, c
    values[5] = (seen + mu) / n_columns(xi)
    return evaluate_program(code, numbers, values, stack)


@part
def update_weights(xi, S, mu, w, f, decay):
    N = n_columns(xi)
    if decay > 0.0:
        for j in range(w.shape[0]):
            w[j] *= 1.0 - decay / N
    if f != 0.0:
        add_example(xi, mu, f * S[mu] / N, w)


@entry
def evaluate_rows(code, numbers, values):
    """Evaluate the modulation at rows of variables (n, VARIABLES)."""
    stack, result = np.empty(DEPTH), np.empty(values.shape[0])
    for k in range(values.shape[0]):
        result[k] = evaluate_program(code, numbers, values[k], stack)
    return result


@entry
def learn_program(xi, S, w, code, numbers, eta, c, decay, seen, log=None):
    """One pass over the examples; return (updates, index of the first example with f not finite, or -1)."""
    values, stack, updates = np.empty(6), np.empty(DEPTH), 0
    for mu in range(n_rows(xi)):
        E = S[mu] * dot_example(xi, mu, w)
        f = program_strength(xi, mu, w, E, eta, c, seen, code, numbers, values, stack)
        if not abs(f) < 1e100:
            return updates, mu
        update_weights(xi, S, mu, w, f, decay)
        updates += f != 0.0
        if log is not None:
            record_step(log, mu, E, S[mu] * dot_example(xi, mu, w), f, w, w)
    return updates, -1


@entry
def example_potential(xi, S, mu, w):
    return S[mu] * dot_example(xi, mu, w)


@entry
def learn_example(xi, S, mu, w, f, decay, log=None):
    """Update the weights with one example whose f was computed by the caller."""
    before = S[mu] * dot_example(xi, mu, w)
    update_weights(xi, S, mu, w, f, decay)
    if log is not None:
        record_step(log, mu, before, S[mu] * dot_example(xi, mu, w), f, w, w)
