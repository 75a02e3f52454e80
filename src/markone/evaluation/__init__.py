"""Evaluation of classifiers (chapter 6 of the notes), as far as scikit-learn does not provide it."""

from markone import lazy_import

HOMES = {
    "AveragedRoc": "markone.evaluation.roc_curves.averaged",
    "AveragedRocDisplay": "markone.evaluation.roc_curves.averaged",
    "BiasVariance": "markone.evaluation.bias_variance.decomposition",
    "ClassRoc": "markone.evaluation.roc_curves.per_class",
    "ComplexityCurve": "markone.evaluation.cross_validation.complexity",
    "ComplexityDisplay": "markone.evaluation.cross_validation.complexity",
    "FoldTable": "markone.evaluation.cross_validation.fold_table",
    "Folds": "markone.evaluation.fast_leave_one_out",
    "LeftOut": "markone.evaluation.fast_leave_one_out",
    "Nested": "markone.evaluation.cross_validation.nested",
    "NeighbourScores": "markone.evaluation.neighbours",
    "OneAgainstRestDisplay": "markone.evaluation.roc_curves.per_class",
    "PolynomialFitsDisplay": "markone.evaluation.bias_variance.polynomials",
    "Roc": "markone.evaluation.roc_curves.curve",
    "Scores": "markone.evaluation.measures.score_table",
    "WorkingPoint": "markone.evaluation.roc_curves.working_points",
    "averaged_roc": "markone.evaluation.roc_curves.averaged",
    "baseline_comparison": "markone.evaluation.measures.unbalanced",
    "complexity_curve": "markone.evaluation.cross_validation.complexity",
    "cross_validated": "markone.evaluation.cross_validation.fold_table",
    "discriminant": "markone.evaluation.roc_curves.curve",
    "confusion_f1": "markone.evaluation.measures.confusion",
    "fold_potentials": "markone.evaluation.fast_leave_one_out",
    "leave_one_out": "markone.evaluation.fast_leave_one_out",
    "neighbour_grid": "markone.evaluation.neighbours",
    "nested_cross_validation": "markone.evaluation.cross_validation.nested",
    "one_against_rest": "markone.evaluation.roc_curves.per_class",
    "confusion_percent": "markone.evaluation.measures.confusion",
    "polynomial_errors": "markone.evaluation.bias_variance.polynomials",
    "polynomial_fits": "markone.evaluation.bias_variance.polynomials",
    "prototype_margin": "markone.evaluation.roc_curves.curve",
    "ridge_left_out": "markone.evaluation.fast_leave_one_out.least_squares",
    "roc": "markone.evaluation.roc_curves.curve",
    "scores": "markone.evaluation.measures.score_table",
    "simulate_bias_variance": "markone.evaluation.bias_variance.decomposition",
    "imbalance_report": "markone.evaluation.measures.unbalanced",
    "working_point": "markone.evaluation.roc_curves.working_points",
}

__all__ = list(HOMES)
__getattr__ = lazy_import.lazy_names(__name__, HOMES)


def __dir__() -> list[str]:
    return __all__
