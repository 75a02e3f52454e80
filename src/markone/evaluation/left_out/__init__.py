"""Leave-one-out and folds without training each student anew where the subject allows it."""

from markone.evaluation.left_out.door import LeftOut, leave_one_out, plain_leave_one_out
from markone.evaluation.left_out.many_folds import Folds, fold_potentials

__all__ = ["Folds", "LeftOut", "fold_potentials", "leave_one_out", "plain_leave_one_out"]
