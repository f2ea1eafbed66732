"""Which rows make up which step, and how they lie side by side; all of it follows from the seed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from toolyard.train.row_tokens import Encoded

# Rows whose lengths differ by less than this share of the longest are padded to it for attention.
SPREAD = 0.2


@dataclass(frozen=True, slots=True)
class Span:
    """Neighbouring rows of a pack that attention sees as one padded block: first token, and each row's length."""

    start: int
    lengths: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PackedRows:
    """Rows at a time: tokens and positions in `rows` lines, and where what is learnt is predicted.

    Packed rows lie in one line, each with its own positions; padded rows have a line each.
    """

    tokens: npt.NDArray[np.int64]
    positions: npt.NDArray[np.int64]
    predicted_at: npt.NDArray[np.int64]
    targets: npt.NDArray[np.int64]
    lengths: tuple[int, ...]
    sources: tuple[str, ...]
    learnt: tuple[int, ...]

    @property
    def real_tokens(self) -> int:
        """Tokens without padding."""
        return sum(self.lengths)


def plan_steps(
    lengths: Sequence[int], *, seed: int, epochs: float, batch_tokens: int, most: int = 0
) -> list[list[int]]:
    """The rows of every step: each epoch in an order of its own, as many rows as fit into the tokens of a step."""
    found: list[list[int]] = []
    for epoch in range(math.ceil(epochs)):
        if most and len(found) >= most:
            break
        order = np.random.default_rng([seed, epoch]).permutation(len(lengths))
        filled = list(_fill_steps([int(place) for place in order], lengths, batch_tokens))
        found += filled[: math.ceil(len(filled) * min(1.0, epochs - epoch))]
    return found[:most] if most else found


def _fill_steps(order: Sequence[int], lengths: Sequence[int], room: int) -> Iterator[list[int]]:
    taken: list[int] = []
    tokens = 0
    for place in order:
        if taken and tokens + lengths[place] > room:
            yield taken
            taken, tokens = [], 0
        taken.append(place)
        tokens += lengths[place]
    if taken:
        yield taken


def pack_rows(rows: Sequence[Encoded], *, micro_tokens: int, packing: bool) -> Iterator[PackedRows]:
    """The rows of a step in parts that fit into memory, rows of like length together."""
    ordered = sorted(rows, key=lambda row: -len(row))
    taken: list[Encoded] = []
    for row in ordered:
        held = sum(map(len, taken)) if packing else len(taken) * len(taken[0]) if taken else 0
        more = len(row) if packing or not taken else len(taken[0])
        if taken and held + more > micro_tokens:
            yield _pack_tokens(taken, packing)
            taken = []
        taken.append(row)
    if taken:
        yield _pack_tokens(taken, packing)


def _pack_tokens(rows: Sequence[Encoded], packing: bool) -> PackedRows:
    lengths = tuple(map(len, rows))
    width = sum(lengths) if packing else max(lengths)
    tokens = np.zeros(width if packing else width * len(rows), dtype=np.int64)
    positions = np.zeros_like(tokens)
    at, targets, start = [], [], 0
    for row, length in zip(rows, lengths, strict=True):
        tokens[start : start + length] = row.tokens
        positions[start : start + length] = np.arange(length)
        places = np.flatnonzero(row.trained)
        # A token is predicted at the place before it.
        at.append(places - 1 + start)
        targets.append(row.tokens[places])
        start += length if packing else width
    shape = (1, width) if packing else (len(rows), width)
    return PackedRows(
        tokens.reshape(shape),
        positions.reshape(shape),
        np.concatenate(at),
        np.concatenate(targets).astype(np.int64),
        lengths,
        tuple(row.source for row in rows),
        tuple(len(part) for part in targets),
    )


def plan_spans(lengths: Sequence[int]) -> list[Span]:
    """Packed rows, the longest first, in blocks of about the same length."""
    found: list[Span] = []
    start = 0
    block: list[int] = []
    for length in lengths:
        if block and length < block[0] * (1 - SPREAD):
            found.append(Span(start, tuple(block)))
            start, block = start + sum(block), []
        block.append(length)
    if block:
        found.append(Span(start, tuple(block)))
    return found
