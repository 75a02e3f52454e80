"""Invalid and extreme parameters and tables for every estimator, and the allowed outcomes.

Either a ValueError or TypeError with a sentence, or numbers that are finite (a warning may come with them).
"""

import warnings

import numpy as np
from hypothesis import strategies as st
from sklearn.base import is_classifier, is_regressor
from sklearn.exceptions import ConvergenceWarning

from markone import LinearUnit, Rosenblatt
from markone.base import registry

VALUES = [
    np.nan, np.inf, -np.inf, 0, -1, 1, 2, 0.0, -0.0, 0.5, 1e308, -1e308, 1e-320, 1e-12, 1e12, 10**30,
    -(10**30), 2**31, 2**63, None, "", "no such word", "\udcff", True, False, [], {}, (), [0.0], np.array([]),
    np.array([np.nan]), object, b"bytes", 1j,
]  # fmt: skip
# Bounds for estimators that would otherwise iterate very long, unless the bound itself is tested.
FEW = {"max_iter": 15, "n_students": 12, "n_restarts": 1, "n_units": 3, "turns": 2, "burn_in": 2, "K": 3}
HOSTILE = st.sampled_from(VALUES)


def words(cls, name):
    """The words that a parameter takes, as the estimator declares them."""
    declared = getattr(cls, "_parameter_constraints", {}).get(name, [])
    if not isinstance(declared, list):
        return []
    return sorted(
        {word for rule in declared for word in getattr(rule, "options", ()) if isinstance(word, str)}
    )


def made(name):
    cls = registry.public_estimators()[name]
    model = cls(Rosenblatt()) if name == "Rejecting" else cls()
    few = {key: value for key, value in FEW.items() if key in model.get_params(deep=False)}
    if name == "AssociationLayer":
        few |= {"n_units": 16}
    seed = {"random_state": 0} if "random_state" in model.get_params(deep=False) else {}
    return model.set_params(**few, **seed)


@st.composite
def settings_of(draw, name):
    """One to three parameters with values that are odd, or words that are allowed."""
    model = made(name)
    names = sorted(model.get_params(deep=False))
    chosen = draw(st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True)) if names else []
    found = {}
    for key in chosen:
        allowed = words(type(model), key)
        found[key] = draw(st.one_of(HOSTILE, st.sampled_from(allowed)) if allowed else HOSTILE)
    return found


def rows(n=12, d=3):
    return np.random.default_rng(n * 100 + d).normal(size=(n, d))


def mixed(X):
    return X * 10.0 ** np.linspace(-150, 150, X.shape[1])


TABLES = {
    "plain": lambda: rows(),
    "a constant column": lambda: np.column_stack([rows(), np.full(12, 3.0)]),
    "zeros": lambda: np.zeros((12, 3)),
    "huge": lambda: 1e150 * rows(),
    "tiny": lambda: 1e-150 * rows(),
    "subnormal": lambda: 1e-310 * rows(),
    "largest": lambda: np.where(rows() > 0, 1.7e308, -1.6e308),
    "of all sizes": lambda: mixed(rows()),
    "far away": lambda: 1e12 + rows(),
    "one row": lambda: rows(1),
    "two rows": lambda: rows(2),
    "the same row": lambda: np.repeat(rows(1), 12, axis=0),
    "pairs": lambda: np.repeat(rows(6), 2, axis=0),
    "one column": lambda: rows(12, 1),
    "signs": lambda: np.where(rows() > 0, 1.0, -1.0),
    "a table of distances": lambda: np.abs(rows()[:, :1] - rows()[:, :1].T),
    "not finite": lambda: np.where(rows() > 1.5, np.nan, rows()),
    "empty": lambda: np.zeros((0, 3)),
}


def targets(model, n, classes):
    if is_regressor(model) or isinstance(model, LinearUnit):
        return np.linspace(-1.0, 1.0, n)
    return np.arange(n) % classes


def complaint(name, given, table, classes):
    """What is wrong with what came out; None if nothing is."""
    model, X = made(name), TABLES[table]()
    y = targets(model, len(X), classes)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # What an estimator declares to say about its own work.
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", UserWarning)
        try:
            model = model.set_params(**given).fit(X, y)
            return silently_wrong(model, X)
        except (ValueError, TypeError) as error:
            return None if len(str(error)) > 12 else f"no sentence: {error!r}"
        except Exception as error:
            return f"{type(error).__name__}: {error}"


def silently_wrong(model, X):
    odd = [key for key, value in vars(model).items() if key in LEARNED and not finite(value)]
    if odd:
        return f"{odd[0]} is not finite"
    for way in ("predict", "decision_function", "predict_proba", "transform"):
        if hasattr(model, way) and not finite(getattr(model, way)(X)):
            return f"{way} gives what is not finite"
    if is_classifier(model):
        found = model.predict(X)
        if (np.isin(found, model.classes_) | rejected(model, found)).all():
            return None
        return "predict gives another class"
    return None


def rejected(model, found):
    """A class of its own is what some say of examples that they do not decide."""
    if not hasattr(model, "reject_label"):
        return np.zeros(len(found), dtype=bool)
    label = model.reject_label
    return np.array([one is label or one == label or (one != one and label != label) for one in found])


LEARNED = ("coef_", "intercept_", "embedding_", "prototypes_", "omega_", "relevance_", "couplings_", "coefs_")


def finite(value):
    if isinstance(value, list | tuple):
        return all(map(finite, value))
    value = np.asarray(value)
    return value.dtype.kind not in "fc" or bool(np.isfinite(value).all())
