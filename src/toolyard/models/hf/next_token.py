"""The next token of every conversation: the likeliest, or one drawn by the number that its own seed gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import torch

from toolyard.models.hf.request_queue import Prompt


class Asked(Protocol):
    """Something that has a prompt."""

    prompt: Prompt


@dataclass(frozen=True, slots=True)
class Choosing:
    """Temperature and share of probability of each conversation; empty where all take the likeliest."""

    temperatures: tuple[float, ...] = ()
    shares: tuple[float, ...] = ()

    @staticmethod
    def of(rows: Sequence[Asked]) -> Choosing:
        """How these conversations choose."""
        decodings = [row.prompt.request.decoding for row in rows]
        if all(decoding.temperature <= 0 for decoding in decodings):
            return Choosing()
        return Choosing(
            tuple(decoding.temperature for decoding in decodings),
            tuple(decoding.top_p for decoding in decodings),
        )


def choose_tokens(logits: torch.Tensor, choosing: Choosing, numbers: Sequence[float]) -> torch.Tensor:
    """The token of each row; `numbers` from 0 to 1 say which one is drawn, the likeliest first."""
    likeliest = logits.argmax(dim=-1)
    if not choosing.temperatures:
        return likeliest
    temperatures = logits.new_tensor(choosing.temperatures, dtype=torch.float32)[:, None]
    shares = logits.new_tensor(choosing.shares, dtype=torch.float32)[:, None]
    ranked, order = (logits.float() / temperatures.clamp(min=1e-4)).sort(dim=-1, descending=True)
    probabilities = ranked.softmax(dim=-1)
    before = probabilities.cumsum(dim=-1) - probabilities
    kept = probabilities.masked_fill(before >= shares, 0.0)
    kept[:, 0] = probabilities[:, 0]
    reached = kept.cumsum(dim=-1)
    point = logits.new_tensor(list(numbers), dtype=torch.float32)[:, None] * reached[:, -1:]
    place = (reached <= point).sum(dim=-1, keepdim=True).clamp(max=logits.shape[-1] - 1)
    drawn = order.gather(-1, place)[:, 0]
    return torch.where(temperatures[:, 0] > 0, drawn, likeliest)
