"""The loss of a pack: the head is computed only where a token is learnt, which in tool prompts is a small share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import torch
from torch.nn.functional import cross_entropy
from torch.utils.checkpoint import checkpoint

from toolyard.core.errors import DataError
from toolyard.train import attention
from toolyard.train.step_plan import PackedRows

if TYPE_CHECKING:
    from transformers import PreTrainedModel

# Predictions at a time: 8192 of 49,152 words are 1.6 GB in fp32.
CHUNK = 8192


class Losses:
    """Computes a model's loss on packs; `way` is how packed rows attend, empty for padded ones."""

    def __init__(
        self, model: PreTrainedModel, device: torch.device, way: str, *, compiled: bool = False
    ) -> None:
        causal = model.get_base_model() if hasattr(model, "get_base_model") else model
        self.decoder = causal.get_decoder()
        self.head: Callable[[torch.Tensor], torch.Tensor] = causal.get_output_embeddings()
        self.device = device
        self.way = way
        self._refuse_other_heads(causal)
        if way:
            attention.install_attention(causal, compiled=compiled)
        for layer in causal.get_decoder().layers if compiled else ():
            layer.compile(dynamic=True)

    def _refuse_other_heads(self, causal: PreTrainedModel) -> None:
        """Stops where the model's own predictions are not its head's on the decoder's last states."""
        tokens = torch.arange(1, 9, device=self.device)[None]
        training = causal.training
        causal.eval()
        with torch.no_grad():
            own = causal(tokens, use_cache=False).logits
            ours = self.head(self.decoder(input_ids=tokens, use_cache=False).last_hidden_state)
        causal.train(training)
        if not torch.allclose(own.float(), ours.float(), rtol=0.02, atol=0.02):
            raise DataError(
                "the base does more with its head's output than predict; it cannot be trained here"
            )

    def per_token(self, pack: PackedRows) -> torch.Tensor:
        """The loss of every learnt token of the pack, in their order."""
        tokens, positions, places, targets = (
            _to_device(array, self.device)
            for array in (pack.tokens, pack.positions, pack.predicted_at, pack.targets)
        )
        words: dict[str, object] = {}
        if self.way:
            words = {
                "position_ids": positions,
                "layout": attention.make_layout(pack.lengths, self.device, self.way),
            }
        # Padding stands behind every row, where causal attention does not look: no mask is needed.
        states = self.decoder(input_ids=tokens, use_cache=False, **words).last_hidden_state
        wanted = states.reshape(-1, states.shape[-1]).index_select(0, places)
        if len(pack.targets) <= CHUNK:
            return self._token_losses(wanted, targets)
        parts = zip(wanted.split(CHUNK), targets.split(CHUNK), strict=True)
        return torch.cat([checkpoint(self._token_losses, *part, use_reentrant=False) for part in parts])

    def _token_losses(self, states: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        return cross_entropy(self.head(states).float(), targets, reduction="none")


def _to_device(array: object, device: torch.device) -> torch.Tensor:
    tensor = torch.from_numpy(array)
    return tensor.pin_memory().to(device, non_blocking=True) if device.type == "cuda" else tensor
