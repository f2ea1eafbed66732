"""A LoRA adapter as a GGUF file, for llama.cpp: f16, rows of queries and keys in its own order.

llama.cpp turns neighbouring numbers of a head against each other where transformers turns halves; weights of the
llama family are therefore stored in another order there, and so must be what an adapter adds to them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from toolyard.core.errors import DataError

if TYPE_CHECKING:
    from gguf import TensorNameMap
    from transformers import PretrainedConfig

NAMED = re.compile(r"(?:.*\.)?(model\.layers\.\d+\..+)\.lora_([AB])(?:\.default)?\.weight$")
# transformers' name of a model's kind -> llama.cpp's, and whether queries and keys are reordered there
KINDS = {
    "llama": ("llama", True),
    "mistral": ("llama", True),
    "qwen2": ("qwen2", False),
    "qwen3": ("qwen3", False),
    "gemma2": ("gemma2", False),
    "phi3": ("phi3", False),
}

Array = npt.NDArray[np.float32]


def interleave_halves(rows: Array, heads: int) -> Array:
    """Rows of a query or key matrix in llama.cpp's order: the two halves of every head interleaved."""
    halves = rows.reshape(heads, 2, rows.shape[0] // heads // 2, *rows.shape[1:])
    return np.ascontiguousarray(halves.swapaxes(1, 2).reshape(rows.shape))


def adapter_tensors(tensors: Mapping[str, Array], config: PretrainedConfig) -> Iterator[tuple[str, Array]]:
    """The adapter's matrices under llama.cpp's names and in its order."""
    names, reorders = name_map(config), gguf_kind(config)[1]
    for name, values in tensors.items():
        match = NAMED.match(name)
        place = match and names.get_name(match.group(1))
        if not match or not place:
            raise DataError(f"{name[:120]}: llama.cpp knows no such place for an adapter")
        side = match.group(2).lower()
        if side == "b" and reorders and match.group(1).endswith((".q_proj", ".k_proj")):
            of_keys = match.group(1).endswith(".k_proj")
            values = interleave_halves(
                values, config.num_key_value_heads if of_keys else config.num_attention_heads
            )
        yield f"{place}.weight.lora_{side}", values


def name_map(config: PretrainedConfig) -> TensorNameMap:
    """llama.cpp's names of the places in such a model."""
    import gguf

    kind = gguf_kind(config)[0]
    arch = next(key for key, value in gguf.MODEL_ARCH_NAMES.items() if value == kind)
    return gguf.get_tensor_name_map(arch, config.num_hidden_layers)


def gguf_kind(config: PretrainedConfig) -> tuple[str, bool]:
    """llama.cpp's name of the model's kind, and whether it reorders queries and keys."""
    found = KINDS.get(config.model_type)
    if found is None:
        raise DataError(
            f"adapters of {config.model_type} models cannot be written as GGUF; take adapter/ instead"
        )
    return found


def write_adapter_gguf(
    path: Path, tensors: Mapping[str, Array], config: PretrainedConfig, alpha: float, name: str
) -> None:
    """Writes the adapter; the file appears whole or not at all."""
    import gguf

    temporary = path.with_name(f"{path.name}.part")
    writer = gguf.GGUFWriter(temporary, gguf_kind(config)[0])
    writer.add_type("adapter")
    writer.add_name(name)
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", alpha)
    for place, values in adapter_tensors(tensors, config):
        writer.add_tensor(place, values.astype(np.float16))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    os.replace(temporary, path)  # noqa: PTH105 - whole or not at all
