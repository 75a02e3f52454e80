"""The perceptron sign(w . xi): every algorithm of the notes as a scikit-learn estimator."""

from markone import lazy_import

HOMES = {
    "AdaTron": "markone.perceptron.students.adatron",
    "Adaline": "markone.perceptron.students.adaline",
    "AssociationLayer": "markone.perceptron.maps.association",
    "BayesPoint": "markone.perceptron.version_space.bayes_point",
    "Gibbs": "markone.perceptron.version_space.gibbs",
    "Hebb": "markone.perceptron.students.hebb",
    "KernelAdaTron": "markone.perceptron.margin.kernel.kernel_adatron",
    "LMS": "markone.perceptron.online.delta_rule",
    "MarginCost": "markone.perceptron.students.margin_cost",
    "MinimalErrors": "markone.perceptron.fewest_errors.minimal_errors",
    "MinOver": "markone.perceptron.students.minover",
    "OnlineStudent": "markone.perceptron.online.online_student",
    "PerceptronRule": "markone.perceptron.online.delta_rule",
    "Pocket": "markone.perceptron.students.pocket",
    "PolynomialMap": "markone.perceptron.maps.polynomial",
    "Rosenblatt": "markone.perceptron.students.rosenblatt",
    "Separability": "markone.perceptron.separable",
    "Separation": "markone.perceptron.recession",
    "VersionSpace": "markone.perceptron.version_space.space",
    "separability": "markone.perceptron.separable",
    "separation": "markone.perceptron.recession",
    "verify": "markone.perceptron.separable.exact.verify",
}

__all__ = list(HOMES)
__getattr__, __dir__ = lazy_import.lazy_names(__name__, HOMES)
