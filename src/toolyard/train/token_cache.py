"""Rows as tokens, kept in the user's cache: the same rows for the same tokenizer are cut into tokens once."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from toolyard.core.untrusted.unpacking import DAMAGED
from toolyard.lines import open_for_writing, whole_file
from toolyard.models.assets import cache_folder
from toolyard.train.row_tokens import Encoded, encode
from toolyard.train.rows import LearningRow

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

# Fewer rows are cut faster than they are looked up, and this many files are kept, the newest.
FEWEST = 2000
FILES = 8
# Raised when `encode` gives other tokens for the same rows.
FORM = "1"


def encode_cached(
    rows: Sequence[LearningRow], digest: str, tokenizer: PreTrainedTokenizerBase, train: str
) -> tuple[Encoded, ...]:
    """Every row as tokens; `digest` is that of the rows."""
    if len(rows) < FEWEST:
        return tuple(encode(rows, tokenizer, train))
    parts = (FORM, digest, train, tokenizer_digest(tokenizer))
    path = cache_folder() / "tokens" / f"{hashlib.sha256('|'.join(parts).encode()).hexdigest()}.npz"
    # A file that is damaged is made again, and a cache that has no room is done without.
    with suppress(*DAMAGED, OSError):
        found = _read_tokens(path, rows)
        path.touch()
        return found
    found = tuple(encode(rows, tokenizer, train))
    with suppress(OSError):
        _write_cache(path, found)
    return found


def tokenizer_digest(tokenizer: PreTrainedTokenizerBase) -> str:
    """What the tokens of a conversation depend on: vocabulary and rules, chat template, end token."""
    own = tokenizer.backend_tokenizer.to_str()
    text = f"{own}|{tokenizer.chat_template}|{tokenizer.eos_token_id}"
    return hashlib.sha256(text.encode()).hexdigest()


def _write_cache(path: Path, found: Sequence[Encoded]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as temporary, os.fdopen(open_for_writing(temporary, os.O_TRUNC), "wb") as file:
        np.savez(
            file,
            lengths=np.asarray([len(row) for row in found], dtype=np.int64),
            tokens=np.concatenate([row.tokens for row in found]),
            trained=np.concatenate([row.trained for row in found]),
        )
    others = sorted(path.parent.glob("*.npz"), key=lambda each: each.stat().st_mtime, reverse=True)
    for old in others[FILES:]:
        old.unlink(missing_ok=True)


def _read_tokens(path: Path, rows: Sequence[LearningRow]) -> tuple[Encoded, ...]:
    with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
        ends = np.cumsum(file["lengths"])[:-1]
        tokens, trained = np.split(file["tokens"], ends), np.split(file["trained"], ends)
    parts = zip(rows, tokens, trained, strict=True)
    return tuple(Encoded(row.id, row.source, ids, marks) for row, ids, marks in parts)
