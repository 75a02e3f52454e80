"""Cross-validators that scikit-learn lacks: some examples of every class left out   (section 6.2.1).

scikit-learn has n-fold (`StratifiedKFold`), repeated (`RepeatedStratifiedKFold`), leave-one-out
(`LeaveOneOut`), leave-p-out (`LeavePOut`) and Monte-Carlo splits (`ShuffleSplit`,
`StratifiedShuffleSplit`): use those.
"""

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from itertools import combinations, product
from math import comb, prod
from typing import Annotated, Any

import numpy as np
from sklearn.model_selection import BaseCrossValidator
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets

from markone.base.parameters import RandomSeed, documented
from markone.numerics.arrays import Array

LeftOutNumber = Annotated[int, "Number of examples of every class that are left out."]


def _class_members(y: Any, p: int) -> list[Array]:
    """Row indices of each class; each class must have more than p examples."""
    if y is None:
        raise ValueError("These splits leave out examples of every class: give y.")
    y = np.asarray(y)
    check_classification_targets(y)
    labels, inverse = np.unique(y, return_inverse=True)
    members = [np.flatnonzero(inverse == k) for k in range(len(labels))]
    smallest = min(range(len(members)), key=lambda k: len(members[k]))
    if len(members[smallest]) <= p:
        raise ValueError(
            f"Class {str(labels[smallest])!r} has {len(members[smallest])} examples: leaving out {p} of each "
            "class would leave none to learn from."
        )
    return members


@documented
@dataclass(kw_only=True, eq=False, repr=False)
class LeaveOneOutPerClass(BaseCrossValidator):
    """Leave out one example of every class in each split.

    Plain leave-one-out removes the test example from its class only, which biases training towards the other
    classes; here the proportions stay nearly the same. There are as many splits as the largest class has
    examples; smaller classes are cycled, so that every example is tested.

    Examples
    --------
    >>> from markone.evaluation import LeaveOneOutPerClass
    >>> y = [0, 0, 0, 1, 1]
    >>> [test.tolist() for _, test in LeaveOneOutPerClass().split(y, y)]
    [[0, 3], [1, 4], [2, 3]]
    """

    shuffle: Annotated[bool, "Combine the examples of the classes at random, not in order."] = False
    random_state: RandomSeed = None

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        return max(len(rows) for rows in _class_members(y, 1))

    def _iter_test_indices(self, X: Any = None, y: Any = None, groups: Any = None) -> Iterator[Array]:
        members = _class_members(y, 1)
        if self.shuffle:
            rng = check_random_state(self.random_state)
            members = [rng.permutation(rows) for rows in members]
        for split in range(max(len(rows) for rows in members)):
            yield np.array([rows[split % len(rows)] for rows in members])


@documented
@dataclass(eq=False, repr=False)
class LeavePOutPerClass(BaseCrossValidator):
    """All ways to leave out p examples of every class: the product over classes of binomial(n, p) splits.

    That number grows fast; `MonteCarloPerClass` draws random ones.

    Examples
    --------
    >>> from markone.evaluation import LeavePOutPerClass
    >>> y = [0, 0, 1, 1]
    >>> [test.tolist() for _, test in LeavePOutPerClass(p=1).split(y, y)]
    [[0, 2], [0, 3], [1, 2], [1, 3]]
    """

    p: LeftOutNumber = 1

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        return prod(comb(len(rows), _positive_int("p", self.p)) for rows in _class_members(y, self.p))

    def _iter_test_indices(self, X: Any = None, y: Any = None, groups: Any = None) -> Iterator[Array]:
        p = _positive_int("p", self.p)
        chosen = [combinations(rows.tolist(), p) for rows in _class_members(y, p)]
        for parts in product(*chosen):
            yield np.array([mu for part in parts for mu in part])


@documented
@dataclass(eq=False, repr=False)
class MonteCarloPerClass(BaseCrossValidator):
    """Independent random splits, each with p examples of every class left out.

    The test sets are balanced whatever the proportions of the classes (`StratifiedShuffleSplit` keeps the
    proportions), so that accuracy on them is balanced accuracy.

    Examples
    --------
    >>> from markone.evaluation import MonteCarloPerClass
    >>> y = [0, 0, 0, 0, 1, 1]
    >>> [len(test) for _, test in MonteCarloPerClass(p=1, n_splits=3, random_state=0).split(y, y)]
    [2, 2, 2]
    """

    p: LeftOutNumber = 1
    n_splits: Annotated[int, "Number of splits."] = 100
    _: KW_ONLY
    random_state: RandomSeed = None

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        return _positive_int("n_splits", self.n_splits)

    def _iter_test_indices(self, X: Any = None, y: Any = None, groups: Any = None) -> Iterator[Array]:
        members, rng = _class_members(y, _positive_int("p", self.p)), check_random_state(self.random_state)
        for _ in range(self.get_n_splits()):
            yield np.concatenate([rng.choice(rows, self.p, replace=False) for rows in members])


def _positive_int(name: str, value: Any) -> int:
    if int(value) != value or value < 1:
        raise ValueError(f"{name} = {value} must be a whole number, 1 or more.")
    return int(value)
