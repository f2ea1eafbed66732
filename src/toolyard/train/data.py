"""The rows of a training as tokens, and what is counted about them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolyard.core.errors import DataError
from toolyard.core.table import Table
from toolyard.train.row_tokens import Encoded
from toolyard.train.rows import read_rows, rows_digest, split_rows
from toolyard.train.settings import TrainSettings
from toolyard.train.token_cache import encode_cached

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase


@dataclass(frozen=True, slots=True)
class TrainingData:
    """Rows to learn from, rows to evaluate on, and how many were too long for either."""

    rows: tuple[Encoded, ...]
    held_out: tuple[Encoded, ...]
    too_long: int
    sha256: str
    held_out_sha256: str

    @property
    def tokens(self) -> int:
        """All tokens to read."""
        return sum(map(len, self.rows))

    @property
    def learnt(self) -> int:
        """The tokens among them that count."""
        return sum(int(row.trained.sum()) for row in self.rows)


def load_data(settings: TrainSettings, tokenizer: PreTrainedTokenizerBase, longest: int) -> TrainingData:
    """The rows that the settings name, as tokens of this tokenizer."""
    rows = read_rows(settings.data, settings.limit)
    if settings.eval is not None:
        held_out = read_rows(settings.eval)
    else:
        rows, held_out = split_rows(rows, settings.eval_share)
    fits = min(settings.max_length or longest, longest)
    digests = rows_digest(rows), rows_digest(held_out)
    every = [
        encode_cached(part, digest, tokenizer, settings.train)
        for part, digest in zip((rows, held_out), digests, strict=True)
    ]
    short = [tuple(row for row in part if len(row) <= fits) for part in every]
    if not short[0]:
        raise DataError(f"none of {len(rows)} rows has at most {fits} tokens; raise --max-length")
    too_long = sum(map(len, every)) - sum(map(len, short))
    return TrainingData(short[0], short[1], too_long, *digests)


def token_counts_by_source(data: TrainingData) -> dict[str, dict[str, int]]:
    """Rows, tokens and learnt tokens by source."""
    found: dict[str, Counter[str]] = {}
    for part, name in ((data.rows, "rows"), (data.held_out, "held_out")):
        for row in part:
            of_source = found.setdefault(row.source or "unnamed", Counter())
            of_source[name] += 1
            if name == "rows":
                of_source["tokens"] += len(row)
                of_source["learnt"] += int(row.trained.sum())
    return {source: dict(found[source]) for source in sorted(found)}


def counts_table(found: dict[str, dict[str, int]]) -> Table:
    """The counts for people."""
    columns = ("rows", "tokens", "learnt", "held_out")
    body = [(source, *(part.get(name, 0) for name in columns)) for source, part in found.items()]
    total = ("all", *(sum(part.get(name, 0) for part in found.values()) for name in columns))
    return Table(
        "Training rows", ("source", "rows", "tokens", "tokens learnt", "rows held out"), (*body, total)
    )
