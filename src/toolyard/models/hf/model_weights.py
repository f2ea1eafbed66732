"""Weights and tokenizers for transformers: folders, GGUF files (dequantised once), adapters (merged or separate)."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from toolyard.core.errors import DataError, MissingExtra, UsageError
from toolyard.core.types import JsonValue
from toolyard.models.assets import cache_folder

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

# No server is asked, and code beside the weights is not run: transformers would ask the user whether to.
TRUSTED = {"local_files_only": True, "trust_remote_code": False}
INSTALL = "hf/... needs torch and transformers: pip install 'toolyard[hf]'"
DTYPES = ("auto", "float32", "bfloat16", "float16")


@dataclass(frozen=True, slots=True)
class Weights:
    """Which weights, with which adapter, in which number format; `merge` adds the adapter to the weights."""

    name: str
    adapter: str = ""
    dtype: str = "auto"
    template: Mapping[str, JsonValue] = field(default_factory=dict)
    merge: bool = True


class Loaded(NamedTuple):
    """A model that is ready to be asked, and its tokenizer."""

    model: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase


def load_weights(weights: Weights) -> Loaded:
    """The model on graphics processors where there are some, otherwise on this one, and its tokenizer."""
    if weights.adapter:
        adapter_folder(weights.adapter)
    try:
        import torch
        import transformers
    except ImportError as error:
        raise MissingExtra(INSTALL) from error
    transformers.utils.logging.disable_progress_bar()
    dtype = _dtype_of_weights(weights)
    device = {"device_map": "auto"} if torch.cuda.is_available() else {}
    with one_line_errors(f"hf/{weights.name}"):
        where = _weight_arguments(weights.name, dtype)
        tokenizer: PreTrainedTokenizerBase = transformers.AutoTokenizer.from_pretrained(
            padding_side="left", **where
        )
        model: PreTrainedModel = transformers.AutoModelForCausalLM.from_pretrained(
            dtype=dtype, use_safetensors=True, **device, **where
        )
    if tokenizer.chat_template is None:
        raise DataError(f"hf/{weights.name} has no chat template; take an instruction-tuned model")
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    if weights.adapter:
        model = _with_adapter(model, weights)
    return Loaded(model.eval(), tokenizer)


@contextmanager
def one_line_errors(place: str) -> Iterator[None]:
    """Reports any error that a library raises over untrusted weights or settings in one line."""
    from safetensors import SafetensorError

    try:
        yield
    except (OSError, RuntimeError, TypeError, KeyError, ValueError, SafetensorError) as error:
        raise DataError(f"{place}: {' '.join(str(error).split())[:300]}") from error


def weights_place(name: str) -> dict[str, object]:
    """Where transformers finds the weights: a folder, a GGUF file, or what was downloaded before under a name."""
    path = Path(name).expanduser()
    if is_gguf(path):
        return {"pretrained_model_name_or_path": str(path.parent), "gguf_file": path.name, **TRUSTED}
    return {"pretrained_model_name_or_path": str(path) if path.is_dir() else name, **TRUSTED}


def adapter_folder(name: str) -> str:
    """The folder of an adapter whose weights are plain numbers; without them peft would unpickle, or ask a server."""
    path = Path(name).expanduser()
    if not (path / "adapter_config.json").is_file() or not (path / "adapter_model.safetensors").is_file():
        raise DataError(
            f"adapter={name}: wanted a folder with adapter_config.json and adapter_model.safetensors; "
            "adapter_model.bin is a pickle, which may run code, and is not read"
        )
    return str(path)


def is_gguf(path: Path) -> bool:
    """Whether the path is a GGUF file, by its name."""
    return path.is_file() and path.suffix == ".gguf"


def _weight_arguments(name: str, dtype: torch.dtype | str) -> dict[str, object]:
    path = Path(name).expanduser()
    return weights_place(str(dequantised_folder(path, dtype)) if is_gguf(path) else name)


def dequantised_folder(file: Path, dtype: torch.dtype | str) -> Path:
    """The folder in the user's cache with a GGUF file's weights as plain numbers; made at the first time."""
    with file.open("rb") as opened:
        digest = hashlib.file_digest(opened, "sha256").hexdigest()
    folder = cache_folder() / "dequantised" / f"{digest}-{str(dtype).removeprefix('torch.')}"
    if (folder / "config.json").is_file():
        return folder
    import transformers

    model: PreTrainedModel = transformers.AutoModelForCausalLM.from_pretrained(
        dtype=dtype, **weights_place(str(file))
    )
    forget_quantisation(model)
    folder.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".making-"))
    try:
        model.save_pretrained(scratch)
        transformers.AutoTokenizer.from_pretrained(**weights_place(str(file))).save_pretrained(scratch)
        # In one step, so that a run that starts now sees the whole folder or none.
        if not folder.exists():
            scratch.rename(folder)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return folder


def forget_quantisation(model: PreTrainedModel) -> None:
    """Dequantised weights are plain ones; some versions of transformers refuse to write what they read from GGUF."""
    model.hf_quantizer, model.is_quantized = None, False
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config


def _dtype_of_weights(weights: Weights) -> torch.dtype | str:
    import torch

    if weights.dtype not in DTYPES:
        raise UsageError(f"dtype={weights.dtype[:40]}: wanted {', '.join(DTYPES)}")
    if weights.dtype != "auto":
        return cast("torch.dtype", getattr(torch, weights.dtype))
    # Half precision is emulated, and slow, on most processors.
    if not torch.cuda.is_available():
        return torch.float32
    return torch.bfloat16 if is_gguf(Path(weights.name).expanduser()) else "auto"


def _with_adapter(model: PreTrainedModel, weights: Weights) -> PreTrainedModel:
    """The model with a LoRA adapter, merged into its weights or kept separate."""
    try:
        from peft import PeftModel
    except ImportError as error:
        raise MissingExtra("adapter=DIR needs peft: pip install 'toolyard[hf]'") from error
    with one_line_errors(f"adapter={weights.adapter}"):
        found = PeftModel.from_pretrained(model, adapter_folder(weights.adapter))
    return found.merge_and_unload() if weights.merge else found
