"""Rows as tokens, with a mark on every token that the model is to learn.

The prompt is written by the tokenizer's own chat template and cut into tokens by itself, exactly as it is when a
benchmark asks the model; the answer's tokens follow. So the first token that is learnt is the first that is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from toolyard.core.errors import DataError
from toolyard.train.rows import LearningRow

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

BATCH = 1024


@dataclass(frozen=True, slots=True)
class Encoded:
    """A row's tokens; `trained` marks those whose prediction counts."""

    id: str
    source: str
    tokens: npt.NDArray[np.int32]
    trained: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.tokens)


@dataclass(frozen=True, slots=True)
class ConversationPiece:
    """Some text of a conversation, and whether it is to be learnt."""

    text: str
    learnt: bool


def cut_conversation(
    row: LearningRow, tokenizer: PreTrainedTokenizerBase, train: str = "last"
) -> list[ConversationPiece]:
    """The conversation as the template writes it, cut where a learnt message begins and ends."""
    roles = [message["role"] for message in row.messages]
    learnt = [place for place, role in enumerate(roles) if role == "assistant"]
    found: list[ConversationPiece] = []
    written = ""
    for place in learnt if train == "all" else learnt[-1:]:
        prompt = _render_chat(tokenizer, row.messages[:place], asked=True)
        whole = _render_chat(tokenizer, row.messages[: place + 1], asked=False)
        if not prompt.startswith(written) or not whole.startswith(prompt):
            raise DataError(
                f"row {row.id}: the chat template writes message {place} differently when it is answered; "
                "its tokens cannot be distinguished"
            )
        found += [
            ConversationPiece(prompt[len(written) :], False),
            ConversationPiece(whole[len(prompt) :], True),
        ]
        written = whole
    return found


def _render_chat(
    tokenizer: PreTrainedTokenizerBase, messages: Sequence[dict[str, str]], *, asked: bool
) -> str:
    return str(
        tokenizer.apply_chat_template(
            [dict(item) for item in messages], tokenize=False, add_generation_prompt=asked
        )
    )


def encode(
    rows: Sequence[LearningRow], tokenizer: PreTrainedTokenizerBase, train: str = "last"
) -> Iterator[Encoded]:
    """Every row as tokens; a row of which nothing would be learnt is refused."""
    if tokenizer.chat_template is None:
        raise DataError("the base model has no chat template; take an instruction-tuned one")
    end = tokenizer.eos_token_id
    for start in range(0, len(rows), BATCH):
        batch = rows[start : start + BATCH]
        cut = [cut_conversation(row, tokenizer, train) for row in batch]
        texts = [piece.text for row in cut for piece in row]
        tokens = iter(tokenizer(texts, add_special_tokens=False)["input_ids"])
        for row, parts in zip(batch, cut, strict=True):
            yield _encode_row(row, [(next(tokens), part.learnt) for part in parts], end)


def _encode_row(row: LearningRow, parts: Sequence[tuple[list[int], bool]], end: int | None) -> Encoded:
    """The tokens of the parts; what a template writes behind the end of an answer is nobody's to learn."""
    tokens: list[int] = []
    trained: list[bool] = []
    for ids, learnt in parts:
        last = len(ids) - 1 - ids[::-1].index(end) if learnt and end in ids else len(ids) - 1
        tokens += ids
        trained += [learnt and place <= last for place in range(len(ids))]
    # The first token of all has nothing before it to be predicted from.
    trained[:1] = [False] * len(trained[:1])
    if not any(trained[: len(tokens)]) or not row.messages[-1]["content"].strip():
        raise DataError(f"row {row.id} has no token to learn: the assistant's last message is empty")
    stop = max(place for place, flag in enumerate(trained) if flag) + 1
    return Encoded(
        row.id,
        row.source,
        np.asarray(tokens[:stop], dtype=np.int32),
        np.asarray(trained[:stop], dtype=np.bool_),
    )
