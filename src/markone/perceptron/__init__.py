"""One student: sign(w . xi). Every perceptron of the notes as a scikit-learn estimator."""

from markone.numerics import lazily

HOMES = {
    "AdaTron": "markone.perceptron.adatron",
    "Adaline": "markone.perceptron.adaline",
    "AssociationLayer": "markone.perceptron.maps.association",
    "BayesPoint": "markone.perceptron.bayes_point",
    "Gibbs": "markone.perceptron.gibbs_student",
    "Hebb": "markone.perceptron.hebb",
    "KernelAdaTron": "markone.perceptron.kernel_adatron",
    "LMS": "markone.perceptron.lms",
    "MarginCost": "markone.perceptron.margin_cost",
    "MinOver": "markone.perceptron.minover",
    "OnlineStudent": "markone.perceptron.online_student",
    "PerceptronRule": "markone.perceptron.perceptron_rule",
    "Pocket": "markone.perceptron.pocket",
    "PolynomialMap": "markone.perceptron.maps.polynomial",
    "Rosenblatt": "markone.perceptron.rosenblatt",
    "Separability": "markone.perceptron.separation",
    "VersionSpace": "markone.perceptron.version_space.space",
    "separability": "markone.perceptron.separation",
}

__all__ = list(HOMES)
__getattr__ = lazily.names(__name__, HOMES)


def __dir__() -> list[str]:
    return __all__
