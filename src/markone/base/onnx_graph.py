"""Scores and labels of a classifier as an ONNX graph in float64. Needs markone[onnx]."""

from typing import Any

import numpy as np

from markone.lazy_import import require_module
from markone.numerics.arrays import Array

# Of 2021; supported by every runtime since.
OPSET, IR = 15, 8
# onnx.TensorProto.INT64 and DOUBLE, known before onnx is loaded.
INT64, DOUBLE = 7, 11


# The class that gains from a potential < 0 and the one that gains from >= 0, (pairs, K): see `_vote_nodes`.
Wins = tuple[Array, Array]


def linear_model(weights: Array, offsets: Array, labels: Array, wins: Wins | None = None) -> Any:
    """scores = X @ weights.T + offsets, one row of weights a score; see `_build_model` for the label."""
    constants = {"weights": weights.T.copy(), "offsets": offsets}
    nodes: list[Any] = [("Gemm", ["X", "weights", "offsets"], "scores", {})]
    return _build_model(nodes, constants, labels, weights.shape, wins)


def gaussian_model(
    support: Array,
    centre: Array,
    gamma: float,
    signed: Array,
    offsets: Array,
    labels: Array,
    wins: Wins | None = None,
) -> Any:
    """scores = sum_j signed_j exp(-gamma |x - centre - support_j|^2) + offsets   (4.24, 4.31)."""
    constants = {
        "centre": np.broadcast_to(centre, support.shape[1:]).astype(np.float64),
        "twice": 2.0 * support.T,
        "squares": (support * support).sum(axis=1),
        "zero": np.zeros(1),
        "rate": np.array([-gamma]),
        "signed": signed.T.copy(),
        "offsets": offsets,
    }
    nodes = [
        ("Sub", ["X", "centre"], "Z", {}),
        ("ReduceSumSquare", ["Z"], "lengths", {"axes": [1], "keepdims": 1}),
        ("MatMul", ["Z", "twice"], "products", {}),
        ("Sub", ["lengths", "products"], "partial", {}),
        ("Add", ["partial", "squares"], "rounded", {}),
        ("Max", ["rounded", "zero"], "distances", {}),
        ("Mul", ["distances", "rate"], "exponents", {}),
        ("Exp", ["exponents"], "kernel", {}),
        ("Gemm", ["kernel", "signed", "offsets"], "scores", {}),
    ]
    return _build_model(nodes, constants, labels, (len(signed), support.shape[1]), wins)


def polynomial_model(
    support: Array,
    gamma: float,
    coef0: float,
    degree: float,
    signed: Array,
    offsets: Array,
    labels: Array,
    wins: Wins | None = None,
) -> Any:
    """scores = sum_j signed_j (gamma x . support_j + coef0)^degree + offsets   (4.24, 4.28)."""
    constants = {
        "support": gamma * support.T,
        "coef0": np.array([coef0]),
        "degree": np.array([float(degree)]),
        "signed": signed.T.copy(),
        "offsets": offsets,
    }
    nodes: list[Any] = [
        ("MatMul", ["X", "support"], "products", {}),
        ("Add", ["products", "coef0"], "base", {}),
        ("Pow", ["base", "degree"], "kernel", {}),
        ("Gemm", ["kernel", "signed", "offsets"], "scores", {}),
    ]
    return _build_model(nodes, constants, labels, (len(signed), support.shape[1]), wins)


def _vote_nodes(
    nodes: list[Any], constants: dict[str, Array], wins: Wins
) -> tuple[list[Any], dict[str, Array]]:
    """Nodes that turn scores of pairs into votes: pairs won, plus below 1/3 by the sum of the potentials."""
    first, second = wins
    *others, (operation, inputs, _, options) = nodes
    more = [
        (operation, inputs, "potentials", options),
        ("GreaterOrEqual", ["potentials", "nothing"], "won", {}),
        ("Cast", ["won"], "won_numbers", {"to": DOUBLE}),
        ("MatMul", ["won_numbers", "turned"], "turns", {}),
        ("Add", ["turns", "lost"], "pairs_won", {}),
        ("MatMul", ["potentials", "turned"], "sums", {}),
        ("Abs", ["sums"], "sizes", {}),
        ("Add", ["sizes", "one"], "above_one", {}),
        ("Mul", ["above_one", "three"], "bent", {}),
        ("Div", ["sums", "bent"], "doubt", {}),
        ("Add", ["pairs_won", "doubt"], "scores", {}),
    ]
    numbers = {"nothing": np.zeros(1), "one": np.ones(1), "three": np.full(1, 3.0)}
    return [*others, *more], constants | numbers | {"turned": second - first, "lost": first.sum(axis=0)}


def _build_model(
    nodes: list[Any],
    constants: dict[str, Array],
    labels: Array,
    shape: tuple[int, ...],
    wins: Wins | None = None,
) -> Any:
    """The graph with inputs X (n, N) and outputs label (n,) and scores (n, K), for shape = (K, N).

    The sign of one score chooses between two labels, sign(0) = +1; of more scores the largest chooses.
    """
    onnx, K, N = require_module("onnx", "onnx"), *shape
    if wins is not None:
        K = len(labels)
        nodes, constants = _vote_nodes(nodes, constants, wins)
    helper = onnx.helper
    kind, names = _typed_labels(labels)
    more, place = _label_index_nodes(K)
    written = {"labels": names} | constants | ({"null": np.zeros(1)} if K == 1 else {})
    made = [
        helper.make_node(operation, inputs, [output], **options)
        for operation, inputs, output, options in [*nodes, *more, ("Gather", ["labels", place], "label", {})]
    ]
    double = onnx.TensorProto.DOUBLE
    graph = helper.make_graph(
        made,
        "markone",
        [helper.make_tensor_value_info("X", double, [None, N])],
        [
            helper.make_tensor_value_info("label", kind, [None]),
            helper.make_tensor_value_info("scores", double, [None, K]),
        ],
        [onnx.numpy_helper.from_array(np.ascontiguousarray(value), name) for name, value in written.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR)
    onnx.checker.check_model(model)
    return model


def _label_index_nodes(K: int) -> tuple[list[Any], str]:
    """Nodes that compute the index of the label."""
    if K > 1:
        return [("ArgMax", ["scores"], "place", {"axis": 1, "keepdims": 0})], "place"
    return [
        ("GreaterOrEqual", ["scores", "null"], "positive", {}),
        ("Cast", ["positive"], "column", {"to": INT64}),
        ("ReduceMax", ["column"], "place", {"axes": [1], "keepdims": 0}),
    ], "place"


def _typed_labels(labels: Array) -> tuple[int, Array]:
    """The labels as int64, float64 or text, and their ONNX type."""
    proto = require_module("onnx", "onnx").TensorProto
    if labels.dtype.kind in "iub":
        return proto.INT64, labels.astype(np.int64)
    if labels.dtype.kind == "f":
        return proto.DOUBLE, labels.astype(np.float64)
    return proto.STRING, labels.astype(str).astype(object)
