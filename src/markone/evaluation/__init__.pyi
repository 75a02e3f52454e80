# Written by `python -m markone.base.stubs` from HOMES in __init__.py; not by hand.

from markone.evaluation.bias_variance.decomposition import BiasVariance as BiasVariance
from markone.evaluation.bias_variance.decomposition import simulate_bias_variance as simulate_bias_variance
from markone.evaluation.bias_variance.polynomials import PolynomialFitsDisplay as PolynomialFitsDisplay
from markone.evaluation.bias_variance.polynomials import polynomial_errors as polynomial_errors
from markone.evaluation.bias_variance.polynomials import polynomial_fits as polynomial_fits
from markone.evaluation.conformal import ConformalClassifier as ConformalClassifier
from markone.evaluation.conformal import class_margins as class_margins
from markone.evaluation.conformal import margin_thresholds as margin_thresholds
from markone.evaluation.cross_validation.complexity import ComplexityCurve as ComplexityCurve
from markone.evaluation.cross_validation.complexity import ComplexityDisplay as ComplexityDisplay
from markone.evaluation.cross_validation.complexity import complexity_curve as complexity_curve
from markone.evaluation.cross_validation.fold_table import FoldTable as FoldTable
from markone.evaluation.cross_validation.fold_table import Nested as Nested
from markone.evaluation.cross_validation.fold_table import cross_validated as cross_validated
from markone.evaluation.cross_validation.fold_table import nested_cross_validation as nested_cross_validation
from markone.evaluation.cross_validation.splits import LeaveOneOutPerClass as LeaveOneOutPerClass
from markone.evaluation.cross_validation.splits import LeavePOutPerClass as LeavePOutPerClass
from markone.evaluation.cross_validation.splits import MonteCarloPerClass as MonteCarloPerClass
from markone.evaluation.fast_leave_one_out import Folds as Folds
from markone.evaluation.fast_leave_one_out import LeftOut as LeftOut
from markone.evaluation.fast_leave_one_out import fold_potentials as fold_potentials
from markone.evaluation.fast_leave_one_out import leave_one_out as leave_one_out
from markone.evaluation.fast_leave_one_out.optimal_students import ridge_left_out as ridge_left_out
from markone.evaluation.measures.confusion import baseline_comparison as baseline_comparison
from markone.evaluation.measures.confusion import confusion_f1 as confusion_f1
from markone.evaluation.measures.confusion import confusion_percent as confusion_percent
from markone.evaluation.measures.confusion import imbalance_report as imbalance_report
from markone.evaluation.measures.score_table import Scores as Scores
from markone.evaluation.measures.score_table import scores as scores
from markone.evaluation.neighbours import NeighbourScores as NeighbourScores
from markone.evaluation.neighbours import neighbour_grid as neighbour_grid
from markone.evaluation.roc_curves.averaged import AveragedRoc as AveragedRoc
from markone.evaluation.roc_curves.averaged import AveragedRocDisplay as AveragedRocDisplay
from markone.evaluation.roc_curves.averaged import averaged_roc as averaged_roc
from markone.evaluation.roc_curves.curve import Roc as Roc
from markone.evaluation.roc_curves.curve import WorkingPoint as WorkingPoint
from markone.evaluation.roc_curves.curve import discriminant as discriminant
from markone.evaluation.roc_curves.curve import prototype_margin as prototype_margin
from markone.evaluation.roc_curves.curve import roc as roc
from markone.evaluation.roc_curves.curve import working_point as working_point
from markone.evaluation.roc_curves.per_class import ClassRoc as ClassRoc
from markone.evaluation.roc_curves.per_class import OneAgainstRestDisplay as OneAgainstRestDisplay
from markone.evaluation.roc_curves.per_class import one_against_rest as one_against_rest

HOMES: dict[str, str]
__all__: list[str]
