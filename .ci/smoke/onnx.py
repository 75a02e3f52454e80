"""A model of prototypes as an ONNX graph."""

import onnx

from markone import NearestPrototype
from markone.lvq import linear_scorer

model = NearestPrototype().fit([[0.0], [2.0], [10.0], [12.0]], ["low", "low", "high", "high"])
onnx.checker.check_model(linear_scorer(model).to_onnx())
