"""How fast a training is, as tokens per second and as a share of what the chip can do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from transformers import PreTrainedModel

# Dense bf16 operations per second by the makers' data sheets.
PEAKS = {
    "B200": 2250e12, "H200": 989e12, "H100 PCIe": 756e12, "H100": 989e12, "A100": 312e12, "L40S": 362e12,
    "L40": 181e12, "L4": 121e12, "A10": 125e12, "RTX 4090": 165e12, "RTX 3090": 71e12,
}  # fmt: skip


def peak_operations(device_name: str) -> float | None:
    """Operations per second of a known chip."""
    return next((peak for name, peak in PEAKS.items() if name in device_name), None)


@dataclass(frozen=True, slots=True)
class TokenWork:
    """Operations that a token costs, by what they are spent on; repeated forward passes do not count."""

    layers: int
    adapter: int
    head: int
    attention: int
    full: bool

    @classmethod
    def of(cls, model: PreTrainedModel) -> TokenWork:
        """The work of a model of linear layers, with or without an adapter."""
        config = model.config
        linear = {name: value.numel() for name, value in model.named_parameters() if value.dim() == 2}
        adapter = sum(size for name, size in linear.items() if ".lora_" in name)
        layers = sum(size for name, size in linear.items() if "layers." in name and ".lora_" not in name)
        width = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
        return cls(
            layers,
            adapter,
            config.vocab_size * config.hidden_size,
            config.num_hidden_layers * config.num_attention_heads * width,
            full=not adapter,
        )

    def operations(self, lengths: Sequence[int], learnt: int) -> float:
        """Forward and backward over rows of these lengths, of which so many tokens are learnt.

        A frozen weight needs no gradient of its own: two passes instead of three.
        """
        tokens, passes = sum(lengths), 3 if self.full else 2
        linear = 2.0 * passes * (self.layers * tokens + self.head * learnt) + 6.0 * self.adapter * tokens
        # Causal attention looks at half of the square; its backward pass costs twice its forward pass.
        return linear + 6.0 * self.attention * sum(length * length for length in lengths)
