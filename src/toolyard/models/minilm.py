"""all-MiniLM-L6-v2 without torch: a graph of standard operators, built from the weights, run by onnxruntime."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

LAYERS, HEADS, WIDTH = 6, 12, 384
HEAD_WIDTH = WIDTH // HEADS
EPSILON = 1e-12
OPSET, IR_VERSION = 20, 10
# What sentence-transformers cuts this model's input to.
LONGEST = 256
PADDED_TOKENS = 512

Vectors = NDArray[np.float32]


class GraphBuilder:
    """Collects the nodes and weights of an ONNX graph; each method gives the name of its result."""

    def __init__(self, weights: Mapping[str, Vectors]) -> None:
        self._weights = weights
        self._count = 0
        self.nodes: list[Any] = []
        self.initializers: list[Any] = []

    def node(self, operator: str, *inputs: str, output: str = "", **attributes: Any) -> str:
        """The result of an operator."""
        from onnx import helper

        self._count += 1
        name = output or f"{operator}_{self._count}"
        self.nodes.append(helper.make_node(operator, list(inputs), [name], **attributes))
        return name

    def constant(self, value: NDArray[Any]) -> str:
        """A constant tensor."""
        from onnx import numpy_helper

        self._count += 1
        name = f"constant_{self._count}"
        self.initializers.append(numpy_helper.from_array(np.asarray(value, order="C"), name))
        return name

    def linear(self, value: str, *layers: str) -> str:
        """The value through the named linear layers, side by side in one product."""
        weight = np.concatenate([self._weights[f"{layer}.weight"] for layer in layers])
        bias = np.concatenate([self._weights[f"{layer}.bias"] for layer in layers])
        return self.node("Add", self.node("MatMul", value, self.constant(weight.T)), self.constant(bias))

    def normalised(self, value: str, layer: str) -> str:
        """The value through the named layer normalisation."""
        scale = self.constant(self._weights[f"{layer}.weight"])
        shift = self.constant(self._weights[f"{layer}.bias"])
        return self.node("LayerNormalization", value, scale, shift, axis=-1, epsilon=EPSILON)

    def embedded(self) -> str:
        """Token, position and type embeddings of `ids`, normalised."""
        words = self.node("Gather", self.constant(self._weights["embeddings.word_embeddings.weight"]), "ids")
        places = self._weights["embeddings.position_embeddings.weight"]
        places = (places + self._weights["embeddings.token_type_embeddings.weight"][0])[:LONGEST]
        length = self.node("Slice", self.node("Shape", "ids"), *map(self._integers, (1, 2)))
        used = self.node("Slice", self.constant(places), self._integers(0), length, self._integers(0))
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


def build_graph(weights: Mapping[str, Vectors]) -> bytes:
    """The serialised ONNX model: (ids, mask), int64 of [batch, tokens], to unit vectors."""
    from onnx import TensorProto, helper

    build = GraphBuilder(weights)
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


class MiniLM:
    """The encoder: texts to unit vectors of 384 numbers."""

    def __init__(self, folder: Path, threads: int | None = None) -> None:
        import onnxruntime
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads or max(1, min(8, os.cpu_count() or 1))
        options.inter_op_num_threads = 1
        # Spinning threads would burn the cores that a model on this machine needs.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        graph = build_graph(load_file(folder / "model.safetensors"))
        self._session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(LONGEST)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One unit vector per text, in order."""
        # The tokenizer takes Unicode only: a lone surrogate is read as the replacement character.
        clean = [text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for text in texts]
        tokens = [encoding.ids for encoding in self._tokenizer.encode_batch(clean)]
        vectors = np.empty((len(tokens), WIDTH), np.float32)
        for batch in batches([len(ids) for ids in tokens]):
            longest = max(len(tokens[index]) for index in batch)
            ids = np.zeros((len(batch), longest), np.int64)
            mask = np.zeros_like(ids)
            for row, index in enumerate(batch):
                ids[row, : len(tokens[index])] = tokens[index]
                mask[row, : len(tokens[index])] = 1
            vectors[batch] = self._session.run(["vectors"], {"ids": ids, "mask": mask})[0]
        return vectors


def batches(lengths: Sequence[int], most: int = PADDED_TOKENS) -> Iterator[list[int]]:
    """Indices in groups of like length, each of about `most` tokens with its padding."""
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda index: lengths[index]):
        if batch and (len(batch) + 1) * lengths[index] > most:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


@functools.lru_cache(maxsize=2)
def load_minilm(folder: Path) -> MiniLM:
    """The encoder of a folder with weights, built once per process."""
    return MiniLM(folder)
