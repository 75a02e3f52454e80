"""Leave-one-out and cross-validation that avoid refits where the algorithm allows it."""

from markone.evaluation.fast_leave_one_out.left_out import (
    Folds,
    LeftOut,
    fold_potentials,
    leave_one_out,
    plain_leave_one_out,
)

__all__ = ["Folds", "LeftOut", "fold_potentials", "leave_one_out", "plain_leave_one_out"]
