"""A whole tuned model as a GGUF file: the base file's words and settings with new weights, rounded or not."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from toolyard.core.errors import DataError
from toolyard.train.lora_gguf import Array, gguf_kind, interleave_halves, name_map

if TYPE_CHECKING:
    from gguf import GGMLQuantizationType
    from transformers import PretrainedConfig, PreTrainedModel


def model_arrays(tensors: Mapping[str, Array], config: PretrainedConfig) -> dict[str, Array]:
    """A model's weights under llama.cpp's names and in its order."""
    names, reorders = name_map(config), gguf_kind(config)[1]
    found = {}
    for name, values in tensors.items():
        place = names.get_name(name.removesuffix(".weight"))
        if place is None:
            raise DataError(f"{name[:120]}: llama.cpp knows no such weight")
        if reorders and name.endswith(("q_proj.weight", "k_proj.weight")):
            of_keys = name.endswith("k_proj.weight")
            values = interleave_halves(
                values, config.num_key_value_heads if of_keys else config.num_attention_heads
            )
        found[f"{place}.weight"] = values
    return found


def write_model_gguf(
    path: Path, base: Path, tensors: Mapping[str, Array], config: PretrainedConfig, kind: str
) -> None:
    """Writes the model with everything else taken from the base file; it appears whole or not at all."""
    import gguf

    reader = gguf.GGUFReader(base)
    arrays = model_arrays(tensors, config)
    temporary = path.with_name(f"{path.name}.part")
    writer = gguf.GGUFWriter(temporary, gguf_kind(config)[0])
    for name, item in reader.fields.items():
        if not name.startswith("GGUF.") and name not in ("general.architecture", "general.file_type"):
            inner = item.types[-1] if item.types[0] == gguf.GGUFValueType.ARRAY else None
            writer.add_key_value(name, item.contents(), item.types[0], inner)
    for tensor in reader.tensors:
        if tensor.name not in arrays:
            raise DataError(f"{base} has a weight that the model has not: {tensor.name[:80]}")
        way = _stored_kind(tensor.tensor_type, kind, arrays[tensor.name])
        writer.add_tensor(tensor.name, gguf.quants.quantize(arrays[tensor.name], way), raw_dtype=way)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    temporary.replace(path)


def _stored_kind(before: object, kind: str, values: Array) -> GGMLQuantizationType:
    """How a weight is kept: vectors in full, matrices as asked; what cannot be written is kept in eight bits."""
    import gguf

    types = gguf.GGMLQuantizationType
    if values.ndim < 2:
        return types.F32
    if kind != "base":
        return types[kind.upper()]
    writable = (types.F32, types.F16, types.BF16, types.Q4_0, types.Q4_1, types.Q5_0, types.Q5_1, types.Q8_0)
    return before if before in writable else types.Q8_0


def read_back(model: PreTrainedModel, path: Path) -> None:
    """Puts the weights of a GGUF file into the model, dequantised as every reader of the file does it."""
    from toolyard.train.tuned_model import Base, load_base

    found = load_base(Base(path.stem, path), torch.float32, torch.device("cpu"))
    replace_weights(model, {name: value.detach().numpy() for name, value in found.named_parameters()})


def replace_weights(model: PreTrainedModel, arrays: Mapping[str, Array]) -> None:
    """Replaces the model's weights."""
    with torch.no_grad():
        for name, value in model.named_parameters():
            value.copy_(torch.from_numpy(arrays[name]))
