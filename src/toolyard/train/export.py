"""What a training leaves: the adapter in peft's form and as GGUF, or the whole model."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from toolyard.train.base import Base
from toolyard.train.lora_gguf import KINDS, write_adapter_gguf
from toolyard.train.settings import TrainSettings

ADAPTER, ADAPTER_GGUF, MERGED, MODEL = "adapter", "adapter.gguf", "merged", "model"


def write_result(settings: TrainSettings, model: Any, tokenizer: Any, base: Base) -> list[str]:
    """Writes the trained weights into the folder; the names of what was written, those of folders with a slash."""
    model.config.use_cache = True
    if settings.method == "full":
        _whole_folder(settings.out / MODEL, lambda folder: _save_model(model, tokenizer, folder))
        return [f"{MODEL}/"]
    written = [f"{ADAPTER}/"]
    # The base's folder on this machine is nobody else's.
    model.peft_config["default"].base_model_name_or_path = base.name
    _whole_folder(
        settings.out / ADAPTER, lambda folder: model.save_pretrained(folder, save_embedding_layers=False)
    )
    if model.config.model_type in KINDS:
        write_adapter_gguf(
            settings.out / ADAPTER_GGUF,
            adapter_arrays(model),
            model.config,
            settings.scale,
            f"{base.name}-tuned",
        )
        written.append(ADAPTER_GGUF)
    if settings.merge:
        merged = model.merge_and_unload()
        _whole_folder(settings.out / MERGED, lambda folder: _save_model(merged, tokenizer, folder))
        written.append(f"{MERGED}/")
    return written


def adapter_arrays(model: Any) -> dict[str, Any]:
    """The adapter's matrices by name, in fp32."""
    return {
        name: value.detach().float().cpu().numpy()
        for name, value in model.named_parameters()
        if ".lora_" in name
    }


def _save_model(model: Any, tokenizer: Any, folder: Path) -> None:
    # Packed attention belongs to the training; whoever loads the model has the usual kinds.
    model.set_attn_implementation("sdpa")
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _whole_folder(folder: Path, write: Callable[[Path], Any]) -> None:
    """Replaces a folder by what `write` puts into a fresh one."""
    temporary = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(temporary, ignore_errors=True)
    write(temporary)
    shutil.rmtree(folder, ignore_errors=True)
    temporary.replace(folder)
