"""The committee machine: the majority of K perceptrons   (4.7)."""

from dataclasses import field
from numbers import Integral
from typing import Any, ClassVar

from markone.base.sklearn_compat import Interval, StrOptions
from markone.machines._units import COMMITTEE
from markone.machines.base import Machine
from markone.machines.joint_training import TrainedMachine, train_jointly
from markone.numerics.arrays import Array


class CommitteeMachine(Machine):
    """sign(sum_k sign(w^k . xi - theta^k)), K odd, all units trained together.

    Parameters
    ----------
    n_units : int
        K, odd, so that there is a majority; one unit is a perceptron.
    rule : {"least_action", "minover"}
        "least_action": after an error as few units as needed learn, those with the smallest fields, by
        Rosenblatt's step; stops at the first machine without errors. "minover": the example of the least
        strength is learned by the unit with the smallest field; continues to increase `stability_`.

    Examples
    --------
    >>> from markone import CommitteeMachine
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> machine = CommitteeMachine(3, random_state=0).fit(X, y)
    >>> machine.converged_, machine.predict(X).tolist()
    (True, [0, 1, 1, 0])
    """

    _kind = COMMITTEE
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_units": [Interval(Integral, 1, None, closed="left")],
        "rule": [StrOptions({"least_action", "minover"})],
    }
    n_units: int = field(default=3, kw_only=False)
    rule: str = "least_action"

    def _build_machines(
        self, X: Array, y: Array, targets: list[Array], seeds: list[int]
    ) -> list[TrainedMachine]:
        if self.n_units % 2 == 0:
            raise ValueError(
                f"A committee needs an odd number of units to have a majority, not n_units = {self.n_units}."
            )
        wiring, how = self._make_wiring(self.n_units, X.shape[1]), self._make_options(self.rule)
        return [train_jointly(X, S, wiring, how, seed) for S, seed in zip(targets, seeds, strict=True)]
