"""Where an answer ends: at an end token, at a stop sequence in its text, or at its limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolyard.models.hf.request_queue import Prompt, Written

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


class Ending:
    """Reads written tokens with the model's tokenizer."""

    def __init__(self, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> None:
        self._tokenizer = tokenizer
        found = model.generation_config.eos_token_id
        ends = set(found if isinstance(found, list) else [found])
        self.tokens = {*ends, tokenizer.eos_token_id, tokenizer.pad_token_id} - {None}

    def of(self, tokens: list[int], prompt: Prompt, looked: int = 0) -> Written | None:
        """The answer, where these tokens hold its end; the first `looked` are known not to."""
        kept = tokens[: prompt.most]
        length = next((place for place in range(looked, len(kept)) if kept[place] in self.tokens), len(kept))
        ended = length < len(kept)
        stopped = self._stop(kept[:length], prompt.stops, looked)
        if stopped is not None:
            return Written(self.text(kept[:stopped]), stopped, ended=False)
        if not ended and len(kept) < prompt.most:
            return None
        return Written(self.text(kept[:length]), length + ended, ended)

    def _stop(self, tokens: list[int], stops: tuple[str, ...], looked: int) -> int | None:
        """How many tokens it takes until a stop sequence stands in the text."""
        if not stops:
            return None
        # A stop sequence may have begun before; a token is at least a byte of it.
        begun = max(0, looked - max(len(stop.encode()) for stop in stops) - 1)
        if not _contains_stop(self.text(tokens[begun:]), stops):
            return None
        low, high = 1, len(tokens)
        while low < high:
            middle = (low + high) // 2
            low, high = (
                (low, middle) if _contains_stop(self.text(tokens[:middle]), stops) else (middle + 1, high)
            )
        return low

    def text(self, tokens: list[int]) -> str:
        """The text without special tokens."""
        return str(self._tokenizer.decode(tokens, skip_special_tokens=True))


def _contains_stop(text: str, stops: tuple[str, ...]) -> bool:
    return any(stop in text for stop in stops)
