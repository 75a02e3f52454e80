"""A linear scorer as an ONNX graph: Gemm, ArgMax, Gather."""

from typing import Any

import numpy as np

from markone.numerics.arrays import Array

# Of 2021; read by every runtime since.
OPSET, IR = 15, 8


def linear_model(weights: Array, offsets: Array, labels: Array) -> Any:
    """label[argmax(X @ weights.T + offsets)] with the scores beside it."""
    from onnx import TensorProto, checker, helper, numpy_helper

    text = labels.dtype.kind not in "iub"
    names = labels.astype(str).astype(object) if text else labels.astype(np.int64)
    constants = [
        numpy_helper.from_array(weights.T.copy(), "weights"),
        numpy_helper.from_array(offsets, "offsets"),
        numpy_helper.from_array(names, "labels"),
    ]
    nodes = [
        helper.make_node("Gemm", ["X", "weights", "offsets"], ["scores"]),
        helper.make_node("ArgMax", ["scores"], ["nearest"], axis=1, keepdims=0),
        helper.make_node("Gather", ["labels", "nearest"], ["label"]),
    ]
    kind = TensorProto.STRING if text else TensorProto.INT64
    M, N = weights.shape
    graph = helper.make_graph(
        nodes,
        "nearest prototype",
        [helper.make_tensor_value_info("X", TensorProto.DOUBLE, [None, N])],
        [
            helper.make_tensor_value_info("label", kind, [None]),
            helper.make_tensor_value_info("scores", TensorProto.DOUBLE, [None, M]),
        ],
        constants,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR)
    checker.check_model(model)
    return model
