"""One metric, one linear scorer: the same answers from JSON and from ONNX."""

import numpy as np
import onnxruntime
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from markone.lvq import GLVQ, GMLVQ, GRLVQ, MRSLVQ, RSLVQ
from markone.lvq.inspect.units import LinearScorer, linear_scorer

X, y = load_iris(return_X_y=True)
X = StandardScaler().fit_transform(X)
NAMES = np.array(["setosa", "versicolor", "virginica"])


@pytest.mark.parametrize("Model", [GLVQ, GRLVQ, GMLVQ])
@pytest.mark.parametrize("per_class", [1, 2])
def test_it_says_what_the_classifier_says(Model, per_class):
    model = Model(prototypes_per_class=per_class, random_state=0).fit(X, NAMES[y])
    scorer = linear_scorer(model)
    np.testing.assert_array_equal(scorer.predict(X), model.predict(X))
    # Scores differ from -d by a term that all prototypes share.
    difference = scorer.scores(X) + model.distances(X)
    np.testing.assert_allclose(difference - difference[:, :1], 0, atol=1e-10)


def test_through_json():
    model = GMLVQ().fit(pd.DataFrame(X, columns=list("abcd")), y)
    scorer = linear_scorer(model)
    back = LinearScorer.from_json(scorer.to_json())
    assert back.feature_names == ("a", "b", "c", "d")
    np.testing.assert_array_equal(back.predict(X), scorer.predict(X))
    np.testing.assert_array_equal(back.weights, scorer.weights)


@pytest.mark.parametrize("labels", [y, NAMES[y]], ids=["numbers", "names"])
def test_through_onnx(labels):
    model = GMLVQ().fit(X, labels)
    content = linear_scorer(model).to_onnx().SerializeToString()
    session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    label, scores = session.run(None, {"X": X})
    np.testing.assert_array_equal(label, model.predict(X))
    np.testing.assert_allclose(scores, linear_scorer(model).scores(X))


def test_scaling_is_folded_into_the_numbers():
    frame = load_iris(as_frame=True).data
    model = make_pipeline(StandardScaler(), MinMaxScaler(), GMLVQ()).fit(frame, NAMES[y])
    scorer = linear_scorer(model)
    np.testing.assert_array_equal(scorer.predict(frame), model.predict(frame))
    assert scorer.feature_names == tuple(frame.columns)
    difference = scorer.scores(frame) + model[-1].distances(model[:-1].transform(frame))
    np.testing.assert_allclose(difference - difference[:, :1], 0, atol=1e-10)


def test_sums_of_probabilities_are_no_linear_rule():
    one = MRSLVQ().fit(X, y)
    np.testing.assert_array_equal(linear_scorer(one).predict(X), one.predict(X))
    for Model in (RSLVQ, MRSLVQ):
        with pytest.raises(ValueError, match="adds the probabilities of several prototypes"):
            linear_scorer(Model(prototypes_per_class=2, random_state=0).fit(X, y))
