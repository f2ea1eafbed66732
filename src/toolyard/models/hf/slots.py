"""Continuous batching: each slot holds one conversation, all advance together, and a finished slot is reused."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import torch

from toolyard.models.hf.answer_end import Ending
from toolyard.models.hf.decoding_steps import State, Steps
from toolyard.models.hf.next_token import Choosing, choose_tokens
from toolyard.models.hf.request_queue import Answered, Prompt

if TYPE_CHECKING:
    from transformers import PreTrainedModel

# Tokens between two looks at what was written: each look waits for the device.
BETWEEN_LOOKS = 8
# What is read at a time: tokens, padding included, and prompts.
TOKENS_AT_ONCE = {"cuda": 32768, "cpu": 4096}
PROMPTS_AT_ONCE = 32
# Slots are so long, or twice that, or twice again.
SHORTEST = 1024


@dataclass(slots=True)
class SlotRow:
    """A prompt under way, what was written after it so far, and how much of that is known to hold no end."""

    prompt: Prompt
    random: random.Random
    tokens: list[int] = field(default_factory=list)
    looked: int = 0

    @property
    def position(self) -> int:
        """Where its last token, which is not read yet, stands."""
        return len(self.prompt.tokens) + len(self.tokens) - 1

    @property
    def last(self) -> int:
        """The last position that it may come to."""
        return _tokens_needed(self.prompt) - 1


class SlotWriter:
    """A model that writes in many slots at once; the rows under way are in the first slots, in this order."""

    batching = "continuous"

    def __init__(self, model: PreTrainedModel, ending: Ending, batch: int) -> None:
        self._steps, self._ending, self._batch = Steps(model), ending, batch
        self._rows: list[SlotRow] = []

    @property
    def live(self) -> int:
        """Prompts under way."""
        return len(self._rows)

    def drop(self) -> None:
        """Forgets what is under way, and the memory it took."""
        self._rows = []
        self._steps.drop()

    def take(self, waiting: Sequence[Prompt]) -> Sequence[Prompt]:
        """The first of the waiting, as many as there are free slots of their length."""
        if waiting and not self._rows:
            self._grow_cache_for(waiting[: self._batch])
        cache, taken = self._steps.cache, []
        for prompt in waiting[: cache.slots - len(self._rows)]:
            if _tokens_needed(prompt) > cache.capacity:
                # It waits until all slots are free and can be made longer, and nobody overtakes it.
                break
            taken.append(prompt)
        with torch.inference_mode():
            for group in self._groups(taken):
                self._read_prompts(group)
        return taken

    def _grow_cache_for(self, waiting: Sequence[Prompt]) -> None:
        capacity = max(SHORTEST, self._steps.cache.capacity)
        while capacity < max(map(_tokens_needed, waiting)):
            capacity *= 2
        if capacity > self._steps.cache.capacity:
            self._steps.make_room(self._batch, capacity)

    def _groups(self, prompts: Sequence[Prompt]) -> Iterator[list[Prompt]]:
        """Prompts of like length that are read together."""
        group: list[Prompt] = []
        for prompt in sorted(prompts, key=lambda each: -len(each.tokens)):
            tokens = (len(group) + 1) * len((group or [prompt])[0].tokens)
            if group and (tokens > TOKENS_AT_ONCE[self._steps.kind] or len(group) == PROMPTS_AT_ONCE):
                yield group
                group = []
            group.append(prompt)
        if group:
            yield group

    def _read_prompts(self, prompts: list[Prompt]) -> None:
        """Reads prompts into the next free slots and writes the first token of each."""
        rows = [SlotRow(prompt, random.Random(prompt.request.seed or 0)) for prompt in prompts]
        logits = self._steps.read(len(self._rows), [prompt.tokens for prompt in prompts])
        for row, token in zip(
            rows, choose_tokens(logits, Choosing.of(rows), _next_random_numbers(rows)).tolist(), strict=True
        ):
            row.tokens.append(token)
        self._rows += rows

    def advance(self) -> Sequence[Answered]:
        """Some tokens further in every slot; the answers that ended."""
        with torch.inference_mode():
            done = self._take_finished()
            if not self._rows:
                return done
            steps = min(BETWEEN_LOOKS, max(row.last - row.position for row in self._rows))
            for row, tokens in zip(self._rows, self._write_tokens(steps), strict=True):
                row.tokens += tokens
            return [*done, *self._take_finished()]

    def _write_tokens(self, steps: int) -> list[list[int]]:
        """The next tokens of each row; those after a row's end are written too and count for nothing."""
        state, choosing, found = self._state(), Choosing.of(self._rows), []
        longest = max(row.position for row in self._rows) + steps
        for _ in range(steps):
            logits = self._steps.write(state, longest)[: len(self._rows)]
            tokens = choose_tokens(logits, choosing, _next_random_numbers(self._rows))
            found.append(tokens)
            state.advance(tokens)
        written: list[list[int]] = torch.stack(found, dim=1).tolist()
        return written

    def _state(self) -> State:
        rows, device = self._rows, self._steps.device
        empty = [0] * (self._steps.width(len(rows)) - len(rows))
        return State(
            torch.tensor([*(row.tokens[-1] for row in rows), *empty], device=device),
            torch.tensor([*(row.position for row in rows), *empty], device=device),
            torch.tensor([*(row.last for row in rows), *empty], device=device),
        )

    def _take_finished(self) -> list[Answered]:
        """The answers that came to their end; the last rows move into the slots that they leave."""
        found: list[Answered] = []
        for place in reversed(range(len(self._rows))):
            row = self._rows[place]
            written = self._ending.of(row.tokens, row.prompt, row.looked)
            row.looked = len(row.tokens)
            if written is None:
                continue
            found.append(Answered(row.prompt, written))
            last = self._rows.pop()
            if last is not row:
                self._rows[place] = last
                self._steps.cache.move(len(self._rows), place, last.position)
        return found


def _next_random_numbers(rows: Sequence[SlotRow]) -> list[float]:
    """The next random number of each row, from the seed of its request."""
    return [row.random.random() for row in rows]


def _tokens_needed(prompt: Prompt) -> int:
    return len(prompt.tokens) + prompt.most
