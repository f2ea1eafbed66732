"""Attention over packed rows: no row sees another. One definition, two ways to compute it.

`grouped` pads rows of like length into blocks and runs everywhere; `varlen` is torch's kernel for rows of any length
on a GPU. Only attention is done row by row: everything else in the model works on the unpadded line of tokens.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import torch
from torch.nn.functional import scaled_dot_product_attention

from toolyard.core.errors import UsageError
from toolyard.core.types import JsonValue
from toolyard.train.step_plan import plan_spans

if TYPE_CHECKING:
    from transformers import PreTrainedModel

NAME = "toolyard_packed"
TOLERANCE = 0.05


@dataclass(frozen=True, slots=True)
class Block:
    """Neighbouring rows of like length: their tokens, and where these lie in a padded block."""

    start: int
    stop: int
    rows: int
    width: int
    places: torch.Tensor


@dataclass(frozen=True, slots=True)
class Layout:
    """How rows lie in a pack: as blocks, or as boundaries for the kernel."""

    blocks: tuple[Block, ...] = ()
    boundaries: torch.Tensor | None = None
    longest: int = 0


def make_layout(lengths: Sequence[int], device: torch.device, way: str) -> Layout:
    """The layout of rows of these lengths, the longest first."""
    if way == "varlen":
        ends = torch.tensor([0, *lengths], dtype=torch.int32).cumsum(0, dtype=torch.int32)
        return Layout((), ends.to(device, non_blocking=True), max(lengths))
    return Layout(tuple(_make_block(span.start, span.lengths, device) for span in plan_spans(lengths)))


def _make_block(start: int, lengths: Sequence[int], device: torch.device) -> Block:
    width = max(lengths)
    places = torch.cat([torch.arange(length) + row * width for row, length in enumerate(lengths)])
    return Block(start, start + sum(lengths), len(lengths), width, places.to(device, non_blocking=True))


def packed_attention(
    module: torch.nn.Module,  # noqa: ARG001 - the signature that transformers calls
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,  # noqa: ARG001
    scaling: float | None = None,
    layout: Layout | None = None,
    **others: object,  # noqa: ARG001
) -> tuple[torch.Tensor, None]:
    """Causal attention within each row of the pack; (1, heads, tokens, size) in, (1, tokens, heads, size) out."""
    if layout is None:
        raise UsageError("this model does not tell its attention where rows end; train it with --packing no")
    flat = (query[0].transpose(0, 1), key[0].transpose(0, 1), value[0].transpose(0, 1))
    if layout.boundaries is not None:
        found = _attend_varlen(flat, layout, scaling)
    else:
        found = torch.cat([_attend_block(flat, block, scaling) for block in layout.blocks])
    return found.unsqueeze(0), None


def _attend_block(flat: Sequence[torch.Tensor], block: Block, scaling: float | None) -> torch.Tensor:
    """One block; padding stands behind each row, where causal attention does not look."""
    padded = []
    for part in flat:
        empty = part.new_zeros((block.rows * block.width, *part.shape[1:]))
        filled = empty.index_copy(0, block.places, part[block.start : block.stop])
        padded.append(filled.view(block.rows, block.width, *part.shape[1:]).transpose(1, 2))
    shared = flat[0].shape[1] != flat[1].shape[1]
    found = scaled_dot_product_attention(*padded, is_causal=True, scale=scaling, enable_gqa=shared)
    return found.transpose(1, 2).reshape(-1, *flat[0].shape[1:]).index_select(0, block.places)


def _attend_varlen(
    flat: tuple[torch.Tensor, torch.Tensor, torch.Tensor], layout: Layout, scaling: float | None
) -> torch.Tensor:
    query, key, value = flat
    ends, longest = layout.boundaries, layout.longest
    call, taken = _attention_kernel()
    words: dict[str, JsonValue] = {"scale": scaling} if "scale" in taken else {}
    words |= {"window_size": (-1, 0)} if "window_size" in taken else {"is_causal": True}
    if "enable_gqa" in taken:
        words["enable_gqa"] = query.shape[1] != key.shape[1]
    elif query.shape[1] != key.shape[1]:
        times = query.shape[1] // key.shape[1]
        key, value = key.repeat_interleave(times, 1), value.repeat_interleave(times, 1)
    found: torch.Tensor = call(query, key, value, ends, ends, longest, longest, **words)
    return found


@cache
def _attention_kernel() -> tuple[Callable[..., object], frozenset[str]]:
    """Torch's kernel and the words that this version of it takes."""
    from torch.nn.attention.varlen import varlen_attn

    return varlen_attn, frozenset(inspect.signature(varlen_attn).parameters)


def chosen_way(wanted: str, device: torch.device, dtype: torch.dtype) -> str:
    """The way that works here: the kernel where it is there and agrees with the blocks, unless one is asked for."""
    if wanted == "grouped" or device.type != "cuda" or dtype == torch.float32:
        if wanted == "varlen":
            raise UsageError("--attention varlen needs a GPU and bfloat16; leave it out or take grouped")
        return "grouped"
    wrong = _kernel_fault(device, dtype)
    if wrong and wanted == "varlen":
        raise UsageError(f"--attention varlen does not work here: {wrong}; take grouped")
    return "grouped" if wrong else "varlen"


def _kernel_fault(device: torch.device, dtype: torch.dtype) -> str:
    """Why the kernel cannot be used, or nothing: forward and backward are compared with the blocks'."""
    lengths = (70, 64, 9, 1)
    results = []
    try:
        for way in ("grouped", "varlen"):
            maker = torch.Generator(device).manual_seed(1)
            parts = [
                torch.randn((1, heads, sum(lengths), 64), generator=maker, device=device, dtype=dtype)
                for heads in (6, 2, 2)
            ]
            leaves = [part.requires_grad_() for part in parts]
            layout = make_layout(lengths, device, way)
            query, key, value = leaves
            found, _ = packed_attention(None, query, key, value, None, 0.125, layout)
            found.float().square().sum().backward()
            results.append([found, *(leaf.grad for leaf in leaves)])
    except (ImportError, RuntimeError, TypeError, ValueError) as error:
        return " ".join(str(error).split())[:200]
    gaps = [
        float((one.float() - other.float()).abs().max() / one.float().abs().max())
        for one, other in zip(*results, strict=True)
    ]
    return f"it differs by {max(gaps):.3f}" if max(gaps) > TOLERANCE else ""


def install_attention(model: PreTrainedModel, *, compiled: bool = False) -> None:
    """Makes the model use packed attention; its other calls are then to name a layout."""
    from transformers import AttentionInterface

    # The kernel is as fast as it gets: layers are compiled around it.
    call = torch.compiler.disable(packed_attention) if compiled else packed_attention
    AttentionInterface.register(NAME, call)
    model.set_attn_implementation(NAME)
