"""What the text of a student may contain: classes of scikit-learn, kinds of parameters, depth and size.

A declaration may come from a stranger, and is read without permission. So that reading it runs no code and
opens no file, the classes of scikit-learn are listed, and their parameters are numbers, one of their
documented words or estimators: no path, cache or function, and nothing that starts processes or prints.
"""

import ast
from collections.abc import Iterator
from importlib import import_module
from typing import Any

# By module of scikit-learn. Searches over parameters are missing: they set any parameter by its name.
CLASSES: dict[str, str] = {
    "calibration": "CalibratedClassifierCV",
    "cluster": "KMeans MiniBatchKMeans",
    "decomposition": "FactorAnalysis FastICA IncrementalPCA KernelPCA NMF PCA SparsePCA TruncatedSVD",
    "discriminant_analysis": "LinearDiscriminantAnalysis QuadraticDiscriminantAnalysis",
    "dummy": "DummyClassifier",
    "ensemble": "AdaBoostClassifier BaggingClassifier ExtraTreesClassifier GradientBoostingClassifier "
    "HistGradientBoostingClassifier RandomForestClassifier RandomTreesEmbedding StackingClassifier "
    "VotingClassifier",
    "feature_selection": "RFE SelectFdr SelectFpr SelectFromModel SelectFwe SelectKBest SelectPercentile "
    "VarianceThreshold",
    "gaussian_process": "GaussianProcessClassifier",
    "impute": "SimpleImputer",
    "kernel_approximation": "AdditiveChi2Sampler Nystroem PolynomialCountSketch RBFSampler SkewedChi2Sampler",
    "linear_model": "ElasticNet Lasso LinearRegression LogisticRegression LogisticRegressionCV Perceptron "
    "Ridge RidgeClassifier RidgeClassifierCV SGDClassifier",
    "model_selection": "FixedThresholdClassifier",
    "multiclass": "OneVsOneClassifier OneVsRestClassifier OutputCodeClassifier",
    "naive_bayes": "BernoulliNB CategoricalNB ComplementNB GaussianNB MultinomialNB",
    "neighbors": "KNeighborsClassifier NearestCentroid NeighborhoodComponentsAnalysis "
    "RadiusNeighborsClassifier",
    "neural_network": "BernoulliRBM MLPClassifier",
    "pipeline": "FeatureUnion Pipeline",
    "preprocessing": "Binarizer KBinsDiscretizer MaxAbsScaler MinMaxScaler Normalizer PolynomialFeatures "
    "PowerTransformer QuantileTransformer RobustScaler SplineTransformer StandardScaler",
    "random_projection": "GaussianRandomProjection SparseRandomProjection",
    "semi_supervised": "LabelPropagation LabelSpreading SelfTrainingClassifier",
    "svm": "LinearSVC NuSVC SVC",
    "tree": "DecisionTreeClassifier ExtraTreeClassifier",
}
REFUSED_PARAMETERS = {
    "memory": "it is a folder of files to be run",
    "callback": "it is a function",
    "importance_getter": "it is a function",
    "verbose": "it prints",
    "n_jobs": "the workers of a run share its tasks",
}
# Lists of (name, estimator): the names are free.
PARTS = ("steps", "estimators", "transformer_list")
MAX_CHARACTERS, MAX_VALUES, MAX_DEPTH = 4000, 30, 4
# Of trees, units, iterations: `markone check` fits a student once, which should not take hours or all memory.
MAX_WHOLE_NUMBER = 1_000_000
VALUES = (ast.Call, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Constant, ast.UnaryOp, ast.BinOp)


def load_sklearn_class(name: str) -> type:
    """The class of a dotted name, if it is listed: no other module is imported."""
    module, _, cls = name.removeprefix("sklearn.").rpartition(".")
    listed = CLASSES.get(module, "").split()
    if cls not in listed:
        raise ValueError(
            f"{name} is no estimator of scikit-learn that a declaration may use: the list of "
            f"sklearn.{module} has no {cls!r}, but {', '.join(listed) or 'nothing'}. "
            "Wrap it in a class of a package of your own."
        )
    found: type = getattr(import_module(f"sklearn.{module}"), cls)
    return found


def require_small_expression(tree: ast.expr, shown: str) -> None:
    """Raise if the text has more than MAX_VALUES values (estimators, lists, numbers, strings)."""
    count = sum(isinstance(node, VALUES) for node in ast.walk(tree))
    if count > MAX_VALUES:
        raise ValueError(f"{shown}: it has {count} values, more than the {MAX_VALUES} allowed in a student.")


def require_harmless_parameters(cls: type, given: dict[str, Any], name: str) -> None:
    """Raise if a parameter could name a file, start processes or print."""
    for key, value in given.items():
        if key in REFUSED_PARAMETERS:
            raise ValueError(
                f"{name}: a declaration must not set {key}, because {REFUSED_PARAMETERS[key]}: leave it out."
            )
        if cls.__module__.split(".")[0] == "sklearn" and key not in PARTS:
            for number in _iterate_kind(value, int):
                if number > MAX_WHOLE_NUMBER and key != "random_state":
                    raise ValueError(f"{name}: {key} = {number} is larger than {MAX_WHOLE_NUMBER}.")
            # The strings that scikit-learn's own check of a parameter lists.
            constraints = getattr(cls, "_parameter_constraints", {}).get(key, [])
            found = [getattr(one, "options", ()) for one in constraints if one != "no_validation"]
            known = {word for options in found for word in options if isinstance(word, str)}
            for word in _iterate_kind(value, str):
                if word not in known:
                    text = f"one of {', '.join(sorted(known))}" if known else "no string"
                    raise ValueError(f"{name}: {key} = {word!r} must be {text}.")


def _iterate_kind(value: Any, kind: type) -> Iterator[Any]:
    """The values of a type in a parameter, also inside lists and dictionaries."""
    if isinstance(value, kind):
        yield value
    elif isinstance(value, dict | list | tuple | set):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _iterate_kind(one, kind)
