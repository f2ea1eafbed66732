"""A model's two kinds of steps over slots: prompts are read, or one token is written in each; both give logits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch

from toolyard.models.hf.cuda_graphs import Graphs
from toolyard.models.hf.slot_cache import ATTENTION, STEP, Reading, SlotCache, Writing

if TYPE_CHECKING:
    from transformers import PreTrainedModel

# What attention reads is as long as the longest conversation, rounded up. Recording a step takes as long as some
# dozens of steps, so lengths and numbers of rows come in few sizes where steps are recorded.
WINDOW = {"cuda": 1024, "cpu": 64}
FEWEST_ROWS = 8
# The share of the free memory that keys and values may take.
MEMORY = 0.8
# How far predictions may lie from those of the model's usual attention, in standard deviations of the logits.
TOLERANCE = 0.05


@dataclass(slots=True)
class State:
    """The last token of every computed slot, where it stands, and the last position of the slot."""

    tokens: torch.Tensor
    positions: torch.Tensor
    ends: torch.Tensor

    def advance(self, tokens: torch.Tensor) -> None:
        """Moves on; a slot that is at its end stays there."""
        self.tokens[: len(tokens)] = tokens
        self.positions = torch.minimum(self.positions + 1, self.ends)


class Steps:
    """A model with its cache of slots."""

    def __init__(self, model: PreTrainedModel) -> None:
        self._model = model
        self.device = next(model.parameters()).device
        self.kind = self.device.type if self.device.type in WINDOW else "cpu"
        self.cache = SlotCache(0, 0)
        alone = len(set((getattr(model, "hf_device_map", None) or {"": 0}).values())) == 1
        self._graphs = Graphs() if self.kind == "cuda" and alone else None

    def drop(self) -> None:
        """Gives the memory back."""
        self.cache = SlotCache(0, 0)
        if self._graphs:
            self._graphs.forget()

    def make_room(self, slots: int, capacity: int) -> None:
        """Slots of that many tokens, as many as wanted or as memory holds."""
        self.drop()
        self.cache = SlotCache(min(slots, self._affordable(capacity)), capacity)

    def _affordable(self, capacity: int) -> int:
        if self.kind != "cuda":
            return 2**31
        torch.cuda.empty_cache()
        config = self._model.config.get_text_config()
        heads = getattr(config, "num_key_value_heads", None) or config.num_attention_heads
        width = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
        token: int = 2 * config.num_hidden_layers * heads * width * self._model.dtype.itemsize
        free: int = sum(torch.cuda.mem_get_info(place)[0] for place in range(torch.cuda.device_count()))
        return max(1, int(MEMORY * free) // (token * capacity))

    def read(self, first: int, prompts: Sequence[Sequence[int]]) -> torch.Tensor:
        """The logits after each prompt; they are read into the slots from `first` on."""
        longest = max(map(len, prompts))
        padded = [[*prompt, *[0] * (longest - len(prompt))] for prompt in prompts]
        slots = torch.arange(first, first + len(prompts), device=self.device)
        last = torch.tensor([len(prompt) - 1 for prompt in prompts], device=self.device)
        # The head computes logits at some places of all prompts: at those where any of them ends.
        wanted, which = torch.unique(last, return_inverse=True)
        positions = torch.arange(longest, device=self.device).expand(len(prompts), -1)
        logits = self._forward(Reading(slots), torch.tensor(padded, device=self.device), positions, wanted)
        return logits[torch.arange(len(prompts), device=logits.device), which.to(logits.device)]

    def write(self, state: State, longest: int) -> torch.Tensor:
        """The logits after the last token of every computed slot; none is longer than `longest`."""
        unit = WINDOW[self.kind]
        window = min(self.cache.capacity, -(-longest // unit) * unit)

        def compute(tokens: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
            behind = torch.arange(window, device=self.device) > positions[:, None]
            bias = torch.zeros(behind.shape, dtype=self._model.dtype, device=self.device)
            bias = bias.masked_fill(behind, float("-inf"))[:, None, None]
            return self._forward(Writing(positions, bias), tokens[:, None], positions[:, None], 1)[:, -1]

        if self._graphs is None:
            return compute(state.tokens, state.positions)
        return self._graphs.run((len(state.tokens), window), compute, state.tokens, state.positions)

    def width(self, rows: int) -> int:
        """Slots to compute for so many rows: where steps are recorded, rounded up to a power of two."""
        if self._graphs is None:
            return rows
        return min(self.cache.slots, max(FEWEST_ROWS, 1 << (rows - 1).bit_length()))

    def _forward(
        self, step: Reading | Writing, tokens: torch.Tensor, positions: torch.Tensor, keep: torch.Tensor | int
    ) -> torch.Tensor:
        before = STEP.set(step)
        try:
            logits: torch.Tensor = self._model(
                input_ids=tokens,
                position_ids=positions,
                past_key_values=self.cache,
                use_cache=True,
                logits_to_keep=keep,
            ).logits
        finally:
            STEP.reset(before)
        return logits


def reason_against_slots(model: PreTrainedModel) -> str:
    """Why a model cannot be written with slots; empty where it can, and then it is set up for them."""
    config = model.config.get_text_config()
    kinds = set(getattr(config, "layer_types", None) or ()) - {"full_attention"}
    if kinds:
        return f"layers of the kind {', '.join(sorted(kinds))}"
    if getattr(config, "sliding_window", None) and getattr(config, "use_sliding_window", True):
        return "a sliding window"
    usual = model.config._attn_implementation
    with torch.inference_mode():
        reason = _slots_difference(model)
    if reason:
        _set_attention(model, usual)
    return reason


def _slots_difference(model: PreTrainedModel) -> str:
    """Whether slots predict something else than the model's usual attention does, on a few tokens."""
    size = min(1000, model.config.get_text_config().vocab_size)
    tokens = [(7 * place + 3) % size for place in range(24)]
    steps = Steps(model)
    try:
        usual = model(input_ids=torch.tensor([tokens], device=steps.device)).logits[0, -1].float()
        _set_attention(model, ATTENTION)
        steps.make_room(2, 64)
        steps.read(0, [tokens[:-1], tokens[:-5]])
        place = torch.tensor([23, 19], device=steps.device)
        last = torch.tensor([tokens[23], tokens[19]], device=steps.device)
        found = steps.write(State(last, place, place), 24)[0].float()
    except (AttributeError, IndexError, KeyError, RuntimeError, TypeError, ValueError) as error:
        return f"its attention cannot be replaced ({type(error).__name__}: {str(error)[:100]})"
    near = bool((usual - found).abs().mean() <= TOLERANCE * usual.std())
    return "" if near else "its attention is of another kind"


def _set_attention(model: PreTrainedModel, name: str) -> None:
    plain = model.get_base_model() if hasattr(model, "get_base_model") else model
    plain.set_attn_implementation(name)
