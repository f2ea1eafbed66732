"""What a training leaves: the adapter in peft's form and as GGUF, or the whole model."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from toolyard.train.lora_gguf import KINDS as ADAPTER_KINDS
from toolyard.train.lora_gguf import Array, write_adapter_gguf
from toolyard.train.model_gguf import read_back, replace_weights, write_model_gguf
from toolyard.train.settings import TrainSettings
from toolyard.train.tuned_model import Base

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

ADAPTER, ADAPTER_GGUF, MERGED, MODEL = "adapter", "adapter.gguf", "merged", "model"


def write_result(
    settings: TrainSettings, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, base: Base
) -> list[str]:
    """Writes the adapter, or the whole model after full tuning; what was written, folders with a slash."""
    model.config.use_cache = True
    if settings.method == "full":
        _whole_folder(settings.out / MODEL, lambda folder: _save_model(model, tokenizer, folder))
        return [f"{MODEL}/"]
    # The base's folder on this machine is nobody else's.
    model.peft_config["default"].base_model_name_or_path = base.name
    _whole_folder(
        settings.out / ADAPTER, lambda folder: model.save_pretrained(folder, save_embedding_layers=False)
    )
    if model.config.model_type not in ADAPTER_KINDS:
        return [f"{ADAPTER}/"]
    write_adapter_gguf(
        settings.out / ADAPTER_GGUF, adapter_arrays(model), model.config, settings.scale, f"{base.name}-tuned"
    )
    return [f"{ADAPTER}/", ADAPTER_GGUF]


def whole_model(model: PreTrainedModel) -> PreTrainedModel:
    """The model with its adapter, if it has one, added into its weights."""
    return model.merge_and_unload() if hasattr(model, "merge_and_unload") else model


def write_merged(
    settings: TrainSettings, whole: PreTrainedModel, tokenizer: PreTrainedTokenizerBase
) -> list[str]:
    """Writes base and adapter as one model, where that is asked for."""
    if not settings.merge or settings.method == "full":
        return []
    _whole_folder(settings.out / MERGED, lambda folder: _save_model(whole, tokenizer, folder))
    return [f"{MERGED}/"]


def write_rounded(
    settings: TrainSettings, whole: PreTrainedModel, base: Base, loss: Callable[[], float | None]
) -> dict[str, float | None]:
    """Writes the whole model as GGUF in every way that was asked for; the loss of each, as it was rounded."""
    if not settings.gguf or base.gguf is None:
        return {}
    exact = {name: value.detach().float().cpu().numpy() for name, value in whole.named_parameters()}
    losses = {"unrounded": loss()}
    for kind in settings.gguf:
        path = settings.out / f"model-{kind}.gguf"
        write_model_gguf(path, base.gguf, exact, whole.config, kind)
        read_back(whole, path)
        losses[path.name] = loss()
    replace_weights(whole, exact)
    return losses


def write_snapshot(
    settings: TrainSettings,
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    base: Base,
    folder: Path,
) -> str:
    """Writes the weights as they are now into a folder; the MODEL argument that asks them."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    if settings.method == "full":
        _whole_folder(folder, lambda place: _save_model(model, tokenizer, place))
        return f"hf/{folder}"
    _whole_folder(folder, lambda place: model.save_pretrained(place, save_embedding_layers=False))
    return f"hf/{base.where}?adapter={quote(str(folder))}"


def adapter_arrays(model: PreTrainedModel) -> dict[str, Array]:
    """The adapter's matrices by name, in fp32."""
    return {
        name: value.detach().float().cpu().numpy()
        for name, value in model.named_parameters()
        if ".lora_" in name
    }


def _save_model(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, folder: Path) -> None:
    # Packed attention belongs to the training; whoever loads the model has the usual kinds.
    before = model.config._attn_implementation
    model.set_attn_implementation("sdpa")
    model.save_pretrained(folder)
    model.set_attn_implementation(before)
    tokenizer.save_pretrained(folder)


def _whole_folder(folder: Path, write: Callable[[Path], object]) -> None:
    """Replaces a folder by what `write` puts into a fresh one."""
    temporary = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(temporary, ignore_errors=True)
    write(temporary)
    shutil.rmtree(folder, ignore_errors=True)
    temporary.replace(folder)
