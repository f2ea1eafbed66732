"""Keys and values of many conversations side by side, each in a slot of its own, and the attention that reads them.

Prompts are read from the left, so that the causal rule alone keeps padding out. When one token is written in every
slot, the queries that share a key are read as one block: nothing of the cache is copied for them.
"""

from contextvars import ContextVar
from dataclasses import dataclass

import torch
from torch.nn.functional import scaled_dot_product_attention
from transformers import AttentionInterface, Cache

ATTENTION = "toolyard_slots"


@dataclass(frozen=True, slots=True)
class Reading:
    """Prompts that are read into their slots, padded on the right."""

    slots: torch.Tensor


@dataclass(frozen=True, slots=True)
class Writing:
    """One token at its position in each of the first slots; `bias` hides what lies behind it."""

    positions: torch.Tensor
    bias: torch.Tensor


STEP: ContextVar[Reading | Writing] = ContextVar("STEP")


class SlotCache(Cache):
    """The keys and values of all layers, for so many slots of so many tokens."""

    def __init__(self, slots: int, capacity: int) -> None:
        super().__init__(layers=[])
        self.slots, self.capacity = slots, capacity
        self._kept: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}

    def get_seq_length(self, layer_idx: int = 0) -> int:  # noqa: ARG002 - the signature of transformers
        """Nothing: positions are always given."""
        return 0

    def update(
        self, key_states: torch.Tensor, value_states: torch.Tensor, layer_idx: int, *_: object, **__: object
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Keeps what was computed; the keys and values that this step attends to."""
        if layer_idx not in self._kept:
            self._kept[layer_idx] = self._room(key_states), self._room(value_states)
        keys, values = self._kept[layer_idx]
        step = STEP.get()
        if isinstance(step, Reading):
            slots, length = step.slots.to(keys.device), key_states.shape[2]
            keys[slots, :, :length] = key_states
            values[slots, :, :length] = value_states
            return key_states, value_states
        rows, window = key_states.shape[0], step.bias.shape[-1]
        places = torch.arange(rows, device=keys.device), step.positions.to(keys.device)
        keys[places[0], :, places[1]] = key_states[:, :, 0]
        values[places[0], :, places[1]] = value_states[:, :, 0]
        return keys[:rows, :, :window], values[:rows, :, :window]

    def _room(self, states: torch.Tensor) -> torch.Tensor:
        _, heads, _, width = states.shape
        return torch.zeros(self.slots, heads, self.capacity, width, dtype=states.dtype, device=states.device)

    def move(self, source: int, target: int, length: int) -> None:
        """Copies the first tokens of one slot to another."""
        for pair in self._kept.values():
            for kept in pair:
                kept[target, :, :length] = kept[source, :, :length]


def attend_slots(
    module: torch.nn.Module,  # noqa: ARG001 - the signature of transformers
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,  # noqa: ARG001 - the step knows what is hidden
    scaling: float | None = None,
    **_: object,
) -> tuple[torch.Tensor, None]:
    """The attention of one layer, as transformers calls it."""
    step = STEP.get()
    rows, heads, length, width = query.shape
    shared = heads // key.shape[1]
    if isinstance(step, Writing):
        found = scaled_dot_product_attention(
            query.reshape(rows, key.shape[1], shared, width),
            key,
            value,
            attn_mask=step.bias.to(query.device).expand(rows, key.shape[1], shared, key.shape[2]),
            scale=scaling,
        )
        return found.reshape(rows, 1, heads, value.shape[3]), None
    if shared > 1:
        key, value = (each.repeat_interleave(shared, dim=1) for each in (key, value))
    found = scaled_dot_product_attention(query, key, value, is_causal=length > 1, scale=scaling)
    return found.transpose(1, 2).contiguous(), None


AttentionInterface.register(ATTENTION, attend_slots)
