"""The committee machine: the majority of K perceptrons   (4.7)."""

from numbers import Integral, Real
from typing import Any, ClassVar

from markone.base.history import RECORD
from markone.base.sklearn_compat import Interval, StrOptions
from markone.machines._units import COMMITTEE
from markone.machines.base import Machine
from markone.machines.joint_training import TrainedMachine, train_jointly
from markone.numerics.arrays import Array

# Parameters of both machines for joint training of all units.
JOINT_TRAINING_PARAMETERS: dict[str, list[Any]] = {
    "architecture": [StrOptions({"full", "tree"})],
    "groups": ["array-like", None],
    "c": [Interval(Real, 0, None, closed="left")],
    "order": [StrOptions({"shuffled", "cyclic"})],
    "max_iter": [Interval(Integral, 1, None, closed="left")],
    "tol": [Interval(Real, 0, None, closed="neither")],
    "n_restarts": [Interval(Integral, 1, None, closed="left")],
    "pocket": ["boolean"],
    "fit_intercept": ["boolean"],
    "intercept_scaling": [Interval(Real, 0, None, closed="neither")],
    "trace": ["boolean"],
    "random_state": ["random_state"],
    "record": [StrOptions(set(RECORD)), None],
}


class CommitteeMachine(Machine):
    """sign(sum_k sign(w^k . xi - theta^k)), K odd, all units trained together.

    Parameters
    ----------
    n_units : int, default=3
        K, odd, so that there is a majority; one unit is a perceptron.
    architecture : {"full", "tree"}, default="full"
        Each unit sees all inputs, or inputs of its own: equal shares in order, or those in `groups`.
    groups : list of lists of int, default=None
        The inputs of each unit of a tree, disjoint. None: n_features must be divisible by n_units.
    rule : {"least_action", "minover"}, default="least_action"
        "least_action": after an error as few units as needed learn, those with the smallest fields, by
        Rosenblatt's step; stops at the first machine without errors. "minover": the example of the least
        strength is learned by the unit with the smallest field; continues to increase `stability_`.
    c : float, default=0.0
        Margin of least action: enough units must have S w . xi > c.
    order : {"shuffled", "cyclic"}, default="shuffled"
        Order of presentation: a new permutation each sweep, or cyclic ("least_action").
    max_iter : int, default=1000
        Sweeps of P presentations (minover: P updates) from each start.
    tol : float, default=1e-3
        "minover" stops when 10 P updates have not raised the stability by this fraction.
    n_restarts : int, default=3
        Largest number of random starts; the first without errors ends the search.
    pocket : bool, default=True
        Keep the weights with the fewest errors, counted after each sweep ("least_action"; "minover"
        always keeps the most stable). False: those of the last sweep.
    fit_intercept : bool, default=True
        Thresholds as weights of a clamped input (3.4), one for each unit.
    intercept_scaling : float, default=1.0
        Value of the clamped input.
    trace : bool, default=False
        Keep errors and stability of each sweep in `trace_`.
    random_state : int, RandomState or None, default=None
        Seed of the random numbers; an int gives reproducible results.
    record : {"updates", "presentations"} or None, default=None
        Record the steps of "least_action" in `history_`, for the best start: example, strength before and
        after, number of units that learned; weights and thresholds of all units after each step.

    Attributes
    ----------
    weights_ : array (n_units, n_features)
        The weights of the units, zero where a unit of a tree sees nothing. One more axis in front for more
        than two classes (one against the rest).
    thresholds_ : array (n_units,)
        theta of the units; one more axis in front for more than two classes.
    n_units_ : int
        K.
    classes_ : array
        The labels, sorted.
    converged_ : bool
        True if every training example is classified correctly. False does not prove that no solution exists.
    n_errors_ : int
        Number of training errors.
    n_updates_, n_iter_ : int
        Updates and sweeps of all restarts.
    stability_ : float
        The least strength of an example, see `decision_function`; positive without errors.
    trace_ : structured array
        restart, epoch, updates, errors and stability of each sweep, if `trace`.
    history_ : History
        The recorded steps, if `record` is set.

    Examples
    --------
    >>> from markone import CommitteeMachine
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> machine = CommitteeMachine(3, random_state=0).fit(X, y)
    >>> machine.converged_, machine.predict(X).tolist()
    (True, [0, 1, 1, 0])
    """

    _kind = COMMITTEE
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = JOINT_TRAINING_PARAMETERS | {
        "n_units": [Interval(Integral, 1, None, closed="left")],
        "rule": [StrOptions({"least_action", "minover"})],
    }

    def __init__(
        self,
        n_units: int = 3,
        *,
        architecture: str = "full",
        groups: Any = None,
        rule: str = "least_action",
        c: float = 0.0,
        order: str = "shuffled",
        max_iter: int = 1000,
        tol: float = 1e-3,
        n_restarts: int = 3,
        pocket: bool = True,
        fit_intercept: bool = True,
        intercept_scaling: float = 1.0,
        trace: bool = False,
        random_state: Any = None,
        record: str | None = None,
    ) -> None:
        self.n_units = n_units
        self.architecture = architecture
        self.groups = groups
        self.rule = rule
        self.c = c
        self.order = order
        self.max_iter = max_iter
        self.tol = tol
        self.n_restarts = n_restarts
        self.pocket = pocket
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.trace = trace
        self.random_state = random_state
        self.record = record

    def _build_machines(
        self, X: Array, y: Array, targets: list[Array], seeds: list[int]
    ) -> list[TrainedMachine]:
        if self.n_units % 2 == 0:
            raise ValueError(
                f"A committee needs an odd number of units to have a majority, not n_units = {self.n_units}."
            )
        wiring, how = self._make_wiring(self.n_units, X.shape[1]), self._make_options(self.rule)
        return [train_jointly(X, S, wiring, how, seed) for S, seed in zip(targets, seeds, strict=True)]
