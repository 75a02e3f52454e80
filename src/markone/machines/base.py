"""Base of committee and parity machines; one machine for two classes, one per class for more."""

from collections.abc import Iterator
from dataclasses import field, replace
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from scipy import sparse
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from markone.base.classifier import Classifier, collect_values, structured_tables
from markone.base.history import History
from markone.base.input_validation import validate_data
from markone.base.parameters import Count, NotNegative, Parameters, Positive, RandomState, Record
from markone.base.scores import as_scores, replace_zeros
from markone.base.sklearn_compat import StrOptions, fit_context
from markone.machines._units import PARITY
from markone.machines.joint_training import TrainedMachine, train_jointly
from markone.machines.units import Layer, Wiring, branch_inputs, full_wiring, tree_wiring
from markone.numerics.arrays import Array

# Number of sparse rows that are made dense at a time.
BLOCK = 1000
TRACE = np.dtype([("restart", int), ("epoch", int), ("updates", int), ("errors", int), ("stability", float)])


class Machine(Parameters, Classifier):
    """Base of committee and parity machines; subclasses implement `_build_machines`.

    Parameters
    ----------
    architecture : {"full", "tree"}
        Each unit sees all inputs, or inputs of its own: equal shares in order, or those in `groups` (not for
        units grown by "tiling").
    groups : list of lists of int or None
        The inputs of each unit of a tree, disjoint. None: n_features must be divisible by n_units.
    c : float
        Margin of least action: enough units must have S w . xi > c.
    order : {"shuffled", "cyclic"}
        Order of presentation: a new permutation each sweep, or cyclic ("least_action").
    max_iter : int
        Sweeps of P presentations (minover: P updates) from each start.
    tol : float
        "minover" stops when 10 P updates have not raised the stability by this fraction.
    n_restarts : int
        Largest number of random starts; the first without errors ends the search.
    pocket : bool
        Keep the weights with the fewest errors, counted after each sweep ("least_action"; "minover"
        always keeps the most stable). False: those of the last sweep.
    fit_intercept : bool
        Thresholds as weights of a clamped input (3.4), one for each unit; "tiling" needs them.
    intercept_scaling : float
        Value of the clamped input.
    trace : bool
        Keep errors and stability of each sweep in `trace_`.
    random_state : int, RandomState or None
        Seed of the random numbers; an int gives reproducible results.
    record : {"updates", "presentations"} or None
        Record the steps of "least_action" in `history_`, for the best start: example, strength before and
        after, number of units that learned; weights and thresholds of all units after each step.

    Attributes
    ----------
    weights_ : array (n_units, n_features)
        The weights of the units, zero where a unit of a tree sees nothing. One more axis in front for more
        than two classes (one against the rest); a list where classes differ in the number of units.
    thresholds_ : array (n_units,)
        theta of the units; one more axis in front for more than two classes.
    n_units_ : int
        K; one number per class for more than two classes.
    classes_ : array
        The labels, sorted.
    converged_ : bool
        True if every training example is classified correctly, examples held out excepted. False does not
        prove that no solution exists.
    n_errors_ : int
        Number of training errors.
    n_updates_, n_iter_ : int
        Updates and sweeps of all restarts; for a grown machine n_iter_ is the number of units tried.
    stability_ : float
        The least strength of an example, see `decision_function`; positive without errors.
    trace_ : structured array
        restart, epoch, updates, errors and stability of each sweep, if `trace`.
    history_ : History
        The recorded steps, if `record` is set.
    """

    _kind: ClassVar[int]
    architecture: Annotated[str, StrOptions({"full", "tree"})] = "full"
    groups: Annotated[Any, "array-like", None] = None
    c: NotNegative = 0.0
    order: Annotated[str, StrOptions({"shuffled", "cyclic"})] = "shuffled"
    max_iter: Count = 1000
    tol: Positive = 1e-3
    n_restarts: Count = 3
    pocket: bool = True
    fit_intercept: bool = True
    intercept_scaling: Positive = 1.0
    trace: bool = False
    random_state: RandomState = None
    record: Record = None
    n_units_: int | Array = field(init=False)
    stability_: float | Array = field(init=False)
    n_errors_: int | Array = field(init=False)
    converged_: bool | Array = field(init=False)
    n_updates_: int | Array = field(init=False)
    n_iter_: int | Array = field(init=False)
    history_: History | list[History] = field(init=False)

    def _build_machines(
        self, X: Array, y: Array, targets: list[Array], seeds: list[int]
    ) -> list[TrainedMachine]:
        raise NotImplementedError

    @fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: Any, y: Any) -> Self:
        """Train on the examples X (n_samples, n_features), dense or sparse, with labels y.

        Sparse X is made dense for the training, and a thousand rows at a time for predictions.
        """
        X, y = self._read_data(X, y)
        # Made dense once: the training loops read the rows many times.
        X = X.toarray() if sparse.issparse(X) else X
        self._set_classes(y)
        if self.record is not None and self.rule != "least_action":
            raise ValueError(
                f"record={self.record!r} needs rule='least_action', not {self.rule!r}. For a grown "
                "ParityMachine the units are shown by markone.show.history_of(machine, X, y)."
            )
        targets, rng = self._make_targets(y), check_random_state(self.random_state)
        built = self._build_machines(X, y, targets, [int(rng.randint(2**31 - 1)) for _ in targets])
        self._layers = [b.layer for b in built]
        self._set_machine(X, targets, built)
        self._warn(built)
        return self

    def _set_machine(self, X: Array, targets: list[Array], built: list[TrainedMachine]) -> None:
        E = [b.layer.example_strengths(X, S, self._kind) for b, S in zip(built, targets, strict=True)]
        # Scores are never zero.
        scores = [_signed_strengths(b.layer, X, self._kind) for b in built]
        wrong = [int(np.sum((s > 0) != (S > 0))) for s, S in zip(scores, targets, strict=True)]
        self.weights_ = collect_values([b.layer.weights for b in built])
        self.thresholds_ = collect_values([b.layer.thresholds for b in built])
        self.n_units_ = collect_values([len(b.layer) for b in built])
        self.stability_ = collect_values([float(e.min()) for e in E])
        self.n_errors_ = collect_values(wrong)
        self.converged_ = collect_values([b.converged for b in built])
        self.n_updates_ = collect_values([b.n_updates for b in built])
        self.n_iter_ = collect_values([b.n_epochs for b in built])
        self.__dict__.pop("history_", None)
        student = type(self).__name__
        histories = [replace(b.history, student=student) for b in built if b.history is not None]
        if histories:
            self.history_ = histories if len(histories) > 1 else histories[0]
        if any(b.trace for b in built):
            self.trace_ = structured_tables([b.trace for b in built], TRACE)

    def _make_wiring(self, K: int, N: int) -> Wiring:
        scale = self.intercept_scaling if self.fit_intercept else 0.0
        if self.architecture == "tree":
            return tree_wiring(branch_inputs(self.groups, K, N), N, scale)
        if self.groups is not None:
            raise ValueError("groups needs architecture='tree': in a full machine each unit sees all inputs.")
        return full_wiring(K, N, scale)

    def _train_units(self, K: int, X: Array, targets: list[Array], seeds: list[int]) -> list[TrainedMachine]:
        """One machine of K units trained jointly for each of the targets."""
        wiring = self._make_wiring(K, X.shape[1])
        return [train_jointly(X, S, wiring, self, seed) for S, seed in zip(targets, seeds, strict=True)]

    def _dense_blocks(self, X: Any) -> Iterator[Array]:
        """Yield the rows of X, dense; sparse ones in blocks."""
        check_is_fitted(self)
        demands: dict[str, Any] = {"dtype": [np.float64, np.float32], "order": "C", "accept_sparse": "csr"}
        X = validate_data(self, X, reset=False, **demands)
        if not sparse.issparse(X):
            return iter([np.asarray(X)])
        return (X[k : k + BLOCK].toarray() for k in range(0, X.shape[0], BLOCK))

    def hidden(self, X: Any) -> Any:
        """Internal representations sigma = +-1: (n_samples, n_units_), one array per class for several."""
        blocks = [[layer.hidden(rows) for layer in self._layers] for rows in self._dense_blocks(X)]
        return collect_values([np.concatenate(parts) for parts in zip(*blocks, strict=True)])

    def decision_function(self, X: Any) -> Array:
        """How far the units' fields may change before the output changes, with the sign of the output.

        In units of |w|; the clamped input counts. Committee: the median of the units' signed distances.
        Parity: the product of the signs times the smallest distance.
        """
        found = []
        for rows in self._dense_blocks(X):
            scores = [_signed_strengths(layer, rows, self._kind) for layer in self._layers]
            found.append(as_scores(np.column_stack(scores), rows.dtype))
        return np.concatenate(found)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _signed_strengths(layer: Layer, X: Array, kind: int) -> Array:
    """The signed strength: positive for the output +1."""
    score = layer.example_strengths(X, np.ones(len(X)), kind)
    if kind == PARITY:
        # A unit exactly on its surface counts as +1 (1.5): the score is zero, the product may still be -1.
        negative = layer.hidden(X).prod(axis=1) < 0
        score = np.where(negative & (score == 0), -np.finfo(float).tiny, score)
    return replace_zeros(score)
