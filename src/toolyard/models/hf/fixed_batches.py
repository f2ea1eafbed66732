"""Fixed batches, for models whose attention slots cannot hold: transformers' own `generate`, prompts of like length."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import torch

from toolyard.core.types import Decoding
from toolyard.models.hf.answer_end import Ending
from toolyard.models.hf.request_queue import Answered, Prompt

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


class FixedWriter:
    """A model that writes batch after batch; the next begins when the last answer of one is done."""

    def __init__(
        self,
        model: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        ending: Ending,
        batch: int,
        reason: str,
    ) -> None:
        self.batching = f"fixed: {reason}"
        self._model, self._tokenizer, self._ending, self._batch = model, tokenizer, ending, batch
        self._taken: list[Prompt] = []

    @property
    def live(self) -> int:
        """Prompts under way."""
        return len(self._taken)

    def drop(self) -> None:
        """Forgets what is under way."""
        self._taken = []

    def take(self, waiting: Sequence[Prompt]) -> Sequence[Prompt]:
        """The longest prompt that waits and those nearest to it in length, all of one decoding."""
        if not waiting:
            return ()
        longest = sorted(waiting, key=lambda prompt: -len(prompt.tokens))
        alike = [each for each in longest if _batch_kind(each) == _batch_kind(longest[0])]
        self._taken = alike[: self._batch]
        return self._taken

    def advance(self) -> Sequence[Answered]:
        """What the model writes after each prompt of the batch; they share its decoding and its seed."""
        prompts, self._taken = self._taken, []
        rows = {"input_ids": [list(prompt.tokens) for prompt in prompts]}
        batch = self._tokenizer.pad(rows, return_tensors="pt").to(self._model.device)
        torch.manual_seed(prompts[0].request.seed or 0)
        most = max(prompt.most for prompt in prompts)
        sampling = _sampling_arguments(prompts[0].request.decoding, prompts[0].stops, self._tokenizer)
        with torch.inference_mode():
            out = self._model.generate(**batch, max_new_tokens=most, **sampling)
        read, found = batch["input_ids"].shape[1], []
        for prompt, tokens in zip(prompts, out[:, read:].tolist(), strict=True):
            written = self._ending.of(tokens, prompt)
            if written is None:
                raise RuntimeError(
                    f"generate ended after {len(tokens)} of {prompt.most} tokens without an end"
                )
            found.append(Answered(prompt, written))
        return found


def _batch_kind(prompt: Prompt) -> tuple[Decoding, bool]:
    return prompt.request.decoding, bool(prompt.room)


def _sampling_arguments(
    decoding: Decoding, stops: Sequence[str], tokenizer: PreTrainedTokenizerBase
) -> dict[str, object]:
    """Greedy at temperature 0; the model's own sampling defaults count for nothing."""
    found: dict[str, object] = {"do_sample": decoding.temperature > 0, "pad_token_id": tokenizer.pad_token_id}
    if stops:
        found |= {"stop_strings": list(stops), "tokenizer": tokenizer}
    if decoding.temperature > 0:
        return found | {"temperature": decoding.temperature, "top_p": decoding.top_p, "top_k": 0}
    return found | {"temperature": None, "top_p": None, "top_k": None}
