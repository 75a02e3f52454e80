"""What a history costs: nothing when it is off (the loops are the same), and how much when it is on."""

from collections.abc import Iterator

import numpy as np
from markone.perceptron._entries import rosenblatt_w

from benchmarks.timing import Row, side_by_side
from markone.data import teacher_examples
from markone.perceptron import MinOver, Rosenblatt
from markone.perceptron.base.epochs import Turn
from markone.perceptron.base.problem import Problem


def compare() -> Iterator[Row]:
    xi, S, _ = teacher_examples(2000, 500, seed=0)
    epochs = Rosenblatt(fit_intercept=False).fit(xi, S).n_iter_
    problem = Problem(xi, S)
    nobody = np.full(problem.P, np.inf)

    def bare() -> None:
        """The compiled loop alone, as it was before histories."""
        turn = Turn.start("cyclic", problem)
        w, x = np.zeros(problem.N), np.zeros(problem.P)
        rest = (1.0, 0.0, nobody, 0.0, epochs, turn.order, turn.turn, turn.state)
        rosenblatt_w(problem.xi, problem.S, problem.C_diagonal, w, x, *rest)

    student = Rosenblatt(fit_intercept=False)
    w0, x0 = np.zeros(problem.N), np.zeros(problem.P)

    def off() -> None:
        w0[:], x0[:] = 0.0, 0.0
        student._iterate(problem, w0, x0, epochs, False)

    yield side_by_side(
        f"record=None P=2000 N=500, {epochs} epochs",
        off,
        "the compiled loop alone",
        bare,
        target=0.99,
        rounds=21,
        note="training with the history off against its loop",
    )
    for name, plain, recorded in (
        ("Rosenblatt", Rosenblatt(), Rosenblatt(record="updates")),
        ("MinOver", MinOver(max_iter=20, stop="never"), MinOver(max_iter=20, stop="never", record="updates")),
    ):
        yield side_by_side(
            f"{name} record='updates' P=2000 N=500",
            lambda recorded=recorded: recorded.fit(xi, S),
            "the same without record",
            lambda plain=plain: plain.fit(xi, S),
            target=0.02,
            note="a ratio below 1 is the price of recording",
        )
