"""Weights in this process with transformers: prompts by the model's own template, batches of like length."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from toolyard.core.errors import DataError, MissingExtra, UsageError
from toolyard.core.types import Decoding, Json, Message, Request

INSTALL = "hf/... needs torch and transformers: pip install 'toolyard[hf]'"
TOOL_CALL = re.compile(r"<tool_call>\s*(\{.*?\})\s*</tool_call>", re.DOTALL)
DTYPES = ("auto", "float32", "bfloat16", "float16")


@dataclass(frozen=True, slots=True)
class Weights:
    """Which weights, with which adapter, in which number format, and on which device."""

    name: str
    adapter: str = ""
    dtype: str = "auto"
    template: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Prompt:
    """A request as tokens of this model."""

    request: Request
    tokens: tuple[int, ...]
    room: int


@dataclass(frozen=True, slots=True)
class Written:
    """What the model wrote: its text without special tokens, how many tokens, and whether it came to an end."""

    text: str
    tokens: int
    ended: bool


class Engine:
    """A model and its tokenizer; on graphics processors where there are some, otherwise on this one."""

    def __init__(self, weights: Weights) -> None:
        try:
            import torch
            import transformers
        except ImportError as error:
            raise MissingExtra(INSTALL) from error
        self._torch = torch
        self.weights = weights
        self.version = f"transformers {transformers.__version__}, torch {torch.__version__}"
        where = place_of(weights.name)
        try:
            self._tokenizer: Any = transformers.AutoTokenizer.from_pretrained(padding_side="left", **where)
            self._model: Any = transformers.AutoModelForCausalLM.from_pretrained(
                dtype=_dtype(weights.dtype, torch), use_safetensors=True, **_device(torch), **where
            )
        except (OSError, ValueError) as error:
            raise DataError(f"hf/{weights.name}: {' '.join(str(error).split())[:300]}") from error
        if weights.adapter:
            self._model = _adapted(self._model, weights.adapter)
        self._model.eval()
        if self._tokenizer.chat_template is None:
            raise DataError(f"hf/{weights.name} has no chat template; take an instruction-tuned model")
        if self._tokenizer.pad_token_id is None:
            self._tokenizer.pad_token = self._tokenizer.eos_token

    @property
    def context(self) -> int:
        """Tokens that the model was made for."""
        return int(getattr(self._model.config, "max_position_embeddings", 0) or 2**31)

    @property
    def template(self) -> str:
        """The chat template."""
        return str(self._tokenizer.chat_template)

    def rendered(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Json]] = ()) -> str:
        """The prompt that the template makes of messages and tools."""
        return str(
            self._tokenizer.apply_chat_template(
                [_plain(message) for message in messages],
                tools=[dict(tool) for tool in tools] or None,
                add_generation_prompt=True,
                tokenize=False,
                **self.weights.template,
            )
        )

    def prompt(self, request: Request, room: int) -> Prompt:
        """The request as tokens."""
        text = self.rendered(request.messages, request.tools)
        return Prompt(request, tuple(self._tokenizer(text, add_special_tokens=False)["input_ids"]), room)

    def write(self, prompts: Sequence[Prompt]) -> list[Written]:
        """What the model writes after each prompt of a batch that shares its decoding."""
        torch, decoding = self._torch, prompts[0].request.decoding
        most = max(prompt.request.decoding.max_tokens + prompt.room for prompt in prompts)
        batch = self._tokenizer.pad(
            {"input_ids": [list(prompt.tokens) for prompt in prompts]}, return_tensors="pt"
        )
        batch = batch.to(self._model.device)
        torch.manual_seed(prompts[0].request.seed or 0)
        with torch.inference_mode():
            out = self._model.generate(**batch, max_new_tokens=most, **_sampling(decoding, self._tokenizer))
        read = batch["input_ids"].shape[1]
        return [
            self._written(tokens[read:].tolist(), prompt) for tokens, prompt in zip(out, prompts, strict=True)
        ]

    def _written(self, tokens: list[int], prompt: Prompt) -> Written:
        limit = prompt.request.decoding.max_tokens + prompt.room
        ends = self._ends()
        length = next((place for place, token in enumerate(tokens) if token in ends), len(tokens))
        ended = length < len(tokens) and length < limit
        kept = tokens[: min(length, limit)]
        text = self._tokenizer.decode(kept, skip_special_tokens=True)
        return Written(text, min(len(kept) + ended, limit), ended)

    def _ends(self) -> set[int]:
        found = self._model.generation_config.eos_token_id
        ends = set(found if isinstance(found, list) else [found])
        return {*ends, self._tokenizer.eos_token_id, self._tokenizer.pad_token_id} - {None}


def _sampling(decoding: Decoding, tokenizer: Any) -> dict[str, Any]:
    """Greedy at temperature 0; the model's own sampling defaults count for nothing."""
    found: dict[str, Any] = {"do_sample": decoding.temperature > 0, "pad_token_id": tokenizer.pad_token_id}
    if decoding.temperature > 0:
        found |= {"temperature": decoding.temperature, "top_p": decoding.top_p, "top_k": 0}
    else:
        found |= {"temperature": None, "top_p": None, "top_k": None}
    if decoding.stop:
        found |= {"stop_strings": list(decoding.stop), "tokenizer": tokenizer}
    return found


def place_of(name: str) -> dict[str, Any]:
    """Where transformers finds the weights: a folder, a GGUF file, or what was downloaded before under a name."""
    path = Path(name).expanduser()
    if path.is_file() and path.suffix == ".gguf":
        return {
            "pretrained_model_name_or_path": str(path.parent),
            "gguf_file": path.name,
            "local_files_only": True,
        }
    return {"pretrained_model_name_or_path": str(path) if path.is_dir() else name, "local_files_only": True}


def _dtype(name: str, torch: Any) -> Any:
    if name not in DTYPES:
        raise UsageError(f"dtype={name[:40]}: wanted {', '.join(DTYPES)}")
    if name == "auto":
        # Half precision is emulated, and slow, on most processors.
        return "auto" if torch.cuda.is_available() else torch.float32
    return getattr(torch, name)


def _device(torch: Any) -> dict[str, Any]:
    return {"device_map": "auto"} if torch.cuda.is_available() else {}


def _adapted(model: Any, folder: str) -> Any:
    """The model with a LoRA adapter beside its weights, not merged into them."""
    try:
        from peft import PeftModel
    except ImportError as error:
        raise MissingExtra("adapter=DIR needs peft: pip install 'toolyard[hf]'") from error
    try:
        return PeftModel.from_pretrained(model, str(Path(folder).expanduser()))
    except (OSError, ValueError) as error:
        raise DataError(f"adapter={folder}: {' '.join(str(error).split())[:300]}") from error


def _plain(message: Message) -> dict[str, Json]:
    found: dict[str, Json] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        found["tool_calls"] = [_decoded(call) for call in message.tool_calls]
    if message.tool_call_id is not None:
        found["tool_call_id"] = message.tool_call_id
    return found


def _decoded(call: Mapping[str, Json]) -> dict[str, Json]:
    """A call with its arguments as an object, as templates want them."""
    function = dict(call.get("function") or {})
    try:
        function["arguments"] = json.loads(function.get("arguments") or "{}")
    except (TypeError, ValueError):
        function["arguments"] = {}
    return {**call, "function": function}


def tagged_calls(text: str) -> tuple[str, list[Json]]:
    """The text without `<tool_call>` blocks, and what stands in them, as far as it is JSON."""
    calls: list[Json] = []

    def taken(match: re.Match[str]) -> str:
        try:
            calls.append(json.loads(match.group(1)))
        except ValueError:
            return match.group(0)
        return ""

    rest = TOOL_CALL.sub(taken, text)
    return (rest.strip() if calls else text), calls
