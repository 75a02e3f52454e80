"""What chapter 6 of the notes asks for and scikit-learn does not already give."""

from markone.numerics import lazily

HOMES = {
    "AveragedRoc": "markone.evaluation.roc_over_folds",
    "AveragedRocDisplay": "markone.evaluation.roc_over_folds",
    "BiasVariance": "markone.evaluation.bias_variance",
    "ClassRoc": "markone.evaluation.roc_per_class",
    "ComplexityCurve": "markone.evaluation.complexity",
    "ComplexityDisplay": "markone.evaluation.complexity",
    "ConfusionShareDisplay": "markone.evaluation.confusion",
    "FoldTable": "markone.evaluation.folds",
    "Folds": "markone.evaluation.left_out",
    "LeaveOneOutPerClass": "markone.evaluation.splits",
    "LeavePOutPerClass": "markone.evaluation.splits",
    "LeftOut": "markone.evaluation.left_out",
    "MonteCarloPerClass": "markone.evaluation.splits",
    "Nested": "markone.evaluation.nested",
    "NeighbourScores": "markone.evaluation.neighbours",
    "OneAgainstRestDisplay": "markone.evaluation.roc_per_class",
    "Outliers": "markone.evaluation.outlying",
    "PolynomialFitsDisplay": "markone.evaluation.polynomials",
    "Roc": "markone.evaluation.characteristics",
    "Scores": "markone.evaluation.measures",
    "WorkingPoint": "markone.evaluation.working_points",
    "area_under_roc": "markone.evaluation.characteristics",
    "averaged_confusion": "markone.evaluation.confusion",
    "averaged_roc": "markone.evaluation.roc_over_folds",
    "beside_the_trivial": "markone.evaluation.unbalanced",
    "by_rank": "markone.evaluation.neighbours",
    "complexity_curve": "markone.evaluation.complexity",
    "condensed": "markone.evaluation.condensing",
    "cross_validated": "markone.evaluation.folds",
    "discriminant": "markone.evaluation.characteristics",
    "f1_form": "markone.evaluation.confusion",
    "fold_potentials": "markone.evaluation.left_out",
    "leave_one_out": "markone.evaluation.left_out",
    "neighbour_grid": "markone.evaluation.neighbours",
    "nested_cross_validation": "markone.evaluation.nested",
    "one_against_rest": "markone.evaluation.roc_per_class",
    "outliers": "markone.evaluation.outlying",
    "percent": "markone.evaluation.confusion",
    "polynomial_errors": "markone.evaluation.polynomials",
    "polynomial_fits": "markone.evaluation.polynomials",
    "prototype_margin": "markone.evaluation.characteristics",
    "ridge_left_out": "markone.evaluation.left_out.least_squares",
    "roc": "markone.evaluation.characteristics",
    "scores": "markone.evaluation.measures",
    "simulate": "markone.evaluation.simulation",
    "what_accuracy_hides": "markone.evaluation.unbalanced",
    "working_point": "markone.evaluation.working_points",
}

__all__ = list(HOMES)
__getattr__ = lazily.names(__name__, HOMES)


def __dir__() -> list[str]:
    return __all__
