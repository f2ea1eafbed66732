"""Tokens that a request took."""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens read and written; add them up. Thoughts are among those written, cached ones among those read.

    Those of batches, which have a price of their own, are among the others and counted once more.
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    reasoning_tokens: int = 0
    cached_tokens: int = 0
    batched_prompt_tokens: int = 0
    batched_completion_tokens: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.reasoning_tokens + other.reasoning_tokens,
            self.cached_tokens + other.cached_tokens,
            self.batched_prompt_tokens + other.batched_prompt_tokens,
            self.batched_completion_tokens + other.batched_completion_tokens,
        )

    @property
    def as_batched(self) -> "Usage":
        """The same tokens, all of them of a batch."""
        return replace(
            self, batched_prompt_tokens=self.prompt_tokens, batched_completion_tokens=self.completion_tokens
        )
