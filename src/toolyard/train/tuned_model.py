"""The model that is tuned: its weights, dequantised where they were quantised, its tokenizer, and its adapter."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from toolyard.core.errors import UsageError
from toolyard.models.assets import MODEL, require_asset
from toolyard.models.hf.model_weights import forget_quantisation, one_line_errors, weights_place
from toolyard.train.settings import BUNDLED, TrainSettings

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


@dataclass(frozen=True, slots=True)
class Base:
    """Where a base model lies: `where` is a GGUF file or a folder; `name` is what the card calls it."""

    name: str
    where: Path

    @property
    def gguf(self) -> Path | None:
        """The GGUF file, where it is one."""
        return self.where if self.where.suffix == ".gguf" else None


def find_base(spec: str) -> Base:
    """The base that `--base` names."""
    if spec == BUNDLED:
        return Base(MODEL.title, require_asset(MODEL) / MODEL.files[0].name)
    path = Path(spec).expanduser()
    if path.is_file() and path.suffix == ".gguf":
        return Base(path.stem, path)
    if (path / "config.json").is_file():
        return Base(path.name, path)
    meant = f"did you mean --base {near}? " if (near := _nearest_base(spec)) else ""
    raise UsageError(
        f"--base {spec} is not there; {meant}wanted {BUNDLED}, a GGUF file, or a folder with a config.json"
    )


def _nearest_base(spec: str) -> str:
    """The base whose name is nearest to a misspelt one: the bundled one, or what lies beside; empty where none is near."""
    place = Path(spec).expanduser().parent
    beside = place.iterdir() if place.is_dir() else ()
    known = [str(each) for each in beside if each.suffix == ".gguf" or (each / "config.json").is_file()]
    return next(iter(get_close_matches(spec.lower(), [BUNDLED, *known], 1)), "")


def content_digest(base: Base) -> str:
    """The sha256 of the GGUF file, or of the folder's weights and settings with their names."""
    digest = hashlib.sha256()
    files = [base.where] if base.gguf else sorted(base.where.iterdir())
    for file in files:
        if base.gguf or file.suffix in (".safetensors", ".json", ".model", ".jinja"):
            with file.open("rb") as opened:
                part = hashlib.file_digest(opened, "sha256")
            if base.gguf:
                return part.hexdigest()
            digest.update(f"{file.name} {part.hexdigest()}\n".encode())
    return digest.hexdigest()


def adapter_digest(folder: Path) -> str:
    """The sha256 of the adapter that a training goes on from."""
    with (folder / "adapter_model.safetensors").open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def load_tokenizer(base: Base) -> PreTrainedTokenizerBase:
    """The base's tokenizer with its chat template."""
    import transformers

    with one_line_errors(f"--base {base.where}"):
        return transformers.AutoTokenizer.from_pretrained(**weights_place(str(base.where)))


def device_here() -> torch.device:
    """This process's GPU, or the processor."""
    if not torch.cuda.is_available():
        return torch.device("cpu")
    return torch.device("cuda", torch.cuda.current_device())


def choose_dtype(name: str, device: torch.device) -> torch.dtype:
    """bf16 on a GPU, fp32 elsewhere, unless one is asked for."""
    if name == "auto":
        return torch.bfloat16 if device.type == "cuda" else torch.float32
    found: torch.dtype = getattr(torch, name)
    return found


def load_base(base: Base, dtype: torch.dtype, device: torch.device) -> PreTrainedModel:
    """The base's weights in that number format, ready to be trained."""
    import transformers

    transformers.utils.logging.disable_progress_bar()
    with one_line_errors(f"--base {base.where}"):
        model: PreTrainedModel = transformers.AutoModelForCausalLM.from_pretrained(
            dtype=dtype, use_safetensors=True, attn_implementation="sdpa", **weights_place(str(base.where))
        )
    model.config.use_cache = False
    if base.gguf:
        forget_quantisation(model)
    return model.to(device)


def add_adapter(model: PreTrainedModel, settings: TrainSettings) -> PreTrainedModel:
    """The model with a LoRA adapter, on all linear layers but the head where it is fresh; only the adapter is trained."""
    if settings.adapter is not None:
        return _load_kept_adapter(model, settings.adapter)
    from peft import LoraConfig, get_peft_model

    config = LoraConfig(
        r=settings.rank,
        lora_alpha=settings.scale,
        lora_dropout=settings.dropout,
        target_modules="all-linear",
        task_type="CAUSAL_LM",
    )
    torch.manual_seed(settings.seed)
    return _cast_adapter(get_peft_model(model, config, autocast_adapter_dtype=False), model.dtype)


def _load_kept_adapter(model: PreTrainedModel, folder: Path) -> PreTrainedModel:
    """The model with an adapter that was trained before, to be trained on."""
    from peft import PeftModel

    with one_line_errors(f"--adapter {folder}"):
        adapted = PeftModel.from_pretrained(
            model, str(folder), is_trainable=True, autocast_adapter_dtype=False, low_cpu_mem_usage=False
        )
    return _cast_adapter(adapted, model.dtype)


def _cast_adapter(adapted: PreTrainedModel, dtype: torch.dtype) -> PreTrainedModel:
    """The adapter in the number format of its base."""
    for name, value in adapted.named_parameters():
        if ".lora_" in name:
            value.data = value.data.to(dtype)
    return adapted
