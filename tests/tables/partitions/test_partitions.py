"""Sums over partitions give the weights of the fit to all rows at once."""

import warnings

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
from sklearn.datasets import load_iris

from markone import (
    GLVQ,
    GMLVQ,
    GRLVQ,
    LGMLVQ,
    MRSLVQ,
    RSLVQ,
    Adaline,
    AdaTron,
    Hebb,
    KernelAdaTron,
    LinearUnit,
    MarginCost,
)
from markone.errors import BadTable
from markone.lvq.solvers.lbfgs import LBFGS
from markone.tables import fit_partitions, score_partitions
from markone.tables.partitions import linear_models, sources
from markone.tables.partitions.partition_sums import PartitionSums

# To the minimum: two ways of adding agree where they stop, not on the way.
TO_THE_END = LBFGS(max_iter=3000, gtol=1e-11, ftol=0.0)


@pytest.fixture(scope="module")
def rows():
    """Three classes that overlap, so that every cost has a minimum of its own."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 900)
    X = rng.normal(size=(900, 4)) + 1.5 * np.eye(4)[y] + 5
    return X, np.array(["a", "b", "c"])[y]


def cut(X, y, at=(100, 101, 450)):
    """Pieces of very different size."""
    return list(zip(np.split(X, at), np.split(y, at), strict=True))


def close(a, b, tol=1e-8):
    np.testing.assert_allclose(a, b, rtol=tol, atol=tol * max(1.0, np.abs(b).max()))


@pytest.mark.parametrize(
    "model",
    [Hebb(), Hebb(fit_intercept=False), Adaline(), Adaline(ridge=3.0), MarginCost(), MarginCost(k=1)],
    ids=repr,
)
@pytest.mark.parametrize("classes", [2, 3])
def test_perceptrons_are_those_of_all_rows(rows, model, classes):
    X, y = rows
    chosen = y != "c" if classes == 2 else np.ones(len(y), bool)
    X, y = X[chosen] - 5, y[chosen]
    whole, parts = model.fit(X, y), fit_partitions(model, cut(X, y))
    close(parts.coef_, whole.coef_)
    close(parts.intercept_, whole.intercept_)
    np.testing.assert_array_equal(parts.predict(X), whole.predict(X))


@pytest.mark.parametrize("classes", [2, 3])
def test_the_soft_margin_is_exact_by_its_working_set(rows, classes, monkeypatch):
    monkeypatch.setattr(linear_models, "SAMPLE_ROWS", 100)
    monkeypatch.setattr(linear_models, "ERRORS", 0.5)
    X, y = rows
    chosen = y != "c" if classes == 2 else np.ones(len(y), bool)
    model, pieces = AdaTron(C=1.0, random_state=0), cut(X[chosen] - 5, y[chosen])
    whole, parts = model.fit(X[chosen] - 5, y[chosen]), fit_partitions(model, pieces)
    close(parts.coef_, whole.coef_)
    close(parts.intercept_, whole.intercept_)
    assert parts.n_working_ < chosen.sum()


@pytest.mark.parametrize("ridge", [0.0, 2.0])
def test_the_linear_unit_with_its_band(rows, ridge):
    X, _ = rows
    y = X @ [1.0, -2.0, 0.5, 0.0] + np.random.default_rng(1).normal(size=len(X))
    whole, parts = LinearUnit(ridge=ridge).fit(X, y), fit_partitions(LinearUnit(ridge=ridge), cut(X, y))
    for a, b in zip(parts.predict(X, return_std=True), whole.predict(X, return_std=True), strict=True):
        close(a, b)
    close(parts.covariance_, whole.covariance_)
    assert score_partitions(parts, cut(X, y)) == pytest.approx(whole.score(X, y))


def test_columns_that_repeat_each_other_leave_the_shortest_weights(rows):
    X, _ = rows
    X = np.column_stack([X, X[:, 0]])
    y = X @ [1.0, -2.0, 0.5, 0.0, 1.0]
    close(fit_partitions(LinearUnit(), cut(X, y)).coef_, LinearUnit().fit(X, y).coef_)


@pytest.mark.parametrize(
    "model",
    [
        GLVQ(), GRLVQ(), GMLVQ(), LGMLVQ(), RSLVQ(), MRSLVQ(), GMLVQ(mu=0.5),
        GMLVQ(solver="lbfgs"), GMLVQ(solver="lbfgs", mu=0.5), LGMLVQ(solver="lbfgs"),
    ],
    ids=lambda model: f"{type(model).__name__}-{model.solver}-{getattr(model, 'mu', 0)}",
)  # fmt: skip
def test_prototypes_are_those_of_all_rows(rows, model):
    """After few steps they agree to rounding, whatever the landscape."""
    X, y = rows
    model = model.set_params(max_iter=15, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        whole = model.fit(X, y)
        parts = fit_partitions(model, cut(X, y))
    close(parts.prototypes_, whole.prototypes_)
    assert parts.n_iter_ == whole.n_iter_
    assert parts.cost_ == pytest.approx(whole.cost_, rel=1e-10)
    np.testing.assert_array_equal(parts.trace_["errors"], whole.trace_["errors"])
    if hasattr(whole, "lambda_"):
        close(parts.lambda_, whole.lambda_)
    np.testing.assert_array_equal(parts.predict(X), whole.predict(X))


def test_prototypes_at_their_minimum(rows):
    X, y = rows
    model = RSLVQ(solver=TO_THE_END)
    close(fit_partitions(model, cut(X, y)).prototypes_, model.fit(X, y).prototypes_)


def test_given_prototypes_several_a_class(rows):
    X, y = rows
    W, c = X[:6], np.array(["a", "a", "b", "b", "c", "c"])
    model = GLVQ(prototypes_per_class=2, initial_prototypes=W, initial_labels=c, max_iter=10)
    close(fit_partitions(model, cut(X, y)).prototypes_, model.fit(X, y).prototypes_)


def test_a_direction_in_which_nothing_differs(rows):
    X, y = rows
    X = np.column_stack([X, X[:, 0] + X[:, 1]])
    model = GMLVQ(max_iter=10)
    close(fit_partitions(model, cut(X, y)).lambda_, model.fit(X, y).lambda_)


def test_threads_and_pieces_do_not_matter(rows):
    X, y = rows
    one = fit_partitions(GMLVQ(max_iter=10), [(X, y)])
    close(fit_partitions(GMLVQ(max_iter=10), cut(X, y), threads=3).prototypes_, one.prototypes_)


def test_scaled_by_all_partitions(rows, tmp_path):
    X, y = rows
    made = fit_partitions(Hebb(), cut(1e3 * X, y), scale=True)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    close(made["model"].coef_, Hebb().fit(Z, y).coef_)
    assert score_partitions(made, cut(1e3 * X, y)) == pytest.approx(Hebb().fit(Z, y).score(Z, y))


def test_a_folder_of_parquet_files(tmp_path):
    X, y = load_iris(return_X_y=True)
    names = np.array(["a", "b", "c"])
    for k, rows in enumerate(np.split(np.random.default_rng(0).permutation(150), [40, 90])):
        columns = {f"x{j}": X[rows, j] for j in range(4)} | {"kind": names[y[rows]]}
        pyarrow.parquet.write_table(pyarrow.table(columns), tmp_path / f"{k}.parquet", row_group_size=30)
    parts = sources.as_partitions(tmp_path, "kind")
    assert len(parts) == 6
    found = fit_partitions(MarginCost(), tmp_path, "kind")
    close(found.coef_, MarginCost().fit(X, names[y]).coef_, 1e-6)
    assert score_partitions(found, tmp_path, "kind") == MarginCost().fit(X, y).score(X, y)
    with pytest.raises(BadTable, match=r"has no column 'knd'\. Did you mean 'kind'\?"):
        fit_partitions(Hebb(), tmp_path, "knd")
    with pytest.raises(BadTable, match=r"Column 'kind' of .* holds string: partitions must hold numbers"):
        fit_partitions(Hebb(), tmp_path, "x0")


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        (KernelAdaTron(), "KernelAdaTron needs all rows at once.*Fit it to a sample"),
        (AdaTron(), r"The hard margin \(C = inf\).*finite C"),
        (Adaline(solver="sequential"), "needs solver='closed'"),
        (Hebb(class_weight="balanced"), "does not support class_weight"),
        (GLVQ(solver="stochastic"), "needs solver='lbfgs' or 'waypoint'"),
        (GLVQ(prototypes_per_class=2), "give initial_prototypes"),
        (GMLVQ(rank=2), "needs a full matrix"),
        (GLVQ(distance="mahalanobis"), "needs all rows at once"),
    ],
    ids=lambda value: value if isinstance(value, str) else repr(value),
)
def test_what_cannot_says_so(rows, model, sentence):
    with pytest.raises(ValueError, match=sentence):
        fit_partitions(model, cut(*rows))


def test_partitions_are_kept_up_to_a_limit(monkeypatch):
    asked = []

    class Counted(sources.ArrayPartitions):
        def load(self, k):
            asked.append(k)
            return super().load(k)

    pieces = [(np.ones((10, 2)), np.arange(10)) for _ in range(3)]
    sums = PartitionSums(Counted(pieces))
    for _ in range(2):
        list(sums.map_partitions(lambda X, y: len(X)))
    assert asked == [0, 1, 2]
    sums.close()
    monkeypatch.setattr("markone.tables.partitions.partition_sums.KEPT_BYTES", 300)
    list(sums.map_partitions(lambda X, y: len(X)))
    list(sums.map_partitions(lambda X, y: len(X)))
    assert asked == [0, 1, 2, 0, 1, 2, 1, 2]
    sums.close()


def overlapping(P=3000):
    """Most rows lie inside the margin, where only their sum counts."""
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, P)
    X = rng.normal(size=(P, 4)) + 0.4 * y[:, None]
    return X, np.where(y == 1, "b", "a")


@pytest.mark.parametrize("C", [1e-4, 0.01, 1.0, 100.0])
@pytest.mark.parametrize(("errors", "intercept"), [(4.0, True), (1.0, True), (1.0, False)])
def test_rows_inside_the_margin_count_by_their_sum(monkeypatch, C, errors, intercept):
    """Also where the first band is too narrow, so that rows have to join it."""
    X, y = overlapping(20_000)
    monkeypatch.setattr(linear_models, "SAMPLE_ROWS", 4000)
    monkeypatch.setattr(linear_models, "ERRORS", errors)
    model = AdaTron(C=C, fit_intercept=intercept, random_state=0)
    whole, parts = model.fit(X, y), fit_partitions(model, cut(X, y))
    close(parts.coef_, whole.coef_)
    close(parts.intercept_, whole.intercept_)
    inside = int((np.where(y == "b", 1, -1) * whole.decision_function(X) < 1).sum())
    assert parts.n_working_ < 0.8 * inside


def test_too_many_rows_on_the_margin_are_refused(monkeypatch):
    X, y = overlapping()
    monkeypatch.setattr(linear_models, "SAMPLE_ROWS", 100)
    monkeypatch.setattr(linear_models, "MOST_ROWS", 50)
    with pytest.raises(BadTable, match="More than 50 rows lie on or near the margin"):
        fit_partitions(AdaTron(C=1.0), cut(X, y))


def test_a_class_that_few_partitions_have_is_in_the_sample(monkeypatch):
    X, y = overlapping()
    order = np.argsort(y, kind="stable")
    monkeypatch.setattr(linear_models, "SAMPLE_ROWS", 20)
    whole, parts = AdaTron(C=1.0).fit(X, y), fit_partitions(AdaTron(C=1.0), cut(X[order], y[order]))
    close(parts.coef_, whole.coef_)
