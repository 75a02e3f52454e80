"""The committee machine, the majority of K perceptrons (4.7), and the parity machine, their product (4.8)."""

from dataclasses import field
from numbers import Real
from typing import Annotated, Any

import numpy as np
from sklearn.model_selection import train_test_split

from markone.base.classifier import collect_values, structured_tables
from markone.base.parameters import COUNT, Count
from markone.base.sklearn_compat import HasMethods, Interval, StrOptions
from markone.machines._units import COMMITTEE, PARITY
from markone.machines.base import Machine
from markone.machines.growth import (
    GROWTH,
    AnsweredExamples,
    GrowthOptions,
    grow_machine,
    refuse_contradictions,
)
from markone.machines.joint_training import TrainedMachine
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
    n_units: Count = field(default=3, kw_only=False)
    rule: Annotated[str, StrOptions({"least_action", "minover"})] = "least_action"

    def _build_machines(
        self, X: Array, y: Array, targets: list[Array], seeds: list[int]
    ) -> list[TrainedMachine]:
        if self.n_units % 2 == 0:
            raise ValueError(
                f"A committee needs an odd number of units to have a majority, not n_units = {self.n_units}."
            )
        return self._train_units(int(self.n_units), X, targets, seeds)


class ParityMachine(Machine):
    """prod_k sign(w^k . xi - theta^k), grown until it reproduces the training set, or trained jointly.

    Parameters
    ----------
    n_units : int or None
        K, for "least_action" and "minover" (None: 3); for "tiling" the most units to grow (None: as many
        as needed, at most one per example).
    rule : {"tiling", "least_action", "minover"}
        "tiling" (4.9) adds units one by one, each trained by `student` to output -1 where the machine so far
        is wrong. The others train K units jointly, as in `CommitteeMachine`.
    student : estimator
        Any perceptron of markone for step III. None uses the better of Pocket and a soft-margin AdaTron, and
        the AdaTron of optimal stability if a unit without errors exists. If the student does not reduce the
        errors, a grandmother unit (4.10-4.14) is used.
    validation_fraction : float or None
        Hold out this fraction of the examples, and keep the number of units with the fewest errors on it
        ("tiling").
    patience : int
        Stop growing after this many units without fewer errors on the examples held out.

    Attributes
    ----------
    radii_ : array (K,)
        NaN for a perceptron. A grandmother unit on inputs of different lengths is a sphere of this radius
        around -w: a perceptron with the additional input |xi|^2/2, sign(|xi|^2/2 + w . xi - theta).
    growth_ : structured array
        unit, kind, errors and validation_errors after each unit; units beyond n_units_ were dropped again.
        Kinds: student, grandmother, constant.

    Examples
    --------
    >>> from markone import ParityMachine
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> machine = ParityMachine(random_state=0).fit(X, y)
    >>> machine.n_units_, machine.score(X, y)
    (2, 1.0)
    """

    _kind = PARITY
    n_units: Annotated[int | None, COUNT, None] = field(default=None, kw_only=False)
    rule: Annotated[str, StrOptions({"tiling", "least_action", "minover"})] = "tiling"
    student: Annotated[Any, HasMethods(["fit", "predict"]), None] = None
    validation_fraction: Annotated[float | None, Interval(Real, 0, 1, closed="neither"), None] = None
    patience: Count = 10

    def _build_machines(
        self, X: Array, y: Array, targets: list[Array], seeds: list[int]
    ) -> list[TrainedMachine]:
        if self.rule == "tiling":
            return self._grow_machines(X, y, targets, seeds)
        return self._train_units(int(self.n_units or 3), X, targets, seeds)

    def _grow_machines(
        self, X: Array, y: Array, targets: list[Array], seeds: list[int]
    ) -> list[TrainedMachine]:
        self._check_growth()
        if self.n_units is None and self.validation_fraction is None:
            refuse_contradictions(X, y)
        options = GrowthOptions(self.student, self.n_units, self.patience, self.intercept_scaling)
        rows, held_out = self._split_rows(y, seeds[0])
        built = []
        for S, seed in zip(targets, seeds, strict=True):
            apart = None if held_out is None else AnsweredExamples(X[held_out], S[held_out])
            built.append(grow_machine(AnsweredExamples(X[rows], S[rows]), apart, options, seed))
        return built

    def _check_growth(self) -> None:
        if self.architecture == "tree":
            raise ValueError("Tiling grows units that see all inputs. Train a tree by rule='least_action'.")
        if not self.fit_intercept:
            raise ValueError("Tiling needs thresholds (4.15): leave fit_intercept=True.")
        if self.trace:
            raise ValueError("Tiling keeps no trace: growth_ has the errors after each unit.")

    def _split_rows(self, y: Array, seed: int) -> tuple[Array, Array | None]:
        """The training rows and those held out, stratified by class."""
        rows = np.arange(len(y))
        if self.validation_fraction is None:
            return rows, None
        learned, held_out = train_test_split(
            rows, test_size=self.validation_fraction, stratify=y, random_state=seed
        )
        return np.sort(learned), np.sort(held_out)

    def _set_machine(self, X: Array, targets: list[Array], built: list[TrainedMachine]) -> None:
        super()._set_machine(X, targets, built)
        self.radii_ = collect_values([b.layer.radii for b in built])
        if self.rule == "tiling":
            self.growth_ = structured_tables([b.growth for b in built], GROWTH)
