"""The graph of all-MiniLM-L6-v2 that the package carries: python recipes/minilm_graph.py

It holds no weights: every tensor is named by its place in the pinned `model.safetensors`, so that this file
is small and neither onnx nor safetensors is needed to embed. Needs onnx and `toolyard fetch embedder`; the
same weights give the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from toolyard.models.assets import EMBEDDER, require_asset
from toolyard.models.embed.minilm import GRAPH, WIDTH

WEIGHTS = EMBEDDER.files[0].name
LAYERS, HEADS = 6, 12
HEAD_WIDTH = WIDTH // HEADS
EPSILON = 1e-12
OPSET, IR_VERSION = 20, 10


@dataclass(frozen=True, slots=True)
class Tensor:
    """Where a tensor stands in the weights' file."""

    shape: tuple[int, ...]
    start: int
    size: int


def read_places(path: Path) -> dict[str, Tensor]:
    """The place of each tensor in a safetensors file: 8 bytes of length, a JSON header, the numbers."""
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(length))
    header.pop("__metadata__", None)
    return {name: _tensor(entry, 8 + length) for name, entry in header.items() if entry["dtype"] == "F32"}


def _tensor(entry: Any, base: int) -> Tensor:
    start, end = entry["data_offsets"]
    return Tensor(tuple(entry["shape"]), base + start, end - start)


class GraphBuilder:
    """Collects the nodes of an ONNX graph over the tensors of a weights' file; each method names its result."""

    def __init__(self, tensors: Mapping[str, Tensor]) -> None:
        self._tensors = tensors
        self._count = 0
        self.nodes: list[Any] = []
        self.initializers: list[Any] = []

    def node(self, operator: str, *inputs: str, output: str = "", **attributes: Any) -> str:
        """The result of an operator."""
        self._count += 1
        name = output or f"{operator}_{self._count}"
        self.nodes.append(helper.make_node(operator, list(inputs), [name], **attributes))
        return name

    def constant(self, value: NDArray[Any]) -> str:
        """A constant tensor."""
        self._count += 1
        name = f"constant_{self._count}"
        self.initializers.append(numpy_helper.from_array(np.asarray(value, order="C"), name))
        return name

    def weight(self, name: str) -> str:
        """A tensor that stays in the weights' file."""
        if all(tensor.name != name for tensor in self.initializers):
            found = self._tensors[name]
            tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=found.shape)
            tensor.data_location = TensorProto.EXTERNAL
            place = {"location": WEIGHTS, "offset": found.start, "length": found.size}
            for key, value in place.items():
                tensor.external_data.add(key=key, value=str(value))
            self.initializers.append(tensor)
        return name

    def linear(self, value: str, *layers: str) -> str:
        """The value through the named linear layers, side by side in one product."""
        weight = self._side_by_side([self.weight(f"{layer}.weight") for layer in layers])
        bias = self._side_by_side([self.weight(f"{layer}.bias") for layer in layers])
        product = self.node("MatMul", value, self.node("Transpose", weight, perm=[1, 0]))
        return self.node("Add", product, bias)

    def _side_by_side(self, names: list[str]) -> str:
        return names[0] if len(names) == 1 else self.node("Concat", *names, axis=0)

    def normalised(self, value: str, layer: str) -> str:
        """The value through the named layer normalisation."""
        scale, shift = self.weight(f"{layer}.weight"), self.weight(f"{layer}.bias")
        return self.node("LayerNormalization", value, scale, shift, axis=-1, epsilon=EPSILON)

    def embedded(self) -> str:
        """Token, position and type embeddings of `ids`, normalised."""
        words = self.node("Gather", self.weight("embeddings.word_embeddings.weight"), "ids")
        kinds = self.weight("embeddings.token_type_embeddings.weight")
        first_kind = self.node("Gather", kinds, self.constant(np.array(0, np.int64)), axis=0)
        places = self.node("Add", self.weight("embeddings.position_embeddings.weight"), first_kind)
        length = self.node("Slice", self.node("Shape", "ids"), *map(self._integers, (1, 2)))
        used = self.node("Slice", places, self._integers(0), length, self._integers(0))
        return self.normalised(self.node("Add", words, used), "embeddings.LayerNorm")

    def attention(self, value: str, layer: str, penalty: str) -> str:
        """Self-attention of one layer, with its residual."""
        names = (f"{layer}.attention.self.{part}" for part in ("query", "key", "value"))
        joint = self.node("Reshape", self.linear(value, *names), self._integers(0, 0, 3, HEADS, HEAD_WIDTH))
        apart = self.node("Transpose", joint, perm=[2, 0, 3, 1, 4])
        query, key, content = (
            self.node("Gather", apart, self.constant(np.array(part, np.int64)), axis=0) for part in range(3)
        )
        products = self.node("MatMul", query, self.node("Transpose", key, perm=[0, 1, 3, 2]))
        scaled = self.node("Mul", products, self.constant(np.array(HEAD_WIDTH**-0.5, np.float32)))
        shares = self.node("Softmax", self.node("Add", scaled, penalty), axis=-1)
        mixed = self.node("Transpose", self.node("MatMul", shares, content), perm=[0, 2, 1, 3])
        merged = self.node("Reshape", mixed, self._integers(0, 0, WIDTH))
        output = self.linear(merged, f"{layer}.attention.output.dense")
        return self.normalised(self.node("Add", output, value), f"{layer}.attention.output.LayerNorm")

    def layer(self, value: str, layer: str, penalty: str) -> str:
        """One whole transformer layer."""
        attended = self.attention(value, layer, penalty)
        inner = self.node("Gelu", self.linear(attended, f"{layer}.intermediate.dense"), approximate="none")
        output = self.linear(inner, f"{layer}.output.dense")
        return self.normalised(self.node("Add", output, attended), f"{layer}.output.LayerNorm")

    def pooled(self, value: str, mask: str) -> str:
        """The mean over the tokens that are there, at length one."""
        column = self.node("Unsqueeze", mask, self._integers(2))
        total = self.node("ReduceSum", self.node("Mul", value, column), self._integers(1), keepdims=0)
        count = self.node("ReduceSum", column, self._integers(1), keepdims=0)
        return self.node("LpNormalization", self.node("Div", total, count), output="vectors", axis=1, p=2)

    def penalty(self, mask: str) -> str:
        """What keeps attention off the padding: 0 on tokens, -1e9 elsewhere."""
        absent = self.node("Sub", self.constant(np.array(1, np.float32)), mask)
        large = self.node("Mul", absent, self.constant(np.array(-1e9, np.float32)))
        return self.node("Unsqueeze", large, self._integers(1, 2))

    def _integers(self, *values: int) -> str:
        return self.constant(np.array(values, np.int64))


def build_graph(tensors: Mapping[str, Tensor]) -> bytes:
    """The serialised ONNX model: (ids, mask), int64 of [batch, tokens], to unit vectors."""
    build = GraphBuilder(tensors)
    mask = build.node("Cast", "mask", to=TensorProto.FLOAT)
    penalty = build.penalty(mask)
    value = build.embedded()
    for number in range(LAYERS):
        value = build.layer(value, f"encoder.layer.{number}", penalty)
    build.pooled(value, mask)
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
        for name in ("ids", "mask")
    ]
    outputs = [helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["batch", WIDTH])]
    graph = helper.make_graph(build.nodes, "minilm", inputs, outputs, build.initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
    return bytes(model.SerializeToString())


def main() -> None:
    """Writes the graph into the package."""
    graph = build_graph(read_places(require_asset(EMBEDDER) / WEIGHTS))
    GRAPH.write_bytes(graph)
    print(f"{GRAPH.name}: {len(graph)} bytes")


if __name__ == "__main__":
    main()
