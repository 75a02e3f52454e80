"""Prototypes behind a scaler in the original units."""

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, RobustScaler, StandardScaler

from markone.lvq import GLVQ, GMLVQ, LGMLVQ, KernelGLVQ, in_original_units

TABLE = load_wine(as_frame=True)
X, y = TABLE.data, np.array(["one", "two", "three"])[TABLE.target]


def test_prototypes_are_where_the_scaler_brings_them_back():
    pipeline = make_pipeline(StandardScaler(), GMLVQ(prototypes_per_class=2, random_state=0)).fit(X, y)
    shown = in_original_units(pipeline)
    np.testing.assert_allclose(shown.prototypes, pipeline[0].inverse_transform(pipeline[-1].prototypes_))
    assert shown.names == list(X.columns)
    np.testing.assert_array_equal(shown.labels, pipeline[-1].prototype_labels_)
    np.testing.assert_array_equal(shown.relevance, pipeline[-1].relevance_)
    frame = shown.frame()
    assert frame.shape == (6, 13)
    assert frame.index.name == "class"
    assert np.all((X.min() <= frame.loc["one"].min()) & (frame.loc["one"].max() <= X.max()))


@pytest.mark.parametrize("model", [GMLVQ(), LGMLVQ()], ids=["one matrix", "local"])
@pytest.mark.parametrize("scaler", [MinMaxScaler(), MaxAbsScaler(), RobustScaler()], ids=str)
def test_distances_are_those_of_the_metric_in_original_units(model, scaler):
    pipeline = make_pipeline(StandardScaler(), "passthrough", scaler, model).fit(X.to_numpy(), y)
    shown = in_original_units(pipeline)
    D = pipeline[-1].distances(pipeline[:-1].transform(X.to_numpy()))
    for j, w in enumerate(shown.prototypes):
        Lambda = shown.lambda_ if shown.lambda_.ndim == 2 else shown.lambda_[pipeline[-1].omega_of_[j]]
        d = X.to_numpy() - w
        np.testing.assert_allclose(((d @ Lambda) * d).sum(axis=1), D[:, j], rtol=1e-7, atol=1e-10)
    assert shown.names[:2] == ["x0", "x1"]


def test_a_classifier_alone_is_in_its_own_units():
    model = GLVQ().fit(X, y)
    shown = in_original_units(model)
    np.testing.assert_array_equal(shown.prototypes, model.prototypes_)
    assert shown.relevance is None


def test_what_cannot_be_undone_is_refused():
    with pytest.raises(ValueError, match="does more than scale each feature"):
        in_original_units(make_pipeline(PCA(3), GLVQ()).fit(X, y))
    with pytest.raises(ValueError, match="does more than scale each feature"):
        in_original_units(make_pipeline(MinMaxScaler(clip=True), GLVQ()).fit(X, y))
    with pytest.raises(ValueError, match="has no prototypes among the inputs"):
        in_original_units(make_pipeline(StandardScaler(), KernelGLVQ()).fit(X, y))
